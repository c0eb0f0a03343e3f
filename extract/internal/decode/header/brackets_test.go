package header

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// A second implementation of the rule for brackets. It divides the value into items, and matches
// each with a regular expression.

var (
	item  = regexp.MustCompile(`^(?:"(?:[^"\\]|\\(?s:.))*(?:"|\\?$)|[^",])*`)
	inner = regexp.MustCompile(`^[ \t\r\n]*<[ \t\r\n]*([^<>"\x00-\x1f\x7f-\xff ]+(?:[ \t\r]*\n[ \t\r\n]+[^<>"\x00-\x1f\x7f-\xff ]+)*)[ \t\r\n]*>`)
	blank = regexp.MustCompile(`[ \t\r\n]+`)
	named = regexp.MustCompile(`^[^/?#]*[:@]`) // a scheme, a prefix or an address
)

// slowBrackets returns the relative references in the value of a field, which is unfolded.
func slowBrackets(value string) (found []string) {
	for {
		// A reference contains no quotation mark, and only white space may be in front of its
		// bracket. So a quotation mark inside brackets may end an item anywhere.
		one := item.FindString(value)
		if m := inner.FindStringSubmatch(value); m != nil {
			ref := blank.ReplaceAllString(m[1], "")
			if !named.MatchString(ref) && len(m[0]) < maxRelative {
				found = append(found, ref)
				// Commas in a reference separate no items.
				value = value[len(m[0]):]
				one = item.FindString(value)
			}
		}
		if len(one) == len(value) {
			return found
		}
		value = value[len(one)+1:]
	}
}

func TestBracketsTwin(t *testing.T) {
	pieces := []string{"<", ">", "<", ">", ",", ", <", "\"", "\\", " ", "\n ", "\r\n\t", "/x", "../y", "a", "?", "#", ":", "@", ";", "http://h/", "URL:"}
	r := rand.New(rand.NewPCG(1, 2))
	some := 0
	for range 10_000 {
		var value strings.Builder
		for range 1 + r.IntN(12) {
			value.WriteString(pieces[r.IntN(len(pieces))])
		}
		raw := "Link: " + value.String() + "\n"
		got := observeHeader(strings.NewReader(raw), new(Decoder), 1<<16)
		var found []string
		for _, a := range got.Attrs {
			a, _ = strings.CutPrefix(a, "link=")
			found = append(found, a[:strings.LastIndexByte(a, '[')])
		}
		want := slowBrackets(value.String())
		if strings.Join(found, " ") != strings.Join(want, " ") {
			t.Fatalf("%q: got %q, want %q", raw, found, want)
		}
		some += len(want)
	}
	if some < 200 {
		t.Errorf("only %d references", some)
	}
}
