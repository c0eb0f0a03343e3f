// Package flags reads the command line.
//
//	o := new(flags.Options)
//	o.Task, args = flags.TaskOf(args)
//	line, err := o.Line(args) // the subcommand, --long=value, "--", paths
//	app := flags.App(o, version, os.Stdout, perform)
//	err = app.Run(line) // sets o, checks what involves several flags, and calls perform
//
// Everything is made from the table of flags in table.go (of --find, --limit and old spellings in
// lists.go) and the table of tasks in task.go: the parser (args.go, cli.go), the help (help.go), the man page (man.go) and
// the scripts for shells (completion.go). After this package nothing depends on the
// command line. Other packages get their own Options, which are fields of [Options]; none
// of them knows a flag.
package flags
