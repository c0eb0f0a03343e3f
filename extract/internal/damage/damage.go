// Package damage says what is wrong with a stretch of a stream.
//
// A Damage is made by the layer that meets it, which knows what it is (Class,
// Stage), how deep it lies (Level) and where (Offset):
//
//	return 0, &damage.Damage{Class: damage.Pack, Stage: "gzip", Err: err, Level: level}
//
// The layers above return it unchanged, and return it again when they are read
// again. The reader of the stream at that level reports it, once.
//
// The package imports nothing of ours.
package damage

import (
	"errors"
	"fmt"
)

// A Class says what kind of thing is damaged.
type Class uint8

const (
	Read  Class = iota // the source cannot be read on
	Pack               // a compression or an archive
	Text               // a message, a transfer encoding, a charset
	Limit              // nothing: the stretch is over a limit
)

// A Severity says whether anything was lost.
type Severity uint8

const (
	Error   Severity = iota // input was lost, or not read
	Warning                 // input that breaks the rules was read all the same
)

// A Damage is the reason why a stretch of a stream was not read, or not as it
// should be. It is an error.
type Damage struct {
	Class    Class
	Severity Severity
	Stage    string // the step that met it: "read", "gzip", "tar", "mime", "utf-16le", ...
	Err      error  // the cause

	// Level is the depth of the stream whose reader reports it: 0 for the source
	// and what is decompressed from it, one more for each archive member or
	// attachment around.
	Level int

	// Offset is where it begins, in bytes from 0 in the stream at Level, if
	// Known is set. Else it is as far as that stream has been read.
	Offset int64
	Known  bool

	Mild bool // reading goes on after it

	Limit string // of Class Limit: the name of the limit
	Value int64  // and its value
}

// Error returns the text of the cause.
func (d *Damage) Error() string { return d.Err.Error() }

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// Limited returns a Damage of the class Limit. text has a verb for value.
func Limited(stage, limit string, value int64, text string) *Damage {
	return &Damage{Class: Limit, Stage: stage, Limit: limit, Value: value, Err: Fact(fmt.Sprintf(text, value))}
}

// A Fact is an error without parts.
type Fact string

// Error returns f as a string.
func (f Fact) Error() string { return string(f) }

// A PanicError is what a library, or a source, panicked with.
type PanicError struct{ Value any }

// Error returns "panic: " and the value.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ErrStopped ends all reading when the consumer has stopped. No caller sees it.
var ErrStopped = errors.New("stopped")
