package uri

import (
	"database/sql/driver"
	"fmt"
)

// A Ref is a reference that some grammar accepts, together with its text. A Ref is
// immutable, small enough to be passed by value, and comparable: two Refs are ==
// if their texts are the same bytes. The zero Ref is the empty reference, which
// refers to the current document.
//
// All methods that return text return a substring of the text that was parsed:
// nothing is copied, and the whole text stays in memory as long as the substring
// does. Escapes are left as they are; see [AppendUnescaped].
//
// A Ref has one method for each component, where [net/url.URL] has a field, and the methods
// with which packages such as fmt, encoding/json and database/sql read and write it.
type Ref struct {
	text  string
	parts offsets
}

// Parse returns s as a Ref if some member of g accepts it. The empty set accepts
// nothing; use [Default] or [RFC3986] if in doubt. The Ref holds s itself, not a
// copy. The error is an [*Error].
func Parse(s string, g Grammar) (Ref, error) {
	p := split(s)
	if got, bad, why := accepts(s, &p, g); got == 0 {
		return Ref{}, explain(s, &p, g, bad, why)
	}
	return Ref{s, p}, nil
}

// MustParse is [Parse] with [Default]. It panics if s is not accepted, and is meant
// for tests and for variables that hold constant text.
func MustParse(s string) Ref {
	r, err := Parse(s, Default)
	if err != nil {
		panic(err)
	}
	return r
}

// Get returns the text of component c without its delimiters, and whether the
// component is defined. A component can be defined and empty: "http://a/?" has an
// empty query, "http://a/" has none. The path is always defined. All grammars have
// the same components (RFC 3986, section 3 and appendix B).
func (r Ref) Get(c Component) (text string, ok bool) {
	lo, hi, ok := r.parts.Span(c)
	return r.text[lo:hi], ok
}

// component is Get for callers that need not know whether c is defined.
func (r Ref) component(c Component) string {
	text, _ := r.Get(c)
	return text
}

// The following methods return one component each, and "" for a component that is
// empty or undefined. [Ref.Get] distinguishes these two.

// Scheme returns the scheme without its colon, in the case in which it is written
// (RFC 3986, section 3.1). It is "" for a relative reference.
func (r Ref) Scheme() string { return r.component(Scheme) }

// Authority returns what follows "//": userinfo, host and port with the delimiters
// between them (RFC 3986, section 3.2).
func (r Ref) Authority() string { return r.component(Authority) }

// Userinfo returns the text in front of the '@' of the authority (RFC 3986,
// section 3.2.1). It may hold a password: see [Ref.User] and [Ref.Password].
func (r Ref) Userinfo() string { return r.component(Userinfo) }

// Host returns the host of the authority (RFC 3986, section 3.2.2). An IP literal
// has its brackets, as in "[::1]". [KindOfHost] says what kind of host it is.
func (r Ref) Host() string { return r.component(Host) }

// Port returns the port without its colon (RFC 3986, section 3.2.3). Only RFC 3986
// requires digits, and no grammar has an upper limit. [DefaultPort] returns the
// port of a scheme.
func (r Ref) Port() string { return r.component(Port) }

// Path returns the path, with its leading slash if it has one (RFC 3986, section
// 3.3). For "mailto:jim@example.org" it is "jim@example.org".
func (r Ref) Path() string { return r.component(Path) }

// Query returns the query without its '?' (RFC 3986, section 3.4). The documents
// before 1996 call it search.
func (r Ref) Query() string { return r.component(Query) }

// Fragment returns the fragment without its '#' (RFC 3986, section 3.5).
func (r Ref) Fragment() string { return r.component(Fragment) }

// User returns the user, which is the userinfo up to its first colon, and whether
// there is a userinfo; see [Account].
func (r Ref) User() (text string, ok bool) {
	user, _, has := Account(r.text, r.parts.pack())
	return user, has > 0
}

// Password returns the password, which is the userinfo after its first colon, and
// whether there is that colon; see [Account]. [AppendRedacted] hides passwords.
func (r Ref) Password() (text string, ok bool) {
	_, password, has := Account(r.text, r.parts.pack())
	return password, has > 1
}

// Parts returns where the components lie in the text of r, for the functions that
// take a text and its Parts.
func (r Ref) Parts() Parts { return r.parts.pack() }

// IsAbs reports whether r has a scheme, that is, whether it is not relative.
func (r Ref) IsAbs() bool { return r.parts.scheme != 0 }

// String returns the text of r, byte for byte as it was parsed.
func (r Ref) String() string { return r.text }

// MarshalText returns the text of r in a new slice. The error is always nil.
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.text), nil }

// UnmarshalText parses a copy of text by [Default] and, if that rejects it, by all
// other grammars, so that it reads whatever MarshalText has written. If none
// accepts the text, r is unchanged and the error is the [*Error] of Default.
func (r *Ref) UnmarshalText(text []byte) error {
	n, err := Parse(string(text), Default)
	if err != nil {
		var other error
		if n, other = Parse(string(text), Every); other != nil {
			return err
		}
	}
	*r = n
	return nil
}

// All of the following interfaces (of encoding, flag and database/sql) use the text of the
// reference, byte for byte.

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
