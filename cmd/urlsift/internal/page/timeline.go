package page

import (
	"bytes"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
)

// The time line has a column for each month, or for each year if there are more than
// mostMonths. It leaves out the oldest and the newest references, at most one in four
// hundred at each end.

const (
	mostMonths = 48
	tail       = 400
	kinds      = 5 // the four most frequent schemes, and all others
)

// months has the number of references of each month, by kind. There are at most some 700
// months, because package record accepts no other dates.
type months struct {
	schemes []count.Row // the most frequent ones first, with the letter of the section
	sums    map[int]*[kinds]int64
}

func newMonths() *months { return &months{sums: make(map[int]*[kinds]int64)} }

// add adds the references of a month and a scheme: "2006-01", 0, the scheme.
func (m *months) add(key []byte, n int64) {
	month, scheme, _ := bytes.Cut(key, []byte{0})
	year, _ := strconv.Atoi(string(month[:4]))
	of, _ := strconv.Atoi(string(month[5:]))
	kind := kinds - 1
	for i, s := range m.schemes[:min(kinds-1, len(m.schemes))] {
		if bytes.Equal(s.Key[1:], scheme) {
			kind = i
		}
	}
	at := year*12 + of - 1
	if m.sums[at] == nil {
		m.sums[at] = new([kinds]int64)
	}
	m.sums[at][kind] += n
}

// A timeline is a chart of stacked columns, in units of an SVG of Width and Height.
type timeline struct {
	Unit          string // month or year
	Width, Height int
	Columns       []column
	Lines         []gridLine
	Kinds         []string
	Notes         []string
}

// A column is a month or a year.
type column struct {
	Name   string
	Number string // of references
	X, W   int
	Parts  []part
	Label  bool // the name stands under it
}

// A part is the part of a column for one kind.
type part struct{ Kind, Y, H int }

// A gridLine is a horizontal line with its number.
type gridLine struct {
	Y      int
	Number string
}

// sumOf returns the sum of all kinds.
func sumOf(of *[kinds]int64) (n int64) {
	for _, k := range of {
		n += k
	}
	return n
}

// timeline returns the chart, or nil if there is nothing in it.
func (m *months) timeline(undated int64) *timeline {
	first, last, outside := m.clip()
	if last < first {
		return nil
	}
	t := &timeline{Unit: "month", Width: 960, Height: 260}
	step := 1
	if last-first >= mostMonths {
		t.Unit, step = "year", 12
		first, last = first/12*12, last/12*12
	}
	var sums [][kinds]int64
	for at := first; at <= last; at += step { // at most mostMonths months, or years since 1970
		var sum [kinds]int64
		for i := range step {
			if of := m.sums[at+i]; of != nil {
				for k := range of {
					sum[k] += of[k]
				}
			}
		}
		sums = append(sums, sum)
	}
	t.draw(sums, func(i int) string {
		at := first + i*step
		if step == 12 {
			return strconv.Itoa(at / 12)
		}
		return strconv.Itoa(at/12) + "-" + string([]byte{'0' + byte((at%12+1)/10), '0' + byte((at%12+1)%10)})
	})
	for i, s := range m.schemes {
		if i < kinds-1 {
			t.Kinds = append(t.Kinds, visible(s.Key[1:], 30))
		}
	}
	if len(m.schemes) >= kinds {
		t.Kinds = append(t.Kinds, "other")
	}
	if undated > 0 {
		t.Notes = append(t.Notes, number(undated)+" without a date")
	}
	if outside > 0 {
		t.Notes = append(t.Notes, number(outside)+" outside of this time")
	}
	return t
}

// clip returns the first and the last month to show, and how many references are outside.
func (m *months) clip() (first, last int, outside int64) {
	var all int64
	first, last = 1<<30, -1
	for at, of := range m.sums {
		all += sumOf(of)
		first, last = min(first, at), max(last, at)
	}
	cut := func(at *int, step int) {
		var left int64
		for *at >= 0 && *at < 1<<30 { // a month in each iteration
			if of := m.sums[*at]; of != nil {
				if left += sumOf(of); left > all/tail {
					return
				}
				outside += sumOf(of)
			}
			*at += step
		}
	}
	if all > 0 {
		cut(&first, 1)
		cut(&last, -1)
	}
	return first, last, outside
}

// draw sets the columns and lines for sums.
func (t *timeline) draw(sums [][kinds]int64, name func(int) string) {
	const left, bottom = 70, 30
	var most int64
	for i := range sums {
		most = max(most, sumOf(&sums[i]))
	}
	unit := int64(1) // of the lines: 1, 2 or 5 times a power of ten, at most six lines
	for i := 0; most/unit > 5; i++ {
		unit = unit / []int64{1, 2, 5}[i%3] * []int64{2, 5, 10}[i%3]
	}
	plot := t.Height - bottom - 10
	scale := func(n int64) int { return int(float64(n) / float64(max(most, 1)) * float64(plot)) }
	for n := int64(0); n <= most; n += unit {
		t.Lines = append(t.Lines, gridLine{10 + plot - scale(n), number(n)})
	}
	each := max(4, min(60, (t.Width-left)/len(sums)))
	t.Width = max(t.Width, left+each*len(sums)+10)
	every := 1 + 60/each // labels are some 50 wide
	for i := range sums {
		c := column{Name: name(i), Number: number(sumOf(&sums[i])), X: left + i*each, W: max(2, each*4/5), Label: i%every == 0}
		var below int64
		for k, n := range sums[i] {
			if n > 0 {
				h := scale(below+n) - scale(below)
				c.Parts = append(c.Parts, part{k, 10 + plot - scale(below) - h, h})
				below += n
			}
		}
		t.Columns = append(t.Columns, c)
	}
}
