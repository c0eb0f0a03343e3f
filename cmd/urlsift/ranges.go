package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
)

// A rangeRow is what the subcommand ranges prints about a part of a file.
type rangeRow struct {
	Source   string `json:"source"`
	Range    string `json:"range"` // the value of --range
	Begin    int64  `json:"begin"`
	End      int64  `json:"end"`
	Lines    *int64 `json:"lines,omitempty"` // in the part; nil if they were not counted
	Messages *int   `json:"messages,omitempty"`
	Text     *int64 `json:"text,omitempty"` // of a compressed file: bytes, decompressed
	Why      string `json:"why,omitempty"`  // the file is not divided
}

// defaultPartSize is the size of parts if --size is not given.
const defaultPartSize = 128 << 20

// listRanges runs the subcommand ranges.
func listRanges(o *flags.Options) (status int, err error) {
	if len(o.Paths) == 0 {
		return hadErrors, flags.Misuse("ranges wants the names of files")
	}
	x, err := extract.New(o.Extract)
	if err != nil {
		var e *extract.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return hadErrors, flags.Misuse("%s", err)
	}
	if o.PartSize == 0 {
		o.PartSize = defaultPartSize
	}
	l := &rangeList{o: o, x: x}
	for _, path := range o.Paths {
		if err := l.file(path); err != nil {
			if output.PipeClosed(err) {
				return status, nil
			}
			status = refuse(err)
		}
	}
	return status, nil
}

// A rangeList prints the parts of files.
type rangeList struct {
	o *flags.Options
	x *extract.Extractor
}

// A measuredPart is what is known of a part.
type measuredPart struct {
	extract.Part
	err error
}

// file prints the parts of a file. Several are read at the same time, and printed in order.
func (l *rangeList) file(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return errors.New(path + ": " + output.Cause(err))
	}
	size := info.Size()
	switch {
	case info.IsDir():
		return errors.New(path + ": a directory has no parts")
	case !info.Mode().IsRegular():
		return (&rangeRow{Source: path, Why: "only a regular file can be read in parts"}).write()
	}
	known, only := &extract.Numbers{}, l.o.Sources.Range // known are the numbers of what is in front, if they are known
	ranges := func(yield func(extract.Range) bool) {
		for at := int64(0); at == 0 || at < size; at += l.o.PartSize {
			if !yield(extract.Range{Begin: at, End: min(at+l.o.PartSize, size)}) {
				return
			}
		}
	}
	if only != nil {
		if only.Begin > 0 {
			known = only.InFront
		}
		ranges = func(yield func(extract.Range) bool) { yield(*only) }
	}
	workers := l.o.Extract.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	waiting := make(chan chan measuredPart, workers-1) // parts that are being read, in order
	go func() {
		defer close(waiting)
		for r := range ranges {
			part := make(chan measuredPart, 1)
			select {
			case waiting <- part:
			case <-ctx.Done():
				return
			}
			go func() {
				p, err := l.x.Measure(ctx, l.source(path, size, r))
				part <- measuredPart{p, err}
			}()
		}
	}()
	var last *rangeRow // the last part that is not empty; those after it may be
	var damaged error  // the first
	for part := range waiting {
		p := <-part
		damaged = cmp.Or(damaged, p.Err)
		row := rangeRow{Source: path, Begin: p.Begin, End: p.End, Lines: &p.Lines, Messages: &p.Messages}
		var e *extract.Error
		switch undivided := errors.As(p.err, &e) && e.Stage == extract.StageRange; {
		case undivided:
			row = rangeRow{Source: path, End: size, Why: e.Err.Error()}
			return row.write()
		case p.err != nil:
			return p.err
		case only == nil && size > 0 && p.Text == 0:
			continue
		}
		if p.Compressed {
			row.Text = &p.Text
		}
		if known != nil {
			row.Range = fmt.Sprintf(",lines=%d,messages=%d", known.Lines, known.Messages)
			if p.Compressed {
				row.Range += fmt.Sprintf(",text=%d", known.Text)
			}
			known = &extract.Numbers{Lines: known.Lines + p.Lines, Messages: known.Messages + p.Messages, Text: known.Text + p.Text}
		}
		if last != nil {
			row.Begin = last.End // the same place: what is between is empty
			if err := last.write(); err != nil {
				return err
			}
		}
		last = &row
	}
	if last != nil {
		if only == nil {
			last.End = size // the same place, too
		}
		if err := last.write(); err != nil {
			return err
		}
	}
	return damaged
}

// source returns the part r of the file with that path.
func (l *rangeList) source(path string, size int64, r extract.Range) (s extract.Source) {
	for s = range extract.Walk(path) {
		break
	}
	s.Size, s.Range = size, &r
	l.o.Sources.SetFormat(&s)
	return s
}

// write prints the row. Range has what follows begin and end.
func (row *rangeRow) write() error {
	if row.Range = fmt.Sprintf("%d-%d%s", row.Begin, row.End, row.Range); row.Why != "" {
		row.Range = "0-"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(row); err != nil {
		return err
	}
	_, err := output.Patient{File: os.Stdout}.Write(b.Bytes())
	return err
}
