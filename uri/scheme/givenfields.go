package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A givenFields has the fields that the caller of [AppendFields] gave. It records which of them
// were used, and the first two that contradict each other.
type givenFields struct {
	fields []Field
	g      uri.Grammar // a set of one
	used   uint64      // a bit for each field that was used
	clash  [2]string   // the first two fields that contradict each other
}

// field returns the field with that name, or nil if there is none or it has no value.
func (v *givenFields) field(name string) *Field {
	for i := range v.fields { // at most some twenty
		if f := &v.fields[i]; f.Name == name && f.Kind != Undefined {
			v.used |= 1 << i
			return f
		}
	}
	return nil
}

// unused returns the name of a field that no function has used, or "". It ignores fields
// that follow from others or are undefined, since these are never used.
func (v *givenFields) unused() string {
	for i := range v.fields {
		f := &v.fields[i]
		switch f.Name {
		case "prefixed", "effective_user", "effective_type", "directory", "kind", "gopher_request":
		default:
			if f.Kind != Undefined && v.used&(1<<i) == 0 {
				return f.Name
			}
		}
	}
	return ""
}

// text returns the text of the field called name. The parameter or may name a second field, whose
// text is returned if the first was not given. If both fields were given and differ, text records a
// conflict.
func (v *givenFields) text(name, or string) (string, bool) {
	f := v.field(name)
	if or != "" {
		switch other := v.field(or); {
		case f == nil:
			f = other
		case other != nil && !sameData(f.Raw, other.Raw, other.sep):
			v.conflict(name, or)
		}
	}
	switch {
	case f == nil:
		return "", false
	case f.Raw == "" && f.implied != "": // the value was implied
		return f.implied, true
	}
	return f.Raw, true
}

// name returns the text of a field, in lower case if the grammar ignores case.
func (v *givenFields) name(field string) string {
	s, _ := v.text(field, "")
	if v.g&lowerSchemes == 0 {
		s = strings.ToLower(s)
	}
	return s
}

// conflict records that the fields name and other contradict each other.
func (v *givenFields) conflict(name, other string) {
	if v.clash[0] == "" {
		v.clash = [2]string{name, other}
	}
}

// exclude records a conflict of the fields called name and other, if the field called other was
// given.
func (v *givenFields) exclude(name, other string) {
	if v.field(other) != nil {
		v.conflict(name, other)
	}
}

// agree records a conflict of the fields called name and other, if the field called other was
// given and its text differs from text.
func (v *givenFields) agree(name, other, text string) {
	if s, ok := v.text(other, ""); ok && !sameData(s, text, "") {
		v.conflict(name, other)
	}
}

// notAll records a conflict of the field called name with the field kind, if kind is "all".
func (v *givenFields) notAll(name string) {
	if v.name("kind") == "all" {
		v.conflict(name, "kind")
	}
}

// sameData reports whether a and b are equal except for escapes. The bytes in sep separate
// only if they are not escaped, so an escape of such a byte differs from the byte.
func sameData(a, b, sep string) bool {
	for i, j := 0, 0; ; i, j = i+1, j+1 { // at least one byte in each iteration
		if i >= len(a) || j >= len(b) {
			return i >= len(a) && j >= len(b)
		}
		x, y := a[i], b[j]
		atX, atY := escapeAt(a, i), escapeAt(b, j)
		if atX {
			x = unescapedAt(a, i)
			i += 2
		}
		if atY {
			y = unescapedAt(b, j)
			j += 2
		}
		if x != y || atX != atY && strings.IndexByte(sep, x) >= 0 {
			return false
		}
	}
}
