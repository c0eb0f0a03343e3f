package extract

import "github.com/urlsift/urlsift/uri"

// Scheme returns the scheme of Target, or of URL if there is no Target, as it is written
// there. It returns nil if there is no scheme. The slice aliases r and is valid as long
// as r is.
func (r *Result) Scheme() []byte { return r.component(uri.Scheme) }

// Host returns the host of Target, or of URL if there is no Target, as it is written
// there. An IP literal keeps its brackets. It returns nil if there is no host. The slice
// aliases r and is valid as long as r is.
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
