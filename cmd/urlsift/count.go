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

// A counting counts the results of a sifting.
type counting struct {
	*sifting
	tally *tally.Tally
}

// read counts the results of sources and prints the rows.
func (c *counting) read(ctx context.Context, sources iter.Seq[extract.Source]) {
	defer c.tally.Close()
	err := c.add(ctx, sources)
	if err == nil {
		err = c.tally.Print(tally.Printing{Format: c.Print.Format, Guard: c.Print.Guard, Null: c.Print.Null, Safe: c.safe}, c.out.Write)
	}
	c.broken = err != nil
	if err != nil && c.out.Flush() == nil { // if Flush fails, the output reports its error
		c.report.Error(err.Error())
	}
	c.found = c.tally.Accepted || c.tally.Counted && c.Filter.OnlyRefused
}

// warn prints a warning if results are counted by date and none has a date.
func (c *counting) warn() {
	if undated := c.tally.Undated(); undated != "" {
		c.report.Warn(undated)
	}
}

// add counts the results of sources. An error is about a temporary file.
func (c *counting) add(ctx context.Context, sources iter.Seq[extract.Source]) error {
	if c.tally.Takes() {
		keeps := c.Filter.Keeper()
		for r, err := range c.x.Run(ctx, sources) {
			if err == nil && keeps(r) {
				c.out.Printed.Add(1)
				if err := c.tally.Take(r); err != nil {
					return err
				}
			}
			c.failedInput(ctx, err)
		}
		return c.tally.Finish()
	}
	encoder := func() extract.Encoder {
		encode, keeps := c.tally.Encoder(), c.Filter.Keeper()
		return func(dst []byte, r *extract.Result) []byte {
			if !keeps(r) {
				return dst
			}
			return encode(dst, r)
		}
	}
	for some, err := range c.x.Encode(ctx, sources, encoder) {
		if err == nil {
			c.out.Printed.Add(int64(some.Results))
			if err := c.tally.Events(some.Bytes); err != nil {
				return err
			}
		}
		c.failedInput(ctx, err)
	}
	return c.tally.Finish()
}
