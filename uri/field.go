package uri

import "strings"

// A FieldKind says what a [Field] holds.
type FieldKind uint8

const (
	Undefined FieldKind = iota // its delimiter is missing, or the text has no place for it
	Literal                    // text between delimiters, escapes and all
	Unescaped                  // text with its escapes undone: octets
	Listed                     // pieces of a text, each with its escapes undone
	Numbered                   // numbers, each with a text as it stands and unescaped
	Flag                       // true or false
)

// A Field is a part that a scheme gives to its references, with the name that
// documents and programs know it by. It owns its text.
//
// The zero Value of each accessor is what it has for a Field of another kind.
type Field struct {
	Name string
	Kind FieldKind
	Raw  string // of Literal, Unescaped, Listed, Numbered: the text as it stands in the reference

	sep string // of Listed: what parts the pieces
	set bool   // of Flag
	is  string // what is not in the reference but said by it; instead of Raw
}

// String returns the text of a Literal or Unescaped field, and "" for others.
// Escapes are undone here, once, so that it may hold any octet.
func (f Field) String() string {
	switch {
	case f.Kind != Literal && f.Kind != Unescaped:
		return ""
	case f.is != "":
		return f.is
	case f.Kind == Literal:
		return f.Raw
	}
	return unescaped(f.Raw)
}

// Decoded returns what f stands for, octet by octet, whether it is Literal or
// Unescaped.
func (f Field) Decoded() string {
	if f.Kind == Literal && f.is == "" {
		return unescaped(f.Raw)
	}
	return f.String()
}

// Bool returns whether a Flag is set.
func (f Field) Bool() bool { return f.set }

// List returns the pieces of a Listed field in a new slice, escapes undone. There
// is one piece at least, but for attributes that are not there.
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

// Numbers returns the rows of a Numbered field: number, text as it stands, text
// with escapes undone.
func (f Field) Numbers() (rows [][3]string) {
	if f.Kind != Numbered {
		return nil
	}
	rows = [][3]string{}
	for rest := f.Raw; rest != ""; { // a row a turn
		var row string
		row, rest, _ = strings.Cut(rest, ";")
		number, text, _ := strings.Cut(row, "=")
		rows = append(rows, [3]string{number, text, unescaped(text)})
	}
	return rows
}

// Value returns what encoding/json should print: nil, a string, a list of
// strings, a list of lists of three, or a bool. Octets of unescaped text become
// the characters of the same number, so that none is lost: they need not be UTF-8.
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

// unescaped is AppendUnescaped for strings, which most need not be copied.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	return string(AppendUnescaped(nil, s))
}

// asCharacters turns each octet into the character of its number.
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
