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

// A label is searched in three tables: the aliases of this package, the index of the WHATWG,
// which has the labels in use, and the index of IANA, which has the registered names. A label
// that is in none is tried again by its family, such as "cp-1252" or "iso_8859-1_something".
// This is done once for each label; then the result is kept.

// maxCharsets is how many labels, with their decoders, a Decoders keeps.
const maxCharsets = 64

// Decoders makes decoders to UTF-8 by the labels of charsets in mail, and keeps at most 64
// of them. The zero Decoders is ready. It is not for concurrent use.
type Decoders struct {
	made map[string]madeCharset
}

type madeCharset struct {
	d     decode.Decoder
	known bool
}

// Decoder returns the Decoder for label, which may be in any case, and may have quotes, blanks
// and the like around it. It returns the same Decoder each time, so use it in one link at a
// time. The link resets it. For labels of UTF-8 and ASCII, for labels without meaning ("",
// "x-unknown", "8bit"), and for an unknown label, the Decoder reads bytes that are not UTF-8 as
// windows-1252 (see [NewLenient]). known is false for an unknown label. ISO-8859-1 is read as
// windows-1252, GB2312 as GB18030, and so on, as in the WHATWG standard. A byte order mark at
// the beginning is removed. Input that is no character becomes U+FFFD, and is no damage.
// Decoder does not keep label.
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

// cleanLabel appends at most maxLabel bytes of the label to room, in lower case. It removes
// everything in front of the first letter or digit, and everything from the first byte on that
// cannot be in the name of a charset. Of "charset=x" it keeps x.
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
	return newEBCDIC(name)
}

// fromEncoding returns a Decoder with the tables of e, or nil if e is not a charset of
// text.
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
