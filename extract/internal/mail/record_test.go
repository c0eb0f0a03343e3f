package mail

import (
	"fmt"
	"strings"
	"testing"
)

// TestRecord finds the records of web archives by their sizes alone.
func TestRecord(t *testing.T) {
	warc := func(body string) string {
		return fmt.Sprintf("WARC/1.0\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body)
	}
	arc := func(body string) string {
		return fmt.Sprintf("http://a.example/ 192.0.2.1 20240101000000 text/plain %d\n%s\n", len(body), body)
	}
	inner := warc("x")
	for _, records := range [][]string{
		{warc("abc"), warc(""), warc(inner + inner), warc("last")},
		{arc("abc"), arc(""), arc(arc("x")), arc("last\n")},
		{"\r\n" + warc("abc"), "\n\n" + warc("d")},
		{warc(strings.Repeat("x", 300_000))},
	} {
		text := strings.Join(records, "")
		for cut := range len(text) + 1 {
			if cut > 1000 { // the last test below does that
				break
			}
			want, at := 0, 0
			for _, r := range records { // where the last record begins whose header is in text[:cut]
				begin := at + len(r) - len(strings.TrimLeft(r, "\r\n"))
				head := strings.Index(text[begin:], "\r\n\r\n") + len("\r\n\r\n")
				if strings.HasPrefix(text[begin:], "http") {
					head = strings.Index(text[begin:], "\n") + 1
				}
				if begin+head <= cut {
					want = begin
				}
				at += len(r)
			}
			got, _ := LastRecord([]byte(text[:cut]))
			if got != want {
				t.Fatalf("%q in front of %d: %d, want %d", text, cut, got, want)
			}
		}
		got, _ := LastRecord([]byte(text))
		if want := len(text) - len(strings.TrimLeft(records[len(records)-1], "\r\n")); got != want {
			t.Errorf("%.80q: the last one begins at %d, want %d", text, got, want)
		}
	}
}
