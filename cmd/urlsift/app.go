package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// The exit statuses: grep's, and the one of a shell for what ^C ended.
const (
	foundSome   = 0
	foundNone   = 1
	hadTrouble  = 2
	interrupted = 130
)

// command runs the command with the arguments behind its name and returns the
// exit status.
func command(args []string) (status int) {
	// The setters write into o while the library parses. Nothing is done before
	// the whole line has been understood.
	o := new(flags.Options)
	if near := flags.Mistyped(args); near != "" {
		return refuse(flags.Misuse("no file and no subcommand is called %q; did you mean urlsift %s?", args[0], near))
	}
	o.Task, args = flags.TaskOf(args)
	var bad error // what a setter did not like; the library would wrap it
	app := &cli.App{
		Name: "urlsift",
		Action: func(c *cli.Context) (err error) {
			o.Paths = c.Args().Slice()
			status, err = perform(o)
			return err
		},
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			if bad != nil {
				return bad
			}
			return err
		},

		// All that the library would write or end by itself is ours to do.
		HideHelp:        true,
		HideVersion:     true,
		HideHelpCommand: true,
		ExitErrHandler:  func(*cli.Context, error) {},
		Writer:          io.Discard,
		ErrWriter:       io.Discard,
	}

	// Arrange writes each flag as --long=value: short names, flags after paths and flags
	// without a value are not left to the library.
	app.Flags = o.Task.CLI(o, &bad)
	args, err := o.Task.Arrange(args)
	if err != nil {
		return refuse(err)
	}
	if err := app.Run(append([]string{app.Name}, args...)); err != nil {
		return refuse(err)
	}
	return status
}

// perform does what the parsed flags ask for and returns the exit status. An
// error is a usage error, and nothing was done then.
func perform(o *flags.Options) (status int, err error) {
	switch {
	case o.Help:
		return tell(flags.Help(o.Task)), nil
	case o.Version:
		return tell("urlsift " + version() + "\n"), nil
	}
	if err := o.Settle(); err != nil {
		return hadTrouble, err
	}
	switch o.Task {
	case flags.Equal:
		return refs.Compare(o.Refs)
	case flags.Completion:
		if len(o.Paths) == 1 && flags.Completions[o.Paths[0]] != nil {
			return tell(flags.Completions[o.Paths[0]]()), nil
		}
		return hadTrouble, flags.Misuse("completion wants the name of one shell: bash, zsh or fish")
	case flags.Man:
		if len(o.Paths) > 0 {
			return hadTrouble, flags.Misuse("man wants nothing more; to search a file of that name, write ./man")
		}
		return tell(flags.Manual(version())), nil
	case flags.Schema:
		if len(o.Paths) > 0 {
			return hadTrouble, flags.Misuse("schema wants nothing more; to search a file of that name, write ./schema")
		}
		return tell(string(record.Schema())), nil
	case flags.Find:
		return run(o)
	}
	return refs.Run(o.Refs)
}

// refuse tells of an error of usage and returns the exit status.
func refuse(err error) int {
	told := extract.AppendRedacted(nil, []byte(err.Error())) // an argument may be a URL
	fmt.Fprintf(os.Stderr, "urlsift: %s\n", record.AppendVisible(nil, told))
	return hadTrouble
}

// tell prints what is no result, a help or a script, and returns the exit status.
// A reader that has seen enough is no trouble: urlsift man | head.
func tell(text string) int {
	output.IgnorePipe()
	if _, err := io.WriteString(output.Patient{File: os.Stdout}, text); err != nil && !output.PipeClosed(err) {
		fmt.Fprintf(os.Stderr, "urlsift: standard output: %s\n", output.Cause(err))
		return hadTrouble
	}
	return foundSome
}

// version returns the version that the module was built as, with the commit and its date
// if the build knows them.
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
