package main

import (
	"context"
	"iter"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
	"github.com/urlsift/urlsift/extract"
)

// checkAll prints what is wrong with the results of sources: the subcommand check.
func checkAll(ctx context.Context, r *run, sources iter.Seq[extract.Source]) {
	var line []byte
	checker, keeps := check.New(r.o.Check, r.o.Print.Redact), r.o.Filter.Keeper()
	for result, err := range r.x.Run(ctx, sources) {
		if err != nil {
			r.failedInput(ctx, err)
			continue
		}
		if !keeps(result) {
			continue
		}
		if line = checker.Append(line[:0], result); len(line) == 0 {
			continue
		}
		if r.found = true; r.o.Quiet {
			return
		}
		r.out.Printed.Add(1)
		if r.out.Write(line) != nil {
			return
		}
	}
}
