package extract

import (
	"slices"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// TestGather checks that files that a walk finds together are passed on in one claim, up to its
// maximum, and other sources one by one. If fewer files follow than the walk announced, none is
// lost.
func TestGather(t *testing.T) {
	together, last, other := &files.File{More: true}, &files.File{}, (*files.File)(nil)
	var list []*files.File
	want := []int{1, 3, 1, 1, schedule.Most, 2, 2}
	list = append(list, other, together, together, last, last, other)
	for range schedule.Most + 1 {
		list = append(list, together)
	}
	list = append(list, last, together, together) // the list ends although together announces another file
	sources := func(yield func(Source) bool) {
		for _, f := range list {
			if !yield(Source{file: f}) {
				return
			}
		}
	}
	for stop := range len(want) {
		var got []int
		n := 0
		schedule.Gather(sources, (*Source).more, func(some []Source) bool {
			for i := range some {
				if some[i].file != list[n] {
					t.Errorf("%d is another", n)
				}
				n++
			}
			got = append(got, len(some))
			return len(got) <= stop
		})
		if !slices.Equal(got, want[:stop+1]) {
			t.Errorf("left at %d: %v, want %v", stop, got, want[:stop+1])
		}
	}
}
