package extract

import (
	"io"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// A core is what all pieces of a worker use: what it reads with, the source that it reads,
// and the sink. The pieces are finder, sharer and resumption.
type core struct {
	x        *Extractor
	out      sink
	left     bool // the sink has stopped
	stop     *schedule.Interrupt
	producer *producer     // connection with other workers; nil if there are none
	ledger   ledger.Ledger // not yet added to the counts of x

	pool   *compress.Pool   // stored bytes → raw stream
	doc    *document.Reader // raw stream → texts
	scan   *delimit.Scanner // texts → candidates
	direct *document.Text   // the last text, if the scanner counts its lines

	source string       // name of what is being read
	base   uri.Ref      // of the source: Source.Base
	enough func() bool  // of the source; nil if all of it is read
	opened io.Reader    // the source
	reader files.Reader // reads it
}

// stopped reports whether reading should stop.
func (c *core) stopped() bool { return c.left || c.stop.Is() }

// done reports whether reading of the source should stop.
func (c *core) done() bool { return c.stopped() || c.enough != nil && c.enough() }

// reached returns the line and column of the next byte of t. The scanner counts the lines
// of a text that it has begun to read.
func (c *core) reached(t *document.Text) (line, column int64) {
	first := t.Mark
	if t.Start > 0 { // lines and columns are those of the segment
		first = 0
	}
	if t.RawRead() == t.Mark+t.Start {
		return 1, first + 1
	}
	if line, column = c.scan.Reached(); line == 1 {
		column += first
	}
	return line, column
}

// pass passes r to the sink. It reports whether to continue.
func (c *core) pass(r *Result) bool {
	c.left = !c.out.result(r) || c.left
	return !c.left
}

// fail counts e in class, and passes it to the sink.
func (c *core) fail(e *Error, class ledger.Class) {
	c.ledger.Add(ledger.Errors, 1)
	c.ledger.Add(class, 1)
	if e.Severity == Warning {
		c.ledger.Add(ledger.Warnings, 1)
	}
	c.left = !c.out.failure(e) || c.left
}
