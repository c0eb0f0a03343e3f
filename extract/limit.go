package extract

// A LimitError is the cause of an [Error] where something was not read because of
// Options.Limits, and not because it is damaged.
type LimitError struct {
	Limit string // the field of [Limits]: "Depth", "Nesting", "Size", "Ratio" or "Window"
	Value int64  // what it was; of Window that of the layer
	what  string
}

// Error says what is over the limit, which is a number in it.
func (e *LimitError) Error() string { return e.what }
