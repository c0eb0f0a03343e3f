package html

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// checkHTML compares each byte of text with the raw bytes at its position. These are the same byte,
// a character reference for it, or markup that the decoder replaces by it.
func checkHTML(t *testing.T, raw []byte, got decodetest.Reading) {
	t.Helper()
	var before int64
	for i := 0; i < len(got.Text); {
		lo, hi := got.Lo[i], got.Hi[i]
		if lo < before || hi < lo || hi > int64(len(raw)) {
			t.Fatalf("%q: byte %d has the span [%d:%d] after %d", raw, i, lo, hi, before)
		}
		before = hi
		n := 1 // n is the length of the character
		for i+n < len(got.Text) && lo < hi && got.Lo[i+n] == lo {
			n++
		}
		was, is := string(raw[lo:hi]), got.Text[i:i+n]
		switch {
		case was == is:
		case strings.HasPrefix(was, "&") && undoOne(was) == is:
		case (is == "\n" || is == "\n\n" && !strings.ContainsAny(was, "<>-")) && (was == "" || strings.ContainsAny(was, "<>\"'-")):
		case (is == " " || is == "\x1f") && was == "<":
		default:
			t.Fatalf("%q: %q at [%d:%d] became %q", raw, was, lo, hi, is)
		}
		i += n
	}
	for i, v := range got.Vals {
		was := string(raw[got.Spans[i][0]:got.Spans[i][1]])
		if undone := undoSlowly(was); strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(undone) != v {
			t.Fatalf("%q: value %q stands at %q", raw, v, was)
		}
	}
}

// undoSlowly does the same as undoAll, with a regular expression and package html.
func undoSlowly(s string) string { return reference.ReplaceAllStringFunc(s, undoOne) }

func undoOne(ref string) string {
	name := strings.TrimRight(ref, ";=")
	switch {
	case strings.HasPrefix(ref, "&#"):
		value := strings.TrimLeft(strings.TrimLeft(name[2:], "xX"), "0")
		switch {
		case len(name) > refLen:
			return ref
		case len(value) > 7: // such a number overflows in package html
			return "\uFFFD"
		}
		return html.UnescapeString(name + ";") // package html needs a ';' after a single digit
	case strings.HasSuffix(ref, "="):
		return ref
	}
	u := html.UnescapeString(ref)
	if len(name) < len(ref) { // "&notit;" is not a reference, although it begins with "&not"
		if strings.HasSuffix(u, ";") && u != ";" {
			return ref
		}
	} else if len([]rune(u)) != 1 {
		return ref
	}
	return u
}

var reference = regexp.MustCompile(`&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[0-9A-Za-z]+[;=]?)`)
