package charset

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A label goes through three hands: the aliases here, which have the last word,
// the index of the WHATWG, which knows what labels mean in practice, and that of
// IANA, which knows what was registered. What none of them knows is tried again
// by its family, "cp-1252" or "iso_8859-1_something". All that is done once for
// each label, and then looked up.

// maxLabel bounds a label; longer ones are cut. The longest registered one
// has 45 bytes.
const maxLabel = 64

// maxCharsets bounds the labels, and so the Decoders, that Decoders keeps.
const maxCharsets = 64

// Decoders makes decoders to UTF-8 by the labels of charsets in mail, and keeps
// at most 64 of them. The zero Decoders is ready. It is not for concurrent use.
type Decoders struct {
	made map[string]madeCharset
}

type madeCharset struct {
	d     decode.Decoder
	known bool
}

// Decoder returns the Decoder for label, which may be in any case, with quotes,
// blanks and the like around it. It is the same one each time, so it is for one
// stage at a time, and is reset there. Labels of UTF-8 and ASCII, and those that
// say nothing ("", "x-unknown", "8bit"), give one that takes what is not UTF-8
// for windows-1252 (see [NewLenient]); so does a label that nobody knows, for
// which known is false. ISO-8859-1 is read as windows-1252, GB2312 as GB18030,
// and the like, as the WHATWG has it. A mark of byte order at the beginning is
// removed. What stands for no character becomes U+FFFD, and is not damage.
// The label is not kept.
func (c *Decoders) Decoder(label []byte) (d decode.Decoder, known bool) {
	var room [maxLabel]byte
	name := cleanLabel(room[:0], label)
	m, ok := c.made[string(name)]
	if !ok {
		if c.made == nil || len(c.made) == maxCharsets {
			c.made = make(map[string]madeCharset)
		}
		key := string(name)
		m.d, m.known = newCharset(key)
		c.made[key] = m
	}
	return m.d, m.known
}

// cleanLabel appends the label to room, which has room for it, in lower case and
// without what stands around it: all before the first letter or digit, and from
// the first byte on that no name of a charset has. Of "charset=x" it is x.
func cleanLabel(room, label []byte) []byte {
	for _, c := range label {
		switch {
		case octet.IsLetter(c) || octet.IsDigit(c):
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
		case c == '=':
			room = room[:0]
			continue
		case strings.IndexByte("-_.:+()", c) < 0 && len(room) > 0:
			return room
		case strings.IndexByte("-_.:+()", c) < 0 || len(room) == 0:
			continue
		}
		if len(room) == maxLabel {
			break
		}
		room = append(room, c)
	}
	return room
}

// newCharset makes a Decoder for a clean label.
func newCharset(name string) (d decode.Decoder, known bool) {
	for range 2 {
		if to, ok := labelAliases[name]; ok {
			name = to
		}
		if d := ownCharset(name); d != nil {
			return d, true
		}
		if e, err := htmlindex.Get(name); err == nil && e != encoding.Replacement {
			if d := fromEncoding(e); d != nil {
				return d, true
			}
		}
		if e, err := ianaindex.MIME.Encoding(name); err == nil {
			if d := fromEncoding(e); d != nil {
				return d, true
			}
		}
		name = labelFamily(name)
	}
	return newMarked(UTF8), false
}

// Names of what is decoded without an x/text encoding.
const (
	labelNone   = "utf-8"
	labelUTF7   = "utf-7"
	labelUTF16  = "utf-16"
	labelUTF32  = "utf-32"
	labelHZ     = "hz-gb-2312"
	label2022   = "iso-2022"
	label2022JP = "iso-2022-jp"
	label2022KR = "iso-2022-kr"
)

// ownCharset returns a Decoder of this package, or nil.
func ownCharset(name string) decode.Decoder {
	switch name {
	case labelNone:
		return newMarked(UTF8)
	case labelUTF7:
		return new(utf7Decoder)
	case labelUTF16, "utf-16be":
		return newMarked(UTF16BE)
	case "utf-16le":
		return newMarked(UTF16LE)
	case labelUTF32, "utf-32be":
		return newMarked(UTF32BE)
	case "utf-32le":
		return newMarked(UTF32LE)
	case labelHZ:
		return &shiftDecoder{hz: true}
	case label2022, label2022JP, label2022KR:
		return new(shiftDecoder)
	}
	return nil
}

// fromEncoding returns a Decoder by the tables of e, or nil if e is not one that
// text is written in.
func fromEncoding(e encoding.Encoding) decode.Decoder {
	switch e {
	case japanese.ShiftJIS:
		return newPairDecoder(shiftJIS())
	case japanese.EUCJP:
		return newPairDecoder(eucJP())
	case simplifiedchinese.GBK, simplifiedchinese.GB18030:
		return newPairDecoder(gb18030())
	case traditionalchinese.Big5:
		return newPairDecoder(big5())
	case korean.EUCKR:
		return newPairDecoder(eucKR())
	case charmap.ISO8859_1:
		return newSingleByte(charmap.Windows1252)
	case charmap.XUserDefined:
		return newMarked(UTF8)
	}
	if m, ok := e.(*charmap.Charmap); ok && m.DecodeByte('A') == 'A' { // no EBCDIC
		return newSingleByte(m)
	}
	return nil
}
