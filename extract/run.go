package extract

import (
	"context"
	"iter"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// What package schedule runs here: its jobs are Sources, its batches are of Results, the
// edge of a segment is how the scanner stands there.
type (
	output  = schedule.Output[Source, batch, edge, delta]
	segment = schedule.Segment[batch, edge, delta]
	divided = schedule.File[batch, edge, delta]
)

// Run yields the references of many sources, in the order of the sources,
// whatever their number and that of the workers, or as they come if
// Options.Unordered is set. The loop body runs in the caller's goroutine, and each
// source in that of one worker at a time, or two where a worker that has nothing else
// to do decompresses for another. With several workers, sources is ranged over in a
// goroutine of its own, and is up to a thousand of them ahead. A reference that is
// complete is yielded without waiting for more of its source, so that a slow pipe holds
// nothing back; of a big file that several workers read, within milliseconds of reading.
//
// An error is an [*Error], beside a nil Result. It is about a stretch of a source,
// or all that is left of it, and comes after what was found before that; the
// sequence goes on with what can be read, and the next source. The
// sequence may be ranged over as often as sources may. A Result is good until
// the loop goes on.
//
// Leaving the loop, or the end of ctx, stops the workers, and nothing more is
// yielded; whether ctx was the reason, ctx says. The sequence returns when the
// last worker has stopped. A worker that waits for input stops if what it waits for
// can be ended: a file, pipe or terminal, or a [net.Conn]; see [Source]. Else it
// stops when its Read returns.
//
// A source that panics, or returns from Read a count that cannot be, is an [*Error] of
// that source. A panic of sources or of the loop body reaches the caller.
func (x *Extractor) Run(ctx context.Context, sources iter.Seq[Source]) iter.Seq2[*Result, error] {
	if x.opts.Workers == 1 {
		return func(yield func(*Result, error) bool) {
			x.runAlone(ctx, sources, &inline{yield: yield}, new(schedule.Interrupt))
		}
	}
	return func(yield func(*Result, error) bool) {
		x.runTogether(ctx, sources, nil, &consumer{ctx: ctx, yield: yield})
	}
}

// runAlone is Run with one worker, which is the caller's own goroutine, and gives what
// it finds to out. It ends when stop says so.
func (x *Extractor) runAlone(ctx context.Context, sources iter.Seq[Source], out sink, stop *schedule.Interrupt) {
	defer schedule.EndWith(ctx, stop)()
	w := x.worker(out, stop, nil)
	defer w.Rest()
	schedule.Gather(sources, (*Source).more, func(some []Source) bool {
		if w.stopped() {
			return false
		}
		w.Jobs(some)
		out.pause()
		return !w.stopped()
	})
}

// runTogether is Run with several workers, which encode what they find if encoder is not
// nil.
func (x *Extractor) runTogether(ctx context.Context, sources iter.Seq[Source], encoder func() Encoder, c *consumer) {
	config := schedule.Config[Source, batch, edge, delta]{
		Workers:   x.opts.Workers,
		Unordered: x.opts.Unordered,
		Hint:      (*Source).hint,
		New:       func(b *batch) { b.init(encoder != nil) },
		Empty:     (*batch).empty,
		Add:       addDelta,
		SplitSize: x.split,
		AtSplit:   x.atSplit,
		Outcome:   x.outcome,
	}
	schedule.Do(ctx, sources, config, func(out *output) schedule.Worker[Source, batch, edge, delta] {
		s := &queued{out: out}
		if encoder != nil {
			s.encode = encoder()
		}
		return x.worker(s, out.Stop, out)
	}, c.deliver)
}

// hint says what is known of s before it is opened.
func (s *Source) hint() schedule.Hint {
	return schedule.Hint{Size: s.Size, File: s.regular(), More: s.more()}
}
