package tally

import (
	"iter"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract"
)

// Options say what is counted, and in which order rows come.
type Options struct {
	By     []Key // none means byURL
	Top    int   // maximum number of rows; 0 means all
	Order  count.Order
	Memory int64 // bytes of all sums; 0 means the default of package count
}

// A Tally counts results.
type Tally struct {
	// Whether a result was counted, whether the grammar accepts one of them, and whether
	// one has a time. Finish sets them.
	Counted, Accepted, Timed bool

	o      Options
	redact bool

	// These fields are used only with one worker.
	keyer   *keyer
	source  string // of the last result
	ordinal int64  // of that source

	shards []*shard
	free   chan *eventBatch // batches that no shard uses any more
	ended  bool
}

// The number of shards is at most maxShards, and at most half of the workers: finding references
// takes longer than counting them.
const maxShards = 4

// New returns a Tally. If workers is 1, or a Key asks for it, results come to Take, otherwise to the
// Encoders.
func New(o Options, redact bool, workers int) *Tally {
	if slices.ContainsFunc(o.By, func(k Key) bool { return keys[k].ordered }) {
		workers = 1
	}
	if len(o.By) == 0 {
		o.By = []Key{byURL}
	}
	t := &Tally{o: o, redact: redact}
	if o.Memory == 0 {
		t.o.Memory = count.DefaultMemory
	}
	n := 1
	if workers == 1 {
		t.keyer = newKeyer(o.By, redact)
	} else {
		n = min(maxShards, max(1, workers/2))
		t.free = make(chan *eventBatch, n*queueLength)
	}
	for i := range n {
		t.shards = append(t.shards, newShard(i, n, t.o.Memory/int64(n), t.free))
	}
	return t
}

// Takes reports whether results come to Take.
func (t *Tally) Takes() bool { return t.keyer != nil }

// Take counts r. The error is that of a temporary file.
func (t *Tally) Take(r *extract.Result) error {
	t.Counted, t.Accepted = true, t.Accepted || r.Valid
	if t.ordinal == 0 || r.Origin.Source != t.source {
		t.source = r.Origin.Source
		t.ordinal++
	}
	return t.keyer.each(r, func(key []byte) error {
		t.Timed = t.Timed || t.keyer.at != count.NoTime
		return t.shards[0].counter.Add(key, t.ordinal, t.keyer.at)
	})
}

// Encoder returns the function that makes the events of one worker.
func (t *Tally) Encoder() extract.Encoder {
	k := newKeyer(t.o.By, t.redact)
	var source string
	var hash uint64
	return func(dst []byte, r *extract.Result) []byte {
		if hash == 0 || r.Origin.Source != source {
			source = r.Origin.Source
			hash = hashOfSource(source)
		}
		_ = k.each(r, func(key []byte) error {
			dst = appendEvent(dst, key, hash, r.Valid, k.at)
			return nil
		})
		return dst
	}
}

// Events counts the events in the slice some. The caller may change the slice afterwards. The error
// is that of a temporary file, and may be of earlier events.
func (t *Tally) Events(some []byte) error {
	var b *eventBatch
	select {
	case b = <-t.free:
	default:
		b = new(eventBatch)
	}
	b.bytes = append(b.bytes[:0], some...)
	b.users.Store(int32(len(t.shards)))
	for _, s := range t.shards {
		if s.stopped.Load() {
			return t.Finish()
		}
		s.queue <- b
	}
	return nil
}

// Finish waits until everything is counted. It may be called more than once.
func (t *Tally) Finish() error {
	if !t.ended {
		t.ended = true
		for _, s := range t.shards {
			s.end()
			t.Counted, t.Accepted, t.Timed = t.Counted || s.counted, t.Accepted || s.accepted, t.Timed || s.timed
		}
	}
	for _, s := range t.shards {
		if s.failed != nil {
			return s.failed // the others' are the same
		}
	}
	return nil
}

// rows yields the rows.
func (t *Tally) rows() iter.Seq2[*count.Row, error] {
	var counters []*count.Counter
	for _, s := range t.shards {
		counters = append(counters, s.counter)
	}
	return count.Rows(t.o.Order, t.o.Top, counters...)
}

// Close ends the work of t and removes its files.
func (t *Tally) Close() {
	_ = t.Finish()
	for _, s := range t.shards {
		s.counter.Close()
	}
}

// Print calls write for the rows, in order, in pieces of some KiB that are valid until write
// returns. A piece ends with a row. The error is that of write, or of a temporary file.
func (t *Tally) Print(p Printing, write func([]byte) error) error {
	if err := t.Finish(); err != nil {
		return err
	}
	w := rowWriter{Printing: p, by: t.o.By, write: write}
	w.header()
	for row, err := range t.rows() {
		if err == nil {
			err = w.row(row)
		}
		if err != nil {
			return err
		}
	}
	return w.flush()
}

// Undated returns a message if results are counted by date and no result has a date, otherwise "".
// Call it after Finish.
func (t *Tally) Undated() string {
	var dates []string
	for _, k := range t.o.By {
		if keys[k].date != "" {
			dates = append(dates, k.String())
		}
	}
	verb := " is"
	switch {
	case len(dates) == 0 || !t.Counted || t.Timed:
		return ""
	case len(dates) > 1:
		verb = " are"
	}
	return "no reference has a date, so " + strings.Join(dates, " and ") + verb + " empty (dates are those of messages and of log lines)"
}

// Need sets the options without which results do not have what is counted.
func (o *Options) Need(x *extract.Options) {
	for _, k := range o.By {
		if keys[k].needs != nil {
			keys[k].needs(x)
		}
	}
}
