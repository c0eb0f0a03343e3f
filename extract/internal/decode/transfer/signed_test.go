package transfer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// ber returns an element with a definite length.
func ber(tag byte, values ...string) string {
	value := strings.Join(values, "")
	switch n := len(value); {
	case n < 0x80:
		return string([]byte{tag, byte(n)}) + value
	case n < 0x100:
		return string([]byte{tag, 0x81, byte(n)}) + value
	default:
		return string([]byte{tag, 0x82, byte(n >> 8), byte(n)}) + value
	}
}

// open returns an element of indefinite length.
func open(tag byte, values ...string) string {
	return string([]byte{tag, 0x80}) + strings.Join(values, "") + "\x00\x00"
}

// signedMessages are ContentInfos. text is the content, and says a part of the warning.
var signedMessages = func() (list []struct{ name, in, text, says string }) {
	add := func(name, in, text, says string) {
		list = append(list, struct{ name, in, text, says string }{name, in, text, says})
	}
	signed, data, enveloped := ber(tagOID, string(signedData)), ber(tagOID, "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"), ber(tagOID, "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03")
	version, digests, certs, signers := ber(2, "\x01"), ber(0x31, ber(0x30, ber(tagOID, "\x2a\x03"))), ber(0xA0, ber(0x30, strings.Repeat("c", 200))), ber(0x31, ber(0x30, ber(2, "\x01"), ber(tagOctets, "a signature")))
	text := "Content-Type: text/plain\r\n\r\nhttp://a.example/\r\n" + strings.Repeat("a long line\r\n", 20)
	der := ber(0x30, signed, ber(0xA0, ber(0x30, version, digests, ber(0x30, data, ber(0xA0, ber(tagOctets, text))), certs, signers)))
	add("DER", der, text, "")
	add("DER and more", der+"more", text, "")
	add("BER, of indefinite length, in pieces", open(0x30, signed, open(0xA0, open(0x30, version, digests, open(0x30, data, open(0xA0, open(tagSegments, ber(tagOctets, text[:30]), ber(tagSegments, ber(tagOctets, text[30:31]), ber(tagOctets, "")), ber(tagOctets, text[31:])))), open(0xA0, open(0x30, ber(2, "c"))), signers))), text, "")
	add("only certificates", ber(0x30, signed, ber(0xA0, ber(0x30, version, ber(0x31), ber(0x30, data), certs, ber(0x31)))), "", "")
	add("encrypted", ber(0x30, enveloped, ber(0xA0, ber(0x30, version, "anything"))), "", "encrypted")
	add("cut in the content", der[:120], text[:120-strings.Index(der, text)], "unexpected end")
	add("cut in front of the content", der[:20], "", "unexpected end")
	add("cut in the certificates", der[:len(der)-100], text, "")
	add("text", "Content-Type: text/plain\r\n\r\nhttp://a.example/\r\n", "", "not a signed")
	add("too deep", strings.Repeat("\x30\x80", 100), "", "not a signed")
	add("an impossible length", "\x30\x88\xff\xff\xff\xff\xff\xff\xff\xff", "", "not a signed")
	add("nothing", "", "", "")
	return list
}()

func TestSigned(t *testing.T) {
	for _, c := range signedMessages {
		got := decodetest.EveryWay(t, []byte(c.in), new(Signed))
		says := everyDamage(t, []byte(c.in), new(Signed))
		if got.Text != c.text || !strings.Contains(says, c.says) || (says == "") != (c.says == "") || got.Err != "" {
			t.Errorf("%s: %q, error %q, warning %q", c.name, got.Text, got.Err, says)
		}
		if at := strings.Index(c.in, c.text); at >= 0 && len(got.Lo) > 0 && got.Lo[0] != int64(at) {
			t.Errorf("%s: the content is at %d, not at %d", c.name, got.Lo[0], at)
		}
	}
}

// FuzzSigned decodes anything. It may neither fail nor return more than it gets.
func FuzzSigned(f *testing.F) {
	for _, c := range signedMessages {
		f.Add([]byte(c.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1000 {
			return
		}
		got := decodetest.EveryWay(t, in, new(Signed))
		if len(got.Text) > len(in) || !bytes.Contains(in, []byte(got.Text[:min(len(got.Text), 1)])) {
			t.Errorf("%q becomes %q", in, got.Text)
		}
	})
}
