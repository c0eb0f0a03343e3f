// Urlsift finds the URL references in files, directories and standard input,
// and prints them or records of them. Its subcommands take single references
// apart, resolve, normalize and compare them. See "urlsift --help".
//
// The way of a run through the files:
//
//	entry.go ─► main.go ─► app.go ─► internal/flags                    what is asked for
//	run.go ─► internal/sources                                         what is read
//	          internal/filter, internal/counts                         what is printed
//	          internal/printer, or package extract/record              how it is printed
//	          internal/output, internal/progress                       and where
//	          internal/process                                         and for how long
//	          internal/messages                                        what is wrong with the input
//	          internal/stats                                           what the run was
//
// Subcommands for single references go from app.go to internal/refs, whose doc.go says
// how it goes on.
//
// After internal/flags nothing depends on the command line, and before run.go and internal/refs
// nothing is read. Names of flags, fields and formats are interface: other programs read
// them.
package main

import "os"

func main() {
	if err := closedStandard(); err != nil {
		os.Exit(refuse(err))
	}
	os.Exit(command(os.Args[1:]))
}
