package delimit

import (
	"iter"
	"maps"
)

// greatestLen is the largest Options.MaxLen. The window of a scanner is eight times as
// large.
const greatestLen = 4 << 20

// The defaults of MaxLen and MaxBreaks. AppendWrapped writes lines that a reader with these
// limits joins.
const (
	defaultMaxLen    = 8192
	defaultMaxBreaks = 32
)

// Options configure a [Scanner]. The zero Options are valid.
type Options struct {
	Extras Extra // off by default

	// Malformed also yields texts that are meant as references and are none: a scheme with a host, ":",
	// and then three slashes or more and a name, an address in brackets that is none, one slash and a host, or
	// two backslashes and a host; http, https or ftp in front of "//" with ';', '.' or nothing in place of the
	// colon. Some of them are references in a grammar, and mean something else there.
	Malformed bool

	// Known reports whether text uses scheme, in any case, without "//". If the field is nil, the
	// function [Known] and what follows the colon decide (rule 2).
	Known func(scheme []byte) bool

	// MaxLen is the largest number of bytes of a reference in the text, including line
	// breaks and everything that is removed. MaxBreaks is the largest number of line
	// breaks in a wrapper. If they are 0 or less, 8192 and 32 are used. A MaxLen above 4
	// MiB is treated as 4 MiB. A longer bare run is skipped as a whole and counted.
	// MaxLen also determines the memory of the scanner: a window of eight times MaxLen,
	// at least 128 KiB, and buffers of MaxLen. The window and the buffers do not grow.
	MaxLen    int
	MaxBreaks int

	// Article says that the texts are articles of news. In an article <URL:1@h.example>
	// refers to another article: "within an article, a reference to a news group or to
	// another article will be a valid URL (in the partial form)" (1993 and 1994, "News").
	// In other texts <URL:1@h.example> is a mail address, and no reference.
	Article bool

	// NoLines leaves Line and Column of a [Candidate] 0. Counting lines takes a tenth
	// of the time if candidates are dense, and less if they are rare.
	NoLines bool
}

// Known reports whether text uses scheme, in any case, without "//": the schemes of the
// old documents (mailto, mid, cid, news, urn) and a list of others. It does not keep
// scheme and does not allocate.
func Known(scheme []byte) bool { return traitsOf(scheme)&opaque != 0 }

// Schemes yields the names, in lower case and in no order, of the schemes that are
// registered or in wide use. Other schemes are found too, with "//" or after a prefix.
func Schemes() iter.Seq[string] { return maps.Keys(lookup) }
