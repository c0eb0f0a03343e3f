package scheme

import (
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A Reason is the kind of an [Error].
type Reason uint8

const (
	NoFields Reason = iota + 1 // the scheme has no fields in the grammar
	NoField                    // the scheme has no field of that name
	OneValue                   // the field has one value, and more or none were given
	Conflict                   // two fields that cannot both be in a reference: a path, and segments that are not those of the path
)

// An Error is the error of [NewField] and [AppendFields] for fields of which no reference can be
// made. Its message looks like
//
//	scheme: no field of wais is called "colour" (there are host, port, database)
type Error struct {
	Reason  Reason
	Scheme  string
	Field   string      // the name of the field; "" for NoFields
	Other   string      // for Conflict the name of the other field
	Known   []string    // for NoField the names of the fields that the scheme has
	Grammar uri.Grammar // of the reference; 0 if the grammar makes no difference
}

// Error returns "scheme: " and the message.
func (e *Error) Error() string { return "scheme: " + e.Message() }

// Message returns what is wrong, without the name of this package.
func (e *Error) Message() string {
	switch e.Reason {
	case NoFields:
		name := e.Scheme
		if len(name) > 40 {
			name = name[:40] + "…"
		}
		return strconv.Quote(name) + " has no fields in " + e.Grammar.String() + " (in " + genericFields.String() + " any scheme has path and search)"
	case NoField:
		of := e.Scheme
		if e.Grammar != 0 {
			of += " references in " + e.Grammar.String()
		}
		return "no field of " + of + " is called \"" + e.Field + "\" (there are " + strings.Join(e.Known, ", ") + ")"
	case OneValue:
		return "the field " + e.Field + " of " + e.Scheme + " has one value"
	}
	return "the fields " + e.Field + " and " + e.Other + " of " + e.Scheme + " contradict each other"
}
