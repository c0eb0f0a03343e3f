// Urlsift finds URLs in files, directories and standard input, and prints them, or
// records of them. Subcommands count what is found and make a report of it; split, build,
// resolve, relativize, normalize and compare single references; wrap references in text;
// and show a state. See "urlsift --help".
//
// The path of a run:
//
//	main.go ─► internal/flags ─► internal/names                        the request, and the words of its flags
//	run.go ─► internal/sources                                         what is read, what it has found, its status
//	follow.go ─► internal/follow                                       what is read with -F
//	state.go ─► internal/state                                         what earlier runs have read
//	find.go, internal/filter, internal/track                           what is printed
//	          internal/output, internal/progress                       the format of a result, passwords that --redact
//	                                                                   removes, standard output and standard error
//	          internal/process                                         signals and file descriptors
//	          internal/messages                                        errors and warnings about the input
//	          internal/stats                                           the summary of the run
//	count.go, report.go ─► internal/tally, internal/page ─► internal/count    sums, in bounded memory
//	check.go ─► internal/check                                         what is wrong with references
//	ranges.go                                                          parts of large files
//
// The page extract/internal/doc.go has the way of one URL, from a file to its line.
//
// Subcommands for single references pass from main.go to internal/refs.
//
// After internal/flags nothing depends on the command line. Nothing is read until run.go,
// state.go or internal/refs runs. The names of flags, fields and formats do
// not change: other programs use them.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/licenses"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

func main() {
	os.Exit(command(os.Args[1:]))
}

// command runs the command with the arguments after its name and returns the exit status.
// Nothing is done before the whole line has been understood.
func command(args []string) (status int) {
	if near := flags.Mistyped(args); near != "" {
		return refuse(flags.Misuse("no file and no subcommand is called %q; did you mean urlsift %s?", args[0], near))
	}
	o := new(flags.Options)
	o.Task, args = flags.TaskOf(args)
	line, err := o.Line(args)
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

// perform does the task of o and returns the exit status. Help and other text that is no result is
// appended to the parameter text. An error is a usage error, and nothing was done then.
func perform(o *flags.Options, text *strings.Builder) (status int, err error) {
	switch o.Task {
	case flags.Find, flags.Count, flags.Report, flags.Check:
		return search(o)
	case flags.State:
		return showState(o, text)
	case flags.Ranges:
		return listRanges(o)
	case flags.Equal:
		return refs.Compare(o.Refs)
	case flags.Completion:
		if len(o.Paths) != 1 || flags.Completions[o.Paths[0]] == nil {
			return hadErrors, flags.Misuse("completion wants the name of one shell: bash, zsh or fish")
		}
		text.WriteString(flags.Completions[o.Paths[0]]())
		return foundSome, nil
	case flags.Man, flags.Schema, flags.Version, flags.Licenses:
		if name := o.Task.Name(); len(o.Paths) > 0 {
			return hadErrors, flags.Misuse("%s takes no arguments; to search a file of that name, write ./%s", name, name)
		}
		switch o.Task {
		case flags.Man:
			text.WriteString(flags.Manual(version(), dateOf(buildInfo())))
		case flags.Schema:
			text.Write(record.Schema())
		case flags.Licenses:
			text.WriteString(licenses.Text)
		default:
			text.WriteString("urlsift " + version() + "\n")
			if o.Verbose {
				fmt.Fprintf(text, "built with %s for %s/%s\npublic suffix list of %s\nURL schemes of %s\nHTML entities: all, since the standard adds none\nUnicode %s, of names of hosts %s\n",
					runtime.Version(), runtime.GOOS, runtime.GOARCH, record.SuffixDate, record.SchemesDate, unicode.Version, idna.UnicodeVersion)
			}
		}
		return foundSome, nil
	}
	return refs.Run(o.Refs)
}

// refuse reports a usage error and returns the exit status.
func refuse(err error) int {
	text := new(extract.Redactor).Append(nil, []byte(err.Error())) // an argument may be a URL
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

// A build of a release sets these with -ldflags=-X: its version, with a v in front, the commit, and the
// date of the commit, as 2026-11-22T20:47:37Z. A build from a copy of the files, which has no history, can
// set them too.
var release, revision, committed string

// buildInfo returns what is known about the build: what Go has recorded, and what was set.
func buildInfo() *debug.BuildInfo {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		b = new(debug.BuildInfo)
	}
	if release != "" {
		b.Main.Version = release
		b.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.time", Value: committed}}
	}
	return b
}

// version returns the version of the module, with the commit and its date if the build
// has them.
func version() string { return versionOf(buildInfo()) }

// dateOf returns the date of the commit in b, or "".
func dateOf(b *debug.BuildInfo) string {
	for _, s := range b.Settings {
		if s.Key == "vcs.time" {
			date, _, _ := strings.Cut(s.Value, "T")
			return date
		}
	}
	return ""
}

// versionOf returns the version in b: "v1.2.3 (commit 0123456789ab, 2026-11-22)". A build of
// files that are not committed has "modified" at the end.
func versionOf(b *debug.BuildInfo) string {
	version := b.Main.Version
	if version == "" {
		version = "(devel)"
	}
	var commit, modified string
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				modified = ", modified"
			}
		}
	}
	if commit == "" {
		return version
	}
	return version + " (commit " + commit + ", " + dateOf(b) + modified + ")"
}
