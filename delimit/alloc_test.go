package delimit

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// allForms has a candidate of each form, and text that gives other readings.
const allForms = `see http://example.org/a, <URL:http://example.org/long-
  name> and "http://example.org/b/
c" or 'http://example.org/d.' “http://example.org/e” <http://example.org/one two>
http:\/\/example.org\/f?a&amp;b mailto:jo@example.org http://a/xhttp://b/y <URL:../x>
www.example.org/x jo@example.org hxxp://evil[.]example/ > http://example.org/q
<http://example.org/never
shut
`

// TestAlloc checks that a Scanner allocates nothing after NewScanner.
func TestAlloc(t *testing.T) {
	text := strings.Repeat(allForms, 200)
	for _, opts := range []Options{{}, {Extras: Abbreviated | Defanged | Rejoin | Address}} {
		r := strings.NewReader(text)
		s := NewScanner(r, opts)
		var c Candidate
		found := 0
		allocs := testing.AllocsPerRun(2000, func() {
			if err := s.Next(&c); err == io.EOF {
				r.Reset(text)
				s.Reset(r)
			} else if err != nil {
				t.Fatal(err)
			} else {
				found++
			}
		})
		if allocs != 0 {
			t.Errorf("%v: %v allocations per Next", opts.Extras, allocs)
		}
		if found < 1000 {
			t.Errorf("%v: only %d candidates", opts.Extras, found)
		}
	}
}

// TestAllocReadings checks that readings allocate nothing if the buffer is large enough.
func TestAllocReadings(t *testing.T) {
	r := strings.NewReader("")
	s := NewScanner(r, Options{Extras: Rejoin})
	buf := make([]byte, 0, 8192)
	allocs := testing.AllocsPerRun(100, func() {
		r.Reset(allForms)
		s.Reset(r)
		for {
			var c Candidate
			err := s.Next(&c)
			if err != nil {
				return
			}
			for _, text := range c.Readings(buf) {
				if len(text) == 0 {
					t.Fatal("empty reading")
				}
			}
		}
	})
	// The closures of range-over-func may allocate a little; text may not.
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestSpoil keeps Text, Ref and Raw of each candidate without Clone. The next call has to spoil
// them, whatever the form, and not the clone. Tail is in the text after Raw and is not spoiled.
func TestSpoil(t *testing.T) {
	text := "http://a/b, (http://c/d). <http://e/\nf> hxxp://g[.]h/i \"URL:http://j/ k\" www.l.example/m http://n/"
	s := NewScanner(strings.NewReader(text), Options{Extras: Defanged | Abbreviated})
	var last, clone Candidate
	n := 0
	for ; ; n++ {
		var c Candidate
		err := s.Next(&c)
		for _, is := range []struct {
			what       string
			kept, want []byte
		}{
			{"Text", last.Text, clone.Text}, {"Ref", last.Ref, clone.Ref}, {"Raw", last.Raw, clone.Raw},
		} {
			if n > 0 && string(is.kept) == string(is.want) {
				t.Errorf("candidate %d: %s %q is still there", n, is.what, is.kept)
			}
			if bytes.IndexByte(is.want, 0) >= 0 {
				t.Errorf("candidate %d: %s of the clone is spoiled: %q", n, is.what, is.want)
			}
		}
		if err != nil {
			break
		}
		last, clone = c, c.Clone()
	}
	if n != 7 {
		t.Errorf("%d candidates", n)
	}
}
