package document

import (
	"slices"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Some damage does not end the source's outermost stream: a block of bzip2 is left out, and
// a line break is read in its place. Such damage is reported between the texts in front of
// it and those after it. It is not reported when it is found: how far is read in advance
// depends on the sizes of reads, and on where another worker has started. For the same
// reason its position names no message.

// maxLost is how many of them wait to be reported. There are more only if a file of very
// small blocks is damaged all over; the others are not reported.
const maxLost = 256

// Losses are such damage that is not reported yet.
type Losses struct {
	d    *Reader
	list []placed
}

// add keeps m, which was met at the next byte, to be reported.
func (l *Losses) add(m *damage.Damage) {
	if len(l.list) == maxLost {
		return
	}
	p := l.d.streams[0].place(Where{}, m)
	if p.Reached {
		p.Line, p.Column = l.d.hooks.Reached()
		p.Reached = false
	}
	l.list = append(l.list, placed{m, p})
}

// report reports what was lost in front of the raw offset at.
func (l *Losses) report(at int64) {
	for len(l.list) > 0 && l.list[0].at.Offset < at { // each is removed
		l.d.reports.add(l.list[0].damage, l.list[0].at)
		l.list = slices.Delete(l.list, 0, 1)
	}
}

// Next returns damage that is in front of the raw offset at, and that was not reported, or
// nil. [Reader.Damaged] returns its position.
func (l *Losses) Next(at int64) *damage.Damage {
	if len(l.list) == 0 || l.list[0].at.Offset >= at {
		return nil
	}
	first := l.list[0]
	l.list = slices.Delete(l.list, 0, 1)
	l.d.reports.last = first.at
	return first.damage
}

// Any reports whether Next may return something.
func (l *Losses) Any() bool { return len(l.list) > 0 }

// Forget forgets what was lost at the raw offset at or after it. Another worker reports
// it.
func (l *Losses) Forget(at int64) {
	l.list = slices.DeleteFunc(l.list, func(e placed) bool { return e.at.Offset >= at })
}
