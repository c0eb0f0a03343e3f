package header

import (
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
)

// An eightBit decodes bytes of a value that are not ASCII. RFC 6532 allows UTF-8; no document
// allows windows-1252, but many mailers write it.
type eightBit struct {
	lenient decode.Decoder
	warned  bool // bytes that are not UTF-8 were reported
}

// eightBitLook bounds how many bytes one call examines. A call may convert only one broken
// byte, so the bytes after it are examined again.
const eightBitLook = 64

// decode converts a stretch of 8-bit bytes.
func (e *eightBit) decode(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool, err error) {
	n, most := 1, min(len(src), eightBitLook)
	for n < most && src[n] >= 0x80 {
		n++
	}
	if e.lenient == nil {
		e.lenient = charset.NewLenient()
	}
	e.lenient.Reset()
	// A character that is cut by an ASCII byte or by the end is broken. One that is cut by
	// eightBitLook continues.
	ends := n < len(src) && src[n] < 0x80 || n == len(src) && atEOF
	conv, _ = e.lenient.Decode(dst, src[:n], ends)
	if conv.OutUnit > 1 && conv.InUnit == 1 && !e.warned {
		e.warned = true
		err = damage.Skipped(damage.StageHeader, 0, "8-bit bytes that are no UTF-8")
	}
	return conv, conv.In == 0, err
}
