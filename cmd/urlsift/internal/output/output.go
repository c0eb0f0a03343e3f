package output

import (
	"errors"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

const (
	// BufferSize bounds what waits to be written, but for a record that is longer.
	BufferSize = 64 << 10

	// usualRecord is what is kept free for the next record. A longer one has the
	// buffer grow, for once.
	usualRecord = 4 << 10

	// patience is how long a record may wait for others: a reader of a pipe
	// that is fed by hand should not notice, and a fast run never gets there.
	patience = 20 * time.Millisecond
)

// An output is the one way to standard output and standard error. Results go to
// the one in large pieces, but no record waits for long; messages and the bar go
// to the other at once. The bar is taken away before anything is printed that may
// stand on the same terminal, and is there again with its next drawing. An output
// is safe for concurrent use.
//
// There is no goroutine for the waiting: the timer's function is called by the
// runtime, and finds an empty buffer if it comes late.
type Output struct {
	out, err io.Writer
	Direct   bool // out is a terminal: each record is written at once

	Printed atomic.Int64 // results that are written or counted, as of the last write

	mu     sync.Mutex
	buf    []byte      // complete records
	fresh  int64       // results among them, which are not in printed yet
	timer  *time.Timer // set off when buf stops being empty
	failed error       // the first that out returned; nothing is written behind it
	bar    string      // what takes the bar off the screen, if it is there
}

// New returns an output that writes results to out and the rest to err. It
// is to be closed.
func New(out, err io.Writer, direct bool) *Output {
	o := &Output{out: out, err: err, Direct: direct, buf: make([]byte, 0, BufferSize)}
	o.timer = time.AfterFunc(time.Hour, func() { o.Flush() })
	return o
}

// Print prints the record that appendRecord makes of r, sooner or later. The error is that of
// this write or of an earlier one, and is returned from then on.
//
// Here a record is made in the place from which it is written, and what is rare is
// elsewhere: in a fast run this is called some million times a second.
func (o *Output) Print(appendRecord extract.Encoder, r *extract.Result) error {
	o.mu.Lock()
	if o.failed == nil {
		n := len(o.buf)
		o.buf = appendRecord(o.buf, r)
		o.fresh++
		if n == 0 || o.Direct || len(o.buf) > BufferSize-usualRecord {
			o.settle(n)
		}
	}
	err := o.failed
	o.mu.Unlock() // no defer, which takes longer; an encoder that panics ends the command
	return err
}

// Write prints one record that is no result, sooner or later. It keeps no part of
// it. The error is as for print.
func (o *Output) Write(record []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		n := len(o.buf)
		o.buf = append(o.buf, record...)
		o.settle(n)
	}
	return o.failed
}

// Records prints n records of results, sooner or later; if they are long, at once, so
// that they are not copied again. It is not for a terminal, and keeps no part of them.
// The error is as for print.
func (o *Output) Records(some []byte, n int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return o.failed
	}
	long := len(some) > BufferSize/4
	if long || len(o.buf)+len(some) > BufferSize {
		o.flushLocked()
	}
	switch {
	case !long:
		had := len(o.buf)
		o.buf = append(o.buf, some...)
		o.fresh += int64(n)
		o.settle(had)
	case o.failed == nil:
		o.Printed.Add(int64(n)) // before the write, as there
		_, o.failed = o.out.Write(some)
	}
	return o.failed
}

// settle sees to it that what is behind buf[:n], which is new, is written in time.
func (o *Output) settle(n int) {
	switch {
	case o.Direct || len(o.buf) > BufferSize-usualRecord:
		o.flushLocked()
	case n == 0 && len(o.buf) > 0:
		o.timer.Reset(patience)
	}
}

// Flush writes what waits.
func (o *Output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushLocked()
	return o.failed
}

// flushLocked is flush for those that hold the lock. What cannot be written is
// dropped: there is nowhere else to go with it, and the error stays.
func (o *Output) flushLocked() {
	o.Printed.Add(o.fresh) // before the write, which may not come back
	o.fresh = 0
	if o.failed == nil && len(o.buf) > 0 {
		if o.Direct {
			o.clear()
		}
		_, o.failed = o.out.Write(o.buf)
	}
	if cap(o.buf) > 2*BufferSize { // with --max-length there is no bound to a record
		o.buf = make([]byte, 0, BufferSize)
	}
	o.buf = o.buf[:0]
}

// Close writes what waits and stops the timer. Nothing may be written later.
func (o *Output) Close() error {
	o.timer.Stop()
	return o.Flush()
}

// Abandon writes what waits and takes the bar off, unless somebody is at it and
// will not come back: a reader that does not read. Who only makes a record is back
// sooner than that.
func (o *Output) Abandon() {
	for range 20 {
		if o.mu.TryLock() {
			defer o.mu.Unlock()
			o.clear()
			o.flushLocked()
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Message prints a line to standard error: one for each trouble,
// whatever the names in it hold. The error is that of the write.
func (o *Output) Message(line string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear()
	msg := record.AppendVisible([]byte("urlsift: "), line)
	_, err := o.err.Write(append(msg, '\n'))
	return err
}

// Object prints line, a JSON object, to standard error. The error is that of the write.
func (o *Output) Object(line []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear()
	_, err := o.err.Write(line)
	return err
}

// Remark prints lines to standard error as they stand. It does so even if
// somebody writes and will not come back. The error is that of the write.
func (o *Output) Remark(lines string) error {
	if o.mu.TryLock() {
		defer o.mu.Unlock()
		o.clear()
	}
	_, err := io.WriteString(o.err, lines)
	return err
}

// Draw replaces the bar by line. Erase is what takes line off the screen again;
// if it is "", line stays for good.
func (o *Output) Draw(line, erase string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear()
	io.WriteString(o.err, line)
	o.bar = erase
}

// Wipe takes the bar off the screen.
func (o *Output) Wipe() { o.Draw("", "") }

// clear is wipe for those that hold the lock.
func (o *Output) clear() {
	if o.bar != "" {
		io.WriteString(o.err, o.bar)
		o.bar = ""
	}
}

// Cause returns what is wrong, without the name that the system has for a
// stream that everybody knows by another.
func Cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
