package extract

import (
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// Functions that the packages below call.

// poolHooks returns the functions for the worker's Pool.
func (w *worker) poolHooks() compress.Hooks {
	return compress.Hooks{
		BeforeBlock: w.beforeBlock,
		AfterBlock:  func() { w.out.resume() },
		Stopped:     func() bool { return w.done() || w.share.isHopeless() },
		Interrupted: w.reader.Stopped,
		Assist:      func(fill func()) bool { return w.find.resumed == nil && w.shared.Assist(fill) }, // without it nothing is read ahead
		Base:        w.share.before,
		Lend:        w.share.lend,
		InConsumer:  func() bool { return w.out.inBody() },
	}
}

// documentHooks returns the functions for the worker's document.
func (w *worker) documentHooks() document.Hooks {
	return document.Hooks{
		Stopped:    w.done,
		BeforeRead: w.beforeRead,
		Layout:     w.layout,
		Reached:    func() (line, column int64) { return w.reached(w.direct) },
		InConsumer: func() bool { return w.out.inBody() },
	}
}

// layout is called when it is known how the source's outermost stream can be divided.
func (w *worker) layout(l document.Layout, mark int64) func(at int64, before int) bool {
	if s := w.find.resumed; s != nil {
		return s.layout(l, mark)
	}
	return w.share.layout(l, mark)
}

// beforeBlock is called before a Read of the source, which may wait. It delivers what was
// found, except for results of small files that were just read.
func (w *worker) beforeBlock() bool {
	if w.brief && w.pool.Source.Counted() == 0 || !w.share.mayWait() {
		return true
	}
	w.flush()
	w.out.pause()
	return !w.stop.Is() && (w.enough == nil || !w.enough())
}

// beforeRead is called before a Read of a raw stream. read is how many bytes of it were
// read so far.
func (w *worker) beforeRead(read int64) bool {
	if w.done() || w.share.segment != nil && w.shared.Discarded() {
		return false
	}
	if out, alone := w.out.(*recorder); alone && (!w.brief || read >= compress.FileBuffer) { // reading the clock costs as much as reading a short file
		out.late()
	}
	return true
}
