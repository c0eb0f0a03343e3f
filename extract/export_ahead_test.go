package extract

// HelpFrom makes sources worth a helper from n bytes on, and returns what undoes that.
func HelpFrom(n int64) (undo func()) {
	was := aheadFrom
	aheadFrom = n
	return func() { aheadFrom = was }
}
