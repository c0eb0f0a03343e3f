package sources

import (
	"fmt"
	"slices"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestShard checks that the parts are all sources, that small ones are divided by their names alone,
// and large ones in turn.
func TestShard(t *testing.T) {
	var all []extract.Source
	for i := range 1000 {
		size := int64(i)
		if i%100 == 0 {
			size += largeSource + 1
		}
		all = append(all, extract.Source{Name: fmt.Sprintf("mail/%d.mbox", i), Size: size})
	}
	var s Shard
	if n := len(slices.Collect(s.of(slices.Values(all)))); n != len(all) {
		t.Errorf("the zero Shard has %d", n)
	}
	found := make(map[string]string)
	for i := 1; i <= 4; i++ {
		text := fmt.Sprintf("%d/4", i)
		if err := s.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		small, large := 0, 0
		for source := range s.of(slices.Values(all)) {
			if found[source.Name] != "" {
				t.Errorf("%s is in %s and %s", source.Name, found[source.Name], text)
			}
			if found[source.Name] = text; source.Size > largeSource {
				large++
			} else {
				small++
			}
		}
		if small < 200 || small > 300 || large < 2 || large > 3 {
			t.Errorf("%s: %d and %d large ones", text, small, large)
		}
		for source := range s.of(slices.Values(all[1:100])) {
			if found[source.Name] != text {
				t.Errorf("%s: other sources change the part of %s", text, source.Name)
			}
		}
	}
	if len(found) != len(all) {
		t.Errorf("%d of %d", len(found), len(all))
	}
	for _, bad := range []string{"", "1", "0/4", "5/4", "-1/4", "1/0", "1/4/2", "a/b", "1/"} {
		if s.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}
