package extract

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// A common has what all workers of an Extractor use.
type common struct {
	opts   Options
	base   base // Options.Base
	counts counts

	foundHash, readHash uint64 // see Options.hashes

	neutralBefore int64 // mail.NeutralBefore; only tests change it

	blockBytes, leastBlock int               // the constants with these names; only tests change them
	pausing                func(handed bool) // called where blocks may be handed out, and when one was; only tests set it
}

// The types of package schedule here: a job is a Source, and a batch holds Results.
type (
	producer   = schedule.Producer[Source, batch, *block, delta]
	sharedFile = schedule.SharedFile[batch, *block, delta]
)

// A core has the data that all components of a worker use: the readers, the source being read, and
// the sink. The components are finder, sharedReading, resumption and partReading.
type core struct {
	x               *common
	out             sink
	stoppedByCaller bool // the sink has returned false: the caller reads no more Results
	stop            *schedule.Interrupt
	producer        *producer     // connection with other workers; nil if there are none
	ledger          ledger.Ledger // not yet added to the counts of x

	pool   *compress.Pool   // stored bytes → raw stream
	doc    *document.Reader // raw stream → texts
	scan   *delimit.Scanner // texts → candidates; one of the finder's scanners
	direct *document.Text   // the last text, if the scanner counts its lines

	source string       // name of what is being read
	format Format       // of the source: Source.Format
	base   uri.Ref      // of the source: Source.Base
	enough func() bool  // of the source; nil if all of it is read
	opened io.Reader    // the source
	part   *partReading // of a source of which a part is read; else nil
	reader files.Reader // reads the source
}

// state returns the state of the scanner in t, with offsets in the text of the whole stream.
func (c *core) state(t *document.Text) delimit.State {
	st := c.scan.State()
	st.Offset += t.Start
	st.Floor += t.Start
	return st
}

// stopped reports whether reading should stop.
func (c *core) stopped() bool { return c.stoppedByCaller || c.stop.Is() }

// done reports whether reading of the source should stop.
func (c *core) done() bool { return c.stopped() || c.enough != nil && c.enough() }

// lineColumn returns the line and column of the next byte of the Direct text that is read, both from 1; 0 if there is none. The
// scanner counts them, but not before it has begun to read the text.
func (c *core) lineColumn() (line, column int64) {
	t := c.direct
	if t == nil {
		return 0, 0
	}
	first := t.BOM
	if t.Start > 0 { // lines and columns are counted from the beginning of the block
		first = 0
	}
	if t.RawRead() == t.BOM+t.Start {
		return 1, first + 1
	}
	at := c.scan.State()
	if at.Line == 1 {
		at.Column += first
	}
	return at.Line, at.Column
}

// send sends r to the sink. It reports whether to continue.
func (c *core) send(r *Result) bool {
	c.stoppedByCaller = !c.out.result(r) || c.stoppedByCaller
	return !c.stoppedByCaller
}

// fail counts e in class and passes e to the sink.
func (c *core) fail(e *Error, class ledger.Count) {
	c.ledger.Add(ledger.ErrorsAll, 1)
	c.ledger.Add(class, 1)
	if e.Severity == Warning {
		c.ledger.Add(ledger.Warnings, 1)
	}
	c.stoppedByCaller = !c.out.failure(e) || c.stoppedByCaller
}

// counts is the sum of the ledgers of all workers.
type counts [ledger.Classes]atomic.Int64

// add moves the counts of l to c.
func (c *counts) add(l *ledger.Ledger) {
	for i, n := range l {
		if n != 0 {
			c[i].Add(n)
			l[i] = 0
		}
	}
}

func (c *counts) load() (s Stats) {
	for i, n := range s.fields() {
		*n = c[i].Load()
	}
	return s
}

// classes maps each class of damage to its count in the ledger.
var classes = [...]ledger.Count{
	damage.Read:  ledger.ErrorsRead,
	damage.Pack:  ledger.ErrorsPacking,
	damage.Text:  ledger.ErrorsText,
	damage.Limit: ledger.ErrorsLimit,
}

// A sink receives the results and errors of a worker, in order.
type sink interface {
	// result and failure process r or e, and do not keep them. They report whether to
	// continue.
	result(r *Result) bool
	failure(e *Error) bool

	// reached tells the caller that f has been read up to p. The worker calls it after it has
	// passed on everything that was found in front of p. It reports whether to continue.
	reached(f *File, p *Place) bool

	// flush passes on what is buffered; it is called before a Read that may wait, and unpark after it.
	flush()
	unpark()

	// inBody reports whether the caller's loop body is running in the goroutine of the worker.
	// It still does so after the loop body has panicked.
	inBody() bool
}

// soon is how long results may wait: results of small files while more are read, and results of
// a big file while it is read.
const soon = 10 * time.Millisecond
