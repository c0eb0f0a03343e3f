package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/rewrap"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// The exit statuses are those of grep; 130 is that of a shell for ^C.
const (
	foundSome   = 0
	foundNone   = 1
	hadErrors   = 2
	interrupted = 130
)

// command runs the command with the arguments after its name and returns the exit status.
// Nothing is done before the whole line has been understood.
func command(args []string) (status int) {
	if near := flags.Mistyped(args); near != "" {
		return refuse(flags.Misuse("no file and no subcommand is called %q; did you mean urlsift %s?", args[0], near))
	}
	o := new(flags.Options)
	o.Task, args = flags.TaskOf(args)
	line, err := o.Task.Line(args)
	if err != nil {
		return refuse(err)
	}
	var text strings.Builder // what is printed other than results
	app := flags.App(o, version(), &text, func(o *flags.Options) (err error) {
		status, err = perform(o, &text)
		return err
	})
	if err := app.Run(line); err != nil {
		return refuse(err)
	}
	if text.Len() > 0 {
		return printText(text.String())
	}
	return status
}

// perform does the task of o and returns the exit status. Text that is no result is written
// to text. An error is a usage error, and nothing was done then.
func perform(o *flags.Options, text *strings.Builder) (status int, err error) {
	switch o.Task {
	case flags.Find, flags.Count, flags.Report:
		return run(o)
	case flags.State:
		return showState(o, text)
	case flags.Equal:
		return refs.Compare(o.Refs)
	case flags.Completion:
		if len(o.Paths) != 1 || flags.Completions[o.Paths[0]] == nil {
			return hadErrors, flags.Misuse("completion wants the name of one shell: bash, zsh or fish")
		}
		text.WriteString(flags.Completions[o.Paths[0]]())
		return foundSome, nil
	case flags.Man, flags.Schema, flags.Version:
		if name := o.Task.Name(); len(o.Paths) > 0 {
			return hadErrors, flags.Misuse("%s wants nothing more; to search a file of that name, write ./%s", name, name)
		}
		switch o.Task {
		case flags.Man:
			text.WriteString(flags.Manual(version()))
		case flags.Schema:
			text.Write(record.Schema())
		default:
			text.WriteString("urlsift " + version() + "\n")
		}
		return foundSome, nil
	}
	if l := o.Refs.Layout; l.Text {
		if len(o.Paths) > 0 {
			return hadErrors, flags.Misuse("wrap --text reads standard input, and was given %q", o.Paths[0])
		}
		return rewrap.Run(l)
	}
	return refs.Run(o.Refs)
}

// refuse reports a usage error and returns the exit status.
func refuse(err error) int {
	text := extract.AppendRedacted(nil, []byte(err.Error())) // an argument may be a URL
	fmt.Fprintf(os.Stderr, "urlsift: %s\n", record.AppendVisible(nil, text))
	return hadErrors
}

// printText prints a text that is not a result (help or a script) and returns the exit status.
// It is no error if the reader stops early: urlsift man | head.
func printText(text string) int {
	output.IgnorePipe()
	if _, err := io.WriteString(output.Patient{File: os.Stdout}, text); err != nil && !output.PipeClosed(err) {
		fmt.Fprintf(os.Stderr, "urlsift: standard output: %s\n", output.Cause(err))
		return hadErrors
	}
	return foundSome
}

// version returns the version of the module, with the commit and its date if the build
// has them.
func version() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	return versionOf(b)
}

// versionOf returns the version in b: "v1.2.3 (commit 0123456789ab, 2026-11-22)". A build of
// files that are not committed has "modified" at the end.
func versionOf(b *debug.BuildInfo) string {
	version := b.Main.Version
	if version == "" {
		version = "(devel)"
	}
	var commit, date, modified string
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.time":
			date, _, _ = strings.Cut(s.Value, "T")
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	if commit == "" {
		return version
	}
	return version + " (commit " + commit + ", " + date + modified + ")"
}
