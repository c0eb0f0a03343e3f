package main

import (
	"errors"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/printer"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
)

// A printing prints the results of a sifting, or counts them for each source.
type printing struct {
	*sifting
	keeps   func(*extract.Result) bool // the filters
	seen    *track.Filter              // nil if a URL may be printed twice
	renamed extract.Result             // the result that is being printed, with the name of its source as the user gave it
	perSource
	follower *follower // nil if files are not followed
}

// What is counted and printed for each source: -c, -l and -m.
type perSource struct {
	counter *track.Sources // nil if sources are not counted
	dst     *output.Output
	names   printer.Names // of sources, in lines of their own
	null    bool          // lines end with a NUL
	named   bool          // counts have the source's name in front
	several bool          // there may be more than one source
	line    []byte        // the line of a source that is being made
}

// newPrinting prepares what the flags of s need: the set for -u, the counter for -c, -l and -m.
func newPrinting(s *sifting) *printing {
	o := s.Options
	f := &printing{sifting: s, keeps: s.Filter.Keeper()}
	f.perSource = perSource{dst: s.out, null: o.Print.Null, names: printer.Names{Style: o.Print.Style, Safe: s.safe, Passwords: s.redactor}}
	if o.Unique != track.Anywhere && !o.Quiet {
		f.seen = track.NewFilter(o.Unique, !o.Follow)
	}
	if (o.Count || o.List || o.Most > 0) && !o.Quiet && !o.Follow {
		f.counter = &track.Sources{Most: o.Most, End: func(string, int64) {}}
		s.report.Name = func(tag string) string {
			_, name := f.counter.Reach(tag)
			return name
		}
	}
	f.several = (o.Count || o.Most > 0) && o.Sources.Several()
	if o.Count && !o.List && !o.Quiet {
		f.named = o.Print.Prefix&printer.WithName != 0 || f.several
		f.counter.End = f.printCount
	}
	return f
}

func (p *printing) warn() {}

// take prints or counts r, if it passes the filters. The error is that of the output.
func (p *printing) take(r *extract.Result) error {
	var total *track.Total
	if p.counter != nil {
		p.renamed = *r
		total, p.renamed.Origin.Source = p.counter.Reach(r.Origin.Source)
		r = &p.renamed
	}
	if total != nil && (total.Full() || total.Found > 0 && p.List && p.seen == nil) {
		return nil // the source has been reported already
	}
	if p.follower != nil && p.follower.isFull(r.Origin.Source) {
		return nil // a URL that is not printed here may be printed for another source
	}
	if !p.keeps(r) || p.seen != nil && !p.isNew(r) {
		return nil
	}
	if p.follower != nil {
		p.follower.count(r.Origin.Source)
	}
	p.found = p.found || r.Valid || p.Filter.OnlyRefused
	if p.Quiet {
		return p.enough()
	}
	if total != nil {
		p.counter.Add(total)
	}
	if !p.Count && !p.List {
		if err := p.out.Print(p.printer.Append, r); err != nil {
			return err
		}
		if p.follower != nil && p.follower.all() {
			return errEnough
		}
		return p.last(total)
	}
	p.out.Printed.Add(1)
	if !p.List || total.Found > 1 {
		return p.last(total)
	}
	return p.printName(total.Name)
}

// isNew reports whether the URL of r was not printed before, in this run or, with a state,
// in an earlier one.
func (p *printing) isNew(r *extract.Result) bool {
	k, isNew := p.seen.New(r)
	if !isNew {
		return false
	}
	return p.State.Path == "" || !p.state.Printed(state.URL(k[:len(state.URL{})]))
}

// overfull reports whether err is about a source that already has all its results. Workers may read
// beyond the last of these results.
func (p *perSource) overfull(err error) bool {
	var e *extract.Error
	if p.counter == nil || !errors.As(err, &e) {
		return false
	}
	total, _ := p.counter.Reach(e.Origin.Source)
	return total != nil && total.Full()
}

// errEnough ends a run that needs no more results.
var errEnough = errors.New("enough was found")

// enough returns errEnough once a result was found.
func (p *printing) enough() error {
	if p.found {
		return errEnough
	}
	return nil
}

// last returns errEnough if total belongs to the only source, and that source has all its
// results. A worker leaves a full source at its next Read, but a Read of a silent pipe would
// wait, so the run is ended.
func (p *perSource) last(total *track.Total) error {
	if total != nil && total.Full() && !p.several {
		return errEnough
	}
	return nil
}

// printName prints the name of one source.
func (p *perSource) printName(name string) error {
	p.line = p.end(p.names.Append(p.line[:0], name))
	return p.dst.Write(p.line)
}

// printCount prints the count of one source.
func (p *perSource) printCount(name string, found int64) {
	p.line = p.line[:0]
	if p.named {
		p.line = append(p.names.Append(p.line, name), ':')
	}
	p.line = p.end(strconv.AppendInt(p.line, found, 10))
	p.dst.Write(p.line)
}

// end appends the end of a record.
func (p *perSource) end(line []byte) []byte {
	if p.null {
		return append(line, 0)
	}
	return append(line, '\n')
}
