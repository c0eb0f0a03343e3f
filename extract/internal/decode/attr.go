package decode

// An Attr is one reference that is not text: from an attribute of HTML, a header field, a macro of
// roff, or a command or field of TeX.
type Attr struct {
	Tag  string // name of the element of HTML, in lower case; "" if it is unknown, and in other formats
	Name string // name of the attribute, header field, command or field, in lower case; of a macro, as written

	// Request says that a browser always requests the target of the attribute, as with FORM
	// action and IMG src (1997, section 3; 2002, section 4.2).
	Request bool

	// Bracketed says that the value was in angle brackets, in a header field that may also hold
	// other text.
	Bracketed bool

	// Value is the reference, with the escapes of the format decoded, without white space around
	// it and without line breaks and tabs in it. It is valid only during the call of the sink,
	// which may change it. It is empty only for an empty attribute of HTML, such as href="".
	Value []byte

	// Start and End bound the source of Value in the input of the decoder that has found it.
	// If that is the topmost link, [Chain.SpanBelow] converts them to raw offsets.
	Start, End int64
}
