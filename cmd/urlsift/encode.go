package main

import (
	"context"
	"iter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/extract"
)

// Records that the workers make. Then several workers encode in parallel. It is possible
// if each record depends only on its result. A single worker can make all records, so
// that no record passes between goroutines.

// encodes reports whether the workers make the records. They cannot if results are
// counted, or depend on earlier ones: then they are needed one by one and in order. With
// several workers they also cannot if records have lines or offsets. And they do not for
// a terminal, where each record is written alone.
func (j *printing) encodes() bool {
	where := !j.Extract.Delimit.NoLines || j.Print.Place&printer.WithOffset != 0
	return (j.Extract.Workers == 1 || j.Print.Format == output.Text && j.Print.Fields == nil && !where) && !j.Extract.Refused &&
		j.counter == nil && j.seen == nil && (j.follower == nil || j.follower.counts == nil) && !j.Quiet && !j.out.Direct
}

// encoded is some for records that workers make.
func (j *printing) encoded(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	for some, err := range j.x.Encode(ctx, sources, j.encoder) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			j.reportInput(err)
			continue
		}
		j.found = true // all of them are accepted ones
		if j.out.Records(some.Bytes, some.Results) != nil {
			return false
		}
	}
	return ctx.Err() == nil
}

// encoder returns the function that makes the records of one worker.
func (j *printing) encoder() extract.Encoder {
	p := printer.New(&j.Print, j.safe)
	if !j.Filter.Any() {
		return p.Append
	}
	return func(dst []byte, r *extract.Result) []byte {
		if !j.Filter.Keeps(r) {
			return dst
		}
		return p.Append(dst, r)
	}
}
