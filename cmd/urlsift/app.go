package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

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
	o := new(options)
	if near := mistyped(args); near != "" {
		return refuse(misuse("no file and no subcommand is called %q; did you mean urlsift %s?", args[0], near))
	}
	o.task, args = taskOf(args)
	var bad error // what a setter did not like; the library would wrap it
	app := &cli.App{
		Name: "urlsift",
		Action: func(c *cli.Context) (err error) {
			o.paths = c.Args().Slice()
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

	// Short names and subcommands are not the library's business, and it has no
	// bool here: arrange writes every flag as --long=value, and only those of the
	// task are there.
	for f := range o.task.flags {
		app.Flags = append(app.Flags, &flagValue{f, o, &bad, [1]string{f.long}})
	}
	args, err := o.task.arrange(args)
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
func perform(o *options) (status int, err error) {
	switch {
	case o.help:
		return tell(help(o.task)), nil
	case o.version:
		return tell("urlsift " + version() + "\n"), nil
	}
	if err := o.settle(); err != nil {
		return hadTrouble, err
	}
	switch o.task {
	case comparing:
		return refs.Compare(o.refs)
	case completing:
		if len(o.paths) == 1 && completions[o.paths[0]] != nil {
			return tell(completions[o.paths[0]]()), nil
		}
		return hadTrouble, misuse("completion wants the name of one shell: bash, zsh or fish")
	case documenting:
		if len(o.paths) > 0 {
			return hadTrouble, misuse("man wants nothing more; to search a file of that name, write ./man")
		}
		return tell(manual()), nil
	case describing:
		if len(o.paths) > 0 {
			return hadTrouble, misuse("schema wants nothing more; to search a file of that name, write ./schema")
		}
		return tell(string(record.Schema())), nil
	case sifting:
		return run(o)
	}
	return refs.Run(o.refs)
}

// A flagValue is a flag as the library sees it: something that has a name, and can be
// set. It hands the values of one flag from the library to its setter. The library's own
// flags take their names apart, by a regular expression, each time that one is asked for
// its name, and each is for each: that took a fifth of the time of a run.
type flagValue struct {
	spec  *flagSpec
	opts  *options
	bad   *error
	names [1]string
}

// Apply adds the flag to set.
func (v *flagValue) Apply(set *flag.FlagSet) error {
	set.Var(v, v.spec.long, "")
	return nil
}

// Names returns the one name.
func (v *flagValue) Names() []string { return v.names[:] }

// IsSet returns false: nothing but an argument sets the flag, and that the library knows.
func (v *flagValue) IsSet() bool { return false }

// String returns nothing: the library would print it as a default in its help,
// which is not used.
func (v *flagValue) String() string { return "" }

// Set calls the setter. Its error is kept for the user, since the library puts
// words of its own around it.
func (v *flagValue) Set(value string) error {
	err := v.spec.set(v.opts, value)
	if err != nil {
		*v.bad = misuse("--%s %s: %s", v.spec.long, extract.AppendRedacted(nil, []byte(value)), err)
	}
	return err
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
