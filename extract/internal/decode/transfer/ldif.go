package transfer

import (
	"encoding/base64"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// ldif is a [decode.Decoder] of LDIF (RFC 2849).
type ldif struct{ state ldifState }

// An ldifState is what src[0] belongs to.
type ldifState uint8

const (
	ldifName   ldifState = iota // the name of an attribute, up to ':'
	ldifColon                   // what follows this ':'
	ldifValue                   // a value as it is, or a comment
	ldifBase64                  // a value in base64
)

// NewLDIF returns a Decoder of LDIF (RFC 2849): it removes each line end (CRLF or LF) with the space
// after it, decodes values in base64, which stand after "::", and copies everything else. What
// follows a byte that is not base64 in such a value is copied up to the line's end.
func NewLDIF() decode.Decoder { return new(ldif) }

func (l *ldif) Reset() { *l = ldif{} }

// Decode implements [decode.Decoder].
func (l *ldif) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	lead, more := folds(src, atEOF)
	switch {
	case more:
		return decode.Conversion{}, nil
	case lead > 0 || len(src) == 0:
		return decode.Conversion{In: lead}, nil
	case l.state == ldifBase64:
		conv := l.group(dst, src, atEOF)
		if l.state == ldifBase64 || conv.In > 0 {
			return conv, nil
		}
	}
	n := 0
	for most := min(len(dst), len(src)); n < most; n++ { // up to a fold, or what may be one
		c := src[n]
		if c == '\r' || c == '\n' {
			if size, more := folds(src[n:], atEOF); size > 0 || more {
				break
			}
		}
		switch {
		case c == '\n':
			l.state = ldifName
		case l.state == ldifColon && c == ':':
			l.state = ldifBase64
			return decode.Copy(dst, src[:n+1]), nil
		case l.state == ldifColon:
			l.state = ldifValue
		case l.state == ldifName && c == '#': // a comment; no name has it
			l.state = ldifValue
		case l.state == ldifName && c == ':':
			l.state = ldifColon
		}
	}
	return decode.Copy(dst, src[:n]), nil
}

// group decodes up to four characters of base64 at the beginning of src, with the folds between them.
func (l *ldif) group(dst, src []byte, atEOF bool) decode.Conversion {
	const most = 64 // bytes of a group with its folds
	var chars [4]byte
	n, k := 0, 0
	for n < len(chars) && k < min(len(src), most) {
		size, more := folds(src[k:], atEOF)
		switch c := src[k]; {
		case more && len(src) < most:
			return decode.Conversion{}
		case size > 0:
			k += size
			continue
		case n == 0 && (c == ' ' || c == '='):
			return decode.Conversion{In: k + 1}
		case octet.IsLetter(c) || octet.IsDigit(c) || c == '+' || c == '/':
			chars[n] = c
			n, k = n+1, k+1
			continue
		}
		break
	}
	if n < len(chars) && k == len(src) && !atEOF && len(src) < most {
		return decode.Conversion{}
	}
	out, _ := base64.RawStdEncoding.Decode(dst, chars[:n]) // a single character gives nothing
	if n < len(chars) && (k == len(src) || src[k] != '=') {
		l.state = ldifValue
	}
	return decode.Conversion{In: k, Out: out, InUnit: uint8(k), OutUnit: uint8(max(out, 1))}
}

// folds returns the length of the folds at the beginning of src. more says that the bytes after src
// decide.
func folds(src []byte, atEOF bool) (n int, more bool) {
	for {
		k := n
		if k < len(src) && src[k] == '\r' {
			k++
		}
		switch {
		case k < len(src) && src[k] != '\n' || k+1 < len(src) && src[k+1] != ' ' || n == len(src):
			return n, false
		case k+1 >= len(src):
			return n, n == 0 && !atEOF
		}
		n = k + 2
	}
}
