package uri

import (
	"database/sql/driver"
	"fmt"
)

// This file holds what lets a Ref travel by way of other packages: encoding, flag
// and database/sql. All of it goes through the text, byte for byte.

// AppendText appends the text of r to dst and returns the grown slice. It is
// encoding.TextAppender.
func (r Ref) AppendText(dst []byte) ([]byte, error) { return append(dst, r.text...), nil }

// Set is UnmarshalText for a string. With String it makes a *Ref a flag.Value.
func (r *Ref) Set(text string) error { return r.UnmarshalText([]byte(text)) }

// Scan reads a column: a string or bytes, which are copied. It is sql.Scanner. The
// error for text that no grammar takes is an [*Error], and r stays as it
// was for every error. NULL is no reference, not even the empty one: read a column
// that may have it into a sql.Null[Ref].
func (r *Ref) Scan(column any) error {
	switch text := column.(type) {
	case string:
		return r.Set(text)
	case []byte:
		return r.UnmarshalText(text)
	}
	return &scanError{fmt.Sprintf("%T", column)}
}

// Value returns the text of r as a string. It is driver.Valuer; the error is nil.
func (r Ref) Value() (driver.Value, error) { return r.text, nil }

// A scanError is a column of a type that holds no text.
type scanError struct{ got string }

func (e *scanError) Error() string {
	return "uri: column of type " + e.got + " is no reference (string and []byte may be)"
}
