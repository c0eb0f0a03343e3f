package extract

// Headers of parts: short, dull, and as many as there are parts.

// dullHeader bounds a header that is looked at before it is read, in bytes: nearly all
// headers of parts are shorter, and of messages none.
const dullHeader = 256

// dull passes over the header that box is at if it is short, and no reference can
// stand in it: its values have no colon, which each of them needs without extras. It
// reports whether it did.
func (w *worker) dull(box *mailbox) bool {
	o := &w.x.opts.Delimit
	block := box.Short()
	if len(block) == 0 || len(block) > dullHeader || o.Extras != 0 || o.Known != nil {
		return false
	}
	text, ok := w.headerStage().Plain(block)
	if !ok {
		return false
	}
	box.Pass()
	w.n.TextBytes += int64(text)
	return true
}
