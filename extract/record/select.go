package record

import (
	"fmt"
	"slices"
	"strings"
)

// Select returns the fields called names, in the order of names, for [Options].Fields. A name
// that no field has, or that is given twice, is a [*NameError]. The slice is the caller's.
func Select(names ...string) ([]Field, error) {
	var selected []Field
	for i, name := range names {
		at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
		if twice := slices.Contains(names[:i], name); at < 0 || twice {
			return nil, &NameError{Name: name, Twice: twice}
		}
		selected = append(selected, fields[at])
	}
	return selected, nil
}

// A NameError is the error of [Select] for a name that it does not accept.
type NameError struct {
	Name  string
	Twice bool // a field has that name, but it is given twice
}

// Error returns a message with the name. If no field has it, it lists all valid names.
func (e *NameError) Error() string {
	if e.Twice {
		return fmt.Sprintf("the field %q is given twice", e.Name)
	}
	return fmt.Sprintf("no field is called %q (there are %s)", e.Name, strings.Join(Names(fields), ", "))
}
