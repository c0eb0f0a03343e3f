package count

import (
	"bytes"
	"cmp"
	"container/heap"
	"iter"
	"slices"
)

// fewRows is how many rows are chosen without sorting all.
const fewRows = 1000

// Rows yields the rows of counters in the given order, or only the first top rows if top
// is more than 0. No key may be in two counters. A row is valid until the next iteration.
// An error is an *Error, and ends the sequence. Afterwards nothing can be done with the
// counters but Close.
func Rows(order Order, top int, counters ...*Counter) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		spilled := slices.ContainsFunc(counters, (*Counter).Spilled)
		var rows iter.Seq2[*Row, error]
		switch {
		case order == ByKey:
			rows = byKey(counters)
		case top > 0 && top <= fewRows:
			rows = best(order, top, byKey(counters))
		case !spilled:
			rows = inMemory(order, counters)
		default:
			rows = byRank(order, counters)
		}
		n := 0
		for row, err := range rows {
			if !yield(row, err) || err != nil {
				return
			}
			if n++; n == top {
				return
			}
		}
	}
}

// inMemory yields all rows of counters that have no runs.
func inMemory(order Order, counters []*Counter) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var s sorter
		n := 0
		for _, c := range counters {
			s = append(s, &c.table)
			n += c.table.n
		}
		items := make([]sortItem, 0, n) // the tables have counted their memory
		for of, c := range counters {
			for i := range c.table.n {
				items = append(items, sortItem{word: order.rank(&c.table.entry(uint32(i)).sum), at: uint32(i), of: uint8(of)})
			}
		}
		s.sortLoaded(items, 0)
		var row Row
		for _, it := range items {
			row.Key, row.Sum = s.key(it), counters[it.of].table.entry(it.at).sum
			if !yield(&row, nil) {
				return
			}
		}
	}
}

// best yields the first n rows by order. It keeps n rows.
func best(order Order, n int, rows iter.Seq2[*Row, error]) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		top := Top{order: order, n: n}
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			top.Offer(row)
		}
		for _, row := range top.Rows() {
			if !yield(&row, nil) {
				return
			}
		}
	}
}

// A Top keeps the first rows, in some order, of all rows offered to it.
type Top struct {
	order Order
	n     int
	worst worstFirst
}

// NewTop returns a Top for the first n rows. It is for small n.
func NewTop(order Order, n int) *Top { return &Top{order: order, n: n} }

// Offer keeps a copy of row if it is among the first.
func (t *Top) Offer(row *Row) {
	r := ranked{rank: t.order.rank(&row.Sum), row: *row}
	w := &t.worst
	switch {
	case len(*w) < t.n:
		r.row.Key = bytes.Clone(row.Key)
		heap.Push(w, r)
	case t.n > 0 && r.compare(&(*w)[0]) < 0:
		r.row.Key = append((*w)[0].row.Key[:0], row.Key...)
		(*w)[0] = r
		heap.Fix(w, 0)
	}
}

// Rows returns the rows in their order.
func (t *Top) Rows() (rows []Row) {
	some := slices.Clone(t.worst)
	slices.SortFunc(some, func(a, b ranked) int { return a.compare(&b) })
	for i := range some {
		rows = append(rows, some[i].row)
	}
	return rows
}

// A ranked is a row with its rank.
type ranked struct {
	rank uint64
	row  Row
}

// compare returns a negative number if a comes before b, and a positive one if after
// it.
func (a *ranked) compare(b *ranked) int {
	if a.rank != b.rank {
		return cmp.Compare(a.rank, b.rank)
	}
	return bytes.Compare(a.row.Key, b.row.Key)
}

// worstFirst is a heap with the last row at its top.
type worstFirst []ranked

func (w worstFirst) Len() int           { return len(w) }
func (w worstFirst) Less(i, j int) bool { return w[i].compare(&w[j]) > 0 }
func (w worstFirst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worstFirst) Push(r any)        { *w = append(*w, r.(ranked)) }
func (w *worstFirst) Pop() any {
	last := len(*w) - 1
	r := (*w)[last]
	*w = (*w)[:last]
	return r
}
