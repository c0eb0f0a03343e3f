package charset

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Unicode is an encoding form of Unicode. The zero value is UTF-8.
type Unicode uint8

const (
	UTF8 Unicode = iota
	UTF16LE
	UTF16BE
	UTF32LE
	UTF32BE
)

// unicodes has a row for each Unicode: its name, its byte order mark and its newline, which
// has the size of a code unit.
var unicodes = [...]struct {
	name         damage.Stage
	bom, newline []byte
}{
	UTF8:    {"utf-8", []byte("\xEF\xBB\xBF"), []byte("\n")},
	UTF16LE: {damage.StageUTF16LE, []byte("\xFF\xFE"), []byte("\n\x00")},
	UTF16BE: {damage.StageUTF16BE, []byte("\xFE\xFF"), []byte("\x00\n")},
	UTF32LE: {damage.StageUTF32LE, []byte("\xFF\xFE\x00\x00"), []byte("\n\x00\x00\x00")},
	UTF32BE: {damage.StageUTF32BE, []byte("\x00\x00\xFE\xFF"), []byte("\x00\x00\x00\n")},
}

// String returns the name in lower case, as "utf-16le".
func (c Unicode) String() string { return string(unicodes[c].name) }

// Unit returns the size of a code unit in bytes: 1, 2 or 4.
func (c Unicode) Unit() int { return len(unicodes[c].newline) }

// Newline returns U+000A in c, which is one code unit. The caller must not change it.
func (c Unicode) Newline() []byte { return unicodes[c].newline }

// SniffBOM returns the encoding form that the byte order mark at the beginning of head stands
// for, and the length of the mark, which is not text. Without a mark it returns UTF8 and 0. FF
// FE 00 00 is a mark of UTF-32, not of UTF-16 followed by a NUL.
func SniffBOM(head []byte) (cs Unicode, bomLen int) {
	if noMark(head) {
		return UTF8, 0
	}
	for c, row := range unicodes {
		if len(row.bom) > bomLen && bytes.HasPrefix(head, row.bom) {
			cs, bomLen = Unicode(c), len(row.bom)
		}
	}
	return cs, bomLen
}

// noMark reports whether the first byte of head begins no mark, as in nearly all texts.
func noMark(head []byte) bool { return len(head) > 0 && 0 < head[0] && head[0] < 0xEF }

// MaybeBOM reports whether more bytes after head may change the result of [SniffBOM]. They may
// do so only if head has at most 3 bytes and these begin a mark. So a caller that reads a pipe
// waits for more bytes only then.
func MaybeBOM(head []byte) bool {
	if noMark(head) {
		return false
	}
	for _, row := range unicodes {
		if len(head) < len(row.bom) && bytes.HasPrefix(row.bom, head) {
			return true
		}
	}
	return false
}

// replacement is U+FFFD in UTF-8.
const replacement = "\uFFFD"

// cutUnit returns the last Conversion of a stream that ends within a code unit, and the damage.
// src holds the beginning of that unit and is not empty; it becomes U+FFFD.
func cutUnit(dst, src []byte, cs Unicode) (decode.Conversion, error) {
	copy(dst, replacement)
	n := len(src)
	what := "1 byte"
	if n > 1 {
		what = string('0'+rune(n)) + " bytes"
	}
	e := damage.Skipped(unicodes[cs].name, 0, what+" left of a code unit of "+string('0'+rune(cs.Unit())))
	e.Severity, e.Mild = damage.Error, false
	return decode.Conversion{In: n, Out: 3, InUnit: uint8(n), OutUnit: 3}, e
}

// copySevenBit copies the ASCII at the beginning of src, as far as there is room.
func copySevenBit(dst, src []byte) decode.Conversion {
	n := octet.ASCII(src[:min(len(dst), len(src))])
	copy(dst, src[:n])
	return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}
}
