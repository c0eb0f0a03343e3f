package count

import "iter"

// DefaultMemory is the memory of a Counter for which Options set none, in bytes.
const DefaultMemory = 256 << 20

// Options bound the memory and set the folder of a Counter.
type Options struct {
	// Memory is how many bytes the table and its sorting may take; 0 means DefaultMemory.
	// A single key may take more. Merging takes some 150 KiB for each run in addition.
	Memory int64

	// Dir is the folder of temporary files; "" means os.TempDir.
	Dir string

	create func(dir string) (file, error) // instead of createTemp, in tests
}

// A Counter sums up events. It is not safe for concurrent use; several Counters may be
// used at the same time and merged by [Rows].
type Counter struct {
	o      Options
	table  sumTable
	spool  spool
	seen   int64 // of the key that was added last
	failed error // the first error; later calls return it too
}

// New returns a Counter without events.
func New(o Options) *Counter {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.create == nil {
		o.create = createTemp
	}
	c := &Counter{o: o}
	c.spool.o = &c.o
	return c
}

// Add counts one event. source never decreases. at is the time of the event, in any unit, or
// NoTime. The error is an *Error, and later calls return it too.
func (c *Counter) Add(key []byte, source, at int64) error {
	s := Sum{Count: 1, First: at, Last: at, Sources: 1, from: source, to: source}
	if at == NoTime {
		s.First, s.Last = noFirst, noLast
	}
	return c.put(key, &s)
}

// put adds the sum of some events. They come after all events that were added before.
func (c *Counter) put(key []byte, s *Sum) error {
	if c.failed != nil {
		return c.failed
	}
	hash := hashOf(key)
	if e := c.table.find(key, hash); e != nil {
		e.sum.add(s)
		c.seen = e.sum.Count
		return nil
	}
	if c.table.len() > 0 && (c.table.costWith(len(key)) > c.o.Memory || c.table.full()) {
		if c.failed = c.spill(); c.failed != nil {
			return c.failed
		}
	}
	c.table.insert(key, hash, s)
	c.seen = s.Count
	return nil
}

// Seen returns how often the key of the last event was counted since it was last written to a file.
func (c *Counter) Seen() int64 { return c.seen }

// Spilled reports whether keys have been written to a file.
func (c *Counter) Spilled() bool { return c.spool.any() }

// spill writes the table to a run and empties it.
func (c *Counter) spill() error {
	if c.table.len() == 0 {
		return nil
	}
	t := &c.table
	if err := c.spool.write(func(w *runWriter) error {
		for _, it := range t.sorted() {
			e := t.entry(it.at)
			if err := w.append(t.key(e), &e.sum); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	t.reset()
	return nil
}

// Close frees memory and files. It may be called more than once.
func (c *Counter) Close() {
	c.table = sumTable{}
	c.spool.close()
}

// stream returns the rows of c. Before that it merges runs until there are no more than most.
func (c *Counter) stream(most int) (rowStream, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	if c.failed = c.spool.reduce(most); c.failed != nil {
		return nil, c.failed
	}
	streams := c.spool.all()
	if c.table.len() > 0 || len(streams) == 0 {
		streams = append(streams, &tableStream{t: &c.table, items: c.table.sorted()})
	}
	return merge(streams), nil
}

// byKey yields all rows of counters in the order of the keys.
func byKey(counters []*Counter) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		var streams []rowStream
		for _, c := range counters {
			s, err := c.stream(fanIn / len(counters))
			if err != nil {
				yield(nil, err)
				return
			}
			streams = append(streams, s)
		}
		s := merge(streams)
		for {
			row, err := s.next()
			if row == nil && err == nil || !yield(row, err) || err != nil {
				return
			}
		}
	}
}
