package record

import (
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// Every record has the fields url and text. For most results they are the same memory, and a
// text that one of the newer grammars accepts has nothing to escape.

// The text in front of the two references.
const (
	urlBegin  = `,"url":"`
	textBegin = `","text":"`
)

// The same keys for fastAppend, as arrays: an array is copied without a call. firstKey begins with
// the brace that opens the object.
var (
	firstKey  = [len(urlBegin)]byte([]byte("{" + urlBegin[1:]))
	secondKey = [len(textBegin)]byte([]byte(textBegin))
)

// appendRefs appends the fields url and text of r. both are these two fields.
func appendRefs(dst []byte, v *view, both []Field, r *extract.Result) []byte {
	url, f := r.URL, &r.Candidate
	if v.redact || len(url) == 0 || len(f.Text) == 0 {
		dst = appendField(dst, v, &both[0])
		return appendField(dst, v, &both[1])
	}
	dst = append(dst, urlBegin...)
	start := len(dst)
	dst = appendEscaped(dst, url)
	end := len(dst)
	dst = append(dst, textBegin...)
	if sameBytes(url, f.Text) {
		dst = append(dst, dst[start:end]...)
	} else {
		dst = appendEscaped(dst, f.Text)
	}
	return append(dst, '"')
}

// noQuotes are the grammars that accept no byte that JSON escapes.
var noQuotes = uri.Every.Rules().NoQuotes

// urlIsText reports whether url and text of r are one text, which has nothing to escape.
func urlIsText(r *extract.Result) bool {
	f := &r.Candidate
	return r.Accepts&noQuotes != 0 && len(r.URL) > 0 && sameBytes(r.URL, f.Text) && sameBytes(r.URL, f.Ref)
}

// sameBytes reports whether a and b are the same memory.
func sameBytes(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
