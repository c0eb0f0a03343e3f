package uri

// A Ref is a checked reference that owns its text. It is immutable and
// comparable; Refs are equal if their texts are, byte for byte. The zero Ref is
// the empty reference, which refers to the current document.
type Ref struct {
	text  string
	parts parts
}

// Parse checks s against g and returns it as a Ref that holds s itself. Some
// member of g must take it. The error is an [*Error].
func Parse(s string, g Grammar) (Ref, error) {
	p := split(s)
	if got, bad, why := judge(s, &p, g); got == 0 {
		return Ref{}, explain(s, &p, g, bad, why)
	}
	return Ref{s, p}, nil
}

// MustParse is Parse with [Default] that panics on error, for tests and tables.
func MustParse(s string) Ref {
	r, err := Parse(s, Default)
	if err != nil {
		panic(err)
	}
	return r
}

// Get returns the text of c, without the marks around it, and whether it is
// there: the query of "http://a/?" is there and empty, that of "http://a/" is
// not.
func (r Ref) Get(c Component) (text string, ok bool) {
	lo, hi, ok := r.parts.Span(c)
	return r.text[lo:hi], ok
}

// Parts returns where the components lie in the text of r.
func (r Ref) Parts() Parts { return r.parts.pack() }

// IsAbs reports whether r has a scheme.
func (r Ref) IsAbs() bool { return r.parts.scheme != 0 }

// String returns the text of r, byte for byte as it was parsed.
func (r Ref) String() string { return r.text }

// MarshalText returns the text of r in a new slice.
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.text), nil }

// UnmarshalText parses a copy of text by [Default], or else by any grammar there
// is, so that it reads back whatever MarshalText wrote. It makes a Ref usable as a
// flag. The error is an [*Error], that of Default, and r stays as it was.
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
