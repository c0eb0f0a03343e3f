package main

import (
	"context"
	"iter"
	"os"
	"runtime/debug"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/tally"
	"github.com/urlsift/urlsift/extract"
)

// The subcommand count: results go to a tally, and its rows are printed at the end.

// limitMemory makes the garbage collector run before memory is much larger than the sums. By
// default it waits until the heap has doubled, and the sums are most of the heap.
func limitMemory(o *tally.Options) {
	if o.Memory == 0 {
		o.Memory = count.DefaultMemory
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		const others = 24 << 20 // for the search and for merging
		debug.SetMemoryLimit(o.Memory + o.Memory/4 + others)
	}
}

// countAll counts the results of sources and prints the rows. It returns a warning if results are counted
// by date and none has a date.
func countAll(ctx context.Context, r *run, sources iter.Seq[extract.Source]) (warning string) {
	t := tally.New(r.o.Tally, r.o.Print.Redact, r.o.Extract.Workers)
	defer t.Close()
	err := tallyAll(ctx, r, t, sources)
	if err == nil {
		err = t.Print(tally.Printing{Format: r.o.Print.Format, Guard: r.o.Print.Guard, Null: r.o.Print.Null, Safe: r.safe}, r.out.Write)
	}
	r.broken = err != nil
	if err != nil && r.out.Flush() == nil { // if Flush fails, the output reports its error
		r.report.Error(err.Error())
	}
	r.found = t.Accepted || t.Counted && r.o.Filter.OnlyRefused
	return t.Undated()
}

// tallyAll counts the results of sources. An error is about a temporary file.
func tallyAll(ctx context.Context, r *run, t *tally.Tally, sources iter.Seq[extract.Source]) error {
	if t.Takes() {
		keeps := r.o.Filter.Keeper()
		for result, err := range r.x.Run(ctx, sources) {
			if err == nil && keeps(result) {
				r.out.Printed.Add(1)
				if err := t.Take(result); err != nil {
					return err
				}
			}
			r.failedInput(ctx, err)
		}
		return t.Finish()
	}
	encoder := func() extract.Encoder {
		encode, keeps := t.Encoder(), r.o.Filter.Keeper()
		return func(dst []byte, result *extract.Result) []byte {
			if !keeps(result) {
				return dst
			}
			return encode(dst, result)
		}
	}
	for some, err := range r.x.Encode(ctx, sources, encoder) {
		if err == nil {
			r.out.Printed.Add(int64(some.Results))
			if err := t.Events(some.Bytes); err != nil {
				return err
			}
		}
		r.failedInput(ctx, err)
	}
	return t.Finish()
}
