package uri

import (
	"iter"
	"strings"
)

// An Excess says what to do with the ".." of a relative path that go above the root
// of the base, where the grammar leaves it open (2002, section 5.2, step 7).
type Excess uint8

const (
	Retain     Excess = iota // "retain": leave them in the target
	Remove                   // "remove": remove them
	RaiseError               // "error": return an [*Error] with the Reason [BadExcess]
)

var excessNames = [...]string{"retain", "remove", "error"}

// String returns "retain", "remove" or "error", and "" for other values.
func (x Excess) String() string {
	if int(x) >= len(excessNames) {
		return ""
	}
	return excessNames[x]
}

// MarshalText returns the text of [Excess.String] in a new slice. The error is always
// nil.
func (x Excess) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// UnmarshalText sets x to the value with the given name, as [Excess.String] writes it.
// For another name it returns an error and leaves x unchanged.
func (x *Excess) UnmarshalText(name []byte) error {
	for i, n := range excessNames {
		if n == string(name) {
			*x = Excess(i)
			return nil
		}
	}
	return &nameError{"treatment of excess \"..\"", string(name), excessNames[:]}
}

// String returns the component's name in lower case, as in "userinfo", or "reference"
// for a value that is not a component.
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

// String returns r in a few words, as in "bad byte".
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

// A nameError is the error for a word that is not in a list of names.
type nameError struct {
	what, got string
	known     []string
}

func (e *nameError) Error() string {
	return "uri: no " + e.what + " is called \"" + e.got + "\" (there are " + strings.Join(e.known, ", ") + ")"
}

// bitNames returns the names of the bits in set, lowest first.
func bitNames(set uint8, names []string) []string {
	var out []string
	for i, n := range names {
		if set&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// String returns the names of the warnings in w, joined with ',', as in
// "password,port". It returns "" for 0.
func (w Warning) String() string { return strings.Join(bitNames(uint8(w), warningNames[:]), ",") }

// Each returns an iterator over the names of the warnings in w, in the order of the
// constants. The sequence may be ranged over more than once.
func (w Warning) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i, n := range warningNames {
			if w&(1<<i) != 0 && !yield(n) {
				return
			}
		}
	}
}
