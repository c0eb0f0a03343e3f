package delimit

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestNoLines checks that a Scanner that counts no lines finds the same candidates as one that
// does, also where windows slide and with extras.
func TestNoLines(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	texts := 100
	if !long {
		texts = 14
	}
	for i := range texts {
		text := randomText(rnd, 2000) + strings.Repeat(allForms, i%7)
		opts := Options{MaxLen: 300}
		if i%2 == 0 {
			opts.Extras = Abbreviated | Defanged | Rejoin | Address
		}
		all := func(opts Options) (list []Candidate) {
			s := newScanner(iotest.OneByteReader(strings.NewReader(text)), opts, 0)
			for {
				var c Candidate
				err := s.Next(&c)
				if err == io.EOF {
					return list
				}
				list = append(list, c.Clone())
			}
		}
		want := all(opts)
		for k := range want {
			if want[k].Line == 0 || want[k].Column == 0 {
				t.Fatalf("no place: %+v", want[k])
			}
			want[k].Line, want[k].Column = 0, 0
		}
		opts.NoLines = true
		if d := cmp.Diff(want, all(opts), cmpopts.IgnoreUnexported(Candidate{})); d != "" {
			t.Fatalf("%q:\n%s", text, d)
		}
	}
}
