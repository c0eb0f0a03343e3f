package document

import (
	"io"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A Damage is damage with its position.
type Damage struct {
	Where
	Position
	Cause *damage.Damage
}

// Error returns the message of d.Cause.
func (d *Damage) Error() string { return d.Cause.Error() }

// Unwrap returns d.Cause.
func (d *Damage) Unwrap() error { return d.Cause }

// Reports is a queue of damage that Reader.Next returns before the next text.
type reports []*Damage

// next removes the first damage and returns it, or nil if there is none.
func (r *reports) next() *Damage {
	if len(*r) == 0 {
		return nil
	}
	first := (*r)[0]
	*r = slices.Delete(*r, 0, 1)
	return first
}

// Warnings are about damage in the current part that a decoder has skipped.
type warnings []*Damage

// forget drops the warnings about a part that turned out not to be read. They are not reported,
// because their number depends on the size of reads.
func (w *warnings) forget(section string) {
	*w = slices.DeleteFunc(*w, func(m *Damage) bool { return m.Part == section })
}

// maxWarnings is how many warnings are kept for one part. The few links of a part return
// each kind of warning once.
const maxWarnings = 16

// Some damage does not end the source's outermost stream: a block of bzip2 is left out, and
// a line break is read in its place. Such damage is reported between the texts in front of
// it and those after it. It is not reported when it is found: how far is read in advance
// depends on the sizes of reads, and on where another worker has started. For the same
// reason its position names no message.

// maxLost is how much damage of this kind may wait to be reported. There is more only if many
// very small blocks of a file are damaged; the rest is not reported.
const maxLost = 256

// Losses holds the damage of this kind that is not reported yet.
type Losses struct {
	list []*Damage
	to   *reports // where it is reported
}

// add keeps m to be reported, if there is room.
func (l *Losses) add(m *Damage) {
	if len(l.list) < maxLost {
		l.list = append(l.list, m)
	}
}

// report reports the damage in front of the raw offset at.
func (l *Losses) report(at int64) {
	for m := l.Next(at); m != nil; m = l.Next(at) {
		*l.to = append(*l.to, m)
	}
}

// Next removes the first damage that was not reported, if its raw offset is below at, and returns it; otherwise nil.
func (l *Losses) Next(at int64) *Damage {
	if len(l.list) == 0 || l.list[0].Offset >= at {
		return nil
	}
	first := l.list[0]
	l.list = slices.Delete(l.list, 0, 1)
	return first
}

// Any reports whether Next may return something.
func (l *Losses) Any() bool { return len(l.list) > 0 }

// Forget removes the damage at the raw offset at or after it. Another worker reports it.
func (l *Losses) Forget(at int64) {
	l.list = slices.DeleteFunc(l.list, func(m *Damage) bool { return m.Offset >= at })
}

// damageOf returns the Damage in fault, which ended a stream of that level, or nil if the stream has
// reached its end. An error that is not a Damage is io.ErrNoProgress, from a reader that makes no
// progress.
func damageOf(fault error, level int) *damage.Damage {
	switch err := fault.(type) {
	case nil:
		return nil
	case *damage.Damage:
		return err
	default:
		if err == io.EOF || err == damage.ErrStopped {
			return nil
		}
		return &damage.Damage{Class: damage.Read, Stage: damage.StageRead, Err: err, Level: level}
	}
}
