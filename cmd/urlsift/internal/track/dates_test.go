package track

import (
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract"
)

// TestDates checks that a date is kept only for results with the same date field.
func TestDates(t *testing.T) {
	const first, second = "Thu, 01 Jan 1970 00:00:10 GMT", "Thu, 01 Jan 1970 00:01:00 GMT"
	var d Dates
	for i, c := range []struct {
		date string
		want int64
	}{{"", count.NoTime}, {first, 10}, {first, 10}, {second, 60}, {"no date", count.NoTime}, {"no date", count.NoTime}, {first, 10}, {"", count.NoTime}} {
		if got := d.Of(&extract.Result{Origin: extract.Origin{Fields: extract.Fields{Date: c.date}}}); got != c.want {
			t.Errorf("%d: %q: %d, want %d", i, c.date, got, c.want)
		}
	}
}
