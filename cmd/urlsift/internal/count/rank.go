package count

import (
	"encoding/binary"
	"iter"
)

// Rows that do not fit into memory come in the order of their keys. They are sorted once more, by
// the rank in eight bytes and then the key.
//
// Most keys have small counts. Rows with the same count are in order already, so each of the
// smallest counts has a file of its own, to which rows are only appended. For twenty million
// distinct keys, this saves a third of the time.

// smallCounts is how many counts have a file.
const smallCounts = 8

// A ranker sorts rows by their rank.
type ranker struct {
	order  Order
	sorter *Counter
	small  spool                  // level i has the rows with the count i+1; used only if rows are ordered by count
	files  [smallCounts]runWriter // they write to small
	key    []byte
}

// byRank yields all rows of counters in the given order. It empties the counters.
func byRank(order Order, counters []*Counter) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		o := counters[0].o
		o.Memory = 0
		for _, c := range counters {
			// Free their memory for the table that sorts.
			if err := c.spill(); err != nil {
				yield(nil, err)
				return
			}
			o.Memory += c.o.Memory
			c.table = sumTable{}
		}
		r := &ranker{order: order, sorter: New(o)}
		r.small.o = &r.sorter.o
		defer r.close()
		if err := r.sort(byKey(counters)); err != nil {
			yield(nil, err)
			return
		}
		for _, c := range counters {
			c.spool.close()
		}
		r.rows(yield)
	}
}

// close frees the files.
func (r *ranker) close() {
	r.sorter.Close()
	r.small.close()
}

// sort takes all rows.
func (r *ranker) sort(rows iter.Seq2[*Row, error]) error {
	if r.order == ByCount {
		if err := r.small.prepare(smallCounts - 1); err != nil {
			return err
		}
		for i := range r.files {
			r.files[i].enc, r.files[i].f = r.small.enc, r.small.levels[i].f
		}
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := r.put(row); err != nil {
			return err
		}
	}
	for i := range r.small.levels {
		w := &r.files[i]
		if err := w.flush(); err != nil {
			return r.small.problem("write", err)
		}
		r.small.levels[i].runs = []sortedRun{{0, w.at}}
	}
	return nil
}

// put takes one row.
func (r *ranker) put(row *Row) error {
	if r.order == ByCount && row.Count <= smallCounts {
		if err := r.files[row.Count-1].append(row.Key, &row.Sum); err != nil {
			return r.small.problem("write", err)
		}
		return nil
	}
	r.key = append(binary.BigEndian.AppendUint64(r.key[:0], r.order.rank(&row.Sum)), row.Key...)
	return r.sorter.put(r.key, &row.Sum)
}

// rows yields the rows in their order.
func (r *ranker) rows(yield func(*Row, error) bool) {
	var out Row
	for row, err := range byKey([]*Counter{r.sorter}) {
		if err == nil {
			out = Row{row.Key[8:], row.Sum}
		}
		if !yield(&out, err) || err != nil {
			return
		}
	}
	for i := len(r.small.levels) - 1; i >= 0; i-- {
		for s := r.small.readers(&r.small.levels[i])[0]; ; {
			row, err := s.next()
			if row == nil && err == nil {
				break
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}
