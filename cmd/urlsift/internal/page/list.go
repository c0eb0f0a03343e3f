package page

import (
	"cmp"
	"slices"
	"strings"
)

// A list numbers texts, such as the names of sources, in the order in which they come, and counts
// references for each. Its memory is bounded: what does not fit has the number others. A text may be a slice
// of memory that changes: the list keeps copies.
type list struct {
	numbers    map[string]uint32
	names      []string // by number
	counts     []int64
	room       int // bytes for further names
	last       string
	lastNumber uint32
}

// Numbers that every list has.
const (
	none   = iota // there is no such text
	others        // all texts that did not fit
)

// listMemory bounds the memory of one list. A name costs its bytes and some 100 more.
const listMemory = 16 << 20

func newList() *list {
	return &list{numbers: make(map[string]uint32), names: []string{"", ""}, counts: make([]int64, 2), room: listMemory}
}

func (l *list) number(text string) uint32 {
	if text == "" {
		return none
	}
	if text == l.last { // most results are of the same message as the one before
		return l.lastNumber
	}
	n, ok := l.numbers[text]
	if !ok {
		if n = others; l.room >= len(text)+100 {
			n = uint32(len(l.names))
			text = strings.Clone(text)
			l.room -= len(text) + 100
			l.numbers[text] = n
			l.names, l.counts = append(l.names, text), append(l.counts, 0)
		}
	}
	l.last, l.lastNumber = text, n
	return n
}

// distinct returns how many of the names have been counted.
func (l *list) distinct() (n int64) {
	for _, sum := range l.counts {
		if sum > 0 {
			n++
		}
	}
	return n
}

// split returns a list of the names in texts that are lists of names, such as the newsgroups of articles.
func (l *list) split() *list {
	single := newList()
	for i, text := range l.names {
		if i == others {
			single.counts[others] = l.counts[others]
		}
		for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
			single.counts[single.number(name)] += l.counts[i]
		}
	}
	return single
}

// list returns the most frequent names of l with bars.
func (l *list) list(id, title, what string, of int64, hide func(string) string) ranking {
	r := ranking{Title: title, What: what, ID: id}
	var most []int
	for n := range l.names {
		if (n != none || id == "scheme") && l.counts[n] > 0 {
			most = append(most, n)
		}
	}
	slices.SortFunc(most, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.counts[b], l.counts[a]), cmp.Compare(l.names[a], l.names[b]))
	})
	r.Distinct = int64(len(most))
	for _, n := range most[:min(mostNames, len(most))] {
		name := hide(l.names[n])
		if n == others {
			name = "(others, that the page does not name)"
		}
		r.Rows = append(r.Rows, newBar(visible(name, 100), l.counts[n], of, l.counts[most[0]]))
	}
	return r
}
