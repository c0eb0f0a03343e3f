package xz

import (
	"errors"
	"fmt"
)

// An Error is damage in a file, or an unknown filter. It ends the reading. The text before it is
// intact, unless the Error is a check that does not match. Its message has this form:
//
//	block check does not match at offset 1234
type Error struct {
	Offset int64  // offset in the file of the byte after the piece, of at most 512 bytes, in which the damage was found
	What   string // what is wrong
}

func (e *Error) Error() string { return fmt.Sprintf("%s at offset %d", e.What, e.Offset) }

// ErrDictionary is returned for a block whose dictionary is over [Reader.MaxDict].
var ErrDictionary = errors.New("dictionary over the limit")

// damage is an Error without its place. The Reader adds the place.
type damage string

func (d damage) Error() string { return string(d) }
