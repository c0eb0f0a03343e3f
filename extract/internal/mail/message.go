package mail

import (
	"bytes"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
)

// Fields are those of the message of the stream, or of a record of a web archive. They are documented in
// extract.Fields, which has the same ones.
type Fields struct {
	MessageID, Date, Newsgroups    string
	Subject, From, FromAddress, To string // empty unless [Reader.KeepSubjects] has enabled them
	WARCTarget, WARCType           string
}

// describe sets the fields that the header h of the message declares. It does not change fields that are
// set.
func (f *Fields) describe(h *fields) {
	if f.MessageID == "" {
		f.MessageID = angle(h.get(messageID))
	}
	if f.Date == "" {
		f.Date = readable(h.get(dateField))
	}
	if f.Newsgroups == "" {
		f.Newsgroups = readable(h.get(newsgroups))
	}
	if f.Subject == "" {
		f.Subject = toUTF8(words(string(h.get(subject))))
	}
	if f.From == "" {
		f.From = toUTF8(words(string(h.get(from))))
		first, _, _ := bytes.Cut(h.addresses(from), []byte(" "))
		f.FromAddress = toUTF8(string(first))
	}
	if f.To == "" {
		f.To = toUTF8(string(h.addresses(to, cc)))
	}
}

// angle returns what stands between angle brackets in b, or else b.
func angle(b []byte) string {
	if i := bytes.IndexByte(b, '<'); i >= 0 {
		if j := bytes.IndexByte(b[i:], '>'); j > 0 {
			b = b[i+1 : i+j]
		}
	}
	return readable(bytes.TrimSpace(b))
}

// toUTF8 returns text if it is UTF-8, otherwise text decoded as windows-1252.
func toUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	made, err := io.ReadAll(decode.NewLink(strings.NewReader(text), charset.NewLenient()))
	if err != nil {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	return string(made)
}

// words returns the value of a field, or a file name, with its encoded words decoded. Many programs write encoded
// words in file names, although RFC 2047 does not allow that.
func words(text string) string {
	if !strings.Contains(text, "=?") {
		return text
	}
	dec := mime.WordDecoder{CharsetReader: func(label string, in io.Reader) (io.Reader, error) {
		d, _ := new(charset.Decoders).Decoder([]byte(label))
		return decode.NewLink(in, d), nil
	}}
	if plain, err := dec.DecodeHeader(text); err == nil {
		return plain
	}
	return text
}
