// Urlsift finds URLs in files, directories and standard input, and prints them, or
// records of them. Its subcommands split, resolve, normalize and compare single
// references. See "urlsift --help".
//
// The path of a run:
//
//	entry.go ─► main.go ─► app.go ─► internal/flags                    the request
//	run.go ─► internal/sources                                         what is read
//	results.go, internal/filter, internal/counts                       what is printed
//	          internal/printer, or package extract/record              the format of a result
//	          internal/output, internal/progress                       standard output and standard error
//	          internal/process                                         signals and file descriptors
//	          internal/messages                                        errors and warnings about the input
//	          internal/stats                                           the summary of the run
//	count.go, report.go ─► internal/tally, internal/page ─► internal/count    sums, in bounded memory
//
// Subcommands for single references pass from app.go to internal/refs; see its doc.go.
//
// After internal/flags nothing depends on the command line. Before run.go and
// internal/refs nothing is read. The names of flags, fields and formats do not change:
// other programs use them.
package main

import "os"

func main() {
	if err := closedStandard(); err != nil {
		os.Exit(refuse(err))
	}
	os.Exit(command(os.Args[1:]))
}
