package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// Signed is a [decode.Decoder] of the message in an opaque S/MIME signature: the content of a
// ContentInfo of type SignedData (RFC 5652, sections 3 and 5; RFC 8551, section 3.5.2) in BER or
// DER (ITU-T X.690). The content is copied; everything else, such as certificates, is removed. Of
// other types, such as EnvelopedData, which is encrypted, nothing is copied, and a Mild Damage says
// so. The zero Signed is ready.
type Signed struct {
	open [maxBER]berElement // the elements around src[0], from the outermost inwards
	n    int
	at   int64 // offset of src[0] in the input
	copy int64 // bytes of content to copy
	drop int64 // bytes to remove
	seen bool  // the first element was seen
	rest bool  // nothing that follows is content
}

// maxBER is the largest depth of elements of indefinite length, and of those that lead to the
// content. Elements of definite length that do not lead to it are not entered.
const maxBER = 16

// A berElement is an open element.
type berElement struct {
	end  int64 // offset after it; unknownEnd if its length is indefinite
	role berRole
}

const unknownEnd = -1

const truncatedCMS = "unexpected end of the signed message"

// A berRole says what an element is on the way to the content.
type berRole uint8

const (
	berOther     berRole = iota // nothing in it is content
	berInfo                     // ContentInfo
	berInfoData                 // its content [0]
	berSigned                   // SignedData
	berEncap                    // EncapsulatedContentInfo
	berEncapData                // its eContent [0]
	berSegments                 // a constructed OCTET STRING, which has the content in pieces
)

// Tags of BER.
const (
	tagOctets   = 0x04
	tagOID      = 0x06
	tagSegments = 0x24
	tagSequence = 0x30
	tagContext0 = 0xA0
	constructed = 0x20
)

// signedData is the value of the object identifier id-signedData.
var signedData = []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02")

// child returns the role of the next child, with this tag, of an element with the role r.
func (r berRole) child(tag byte) berRole {
	switch {
	case r == berInfo && tag == tagContext0:
		return berInfoData
	case r == berInfoData && tag == tagSequence:
		return berSigned
	case r == berSigned && tag == tagSequence:
		return berEncap
	case r == berEncap && tag == tagContext0:
		return berEncapData
	case (r == berEncapData || r == berSegments) && tag == tagSegments:
		return berSegments
	}
	return berOther
}

// Reset implements [decode.Decoder].
func (s *Signed) Reset() { *s = Signed{} }

// Decode implements [decode.Decoder]. It has no loop but those over the open elements and the
// bytes of one header.
func (s *Signed) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if len(src) == 0 {
		if atEOF && s.seen && !s.rest {
			s.rest = true
			return decode.Conversion{}, lostCMS(truncatedCMS)
		}
		return decode.Conversion{}, nil
	}
	conv, err := s.step(dst, src, atEOF)
	s.at += int64(conv.In)
	return conv, err
}

// step is Decode without the offset.
func (s *Signed) step(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	switch {
	case s.rest:
		return decode.Conversion{In: len(src)}, nil
	case s.copy > 0:
		n := copy(dst, src[:min(int64(len(src)), s.copy)])
		s.copy -= int64(n)
		return decode.Conversion{In: n, Out: n, InUnit: 1, OutUnit: 1}, nil
	case s.drop > 0:
		n := int(min(int64(len(src)), s.drop))
		s.drop -= int64(n)
		return decode.Conversion{In: n}, nil
	}
	for s.n > 0 && s.open[s.n-1].end == s.at {
		s.leave()
	}
	if s.rest || s.seen && s.n == 0 {
		s.rest = true
		return decode.Conversion{In: len(src)}, nil
	}
	return s.header(src, atEOF)
}

// leave closes the innermost element. After the EncapsulatedContentInfo there is no more content.
func (s *Signed) leave() {
	s.n--
	s.rest = s.rest || s.open[s.n].role == berEncap
}

// header takes the header of an element.
func (s *Signed) header(src []byte, atEOF bool) (decode.Conversion, error) {
	tag, n, length, ok := berHeader(src)
	role := berOther
	if s.n > 0 {
		role = s.open[s.n-1].role
	}
	switch {
	case n == 0 && ok && !atEOF: // more bytes are needed
		return decode.Conversion{}, nil
	case n == 0 && ok:
		return s.end(src, truncatedCMS)
	case n == 0, !s.seen && tag != tagSequence, s.n == maxBER, length < 0 && tag&constructed == 0:
		return s.end(src, "not a signed message")
	case tag == 0 && length == 0 && s.n > 0: // the end of an element of indefinite length
		if s.open[s.n-1].end != unknownEnd {
			return s.end(src, "an end without a beginning")
		}
		s.leave()
		return decode.Conversion{In: n}, nil
	case role == berInfo && tag == tagOID:
		if len(src) < n+len(signedData) && int64(len(src)) < int64(n)+length && !atEOF {
			return decode.Conversion{}, nil
		}
		if !bytes.HasPrefix(src[n:], signedData) || length != int64(len(signedData)) {
			return s.end(src, "an encrypted message cannot be read")
		}
	}
	if length > 0 && length > 1<<62 {
		return s.end(src, "impossible length")
	}
	inner := role.child(tag)
	if !s.seen {
		s.seen, inner = true, berInfo
	}
	switch {
	case tag&constructed != 0 && (inner != berOther || length < 0):
		end := int64(unknownEnd)
		if length >= 0 {
			end = s.at + int64(n) + length
		}
		s.open[s.n] = berElement{end, inner}
		s.n++
	case tag == tagOctets && (role == berEncapData || role == berSegments):
		s.copy = length
	default:
		s.drop = length
	}
	return decode.Conversion{In: n}, nil
}

// end removes the rest of the input, and returns the reason.
func (s *Signed) end(src []byte, why string) (decode.Conversion, error) {
	s.seen, s.rest = true, true
	return decode.Conversion{In: len(src)}, lostCMS(why)
}

// lostCMS returns the damage of a message that is not read, or not to its end.
func lostCMS(why string) *damage.Damage {
	d := damage.Skipped(damage.StageCMS, 0, why)
	d.Severity = damage.Error
	return d
}

// IsSigned reports whether head begins like a signed message, for parts that are labelled as
// something else: a ContentInfo of type SignedData.
func IsSigned(head []byte) bool {
	if len(head) == 0 || head[0] != tagSequence {
		return false
	}
	_, n, _, ok := berHeader(head)
	return ok && n > 0 && bytes.HasPrefix(head[n:], append([]byte{tagOID, byte(len(signedData))}, signedData...))
}

// berHeader returns the tag of the element at the beginning of src, the length of its header, and
// that of its value, which is -1 if it is indefinite. n is 0 if src is too short (ok), or if it is
// no header that occurs here.
func berHeader(src []byte) (tag byte, n int, length int64, ok bool) {
	const (
		longTag    = 0x1F
		indefinite = 0x80
		most       = 8 // bytes of a length
	)
	tag = src[0]
	if tag&longTag == longTag {
		return tag, 0, 0, false
	}
	if len(src) < 2 {
		return tag, 0, 0, true
	}
	c := src[1]
	switch k := int(c &^ indefinite); {
	case c < indefinite:
		return tag, 2, int64(c), true
	case k == 0:
		return tag, 2, -1, true
	case k > most || k == most && len(src) > 2 && src[2] >= 0x40:
		return tag, 0, 0, false
	case len(src) < 2+k:
		return tag, 0, 0, true
	default:
		for _, b := range src[2 : 2+k] { // at most 8 bytes
			length = length<<8 | int64(b)
		}
		return tag, 2 + k, length, true
	}
}
