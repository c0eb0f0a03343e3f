package progress

import (
	"fmt"
	"strings"
	"time"
)

// A snapshot is how far a run had come at one moment.
type snapshot struct {
	read  int64 // bytes as stored
	total int64 // of those, in all; -1 if not known (yet)
	found int64
	rate  float64 // bytes a second
	time  time.Duration
	over  bool // the run came to its end
}

// line returns s as a line of at most width columns, which may be any number if
// width is 0. What matters least goes first when there is little room. A plain
// line has no colours.
//
//	43% [########----------] 1.2 GiB of 2.8 GiB  310 MiB/s  12345 found  0:05 left
func (s snapshot) line(width int, plain bool) string {
	part, known := s.part()
	amount := bytesText(float64(s.read))
	var percent, left string // what can be said of the end
	if known {
		percent = fmt.Sprintf("%3.0f%%", 100*part)
		if s.total >= 0 {
			amount += " of " + bytesText(float64(s.total))
		}
		if left = "done in " + clock(s.time); !s.over {
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

	// From the fullest to the barest; the first that fits is taken. The bar gets
	// the columns that are left, if they are enough to see it move.
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

// part returns which part of all bytes has been read, if that can be told. More
// may have been read than there was when the sizes were taken.
func (s snapshot) part() (part float64, known bool) {
	switch {
	case s.over:
		return 1, true
	case s.total > 0:
		return min(1, float64(s.read)/float64(s.total)), true
	}
	return 0, false
}

// bar returns a bar of width columns that is full to the given part, from 0 to 1.
// It is ASCII: not every terminal that people watch a long run on has more.
func bar(part float64, width int) string {
	full := int(part*float64(width) + 0.5)
	return strings.Repeat("#", full) + strings.Repeat("-", width-full)
}

// colour puts the bar in brackets, and paints it green where that is welcome.
func colour(bar string, plain bool) string {
	if plain {
		return "[" + bar + "]"
	}
	return "[\x1b[32m" + bar + "\x1b[m]"
}

// bytesText returns n bytes in the unit that leaves one to three digits, or four
// of bytes, with a decimal where there would be one. Units are powers of 1024.
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
