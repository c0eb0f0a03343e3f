package page

import (
	"maps"
	"slices"
	"time"
)

// A unit is a unit of time. The page counts by the finest one with which a chart has few rows.
type unit uint8

const (
	hours unit = iota
	days
	months
	years
	always // time does not matter
)

var unitNames = [...]string{"hour", "day", "month", "year", ""}

func (u unit) String() string { return unitNames[u] }

// layouts are the names of units of time, as flags accept them.
var layouts = [...]string{"2006-01-02T15", "2006-01-02", "2006-01", "2006", ""}

// begin returns the first second of the unit in which at is.
func (u unit) begin(at int64) int64 {
	switch u {
	case hours:
		return at - at%3600
	case days:
		return at - at%86400
	case always:
		return 0
	}
	t := time.Unix(at, 0).UTC()
	if u == years {
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	}
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).Unix()
}

// next returns the first second of the unit that follows the one that begins at at.
func (u unit) next(at int64) int64 {
	return u.begin(at + [...]int64{3600, 86400, 31 * 86400, 366 * 86400, 1}[u])
}

// name returns what the unit that begins at at is called.
func (u unit) name(at int64) string { return time.Unix(at, 0).UTC().Format(layouts[u]) }

// A calendar counts references by time: by hour while all are within hourSpan, otherwise by day. There
// are some 20 000 days, because package record accepts no other dates.
type calendar struct {
	unit        unit
	first, last int64
	sums        map[int64]int64
	at          int64  // of the last reference
	sum         int64  // not yet in sums: of references at the same time as the last one
	slot        uint32 // of the last reference
}

// hourSpan is how many seconds are counted by hour.
const hourSpan = 14 * 86400

// undated is the slot of references without a date.
const undated = 1<<32 - 1

func newCalendar() *calendar { return &calendar{sums: make(map[int64]int64), at: -1} }

// add counts n references at a time, and returns a number for the hour or day.
func (c *calendar) add(at, n int64) uint32 {
	at = c.unit.begin(at)
	if at == c.at {
		c.sum += n
		return c.slot
	}
	c.flush()
	if c.at < 0 {
		c.first, c.last = at, at
	}
	c.first, c.last = min(c.first, at), max(c.last, at)
	if c.unit == hours && c.last-c.first > hourSpan {
		c.unit = days
		at = c.unit.begin(at)
		c.sums = c.by(days)
	}
	c.at, c.sum = at, n
	if c.slot = uint32(at / 3600); c.unit == days {
		c.slot |= 1 << 31 // it is not the first hour of that day
	}
	return c.slot
}

func (c *calendar) flush() {
	if c.sum > 0 {
		c.sums[c.at] += c.sum
		c.sum = 0
	}
}

// by returns the sums by a unit that is not finer than that of c.
func (c *calendar) by(u unit) map[int64]int64 {
	c.flush()
	sums := make(map[int64]int64)
	for at, n := range c.sums {
		sums[u.begin(at)] += n
	}
	return sums
}

// A span is a row of a time line: a unit of time, or a gap of several without references.
type span struct {
	begin, end int64
	count      int64
}

// Bounds of the time line. leastGap units without references are one row. A time line with more gaps than
// fewGaps, and than one in five rows, would hardly be one.
const (
	mostSpans = 60
	leastGap  = 4
	fewGaps   = 3
)

// timeline returns the references by the finest unit that needs at most mostSpans rows, and few gaps; or nil if
// no reference has a date. A wrong date far away adds two rows: its own, and a gap.
func (c *calendar) timeline() (u unit, rows []span) {
	for u = c.unit; ; u++ { // at most five iterations
		var gaps int
		if rows, gaps = spans(c.by(u), u); len(rows) <= mostSpans && gaps <= max(fewGaps, len(rows)/5) || u == years {
			return u, rows
		}
	}
}

// spans returns the rows of sums, and how many of them are gaps.
func spans(sums map[int64]int64, u unit) (rows []span, gaps int) {
	for _, at := range slices.Sorted(maps.Keys(sums)) {
		if len(rows) > 0 {
			var empty []span
			end := rows[len(rows)-1].end
			for len(empty) < leastGap && end < at {
				empty = append(empty, span{end, u.next(end), 0})
				end = u.next(end)
			}
			if len(empty) == leastGap {
				empty = []span{{empty[0].begin, at, 0}}
				gaps++
			}
			rows = append(rows, empty...)
		}
		rows = append(rows, span{at, u.next(at), sums[at]})
	}
	return rows, gaps
}
