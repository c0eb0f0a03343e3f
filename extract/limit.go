package extract

import "fmt"

// A LimitError is the cause of an [Error] where something was not read because of
// Options.Limits, and not because it is damaged.
type LimitError struct {
	Limit string // the field of [Limits]: "Depth", "Nesting", "Size", "Ratio" or "Window"
	Value int64  // what it was; of Window that of the layer
	what  string
}

// Error says what is over the limit, which is a number in it.
func (e *LimitError) Error() string { return e.what }

// limited returns a LimitError. What has a verb for the value.
func limited(limit string, value int64, what string) *LimitError {
	return &LimitError{Limit: limit, Value: value, what: fmt.Sprintf(what, value)}
}

// ratioFrom is how many bytes a source may become in any case. Only tests change it.
var ratioFrom int64 = 1 << 30

// unpacked counts n bytes of a raw stream.
func (s *stored) unpacked(n int) {
	s.out += int64(n)
	if s.out > ratioFrom && s.over == nil {
		if ratio := int64(s.w.x.opts.Limits.Ratio); s.out/ratio > s.seen {
			s.over = overRatio(ratio)
		}
	}
}

func overRatio(ratio int64) *LimitError {
	return limited("Ratio", ratio, "unpacks to more than %d times its size, and is not read on")
}
