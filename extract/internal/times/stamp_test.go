package times

import (
	"testing"
	"time"
)

// TestStampDays compares days with those of package time, in years with and without a leap
// day.
func TestStampDays(t *testing.T) {
	for year := range 2600 {
		for month := time.January; month <= time.December; month++ {
			for _, day := range []int{0, 1, 28, 29, 30, 31, 32} {
				s := stampReader{year: year, month: month, day: day, hour: 1, minute: 2, second: 3}
				want := time.Date(year, month, day, 1, 2, 3, 0, time.UTC)
				if got, ok := s.utc(); ok != (want.Month() == month) || ok && got != want.Unix() {
					t.Fatalf("%d-%d-%d: %d, %v", year, month, day, got, ok)
				}
			}
		}
	}
}
