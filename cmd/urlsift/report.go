package main

import (
	"context"
	"iter"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/page"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// The subcommand report: results go to a page.Collector, and the page is written at the end.

// titleOf returns what the report is about: the paths as given.
func titleOf(o *flags.Options) string {
	names := strings.Join(o.Paths, " ")
	if names == "" {
		names = "standard input"
	}
	if o.Print.Redact {
		names = string(new(extract.Redactor).Append(nil, []byte(names)))
	}
	return names
}

// pageOptions returns what the page is made with.
func pageOptions(o *flags.Options) page.Options {
	p := page.Options{Title: titleOf(o), Grammar: grammarOf(o), Redact: o.Print.Redact, Memory: o.Tally.Memory, Rows: o.Rows}
	passwords := output.Passwords{On: o.Print.Redact}
	for _, flag := range o.Search {
		p.Flags = append(p.Flags, passwords.Text(flag))
	}
	for _, path := range o.Paths {
		p.Paths = append(p.Paths, passwords.Text(path))
	}
	return p
}

// grammarOf returns the name of the grammar that decides.
func grammarOf(o *flags.Options) string {
	if o.Extract.Grammar == 0 {
		return uri.Default.String()
	}
	return o.Extract.Grammar.String()
}

// writeReport reads sources and writes the page.
func writeReport(ctx context.Context, r *run, sources iter.Seq[extract.Source]) {
	c := page.New(pageOptions(r.o))
	defer c.Close()
	text, err := []byte(nil), collect(ctx, r, c, sources)
	if err == nil {
		text, err = c.Page(r.x.Stats())
	}
	if err != nil {
		r.report.Error(err.Error())
		r.broken = true
		return
	}
	r.out.Write(text)
	r.found = c.Any(r.o.Filter.OnlyRefused)
}

// collect counts the results of sources. An error is about a temporary file.
func collect(ctx context.Context, r *run, c *page.Collector, sources iter.Seq[extract.Source]) error {
	keeps := r.o.Filter.Keeper()
	for result, err := range r.x.Run(ctx, sources) {
		if err != nil {
			if ctx.Err() == nil {
				c.Problem(err)
				r.report.Input(err)
			}
			continue
		}
		if keeps(result) {
			r.out.Printed.Add(1)
			if err := c.Add(result); err != nil {
				return err
			}
		}
	}
	return nil
}
