package progress

import (
	"fmt"
	"strings"
	"time"
)

// A snapshot is the progress of a run at one moment.
type snapshot struct {
	read  int64 // stored bytes that were read
	total int64 // size of all sources; -1 if unknown so far
	found int64
	rate  float64 // bytes a second
	time  time.Duration
	ended bool // the run has ended
}

// line returns s as a line of at most width columns, or of any length if width is 0. If
// there is little room, less important parts are left out. A plain line has no colours.
//
//	43% [########----------] 1.2 GiB of 2.8 GiB  310 MiB/s  12345 found  0:05 left
func (s snapshot) line(width int, plain bool) string {
	part, known := s.part()
	amount := bytesText(float64(s.read))
	var percent, left string // known only with the total
	if known {
		percent = fmt.Sprintf("%3.0f%%", 100*part)
		if s.total >= 0 {
			amount += " of " + bytesText(float64(s.total))
		}
		if left = "done in " + clock(s.time); !s.ended {
			left = "? left"
			if s.rate > 0 {
				left = clock(time.Duration(float64(max(0, s.total-s.read))/s.rate*float64(time.Second))) + " left"
			}
		}
	} else {
		left = "after " + clock(s.time)
	}
	found := fmt.Sprintf("%d found", s.found)
	speed := bytesText(s.rate) + "/s"

	// From the longest form to the shortest; the first that fits is used. The bar gets
	// the remaining columns, if they are enough to show movement.
	for _, pieces := range [][]string{
		{amount, speed, found, left}, {amount, found, left}, {found, left}, {found}, {},
	} {
		text := strings.Join(pieces, "  ")
		used := len(percent) + 1 + len(text)
		if width > 0 && used > width {
			continue
		}
		if room := min(width-used-3, 30); known && room >= 10 {
			return fmt.Sprintf("%s %s %s", percent, colour(bar(part, room), plain), text)
		}
		return strings.TrimSpace(percent + " " + text)
	}
	return ""
}

// part returns which part of all bytes has been read, from 0 to 1, if that is known. If files
// have grown, it may be 1 before the end.
func (s snapshot) part() (part float64, known bool) {
	switch {
	case s.ended:
		return 1, true
	case s.total > 0:
		return min(1, float64(s.read)/float64(s.total)), true
	}
	return 0, false
}

// bar returns a bar of width columns, filled to the given part, from 0 to 1. It is ASCII,
// because not every terminal has more.
func bar(part float64, width int) string {
	full := int(part*float64(width) + 0.5)
	return strings.Repeat("#", full) + strings.Repeat("-", width-full)
}

// colour puts the bar in brackets, and colours it green unless plain is set.
func colour(bar string, plain bool) string {
	if plain {
		return "[" + bar + "]"
	}
	return "[\x1b[32m" + bar + "\x1b[m]"
}

// bytesText returns n bytes in a unit that is a power of 1024: "1023 B", "1.2 GiB", "310 MiB".
// There are at most three digits in front of a unit above bytes; a single digit has a decimal.
func bytesText(n float64) string {
	units := "KMGTP"
	if n < 1024 {
		return fmt.Sprintf("%.0f B", n)
	}
	i := 0
	for n /= 1024; n >= 1000 && i < len(units)-1; i++ {
		n /= 1024
	}
	if n < 10 {
		return fmt.Sprintf("%.1f %ciB", n, units[i])
	}
	return fmt.Sprintf("%.0f %ciB", n, units[i])
}

// clock returns d as minutes and seconds, with hours if there are any.
func clock(d time.Duration) string {
	s := int64(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
