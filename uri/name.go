package uri

import (
	"iter"
	"strings"
)

// An Excess is what becomes of those ".." of a relative path that go above the
// root of the base, where a grammar leaves it open (2002, section 5.2, step 7).
type Excess uint8

const (
	Retain     Excess = iota // they stay in the target
	Remove                   // they go
	RaiseError               // the reference has no target
)

var excessNames = [...]string{"retain", "remove", "error"}

// String returns "retain", "remove" or "error".
func (x Excess) String() string {
	if int(x) >= len(excessNames) {
		return ""
	}
	return excessNames[x]
}

// MarshalText returns what [Excess.String] does.
func (x Excess) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// UnmarshalText is the inverse of String. A name that is none is an error, and x
// stays as it was.
func (x *Excess) UnmarshalText(name []byte) error {
	for i, n := range excessNames {
		if n == string(name) {
			*x = Excess(i)
			return nil
		}
	}
	return &nameError{"treatment of excess \"..\"", string(name), excessNames[:]}
}

// String returns the component's name in lower case.
func (c Component) String() string {
	if c == 0 || int(c) >= len(componentNames) {
		return "reference"
	}
	return componentNames[c]
}

var componentNames = [...]string{
	Scheme: "scheme", Authority: "authority", Userinfo: "userinfo", Host: "host",
	Port: "port", Path: "path", Query: "query", Fragment: "fragment",
}

// String returns a few words for r.
func (r Reason) String() string {
	if r == 0 || int(r) >= len(reasonNames) {
		return "fault"
	}
	return reasonNames[r]
}

var reasonNames = [...]string{
	BadByte: "bad byte", BadEscape: "broken escape", BadHost: "bad host", BadPort: "bad port",
	BadStart: "bad start", Missing: "missing part", BadScheme: "unknown scheme",
	TooLong: "too long", BadExcess: "excess \"..\"", Misread: "misread part",
}

// A nameError is a word that names nothing where a list of names is known.
type nameError struct {
	what, got string
	known     []string
}

func (e *nameError) Error() string {
	return "uri: no " + e.what + " is called \"" + e.got + "\" (there are " + strings.Join(e.known, ", ") + ")"
}

// bitNames returns the names of the bits that are set, lowest first.
func bitNames(set uint8, names []string) []string {
	var out []string
	for i, n := range names {
		if set&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// String returns the names of the bits of w, joined with ','.
func (w Warning) String() string { return strings.Join(bitNames(uint8(w), warningNames[:]), ",") }

// Each yields the names of the bits of w, lowest first. The sequence may be
// ranged over again.
func (w Warning) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, n := range warningNames {
			if w&(1<<i) != 0 && !yield(n) {
				return
			}
		}
	}
}
