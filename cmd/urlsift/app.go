package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/urlsift/urlsift/extract"
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
	var bad error // what a setter did not like; the library would wrap it
	app := &cli.App{
		Name: "urlsift",
		Action: func(c *cli.Context) error {
			o.paths = c.Args().Slice()
			return perform(o, &status)
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

	// A word in front is a subcommand; behind a flag or "--", and as ./word, it
	// is a path. So the library may know of subcommands only in the first case.
	if c := subcommand(args); c != nil {
		app.Commands = []*cli.Command{c}
	} else {
		// Short names are not the library's business, and it has no bool here:
		// arrange writes every flag as --long=value.
		for i := range flags {
			app.Flags = append(app.Flags, &cli.GenericFlag{Name: flags[i].long, Value: &flagValue{&flags[i], o, &bad}})
		}
		var err error
		if args, err = arrange(args); err != nil {
			return refuse(err)
		}
	}
	if err := app.Run(append([]string{app.Name}, args...)); err != nil {
		return refuse(err)
	}
	return status
}

// perform does what the parsed flags ask for. An error is one of usage.
func perform(o *options, status *int) error {
	switch {
	case o.help:
		*status = tell(help())
		return nil
	case o.version:
		*status = tell("urlsift " + version() + "\n")
		return nil
	}
	if err := o.settle(); err != nil {
		return err
	}
	s, err := run(o)
	*status = s
	return err
}

// A flagValue is a flag as the library sees it: something that can be set. It
// hands the values of one flag from the library to its setter.
type flagValue struct {
	spec *flagSpec
	opts *options
	bad  *error
}

// String returns nothing: the library would print it as a default in its help,
// which is not used.
func (v *flagValue) String() string { return "" }

// Set calls the setter. Its error is kept for the user, since the library puts
// words of its own around it.
func (v *flagValue) Set(value string) error {
	err := v.spec.set(v.opts, value)
	if err != nil {
		told := extract.AppendRedacted(nil, []byte(value)) // it may be a URL
		*v.bad = misuse("--%s %s: %s", v.spec.long, told, err)
	}
	return err
}

// subcommand returns the subcommand that the first of args names, or nil. Those
// that work on single references have their place here.
func subcommand(args []string) *cli.Command {
	if len(args) == 0 {
		return nil
	}
	// The action's error is the exit status or a usageError; see refuse.
	switch args[0] {
	case "completion":
		return &cli.Command{Name: args[0], HideHelp: true, Action: func(c *cli.Context) error {
			write := completions[c.Args().First()]
			if write == nil || c.NArg() != 1 {
				return misuse("completion wants the name of one shell: bash, zsh or fish")
			}
			return exit(tell(write()))
		}}
	case "man":
		return &cli.Command{Name: args[0], HideHelp: true, Action: func(c *cli.Context) error {
			if c.NArg() != 0 {
				return misuse("man wants nothing more; to search a file of that name, write ./man")
			}
			return exit(tell(manual()))
		}}
	}
	return nil
}

// exit returns status as an error, if it is one.
func exit(status int) error {
	if status == 0 {
		return nil
	}
	return cli.Exit("", status)
}

// refuse tells of an error of usage and returns the exit status. The error of a
// subcommand may be a status alone, because what there was to tell is told.
func refuse(err error) int {
	var e cli.ExitCoder
	if errors.As(err, &e) {
		return e.ExitCode() // it has been told
	}
	fmt.Fprintf(os.Stderr, "urlsift: %s\n", appendVisible(nil, err.Error()))
	return hadTrouble
}

// tell prints what is no result, a help or a script, and returns the exit status.
// A reader that has seen enough is no trouble: urlsift man | head.
func tell(text string) int {
	ignorePipe()
	if _, err := io.WriteString(os.Stdout, text); err != nil && !pipeClosed(err) {
		fmt.Fprintf(os.Stderr, "urlsift: standard output: %s\n", cause(err))
		return hadTrouble
	}
	return foundSome
}

// version returns the version that the module was built as. A build from a
// working tree has none.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}
