package output

import "github.com/urlsift/urlsift/cmd/urlsift/internal/names"

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
func (f *Format) UnmarshalText(name []byte) error { return names.Parse(f, "format", name, Formats) }

// Ends returns how records of this format end. null says that each ends with NUL.
func (f Format) Ends(null bool) Ends {
	if null {
		return Ends{Byte: 0}
	}
	return Ends{Byte: '\n', Quotes: f == CSV}
}
