package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
)

const (
	mostEncoded = 128 << 20 // bytes of a text that are used; more would give no new information
	bodySize    = 64 << 10  // bytes of a message, before it is encoded
	base64Line  = 76 / 4 * 3
)

// encodeTo makes a mailbox from a text. Each 64 KiB are one message in the named transfer encoding.
// The end of a message may cut a reference.
func encodeTo(encoding string) func(string, io.Reader) error {
	return func(to string, from io.Reader) error {
		return create(to, func(w io.Writer) error {
			from := io.LimitReader(from, mostEncoded)
			body := make([]byte, bodySize)
			for n := 1; ; n++ {
				k, err := io.ReadFull(from, body)
				if err == io.EOF {
					return nil
				}
				if err != nil && err != io.ErrUnexpectedEOF {
					return err
				}
				if err := writeMessage(w, encoded(n, encoding, body[:k])); err != nil {
					return err
				}
			}
		})
	}
}

// encoded returns a message with a header as mail programs write it.
func encoded(n int, encoding string, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: a@example.org\nSubject: part %d\nMessage-ID: <%d@example.org>\nMIME-Version: 1.0\n", n, n)
	fmt.Fprintf(&b, "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: %s\n\n", encoding)
	if encoding == "base64" {
		for len(body) > 0 {
			k := min(len(body), base64Line)
			b.WriteString(base64.StdEncoding.EncodeToString(body[:k]))
			b.WriteByte('\n')
			body = body[k:]
		}
		return b.Bytes()
	}
	w := quotedprintable.NewWriter(&b)
	w.Write(body) // writing to memory cannot fail
	w.Close()
	// The encoder ends every line with CRLF; a mailbox has bare line feeds.
	return bytes.ReplaceAll(b.Bytes(), []byte("\r\n"), []byte("\n"))
}
