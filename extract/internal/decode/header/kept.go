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
// and "URL:" that some programs add. Each iteration removes at least a byte.
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
