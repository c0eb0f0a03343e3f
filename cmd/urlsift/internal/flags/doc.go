// Package flags reads the command line.
//
//	o := new(flags.Options)
//	o.Task, args = flags.TaskOf(args)
//	args, err := o.Task.Arrange(args) // --long=value, "--", paths
//	app.Flags = o.Task.CLI(o, &err)   // the library parses them and writes into o
//	err = o.Settle()                  // checks that involve several flags
//
// Everything is made from the table of flags in table.go and the table of tasks in
// task.go: the parser (args.go, cli.go), the help (help.go), the man page (man.go) and
// the scripts for shells (completion.go). After this package nothing depends on the
// command line. Other packages get their own Options, which are fields of [Options]; none
// of them knows a flag.
package flags
