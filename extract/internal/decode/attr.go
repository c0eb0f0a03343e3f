package decode

// An Attr is one reference that is (a piece of) the value of an attribute.
type Attr struct {
	Tag  string // name of the element, lower case; "" if it is no known one
	Name string // name of the attribute, lower case

	// Value is the reference: character references undone, white space around
	// it and line breaks and tabs in it taken out. It is good during the call
	// of the sink only, and the sink may change it. It is never empty.
	Value []byte

	// Start and End bound Value as it stands in the input of the HTML stage.
	// [Chain.SpanBelow] turns them into raw offsets.
	Start, End int64
}
