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

// lose keeps m, which was met at the next byte, to be reported.
func (o *Outermost) lose(m *damage.Damage) {
	if len(o.lost) == maxLost {
		return
	}
	p := o.d.streams[0].place(Where{}, m)
	if p.Reached {
		p.Line, p.Column = o.d.hooks.Reached()
		p.Reached = false
	}
	o.lost = append(o.lost, placed{m, p})
}

// reportLost reports what was lost in front of the raw offset at.
func (o *Outermost) reportLost(at int64) {
	for len(o.lost) > 0 && o.lost[0].at.Offset < at { // each is removed
		o.d.reports.add(o.lost[0].damage, o.lost[0].at)
		o.lost = slices.Delete(o.lost, 0, 1)
	}
}

// Lost returns damage that is in front of the raw offset at, and that was not reported, or
// nil. [Reader.Damaged] returns its position.
func (o *Outermost) Lost(at int64) *damage.Damage {
	if len(o.lost) == 0 || o.lost[0].at.Offset >= at {
		return nil
	}
	first := o.lost[0]
	o.lost = slices.Delete(o.lost, 0, 1)
	o.d.reports.last = first.at
	return first.damage
}

// HasLost reports whether Lost may return something.
func (o *Outermost) HasLost() bool { return len(o.lost) > 0 }

// ForgetLost forgets what was lost at the raw offset at or after it. Another worker reports
// it.
func (o *Outermost) ForgetLost(at int64) {
	o.lost = slices.DeleteFunc(o.lost, func(e placed) bool { return e.at.Offset >= at })
}
