package main

import (
	"context"
	"errors"
	"iter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
)

// This file reads the sources of a sifting. The loop takes results one by one (printing.take), or
// workers make the records: see printing.encodes.

// read reads sources, all of them at once or in bundles that are counted.
func (p *printing) read(ctx context.Context, sources iter.Seq[extract.Source]) {
	if p.counter == nil {
		p.readSources(ctx, sources)
		return
	}
	for bundle := range track.Bundles(sources) {
		more := p.readSources(ctx, p.counter.Watch(bundle))
		p.counter.Finish(more)
		if !more {
			break
		}
	}
}

// readSources reads sources and reports whether to continue. An error concerns one input,
// or one stretch of it; later inputs are read.
func (p *printing) readSources(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	if p.encodes() {
		return p.encoded(ctx, sources)
	}
	for r, err := range p.x.Run(ctx, sources) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			if !p.overfull(err) {
				p.reportInput(err)
			}
			continue
		}
		if p.take(r) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// If each record depends only on its result, the workers make the records. Several
// workers then encode in parallel. A single worker makes all records itself, so that no
// result passes between goroutines.

// encodes reports whether the workers make the records. They cannot if results are counted or
// depend on earlier ones: then the loop needs them one by one and in order. With several workers
// they cannot if records have lines or offsets. They do not for a terminal, where each record is
// written by itself.
func (p *printing) encodes() bool {
	where := !p.Extract.Delimit.NoLines || p.Print.Prefix&printer.WithOffset != 0
	return (p.Extract.Workers == 1 || p.Print.Format == output.Text && p.Print.Fields == nil && !where) && !p.Extract.Refused &&
		p.counter == nil && p.seen == nil && (p.follower == nil || p.follower.counts == nil) && !p.Quiet && !p.out.Direct
}

// encoded does the same as readSources, with records that workers make.
func (p *printing) encoded(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	for records, err := range p.x.Encode(ctx, sources, p.encoder) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			p.reportInput(err)
			continue
		}
		p.found = true // the grammar accepts all results that are encoded
		if p.out.Records(records.Bytes, records.Results) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// encoder returns the function that makes the records of one worker.
func (p *printing) encoder() extract.Encoder {
	records := printer.New(&p.Print, p.safe)
	if !p.Filter.Any() {
		return records.Append
	}
	keeps := p.Filter.Keeper()
	return func(dst []byte, r *extract.Result) []byte {
		if !keeps(r) {
			return dst
		}
		return records.Append(dst, r)
	}
}

// reportInput reports an error of some input. A run that follows files reports it once.
func (p *printing) reportInput(err error) {
	if f := p.follower; f != nil {
		var e *extract.Error
		switch {
		case errors.As(err, &e) && (e.Stage == extract.StageOpen || e.Stage == extract.StageWalk):
			if !f.reported.Open(err.Error()) {
				return
			}
		case !f.reported.Read(err.Error()):
			return
		}
	}
	p.report.Input(err)
}
