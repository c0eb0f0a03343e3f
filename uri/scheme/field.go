package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A FieldKind is the kind of value of a [Field].
type FieldKind uint8

const (
	Undefined FieldKind = iota // no value: its delimiter is missing
	Literal                    // text between delimiters, with its escapes
	Unescaped                  // bytes: text with its escapes decoded
	Listed                     // a list: pieces of a text, each with its escapes decoded
	Numbered                   // a list of numbers, each with a text, verbatim and unescaped
	Flag                       // true or false
)

// A Field is a part of a reference that its scheme defines; see [Fields]. It holds a
// copy of the text. Methods for one kind return a zero value for a Field of another.
type Field struct {
	Name string
	Kind FieldKind
	Raw  string // of Literal, Unescaped, Listed, Numbered: the text, verbatim from the reference

	sep     string // of Listed: the separator of the pieces
	set     bool   // of Flag: the value
	implied string // a value that is implied and not in the text; then Raw is empty
}

// String returns the value of a Literal or Unescaped field, and "" for others. The value
// of an Unescaped field may contain any bytes.
func (f Field) String() string {
	switch {
	case f.Kind != Literal && f.Kind != Unescaped:
		return ""
	case f.implied != "":
		return f.implied
	case f.Kind == Literal:
		return f.Raw
	}
	return unescaped(f.Raw)
}

// Decoded returns the value of a Literal or Unescaped field with its escapes decoded
// once. It may contain any bytes.
func (f Field) Decoded() string {
	if f.Kind == Literal && f.implied == "" {
		return unescaped(f.Raw)
	}
	return f.String()
}

// Bool returns the value of a Flag.
func (f Field) Bool() bool { return f.set }

// List returns the pieces of a Listed field in a new slice, with their escapes decoded.
// There is at least one, except for a prospero reference without attributes.
func (f Field) List() []string {
	if f.Kind != Listed {
		return nil
	}
	if f.sep == nulls && f.Raw == "" {
		return []string{}
	}
	list := strings.Split(f.Raw, f.sep)
	for i, s := range list {
		list[i] = unescaped(s)
	}
	return list
}

// Numbers returns the rows of a Numbered field in a new slice. A row is the number,
// the text, and the text with its escapes decoded.
func (f Field) Numbers() (rows [][3]string) {
	if f.Kind != Numbered {
		return nil
	}
	rows = [][3]string{}
	for rest := f.Raw; rest != ""; { // one row for each iteration
		var row string
		row, rest, _ = strings.Cut(rest, ";")
		number, text, _ := strings.Cut(row, "=")
		rows = append(rows, [3]string{number, text, unescaped(text)})
	}
	return rows
}

// Value returns the value for encoding/json: nil for Undefined, a string, a []string,
// a [][3]string or a bool. Unescaped bytes need not be UTF-8, so each byte becomes the
// character with its number (ISO 8859-1), and none is lost.
func (f Field) Value() any {
	switch f.Kind {
	case Literal:
		return f.String()
	case Unescaped:
		return asCharacters(f.String())
	case Listed:
		list := f.List()
		for i, s := range list {
			list[i] = asCharacters(s)
		}
		return list
	case Numbered:
		rows := f.Numbers()
		for i := range rows {
			rows[i][2] = asCharacters(rows[i][2])
		}
		return rows
	case Flag:
		return f.set
	}
	return nil
}

// unescaped is AppendUnescaped for strings. It returns s itself if there is no '%'.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	return string(uri.AppendUnescaped(nil, s))
}

// asCharacters converts each byte to the character with its number.
func asCharacters(s string) string {
	for i := range len(s) {
		if s[i] >= 0x80 {
			runes := make([]rune, 0, len(s))
			for j := range len(s) {
				runes = append(runes, rune(s[j]))
			}
			return string(runes)
		}
	}
	return s
}
