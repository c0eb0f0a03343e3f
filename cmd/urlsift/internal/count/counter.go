package count

import (
	"fmt"
	"math"
)

// DefaultMemory is the memory of a Counter for which Options set none, in bytes.
const DefaultMemory = 256 << 20

// NoTime is the time of an event without one.
const NoTime = math.MinInt64

// Options bound the memory and set the folder of a Counter.
type Options struct {
	// Memory is how many bytes the table and its sorting may take; 0 means DefaultMemory.
	// One key is kept however long it is. Merging takes some 150 KiB for each run.
	Memory int64

	// Dir is the folder of temporary files; "" means os.TempDir.
	Dir string

	create func(dir string) (file, error) // instead of createTemp, in tests
}

// A Sum is the sum of the events of one key.
type Sum struct {
	Count       int64
	First, Last int64 // times; First > Last if no event has a time
	Sources     int64 // how many

	from, to int64 // the first and the last of the sources
}

// Timed reports whether First and Last are times.
func (s *Sum) Timed() bool { return s.First <= s.Last }

// add adds the sum of later events.
func (s *Sum) add(later *Sum) {
	s.Count += later.Count
	s.First, s.Last = min(s.First, later.First), max(s.Last, later.Last)
	s.Sources += later.Sources
	if s.to == later.from {
		s.Sources--
	}
	s.to = later.to
}

// A Row is a key and its sum. Key is valid until the next row.
type Row struct {
	Key []byte
	Sum
}

// An Error says that a temporary file could not be used. The sums are lost.
type Error struct {
	Op  string // what failed: "create", "write" or "read"
	Dir string // the folder of the file
	Err error
}

// Error returns a message like "temporary file in /tmp: write: no space left on device".
func (e *Error) Error() string {
	return fmt.Sprintf("temporary file in %s: %s: %v", e.Dir, e.Op, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// A Counter sums up events. It is not safe for concurrent use; several Counters may be
// used at the same time and merged by [Rows].
type Counter struct {
	o      Options
	table  table
	spool  spool
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

// put adds a sum of events that are later than all earlier ones.
func (c *Counter) put(key []byte, s *Sum) error {
	if c.failed != nil {
		return c.failed
	}
	hash := hashOf(key)
	if e := c.table.find(key, hash); e != nil {
		e.sum.add(s)
		return nil
	}
	if c.table.len() > 0 && (c.table.costWith(len(key)) > c.o.Memory || c.table.full()) {
		if c.failed = c.spill(); c.failed != nil {
			return c.failed
		}
	}
	c.table.insert(key, hash, s)
	return nil
}

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
	c.table = table{}
	c.spool.close()
}
