package extract

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/urlsift/urlsift/delimit"
)

// TestOwn copies the bytes of a Result into memory of its own. The Result must be unchanged, slices
// that shared memory must still share it, and owns must return a sufficient size.
func TestOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	memory := []byte("http://example.org/abc (see there)")
	for range 5000 {
		some := func() []byte { // nil or not empty: Clone does not distinguish empty from nil
			if r.IntN(4) == 0 {
				return nil
			}
			lo := r.IntN(len(memory))
			return memory[lo : lo+1+r.IntN(len(memory)-lo)]
		}
		or := func(s []byte) []byte {
			if r.IntN(3) == 0 {
				return some()
			}
			return s
		}
		var is Result
		is.Candidate.Text = memory[r.IntN(9):]
		is.Candidate.Raw, is.Candidate.Ref, is.Candidate.Tail = or(is.Candidate.Text), or(is.Candidate.Text), some()
		is.URL, is.Target = or(is.Candidate.Ref), or(nil)
		is.Candidate.By = delimit.Defanged // with a repaired text, Clone treats Ref as a separate slice
		if r.IntN(8) == 0 {
			is.Candidate.Others = delimit.Rejoined
		}
		before := append(make([]byte, 0, 512), "before"...)
		was, own := is.Clone(), is
		n := is.owns()
		arena := own.own(before)
		if len(arena)-len(before) > n || &arena[0] != &before[0] || string(arena[:len(before)]) != "before" {
			t.Fatalf("owns returned %d bytes, %d were used", n, len(arena)-len(before))
		}
		if same(is.URL, is.Candidate.Ref) != same(own.URL, own.Candidate.Ref) {
			t.Errorf("URL is Ref: %v", same(is.URL, is.Candidate.Ref))
		}
		if len(is.URL) > 0 && len(own.URL) > 0 && &own.URL[0] == &is.URL[0] {
			t.Error("the URL is not its own")
		}
		if !reflect.DeepEqual(own, was) {
			t.Fatalf("%+v\nis owned as\n%+v", was, own)
		}
	}
}
