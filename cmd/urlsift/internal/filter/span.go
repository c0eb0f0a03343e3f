package filter

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// layouts are the forms of a time without a zone, which is in UTC, and the unit that each names.
var layouts = []struct {
	layout string
	add    func(time.Time) time.Time // returns the beginning of the next unit
}{
	{"2006", func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }},
	{"2006-01", func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }},
	{"2006-01-02", func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }},
	{"2006-01-02T15", func(t time.Time) time.Time { return t.Add(time.Hour) }},
	{"2006-01-02T15:04", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02T15:04:05", func(t time.Time) time.Time { return t.Add(time.Second) }},
}

// units are the units of a time before now.
var units = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}

// span returns the first and the last second that value names: a time as in RFC 3339, a day, a month or a
// year, all in UTC, or a time before now, such as 7d.
func span(value string, now time.Time) (first, last time.Time, err error) {
	value = strings.Replace(value, " ", "T", 1)
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(value)); err == nil {
		return t, t, nil
	}
	for _, l := range layouts {
		if t, err := time.Parse(l.layout, value); err == nil {
			return t, l.add(t).Add(-time.Second), nil
		}
	}
	if n := len(value) - 1; n > 0 {
		unit, known := units[value[n]]
		number, err := strconv.ParseInt(value[:n], 10, 32)
		if known && err == nil && number >= 0 && time.Duration(number) < 1<<62/unit {
			t := now.Add(-time.Duration(number) * unit)
			return t, t, nil
		}
	}
	return first, last, errors.New("this is no time, such as 2026-11-26, 2026-11, 2026-11-26T08:30:00Z, 7d or 12h (ago)")
}
