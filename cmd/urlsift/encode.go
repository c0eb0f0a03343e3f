package main

import (
	"context"
	"iter"

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
	where := !j.extract.Delimit.NoLines || j.place&withOffset != 0
	return (j.extract.Workers == 1 || j.format == asText && j.fields == nil && !where) && !j.extract.Refused &&
		j.counter == nil && j.seen == nil && !j.quiet && !j.out.Direct
}

// siftEncoded is siftSome for such records.
func (j *job) siftEncoded(ctx context.Context, sources iter.Seq[extract.Source]) (more bool) {
	for some, err := range j.x.Encode(ctx, sources, j.encoder) {
		if err != nil {
			if ctx.Err() != nil {
				return false
			}
			j.complain(err)
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
	p := newPrinter(j.options, j.safe)
	if !j.choosy {
		return p.append
	}
	return func(dst []byte, r *extract.Result) []byte {
		if !j.keeps(r) {
			return dst
		}
		return p.append(dst, r)
	}
}
