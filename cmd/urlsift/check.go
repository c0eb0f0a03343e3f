package main

import (
	"context"
	"iter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
	"github.com/urlsift/urlsift/extract"
)

// The subcommand check: what is wrong with results is printed.

// A checking checks the results of a sifting.
type checking struct {
	*sifting
	checker *check.Checker
}

// read checks the results of sources.
func (c *checking) read(ctx context.Context, sources iter.Seq[extract.Source]) {
	var line []byte
	keeps := c.Filter.Keeper()
	for r, err := range c.x.Run(ctx, sources) {
		if err != nil {
			c.failedInput(ctx, err)
			continue
		}
		if !keeps(r) {
			continue
		}
		if line = c.checker.Append(line[:0], r); len(line) == 0 {
			continue
		}
		if c.found = true; c.Quiet {
			return
		}
		c.out.Printed.Add(1)
		if c.out.Write(line) != nil {
			return
		}
	}
}

func (c *checking) warn() {}
