package output

import (
	"strings"
	"testing"
)

// TestEnds checks that the part that fits into one write ends at the end of a record, or is within
// the first record.
func TestEnds(t *testing.T) {
	lines, csv, null := Ends{Byte: '\n'}, Ends{Byte: '\n', Quotes: true}, Ends{}
	for _, c := range []struct {
		ends Ends
		text string
		most int
		want string
	}{
		{lines, "aa\nbb\ncc\n", 9, "aa\nbb\ncc\n"},
		{lines, "aa\nbb\ncc\n", 8, "aa\nbb\n"},
		{lines, "aa\nbb\ncc\n", 3, "aa\n"},
		{lines, "aa\nbb\ncc\n", 2, "aa\n"},
		{lines, "aaaaa\nbb\n", 3, "aaaaa\n"},
		{lines, "\"a\nb\"\n", 4, "\"a\n"},
		{csv, "x,\"a\nb\"\ny,\"\"\"\n\"\nz\n", 16, "x,\"a\nb\"\ny,\"\"\"\n\"\n"},
		{csv, "x,\"a\nb\"\ny,\"\"\"\n\"\nz\n", 14, "x,\"a\nb\"\n"},
		{csv, "x,\"a\nb\"\ny\n", 6, "x,\"a\nb\"\n"},
		{null, "a\nb\x00c\x00", 5, "a\nb\x00"},
		{lines, "no end", 2, "no end"},
		{lines, "", 2, ""},
	} {
		if got := c.text[:c.ends.whole([]byte(c.text), c.most)]; got != c.want {
			t.Errorf("%q, at most %d: %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

// TestEndsAll checks that everything is written, for any size of the parts.
func TestEndsAll(t *testing.T) {
	text := []byte(strings.Repeat("a,\"b\n\"\"c\"\nlonger than the others\n", 9))
	for most := 1; most < len(text); most++ {
		for rest := text; len(rest) > 0; {
			n := Ends{Byte: '\n', Quotes: true}.whole(rest, most)
			if n <= 0 || rest[n-1] != '\n' || n < len(rest) && rest[n] != 'a' && rest[n] != 'l' {
				t.Fatalf("at most %d: %q", most, rest[:n])
			}
			rest = rest[n:]
		}
	}
}
