package delimit

import (
	"strings"
	"testing"
	"testing/iotest"
)

// TestArticle checks message ids after "URL:" in angle brackets. In an article such an id is a
// reference (1993 and 1994, "News"); in other text it is a mail address.
func TestArticle(t *testing.T) {
	const text = "<URL:1@h.example> <URI: 2@h> <URL:3\n @h> <URL:4 5@h> <URL:6@7@h> <URL:@h> <URL:8@> <URL:9@h?q> <10@h> URL:11@h \"URL:12@h\" <URL:comp.x>"
	for _, c := range []struct {
		article bool
		want    string
	}{{false, "comp.x"}, {true, "1@h.example 2@h 3@h comp.x"}} {
		s := NewScanner(nil, Options{Article: c.article})
		for range 2 {
			var got []string
			s.Reset(iotest.OneByteReader(strings.NewReader(text)))
			for c, err := range s.All() {
				if err != nil {
					t.Fatal(err)
				}
				if got = append(got, string(c.Text)); !c.Prefixed || c.Form != Angle {
					t.Errorf("%s: form %v, prefixed %v", c.Text, c.Form, c.Prefixed)
				}
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("article %v: %s, want %s", c.article, got, c.want)
			}
		}
	}
}
