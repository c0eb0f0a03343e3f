package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/state"
)

// A run with --state, and the subcommand state.

// readHash returns a hash of what decides how the files of a run are read.
func readHash(o *flags.Options) uint64 {
	h := o.Extract.ReadHash()
	if formats := o.Sources.Formats.String(); formats != "" {
		h = xxhash.Sum64String(fmt.Sprint(h, formats))
	}
	return h
}

// openState opens the state that o requests, and the output of the run. s is nil if o
// requests none.
func openState(o *flags.Options) (s *state.State, to *output.File, err error) {
	o.State.ReadHash = readHash(o)
	if intoState(o) {
		return nil, nil, errInto
	}
	switch {
	case o.State.Path != "":
		s, err = state.Open(o.State)
	case o.Follow:
		s, err = state.Temporary(o.State)
	}
	if err != nil {
		return nil, nil, err
	}
	if s != nil {
		o.Extract.Resume = s.Resume()
	}
	switch {
	case intoState(o): // the file was just created, and the system treats both names as equal
		err = errInto
	case o.Output == "":
		to, err = output.Create("-", nil)
	case o.State.Path == "" && !o.Follow:
		to, err = output.Replace(o.Output, o.Sources.Named())
	case o.State.Path == "" || o.Output == "-":
		to, err = output.Create(o.Output, o.Sources.Named())
	default:
		to, err = output.Continue(o.Output, o.Sources.Named(), o.Print.Format.Ends(o.Print.Null).Byte, func(device, inode uint64, size int64) (int64, error) {
			was, known := s.Output(o.Output, device, inode)
			if known && !was.Ended {
				size = min(size, was.Length)
			}
			if known && size > 0 && was.Form != formOf(o) {
				return 0, errForm
			}
			return size, nil
		})
	}
	if err != nil && s != nil {
		s.Written = func() (state.OutputFile, error) { return state.OutputFile{}, err }
		_ = s.Close() // nothing was done
	}
	return s, to, err
}

// errInto is the error of an output that is the state, or belongs to it.
var errInto = errors.New("the output is the file of --state, or belongs to it; choose another output")

// intoState reports whether results would be written into the state.
func intoState(o *flags.Options) bool {
	if o.State.Path == "" {
		return false
	}
	if o.Output == "" || o.Output == "-" {
		info, err := os.Stdout.Stat()
		return err == nil && state.Owns(o.State.Path, "", info)
	}
	info, err := os.Stat(o.Output)
	if err != nil {
		info = nil // it is not there yet
	}
	return state.Owns(o.State.Path, o.Output, info)
}

// errForm is the error for an output that has records of another form than this run.
var errForm = errors.New("the records in it have another --format, or other --fields; choose another output")

// formOf returns the form of records. Records of the same form may be in one file.
func formOf(o *flags.Options) string {
	return fmt.Sprint(o.Print.Format, o.Print.Null, " ", string(output.NewPrinter(&o.Print, false).Header))
}

// showState runs the subcommand state.
func showState(o *flags.Options, text *strings.Builder) (status int, err error) {
	if len(o.Paths) != 1 {
		return hadErrors, flags.Misuse("state wants the name of one file")
	}
	if _, err := os.Stat(o.Paths[0]); err != nil {
		return hadErrors, errors.New(o.Paths[0] + ": " + output.Cause(err))
	}
	if o.Print.Format != output.Text && o.Print.Format != output.JSONL {
		return hadErrors, flags.Misuse("state prints text or jsonl")
	}
	if o.Forget != "" {
		n, err := state.Forget(o.Paths[0], o.Forget)
		if err != nil {
			return hadErrors, err
		}
		if n == 0 {
			return foundNone, nil
		}
		fmt.Fprintf(text, "%d forgotten\n", n)
		return foundSome, nil
	}
	if err := state.Print(text, o.Paths[0], o.Print.Format == output.JSONL); err != nil {
		return hadErrors, err
	}
	return foundSome, nil
}
