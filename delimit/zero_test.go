package delimit_test

import (
	"io"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/delimit"
)

// TestZero uses zero Scanners, which have no text until Reset or ResetBytes.
func TestZero(t *testing.T) {
	var c delimit.Candidate
	for name, reset := range map[string]func(s *delimit.Scanner){
		"nothing":    func(*delimit.Scanner) {},
		"Reset":      func(s *delimit.Scanner) { s.Reset(strings.NewReader("see http://a.example/ there")) },
		"ResetBytes": func(s *delimit.Scanner) { s.ResetBytes([]byte("see http://a.example/ there")) },
	} {
		var s delimit.Scanner
		if runs, bytes := s.Skipped(); runs != 0 || bytes != 0 {
			t.Errorf("%s: %d, %d skipped", name, runs, bytes)
		}
		if st := s.State(); st.Offset != 0 || st.Line != 1 {
			t.Errorf("%s: %+v", name, st)
		}
		reset(&s)
		if name != "nothing" {
			if err := s.Next(&c); err != nil || string(c.Ref) != "http://a.example/" {
				t.Errorf("%s: %q, %v", name, c.Ref, err)
			}
		}
		for range 2 {
			if err := s.Next(&c); err != io.EOF {
				t.Errorf("%s: %v at the end", name, err)
			}
		}
		for range s.All() {
			t.Errorf("%s: there is more", name)
		}
	}
}
