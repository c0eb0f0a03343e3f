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
	// BufferSize bounds the bytes that wait to be written, unless one record is longer.
	BufferSize = 64 << 10

	// usualRecord is how many bytes are kept free for the next record. For a longer one
	// the buffer grows once.
	usualRecord = 4 << 10

	// patience is how long a record may wait for more. It is short enough that a person
	// who feeds the pipe by hand does not notice it; a fast run never waits so long.
	patience = 20 * time.Millisecond
)

// An Output is the only way to standard output and standard error. Results are written to
// standard output in large pieces, but no record waits for long. Messages and the
// progress bar are written to standard error at once. The bar is removed before anything
// is printed that may be on the same terminal, and appears again when it is next drawn.
// An Output is safe for concurrent use.
//
// No goroutine waits for the timer: when it fires, the runtime calls Flush. If everything was
// written before that, Flush does nothing.
type Output struct {
	out, err io.Writer
	Direct   bool // out is a terminal: each record is written at once

	Printed atomic.Int64 // results that are written or counted, as of the last write

	mu        sync.Mutex
	buf       []byte      // complete records
	unprinted int64       // results among them that are not in Printed yet
	timer     *time.Timer // started when buf is no longer empty
	failed    error       // the first error of out; nothing is written after it
	bar       string      // removes the bar from the screen, if it is there
}

// New returns an Output that writes results to out and everything else to err. Call Close
// at the end.
func New(out, err io.Writer, direct bool) *Output {
	o := &Output{out: out, err: err, Direct: direct, buf: make([]byte, 0, BufferSize)}
	o.timer = time.AfterFunc(time.Hour, func() { o.Flush() })
	return o
}

// Print prints the record that appendRecord makes of r, at once or after a short time.
// The error is that of this or of an earlier write; all later calls return it too.
//
// The record is appended directly to the write buffer, and rare cases are in other
// functions: a fast run calls this some million times a second.
func (o *Output) Print(appendRecord extract.Encoder, r *extract.Result) error {
	o.mu.Lock()
	if o.failed == nil {
		n := len(o.buf)
		o.buf = appendRecord(o.buf, r)
		o.unprinted++
		if n == 0 || o.Direct || len(o.buf) > BufferSize-usualRecord {
			o.writeSoon(n)
		}
	}
	err := o.failed
	o.mu.Unlock() // no defer, which takes longer; an encoder that panics ends the command
	return err
}

// Write prints a record that is not a result, at once or after a short time. It keeps no
// part of it. The error is as for Print.
func (o *Output) Write(record []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		n := len(o.buf)
		o.buf = append(o.buf, record...)
		o.writeSoon(n)
	}
	return o.failed
}

// Records prints the slice some, which has n records of results, at once or after a short time. A
// long slice is written at once and not copied. Records is not for terminals, and keeps no part of
// the slice. The error is as for Print.
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
		o.unprinted += int64(n)
		o.writeSoon(had)
	case o.failed == nil:
		o.Printed.Add(int64(n)) // before the write, as in flushLocked
		_, o.failed = o.out.Write(some)
	}
	return o.failed
}

// writeSoon makes sure that buf[n:], which is new, waits no longer than patience.
func (o *Output) writeSoon(n int) {
	switch {
	case o.Direct || len(o.buf) > BufferSize-usualRecord:
		o.flushLocked()
	case n == 0 && len(o.buf) > 0:
		o.timer.Reset(patience)
	}
}

// Flush writes everything that waits.
func (o *Output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flushLocked()
	return o.failed
}

// flushLocked is Flush for callers that hold the lock. If writing fails, the data is
// dropped and the error is kept.
func (o *Output) flushLocked() {
	o.Printed.Add(o.unprinted) // before the write, which may never return
	o.unprinted = 0
	if o.failed == nil && len(o.buf) > 0 {
		if o.Direct {
			o.clear()
		}
		_, o.failed = o.out.Write(o.buf)
	}
	if cap(o.buf) > 2*BufferSize { // with --limit length, a record may be of any size
		o.buf = make([]byte, 0, BufferSize)
	}
	o.buf = o.buf[:0]
}

// Close writes everything that waits and stops the timer. Nothing may be written later.
func (o *Output) Close() error {
	o.timer.Stop()
	return o.Flush()
}

// Abandon writes what waits and removes the bar. If another goroutine keeps the lock for 20
// ms, Abandon does nothing: that goroutine is in a write that does not return, because the
// reader does not read.
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

// Message prints one line to standard error. Control characters, as in names of files,
// are escaped. The error is that of the write.
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

// Remark prints lines to standard error unchanged, even if another goroutine is in a
// write that does not return. The error is that of the write.
func (o *Output) Remark(lines string) error {
	if o.mu.TryLock() {
		defer o.mu.Unlock()
		o.clear()
	}
	_, err := io.WriteString(o.err, lines)
	return err
}

// Draw replaces the bar by line. erase is the text that removes line from the screen; if
// it is "", line remains.
func (o *Output) Draw(line, erase string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.clear()
	io.WriteString(o.err, line)
	o.bar = erase
}

// Wipe removes the bar from the screen.
func (o *Output) Wipe() { o.Draw("", "") }

// clear is Wipe for callers that hold the lock.
func (o *Output) clear() {
	if o.bar != "" {
		io.WriteString(o.err, o.bar)
		o.bar = ""
	}
}

// Cause returns the message of err without the operation and the path in front of it.
func Cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return err.Error()
}
