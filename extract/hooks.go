package extract

import (
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// What the floors below ask of a worker, and say to it.

// poolHooks are those of the worker's Pool.
func (w *worker) poolHooks() compress.Hooks {
	return compress.Hooks{
		BeforeBlock: w.beforeBlock,
		AfterBlock:  func() { w.out.resume() },
		Stopped:     func() bool { return w.stopped() || w.isHopeless() },
		Interrupted: w.from.Stopped,
		Assist:      func(fill func()) bool { return w.shared.Assist(fill) }, // else nothing is read ahead
		NearRatio:   w.nearRatio,
		InConsumer:  func() bool { return w.out.inBody() },
	}
}

// documentHooks are those of the worker's document.
func (w *worker) documentHooks() document.Hooks {
	return document.Hooks{
		Stopped:    w.stopped,
		BeforeRead: w.beforeRead,
		Layout:     w.layout,
		InConsumer: func() bool { return w.out.inBody() },
	}
}

// beforeBlock is called before a Read of the source, which may wait: what was found is
// handed over, but for what was found in small files just before.
func (w *worker) beforeBlock() bool {
	if w.pool.Source.Stored() == 0 && w.brief || !w.share.mayWait() {
		return true
	}
	w.flush()
	w.out.pause()
	return !w.stop.Is()
}

// beforeRead is called before a Read of a raw stream of which so many bytes were read.
func (w *worker) beforeRead(read int64) bool {
	if w.stopped() || w.share.segment != nil && w.shared.Discarded() {
		return false
	}
	if out, alone := w.out.(*recorder); alone && (!w.brief || read >= compress.FileBuffer) { // a clock costs as much as a short file
		out.late()
	}
	return true
}
