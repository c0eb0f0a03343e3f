// Urlsift finds the URL references in files, directories and standard input,
// and prints them or records of them. Its subcommands take single references
// apart, resolve, normalize and compare them. "urlsift --help" tells the rest.
//
// The way of a run through the files:
//
//	entry.go ─► main.go ─► app.go ─► task.go, args.go ─► flags.go ─► options.go    what is asked for
//	run.go ─► filter.go, unique.go                                     what is printed
//	          text.go, json.go, table.go (of record.go)                how it is printed
//	          output.go, progress.go                                   and where
//
// The way of a subcommand, from options.go on:
//
//	reply.go ─► lines.go ─► judge.go                                   what there is to say
//	            answer.go, card.go                                     how it is printed
//	            output.go                                              and where
//
// Behind options.go nobody knows that there was a command line, and before run.go
// and reply.go nothing has been read. Names of flags, fields and formats are interface: other
// programs read them.
package main

import "os"

func main() {
	if err := closedStandard(); err != nil {
		os.Exit(refuse(err))
	}
	os.Exit(command(os.Args[1:]))
}
