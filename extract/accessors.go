package extract

import "github.com/urlsift/urlsift/uri"

// Scheme returns the scheme of Target, or of URL where there is no Target, as it
// is written there; nil if it has none. The slice aliases r, and is good for as
// long as r is.
func (r *Result) Scheme() []byte { return r.component(uri.Scheme) }

// Host returns the host of Target, or of URL where there is no Target, as it is
// written there, an IP literal with its brackets; nil if it has none. The slice
// aliases r, and is good for as long as r is.
func (r *Result) Host() []byte { return r.component(uri.Host) }

func (r *Result) component(c uri.Component) []byte {
	text, parts := r.URL, r.Parts
	if r.Target != nil {
		text = r.Target
		parts = uri.Split(text)
	}
	lo, hi, ok := parts.Span(c)
	if !ok {
		return nil
	}
	return text[lo:hi]
}
