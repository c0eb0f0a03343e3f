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

// A counting counts the results of a job.
type counting struct {
	*job
	tally *tally.Tally
}

// read counts the results of sources and prints the rows.
func (j *counting) read(ctx context.Context, sources iter.Seq[extract.Source]) {
	defer j.tally.Close()
	err := j.add(ctx, sources)
	if err == nil {
		err = j.tally.Print(tally.Printing{Format: j.Print.Format, Guard: j.Print.Guard, Null: j.Print.Null, Safe: j.safe}, j.out.Write)
	}
	if err != nil && j.out.Flush() == nil { // if Flush fails, the output reports its error
		j.report.Error(err.Error())
	}
	j.found = j.tally.Accepted || j.tally.Counted && j.Filter.OnlyRefused
}

// warn prints a warning if results are counted by date and none has a date.
func (j *counting) warn() {
	if undated := j.tally.Undated(); undated != "" {
		j.report.Warn(undated)
	}
}

// add counts the results of sources. An error is about a temporary file.
func (j *counting) add(ctx context.Context, sources iter.Seq[extract.Source]) error {
	if j.Extract.Workers == 1 {
		for r, err := range j.x.Run(ctx, sources) {
			if err == nil && j.Filter.Keeps(r) {
				j.out.Printed.Add(1)
				if err := j.tally.Take(r); err != nil {
					return err
				}
			}
			j.failedInput(ctx, err)
		}
		return j.tally.Finish()
	}
	encoder := func() extract.Encoder {
		encode := j.tally.Encoder()
		return func(dst []byte, r *extract.Result) []byte {
			if !j.Filter.Keeps(r) {
				return dst
			}
			return encode(dst, r)
		}
	}
	for some, err := range j.x.Encode(ctx, sources, encoder) {
		if err == nil {
			j.out.Printed.Add(int64(some.Results))
			if err := j.tally.Events(some.Bytes); err != nil {
				return err
			}
		}
		j.failedInput(ctx, err)
	}
	return j.tally.Finish()
}
