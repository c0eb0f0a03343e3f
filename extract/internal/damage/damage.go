// Package damage says what is wrong with a stretch of a stream.
//
// A Damage is made by the reader that finds it. That reader knows what is damaged (Class, Stage), how
// much is lost (Severity, Mild) and where (Offset):
//
//	return 0, &damage.Damage{Class: damage.Pack, Stage: damage.StageTar, Err: err, Level: level}
//
// The readers above it return the same Damage unchanged, from the first Read that gets it and from
// all later ones. The reader of the stream at that Level reports it, once.
//
// Decoders and readers of messages do not know how deep their stream is nested, and decoders do
// not know where their input begins. So they use Level 0, and count offsets from their own
// first byte. The chain of decoders and the document correct level and offset before any other
// code gets the Damage.
//
// The package imports nothing of ours.
package damage

import (
	"errors"
	"fmt"
	"io"
)

// A Class says what kind of thing is damaged.
type Class uint8

const (
	Read  Class = iota // the source cannot be read any further
	Pack               // a compression or an archive
	Text               // a message, a transfer encoding, a charset; in messages it costs only the part
	Limit              // nothing is damaged: the stretch is over a limit
)

// A Severity says whether anything was lost.
type Severity uint8

const (
	Error   Severity = iota // input was lost, or not read
	Warning                 // nothing was lost: the input breaks the rules but was read, or is passed over by design (PDF, office documents)
)

// A Damage is an error: the reason why a stretch of a stream was not read, or was not
// read correctly.
type Damage struct {
	Class    Class
	Severity Severity
	Stage    Stage // the step that found it
	Err      error // the cause

	// Level is the depth of the stream that is damaged: 0 for the source and what is
	// decompressed from it, one more for each archive member or attachment around it.
	Level int

	// If Known is set, Offset is where the damage begins, in bytes from 0 in the stream
	// at Level. Otherwise it is how far that stream has been read.
	Offset int64
	Known  bool

	// Mild means that the reader that found it has skipped the damaged stretch, and that reading
	// of the same stream continues after it.
	Mild bool

	Limit string // for Class Limit: the name of the limit
	Value int64  // and its value
}

// Error returns a message like
//
//	utf-16le: 1 byte left of a code unit of 2 at offset 17
func (d *Damage) Error() string {
	if !d.Known {
		return fmt.Sprintf("%s: %v", d.Stage, d.Err)
	}
	return fmt.Sprintf("%s: %v at offset %d", d.Stage, d.Err, d.Offset)
}

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// Limited returns a Damage of class Limit. text is a format with one verb, for value.
func Limited(stage Stage, limit string, value int64, text string) *Damage {
	return &Damage{Class: Limit, Stage: stage, Limit: limit, Value: value, Err: Fact(fmt.Sprintf(text, value))}
}

// Truncated returns a Damage of class Pack: the stream at that level ends too early.
func Truncated(stage Stage, level int) *Damage {
	return &Damage{Class: Pack, Stage: stage, Err: io.ErrUnexpectedEOF, Level: level}
}

// Skipped returns a Damage of class Text after which reading continues, and nothing is lost.
func Skipped(stage Stage, offset int64, what string) *Damage {
	return &Damage{Class: Text, Severity: Warning, Stage: stage, Err: Fact(what), Offset: offset, Known: true, Mild: true}
}

// A Fact is an error that is a constant string.
type Fact string

// Error returns f as a string.
func (f Fact) Error() string { return string(f) }

// A PanicError holds the value with which a library or a source panicked.
type PanicError struct{ Value any }

// Error returns "panic: " and the value.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// MostIdle is how many Reads in a row may return neither bytes nor an error, as in bufio. Without this
// limit, decompressors would continue forever.
const MostIdle = 100

// ErrStopped ends all reading when the consumer has stopped. It never reaches a caller of
// package extract.
var ErrStopped = errors.New("stopped")
