package header

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A keptValue collects the value of a field for the sink, as text without white space.
type keptValue struct {
	kind    fieldRule // fieldText if nothing is collected
	name    string    // lower case
	start   int64     // in the input
	text    []byte
	from    decode.Map // from text to input; its input offset 0 is start
	tooLong bool
	room    [256]byte // pieces are decoded into it

	skipped [2]int64 // how many values were too long, and how many bytes they had
}

func (k *keptValue) reset(start int64, kind fieldRule, name string) {
	k.kind, k.name, k.start = kind, name, start
	k.text = k.text[:0]
	k.from.Reset()
	k.tooLong = false
}

// add appends the output that conv describes, which is at the beginning of room. It leaves out white
// space, which is no part of a URL, neither as a fold nor as '_' in an encoded word. It keeps at
// most limit bytes, and at most limit mappings.
func (k *keptValue) add(conv decode.Conversion, limit int) {
	if conv.Out == 0 || conv.In == 0 {
		k.from.Add(decode.Conversion{In: conv.In, InUnit: 1})
		return
	}
	for i := 0; i < conv.Out; i += int(conv.OutUnit) {
		unit := k.room[i : i+int(conv.OutUnit)]
		if k.tooLong = k.tooLong || len(k.text)+len(unit) > limit; k.tooLong {
			return
		}
		if len(unit) == 1 && octet.IsSpace(unit[0]) {
			k.from.Add(decode.Conversion{In: int(conv.InUnit), InUnit: 1})
			continue
		}
		k.text = append(k.text, unit...)
		k.from.Add(decode.Conversion{In: int(conv.InUnit), Out: len(unit), InUnit: conv.InUnit, OutUnit: conv.OutUnit})
	}
}

// unwrapped returns the bounds of the reference in s, without the quotes, angle brackets
// and "URL:" that some programs add.
func unwrapped(s []byte) (lo, hi int) {
	hi = len(s)
	for lo < hi {
		switch {
		case s[lo] == '"' || s[lo] == '<':
			lo++
		case s[hi-1] == '"' || s[hi-1] == '>':
			hi--
		case hi-lo >= 4 && bytes.EqualFold(s[lo:lo+4], []byte("URL:")):
			lo += 4
		default:
			return lo, hi
		}
	}
	return lo, hi
}

// bracketed returns the bounds of the text between the first '<' of s and the next '>'. If there is
// no '<', the text begins with s; if there is no '>', it ends with s.
func bracketed(s []byte) (lo, hi int) {
	lo = bytes.IndexByte(s, '<') + 1
	if n := bytes.IndexByte(s[lo:], '>'); n >= 0 {
		return lo, lo + n
	}
	return lo, len(s)
}

// defaultMaxKept is used for [Decoder.MaxValue] if that is 0.
const defaultMaxKept = 8 << 10

// Some fields hold references in angle brackets, and other things beside them:
//
//	Link: <../x>; rel=next; title="a <b>", <http://a/>; rel=prev
//	List-Archive: <http://a/> (the archive)
//
// The value is text. The scanner finds a reference in brackets if it has a scheme. A relative
// reference looks like any other word in brackets, and only the field shows that it is a
// reference. So it is passed to the sink here, and the text has empty brackets in its place.
//
// A reference is the first thing in an item, and commas separate items: RFC 8288, section 3,
// and RFC 2369, section 2. Commas and brackets in a quoted string have no meaning.

// A bracketState is the state after a part of the value of such a field.
type bracketState uint8

const (
	noBrackets   bracketState = iota // the field is not of this kind
	atItem                           // at the beginning of an item, or after white space there
	afterBracket                     // after a '<' that begins an item
	inItem
	inQuoted
	afterBackslash // in a quoted string
)

// follow reads b up to the first '<' that begins an item, or else all of b. It returns how many
// bytes it read, and the state after them. It examines each byte once.
func (s bracketState) follow(b []byte) (n int, after bracketState) {
	for i := 0; i < len(b); i++ {
		if s == inItem { // most bytes
			for b[i] != '"' && b[i] != ',' {
				if i++; i == len(b) {
					return i, s
				}
			}
		}
		switch c := b[i]; {
		case s == afterBackslash:
			s = inQuoted
		case s == inQuoted:
			if c == '\\' {
				s = afterBackslash
			} else if c == '"' {
				s = inItem
			}
		case c == '"':
			s = inQuoted
		case c == ',':
			s = atItem
		case c == '<': // at the beginning of an item
			return i + 1, afterBracket
		case !octet.IsSpace(c):
			s = inItem
		}
	}
	return len(b), s
}

// maxRelative is the length of the longest relative reference in brackets, including folds.
const maxRelative = 1024

const _ = uint(decode.MaxAhead - maxRelative) // this fails to compile if it is too long

// relative returns the length of the relative reference at the beginning of src, including
// white space around it, or 0 if there is none. A closing bracket must follow it. White space
// inside is ignored if it contains a fold; other white space separates words. A colon in the
// first segment ends a scheme or a prefix, which the scanner recognises, and an "@" in that
// segment is part of an address.
func relative(src []byte, atEOF bool) (n int, more bool) {
	first, begun := true, false // in the first segment; something other than white space was read
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case i >= maxRelative:
			return 0, false
		case c == '>':
			if !begun {
				return 0, false
			}
			return i, false
		case octet.IsSpace(c):
			k := spaces(src[i:])
			switch {
			case i+k == len(src):
				return 0, !atEOF && i+k < maxRelative
			case src[i+k] == '\n': // the end of the field
				return 0, false
			case begun && src[i+k] != '>' && bytes.IndexByte(src[i:i+k], '\n') < 0:
				return 0, false // words
			}
			i += k
			continue
		case c == '/' || c == '?' || c == '#':
			first = false
		case first && (c == ':' || c == '@'), c == '<', c == '"', c < ' ', c >= 0x7F:
			return 0, false
		case c == '=' && i+1 < len(src) && src[i+1] == '?': // an encoded word
			return 0, false
		}
		begun = true
		i++
	}
	return 0, !atEOF && len(src) < maxRelative
}

// spaces returns the length of the white space at the beginning of b, including folds. It stops
// in front of a line end that begins no fold.
func spaces(b []byte) int {
	i := 0
	for i < len(b) && i < maxRelative && octet.IsSpace(b[i]) {
		if b[i] == '\n' && i+1 < len(b) && !octet.IsBlank(b[i+1]) {
			break
		}
		i++
	}
	return i
}
