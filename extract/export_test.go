package extract

import "github.com/urlsift/urlsift/extract/internal/compress"

// SetUnits makes x cut files in units of so many bytes, and their readers begin warm
// bytes before a seam at the earliest. passing is called by readers that come to a
// seam; it may be nil.
func (x *Extractor) SetUnits(unit, warm int64, passing func()) {
	x.unit, x.warm, x.passing = unit, warm, passing
}

// Units returns how many units had results, or could have had, and how many were void.
func (x *Extractor) Units() (linked, voided int64) {
	return x.verdicts[linkedVerdict].Load(), x.verdicts[void].Load()
}

const linkedVerdict = linked

// RatioFrom lets sources become n bytes in any case, and returns what undoes that.
func RatioFrom(n int64) (undo func()) {
	was := compress.RatioFrom
	compress.RatioFrom = n
	return func() { compress.RatioFrom = was }
}

// HelpFrom makes sources worth an assistant from n bytes on, and returns what undoes that.
func HelpFrom(n int64) (undo func()) {
	was := compress.AheadFrom
	compress.AheadFrom = n
	return func() { compress.AheadFrom = was }
}
