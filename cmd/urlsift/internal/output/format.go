package output

import (
	"fmt"
	"slices"
	"strings"
)

// A Format is a format for results and for the answers of subcommands.
type Format uint8

const (
	Text  Format = iota // lines for people
	JSONL               // a JSON object in each line
	CSV                 // a table as in RFC 4180
	TSV                 // a table with tabs between the cells
)

// Formats are the names of the Formats, as the constants are listed.
var Formats = []string{"text", "jsonl", "csv", "tsv"}

// String returns the name of f.
func (f Format) String() string { return Formats[f] }

// UnmarshalText sets f to the format with that name.
func (f *Format) UnmarshalText(name []byte) error {
	i := slices.Index(Formats, string(name))
	if i < 0 {
		return fmt.Errorf("no format is called %q (there are %s)", name, strings.Join(Formats, ", "))
	}
	*f = Format(i)
	return nil
}

// Ends returns how records of this format end. null says that each ends with NUL.
func (f Format) Ends(null bool) Ends {
	if null {
		return Ends{Byte: 0}
	}
	return Ends{Byte: '\n', Quotes: f == CSV}
}
