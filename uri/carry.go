package uri

import (
	"database/sql/driver"
	"fmt"
)

// This file implements interfaces of encoding, flag and database/sql for Ref. All of
// them use the text of the reference, byte for byte.

// AppendText appends the text of r to dst and returns the extended slice. The error
// is always nil. It implements encoding.TextAppender.
func (r Ref) AppendText(dst []byte) ([]byte, error) { return append(dst, r.text...), nil }

// Set is [Ref.UnmarshalText] for a string. It makes *Ref a flag.Value.
func (r *Ref) Set(text string) error { return r.UnmarshalText([]byte(text)) }

// Scan sets r to the reference in a database column, which must be a string or a
// []byte. It copies the text. If no grammar accepts the text, the error is an
// [*Error]. After an error r is unchanged. NULL is an error: use sql.Null[Ref] for a
// column that may be NULL. Scan implements sql.Scanner.
func (r *Ref) Scan(column any) error {
	switch text := column.(type) {
	case string:
		return r.Set(text)
	case []byte:
		return r.UnmarshalText(text)
	}
	return &scanError{fmt.Sprintf("%T", column)}
}

// Value returns the text of r as a string. The error is always nil. It implements
// driver.Valuer.
func (r Ref) Value() (driver.Value, error) { return r.text, nil }

// A scanError is the error for a column that is neither string nor []byte.
type scanError struct{ got string }

func (e *scanError) Error() string {
	return "uri: column of type " + e.got + " is no reference (string and []byte may be)"
}
