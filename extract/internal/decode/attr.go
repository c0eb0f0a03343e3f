package decode

// An Attr is one reference from the value of an attribute, or of a header field.
type Attr struct {
	Tag  string // name of the element, lower case; "" if it is not a known one
	Name string // name of the attribute, lower case

	// Request says that a reader of the page always requests what the attribute refers to, as
	// with FORM action and IMG src (1997, section 3; 2002, section 4.2).
	Request bool

	// Bracketed says that the value was in angle brackets, in a header field that may hold
	// other text too.
	Bracketed bool

	// Value is the reference, with character references decoded, and without the white
	// space around it, and without line breaks and tabs in it. It is valid only during the
	// call of the sink, which may change it. It is never empty.
	Value []byte

	// Start and End bound the source of Value in the input of the HTML stage.
	// [Chain.SpanBelow] converts them to raw offsets.
	Start, End int64
}
