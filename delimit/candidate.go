package delimit

import (
	"bytes"
	"fmt"
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// A Form is the kind of delimiters around a reference.
type Form uint8

const (
	Bare  Form = iota + 1 // white space, or characters that end any reference
	Angle                 // <...>
	Quote                 // "..."

	// A [Scanner] never sets the next two forms. Callers set them if they read a format in which a
	// complete value is a reference, such as HTML.
	Attribute // the value of an HTML attribute
	Header    // the complete value of a header field
)

// formOf returns the form of a wrapper that mark opens: '<', '"', or 0 for none.
func formOf(mark byte) Form {
	switch mark {
	case '<':
		return Angle
	case '"':
		return Quote
	}
	return Bare
}

// String returns "none", "angle", "quote", "attribute" or "header".
func (f Form) String() string {
	switch f {
	case Bare:
		return "none"
	case Angle:
		return "angle"
	case Quote:
		return "quote"
	case Attribute:
		return "attribute"
	case Header:
		return "header"
	}
	return ""
}

// A Reading is a way to read the text of a [Candidate] that differs from the primary one.
// Readings are bits and can be combined.
type Reading uint32

const (
	NoHyphen     Reading = 1 << iota // without a hyphen in front of a line break
	SpaceEscaped                     // white space in <...> is read as %20, and all else that no reference can hold is escaped
	CutAtSpace                       // the reference ends at the first white space in <...>
	Entity                           // "&amp;" is read as "&"
	Rejoined                         // a bare reference continues on the next line, or up to the closing bracket
	WithTail                         // the punctuation after a bare reference belongs to it
	AtComma                          // a bare reference ends at its first comma: a field follows

	// The next ones are of bare references. The text of the reading begins like the reference and ends
	// elsewhere.
	InHost     // a symbol or letter belongs to the host, too
	Script     // with, or without, the letters of a script without spaces
	Joiner     // without the joiner of a word and what follows it
	Backslash  // it ends at its first backslash
	AtColour   // it ends at the first colour
	Possessive // with what was taken for an ending of the word
	Bracket    // with, or without, what a bracket encloses
	Glued      // it ends in front of the reference in it
	RawTilde   // with the character that was read as "~"
	PastComma  // it does not end at its first comma
	AtCharset  // octets that are no UTF-8 are letters of windows-1252
	IDNADot    // the full stops of other scripts are dots of the host
)

var readingNames = [...]string{"hyphen", "space-escaped", "cut-at-space", "entity", "rejoined", "tail", "comma", "host", "script", "joiner", "backslash", "colour", "possessive", "bracket", "glued", "raw", "comma", "charset", "idna-dot"}

// String returns the names of the bits of r, joined with ','.
func (r Reading) String() string { return joinBits(uint32(r), readingNames[:]) }

// An Extra is a way of writing references that is not recognised by default. Extras are
// bits and can be combined.
type Extra uint8

const (
	Abbreviated Extra = 1 << iota // www.w3.org/Addressing/
	Defanged                      // hxxp://evil[.]example
	Rejoin                        // offer the reading Rejoined
	Address                       // someone@example.org, as mailto:

	// The next ones are not options. They say what was undone or repaired. A caller that repairs
	// references may set Repaired, too.
	Repaired     // a character that no reference can hold was replaced: a "%" that begins no escape, a backslash
	Unescaped    // escapes of a program were undone: \u003d, \_
	EntityUndone // entities of HTML were undone
	Colour       // the colours of a terminal were removed
)

// extraNames are the names of the bits of Extra. The last four are not options.
var extraNames = [...]string{"abbreviated", "defanged", "rejoin", "address", "repaired", "unescaped", "entity", "colour"}

// requestable are the names that a program may request.
var requestable = extraNames[:4]

// String returns the names of the bits of x, joined with ','.
func (x Extra) String() string { return joinBits(uint32(x), extraNames[:]) }

// UnmarshalText adds the extras in list to x. list has names separated by commas. For an
// unknown name it returns a [*NameError] and does not change x.
func (x *Extra) UnmarshalText(list []byte) error {
	add := *x
next:
	for name := range strings.SplitSeq(string(list), ",") {
		for i, n := range requestable {
			if n == name {
				add |= 1 << i
				continue next
			}
		}
		return &NameError{Name: name}
	}
	*x = add
	return nil
}

// A NameError is the error of [Extra.UnmarshalText] for a name that no extra has.
type NameError struct {
	Name string
}

// Error returns a message with the name and all valid names.
func (e *NameError) Error() string {
	return fmt.Sprintf("delimit: no extra is called %q (there are %s)", e.Name, strings.Join(requestable, ", "))
}

func joinBits(bits uint32, names []string) string {
	var s []string
	for i, n := range names {
		if bits == 1<<i {
			return n // the usual case allocates nothing
		}
		if bits&(1<<i) != 0 {
			s = append(s, n)
		}
	}
	return strings.Join(s, ",")
}

// A Span is a stretch of the text that a [Scanner] reads: byte offsets from 0, where End
// is the offset after the last byte.
type Span struct{ Start, End int64 }

// Len returns the number of bytes in s.
func (s Span) Len() int64 { return s.End - s.Start }

// A Candidate is a stretch of text that is delimited like a reference and begins like
// one. Its slices are valid until the next call of [Scanner.Next], which overwrites them
// to make misuse visible. The caller may read but not change them. Copy what must be
// kept, or use [Candidate.Clone].
type Candidate struct {
	Text []byte // the primary reading: without line breaks and everything else that is removed
	Ref  []byte // Text; with Abbreviated, Defanged or Address in By, the absolute reference that Text stands for
	Raw  []byte // the reference in the text, unchanged: with line breaks, quote prefixes, escapes
	Tail []byte // punctuation after a bare reference that belongs to the sentence

	Inner  Span  // the span of Raw
	Outer  Span  // the span of Raw with its wrapper and prefix
	Line   int64 // of Inner.Start, from 1; 0 with Options.NoLines
	Column int64 // of Inner.Start, in bytes, from 1; 0 with Options.NoLines
	Breaks int   // line breaks removed from Text

	Form     Form
	Prefixed bool    // a prefix is in front of it
	By       Extra   // the extras by which it was found or repaired
	Others   Reading // the other readings that the text allows

	otherReadings
}

// An otherReadings has what the other readings of a Candidate need besides its exported fields.
type otherReadings struct {
	next      []byte      // for Rejoined: how the next line continues
	bracketed []byte      // for Rejoined and SpaceEscaped: what is in the brackets around a bare reference
	quoted    quotePrefix // quote prefix of the line that opened the wrapper
	hyphens   int         // line breaks directly after a hyphen
	json      bool        // escapes are undone
	elsewhere elsewhere   // where the reading of a bare reference may end
}

// An elsewhere has readings that begin like a bare reference and end elsewhere: InHost and those after
// it.
type elsewhere struct {
	run      []byte            // the reference and what follows it, as far as a reading reaches
	entities bool              // all entities are undone
	ends     [elsewheres]int32 // in run, of each reading
}

// elsewheres is the number of readings from InHost on.
const elsewheres = 12

// place returns the place of the reading why in a list of those from InHost on.
func place(why Reading) int { return bits.TrailingZeros32(uint32(why / InHost)) }

// Clone returns a copy of c that shares no memory with the scanner.
func (c Candidate) Clone() Candidate {
	sameRef := len(c.Ref) == len(c.Text) && c.By&(Abbreviated|Defanged|Address) == 0
	c.Text = bytes.Clone(c.Text)
	if sameRef {
		c.Ref = c.Text
	} else {
		c.Ref = bytes.Clone(c.Ref)
	}
	c.Raw = bytes.Clone(c.Raw)
	c.Tail = bytes.Clone(c.Tail)
	c.next, c.bracketed, c.elsewhere.run = bytes.Clone(c.next), bytes.Clone(c.bracketed), bytes.Clone(c.elsewhere.run)
	return c
}

// Readings returns the readings in c.Others: the bit of each and its text. [NoHyphen]
// gives up to seven texts, one for each choice of hyphens to drop; every other bit
// gives one. A text is written to buf[:0], or to new memory if buf is too small, and is
// valid until the next iteration. c keeps no reference to it. The slices of c must
// still be valid.
func (c *Candidate) Readings(buf []byte) iter.Seq2[Reading, []byte] {
	return func(yield func(Reading, []byte) bool) {
		for r := NoHyphen; r <= IDNADot; r <<= 1 {
			if c.Others&r == 0 {
				continue
			}
			if r != NoHyphen {
				buf = c.AppendReading(buf[:0], r)
				if !yield(r, buf) {
					return
				}
				continue
			}
			if len(c.next) > 0 { // bare: there is only one hyphen
				buf = c.AppendReading(buf[:0], r)
				if !yield(r, buf) {
					return
				}
				continue
			}
			n := min(c.hyphens, maxHyphens)
			for drop := uint8(1); drop < 1<<n; drop++ {
				buf = c.join(buf[:0], joiner{Drop: drop})
				if !yield(r, buf) {
					return
				}
			}
		}
	}
}

// AppendReading appends to dst the text of c in the reading r, one bit of c.Others, and
// returns the extended slice. [NoHyphen] drops every doubtful hyphen; for all choices
// see [Candidate.Readings]. If r is not in c.Others, dst is returned unchanged.
func (c *Candidate) AppendReading(dst []byte, r Reading) []byte {
	if r >= InHost && r&c.Others != 0 {
		switch r {
		case RawTilde:
			return append(dst, c.Raw...)
		case AtCharset:
			for t := c.Text; len(t) > 0; {
				r, n := utf8.DecodeRune(t)
				if r == utf8.RuneError && n == 1 {
					r = rune(t[0]) // the letters from 0xC0 on are those of Latin 1
				}
				dst = utf8.AppendRune(dst, r)
				t = t[n:]
			}
			return dst
		}
		if end := c.elsewhere.ends[place(r)]; end > 0 {
			dst, _ = undo(dst, c.elsewhere.run[:end], c.elsewhere.entities)
		}
		return dst
	}
	switch r & c.Others {
	case NoHyphen:
		if len(c.next) > 0 {
			return append(append(dst, c.Text[:len(c.Text)-1]...), c.next...)
		}
		return c.join(dst, joiner{Drop: 1<<maxHyphens - 1})
	case SpaceEscaped:
		return appendEscaped(c.join(dst, joiner{Escape: true}), len(dst))
	case CutAtSpace:
		return c.join(dst, joiner{Cut: true})
	case Entity:
		for t := c.Text; ; {
			i := bytes.Index(t, ampEntity)
			if i < 0 {
				return append(dst, t...)
			}
			dst = append(dst, t[:i+1]...)
			t = t[i+len(ampEntity):]
		}
	case Rejoined:
		if len(c.bracketed) > 0 {
			return c.join(dst, joiner{})
		}
		return append(append(dst, c.Text...), c.next...)
	case AtComma:
		return append(dst, c.Text[:bytes.IndexByte(c.Text, ',')]...)
	case WithTail:
		return append(append(dst, c.Text...), c.Tail...)
	}
	return dst
}

// AppendSpaced appends to dst the text of c in the reading [SpaceEscaped], with nothing
// escaped but white space, and returns the extended slice. It is for callers that escape the
// rest by a grammar: [Candidate.AppendReading] escapes the octets of UTF-8, and in the
// document of 1993 an escape is an ISO Latin 1 code. If c has no such reading, dst is returned
// unchanged.
func (c *Candidate) AppendSpaced(dst []byte) []byte {
	if c.Others&SpaceEscaped == 0 {
		return dst
	}
	return c.join(dst, joiner{Escape: true})
}

// join appends a reading of c, which it makes from the raw bytes, to dst.
func (c *Candidate) join(dst []byte, how joiner) []byte {
	how.JSON = c.json
	raw := c.Raw
	if len(c.bracketed) > 0 {
		raw = c.bracketed
	}
	return join(dst, raw, &c.quoted, how)
}
