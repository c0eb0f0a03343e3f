// Package neturl converts between [uri.Ref] and [url.URL] where that loses
// nothing, and says so where it would.
//
// The two disagree on what a reference is. A url.URL holds some parts decoded,
// puts the scheme in lower case, has no empty fragment, and takes texts that no
// grammar has; a Ref is its text. It is a package of its own so that uri need not
// import net/url.
package neturl

import (
	"net/url"

	"github.com/urlsift/urlsift/uri"
)

// An Error is a conversion that would lose something.
type Error struct {
	Text string // what was to be converted
	Back string // what would have come back
	Err  error  // why it cannot be converted at all; then there is no Back
}

// Error returns one line with both texts, or with the cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return "neturl: " + e.Err.Error()
	}
	return "neturl: " + quoted(e.Text) + " would come back as " + quoted(e.Back)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// URL returns r as a url.URL whose String is the text of r. The error is an
// [*Error]; "http://h/#" and "HTTP://h/" are references that have one.
func URL(r uri.Ref) (*url.URL, error) {
	u, err := url.Parse(r.String())
	if err != nil {
		return nil, &Error{Text: r.String(), Err: err}
	}
	if back := u.String(); back != r.String() {
		return nil, &Error{Text: r.String(), Back: back}
	}
	return u, nil
}

// Ref returns u as a Ref that some member of g takes, the empty set standing for
// [uri.Default]. Its text is u.String(). The error is an [*Error] if net/url
// would read that text as another URL, or if no member of g takes it.
func Ref(u *url.URL, g uri.Grammar) (uri.Ref, error) {
	if g&uri.Every == 0 {
		g = uri.Default
	}
	text := u.String()
	r, err := uri.Parse(text, g)
	if err != nil {
		return uri.Ref{}, &Error{Text: text, Err: err}
	}
	back, err := url.Parse(text)
	if err != nil {
		return uri.Ref{}, &Error{Text: text, Err: err}
	}
	if !same(u, back) {
		return uri.Ref{}, &Error{Text: text, Back: back.String()}
	}
	return r, nil
}

// same reports whether all fields are the same, and those of the users.
func same(u, v *url.URL) bool {
	a, b := *u, *v
	a.User, b.User = nil, nil
	if a != b || (u.User == nil) != (v.User == nil) {
		return false
	}
	return u.User == nil || *u.User == *v.User
}

// quoted returns s in quotation marks, cut to what an error should show.
func quoted(s string) string {
	if len(s) > 100 {
		return "\"" + s[:100] + "…\""
	}
	return "\"" + s + "\""
}
