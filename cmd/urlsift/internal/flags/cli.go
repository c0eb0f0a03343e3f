package flags

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/urlsift/urlsift/extract"
)

// The library urfave/cli runs the command: it selects the subcommand, sets the flags, and has
// --help, help, --version and their errors. We do four things ourselves:
//
//   - Arrange reads the command line first, and hands it over as --long=value, "--" and paths.
//     The library stops at the first path, silently treats later flags as paths, and knows
//     neither -j4 nor -nH.
//   - The library gets subcommands only if the first word is one. It would look for them
//     after flags and "--" too, where the word is a path.
//   - Help is written by Text, in 80 columns, and shares its texts with the man page. The
//     templates of the library put each flag on a line of any length.
//   - Scripts for completion are made from the table of flags. The library would call the
//     command at each key, and completes no values, such as those of --format, and no lists.

// App returns the command as the library runs it, for the task of o. perform does the task; what
// perform and the library print, other than results, goes to out.
func App(o *Options, version string, out io.Writer, perform func(o *Options) error) *cli.App {
	var bad error     // the error of a value; the library would add words to it
	var missing error // the error of help for an unknown subcommand
	usage := func(_ *cli.Context, err error, _ bool) error {
		if bad != nil {
			return bad
		}
		return err
	}
	action := func(c *cli.Context) error {
		o.Paths = c.Args().Slice()
		if err := o.Settle(); err != nil {
			return err
		}
		return perform(o)
	}
	app := &cli.App{
		Name: "urlsift", Usage: purpose, Version: version,
		Flags: o.Task.values(o, &bad), Action: action, OnUsageError: usage,
		CommandNotFound: func(_ *cli.Context, name string) { missing = noSubcommand(name) },
		After:           func(*cli.Context) error { return missing },
		ExitErrHandler:  func(*cli.Context, error) {}, // the caller prints errors and exits
		HideHelpCommand: true,                         // our table of subcommands has it
		Writer:          out,
	}
	cli.HelpPrinter = func(w io.Writer, _ string, data any) {
		task := Find
		if c, ok := data.(*cli.Command); ok {
			task, _ = TaskOf([]string{c.Name})
		}
		if o.Brief {
			io.WriteString(w, Brief(task))
		} else {
			io.WriteString(w, Text(task))
		}
	}
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintln(c.App.Writer, c.App.Name, c.App.Version) }
	cli.VersionFlag = &cli.BoolFlag{Name: "version", Aliases: []string{"V"}}
	if o.Task == Find {
		return app
	}
	app.Flags = nil
	app.HideHelpCommand = o.Task != Help
	for _, s := range subcommands {
		if s.task == Help {
			continue // the library adds it
		}
		c := &cli.Command{Name: s.name, Usage: s.help, ArgsUsage: s.args, Action: action, OnUsageError: usage, HideHelpCommand: true}
		if s.task == o.Task {
			c.Flags = o.Task.values(o, &bad)
		}
		app.Commands = append(app.Commands, c)
	}
	return app
}

// Line returns the arguments for the library. args are those after the name of the
// command. With --help, Line leaves the paths out, because the library would treat a path
// as the name of a subcommand. It sets o.Brief, which the library does not know.
func (o *Options) Line(args []string) ([]string, error) {
	t := o.Task
	line, err := t.Arrange(args)
	if err != nil {
		return nil, err
	}
	end := slices.Index(line, "--")
	o.Search = t.searchFlags(line[:end])
	if slices.ContainsFunc(line[:end], isHelp) {
		o.Brief = !slices.Contains(line[:end], "--help=true")
		line = []string{"--help=true", "--"}
	}
	if s := t.subcommand(); s != nil {
		line = append([]string{s.name}, line...)
	}
	return append([]string{"urlsift"}, line...), nil
}

// searchFlags returns those of found, which are arranged, that decide what is read and found. The others
// are about the output and the run. Flags without a value are written as people write them.
func (t Task) searchFlags(found []string) (some []string) {
	for _, arg := range found {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		f := t.longFlag(name)
		if f.group != input && f.group != finding && f.group != chosen && name != "limit" || name == "jobs" {
			continue
		}
		if f.arg == "" && value == "true" {
			arg = "--" + name
		}
		some = append(some, arg)
	}
	return some
}

// noSubcommand returns the error of help for a name that is no subcommand.
func noSubcommand(name string) error {
	if near := nearTask(name); near != "" {
		return Misuse("no subcommand is called %q; did you mean %s?", name, near)
	}
	return Misuse("no subcommand is called %q; urlsift help lists them", name)
}

// values returns the flags of t as the library sees them. They write into o, and the error of
// a value into bad.
func (t Task) values(o *Options, bad *error) (all []cli.Flag) {
	for f := range t.known {
		if f.set != nil {
			all = append(all, &flagValue{f, o, bad, [1]string{f.long}})
		}
	}
	return all
}

// A flagValue is a flag for the library: it has a name, and can be set. It passes values to
// its setter. The library's own flags split their names with a regular expression at each
// call of Names, and every flag is compared with every other. This took a fifth of the time
// of a short run.
type flagValue struct {
	spec  *spec
	opts  *Options
	bad   *error
	names [1]string
}

// Apply adds the flag to set.
func (v *flagValue) Apply(set *flag.FlagSet) error {
	set.Var(v, v.spec.long, "")
	return nil
}

// Names returns the long name, which is the only one.
func (v *flagValue) Names() []string { return v.names[:] }

// IsSet returns false: only arguments set the flag, and the library knows these.
func (v *flagValue) IsSet() bool { return false }

// String returns "". The library would print it as a default in its own help, which is
// not used.
func (v *flagValue) String() string { return "" }

// Set calls the setter. It keeps the error for the user, since the library adds words to
// it. If the value must be one of a few words, the table has these, and the error is the
// same for all such flags.
func (v *flagValue) Set(value string) error {
	err := v.spec.set(v.opts, value)
	switch f := v.spec; {
	case err == nil:
	case f.words != nil && f.separator == 0 && !strings.Contains(value, ":"): // FORMAT:GLOB
		*v.bad = Misuse("--%s must be %s", f.long, oneOf(f.words))
	case f.forms != nil && f.separator == 0:
		*v.bad = Misuse("--%s must be %s", f.long, oneOf(f.forms))
	default:
		*v.bad = Misuse("--%s %s: %s", v.spec.long, new(extract.Redactor).Append(nil, []byte(value)), err)
	}
	return err
}
