// Package flags reads the command line.
//
//	o := new(flags.Options)
//	o.Task, args = flags.TaskOf(args)
//	line, err := o.Task.Line(args) // --long=value, "--", paths
//	err = flags.App(o, version, out, perform).Run(line)
//
// perform is called with all of o set, or, if --help, --version or a wrong value says so, not.
//
// Everything is made from the table of flags in table.go and the table of tasks in task.go:
// the parser (args.go, cli.go), the help (help.go), the man page (man.go) and the scripts for
// shells (completion.go). After this package nothing depends on the command line. Each room
// that works gets its own Options, which are the fields of [Options]; no room knows a flag.
package flags
