package delimit

import (
	"bytes"
	"strings"
	"testing"
)

func TestTyped(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  ", ""},
		{"http://a/", "http://a/"},
		{" http://a/ b\t\r\n/c ", "http://a/b/c"},
		{"<http://a/>", "http://a/"},
		{"< http://a/ >", "http://a/"},
		{`"http://a/"`, "http://a/"},
		{"'http://a/'", "http://a/"},
		{"“http://a/”", "http://a/"},
		{"<URL:http://a/>", "http://a/"},
		{"URL:<http://a/>", "http://a/"},
		{"url: http://a/", "http://a/"},
		{"URI:../x", "../x"},
		{"<../x>", "../x"},
		{"<http://a/", "<http://a/"},
		{"http://a/>", "http://a/>"},
		{"http://a/\u00a0b\u3000c", "http://a/bc"},
		{"<", "<"},
		{"<>", ""},
		{"URL:", ""},
		{"curl:x", "curl:x"},
		{"www.w3.org/Addressing/", "http://www.w3.org/Addressing/"},
		{"< WWW.w3 .org >", "http://WWW.w3.org"},
		{"URL:ftp.is.co.za/rfc", "ftp://ftp.is.co.za/rfc"},
		{"www.example", "www.example"},
		{"example.www.org", "example.www.org"},
		{"http://www.w3.org/", "http://www.w3.org/"},
		{"http://a/\xff", "http://a/\xff"},
	} {
		if got := string(Typed([]byte("kept "), []byte(c.text))); got != "kept "+c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestTypedAllocates checks that Typed allocates nothing if dst is large enough, and that its time
// is linear for nested wrappers.
func TestTypedAllocates(t *testing.T) {
	text := []byte(strings.Repeat("<URL: ", 1000) + "http://a/" + strings.Repeat(" >", 1000))
	dst := make([]byte, 0, len(text))
	if n := testing.AllocsPerRun(10, func() { dst = Typed(dst[:0], text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if !bytes.Equal(dst, []byte("http://a/")) {
		t.Errorf("%.80q", dst)
	}
}
