package main

import (
	"context"
	"iter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/extract"
)

// Records that the workers make themselves, so that several of them print side by side
// too: those of which each is made of its result alone. One worker may make all others
// as well: then no record crosses anything on its way.

// encodes reports whether records are of that kind. What counts results, or looks at
// those before, needs them one by one and in order; so does what tells of lines and
// offsets, unless there is one worker; and so does a terminal, to which each goes out
// alone.
func (j *job) encodes() bool {
	where := !j.extract.Delimit.NoLines || j.print.Place&printer.WithOffset != 0
	return (j.extract.Workers == 1 || j.print.Format == output.Text && j.print.Fields == nil && !where) && !j.extract.Refused &&
		j.counter == nil && j.seen == nil && !j.quiet && !j.out.Direct
}

// siftEncoded is siftSome for such records.
func (j *job) siftEncoded(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	for some, err := range j.x.Encode(ctx, sources, j.encoder) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			j.report.Input(err)
			continue
		}
		j.found = true // none is refused
		if j.out.Records(some.Bytes, some.Results) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// encoder returns what makes records for one worker.
func (j *job) encoder() extract.Encoder {
	p := printer.New(&j.print, j.safe)
	if !j.filter.Any() {
		return p.Append
	}
	return func(dst []byte, r *extract.Result) []byte {
		if !j.filter.Keeps(r) {
			return dst
		}
		return p.Append(dst, r)
	}
}
