package track

import "testing"

func TestSeen(t *testing.T) {
	s := make(Seen)
	for i, c := range []struct {
		text string
		want bool
	}{{"a", true}, {"b", true}, {"a", false}, {"", true}, {"", false}} {
		if got := s.Add([]byte(c.text)); got != c.want {
			t.Errorf("%d: %q: %v", i, c.text, got)
		}
	}
}
