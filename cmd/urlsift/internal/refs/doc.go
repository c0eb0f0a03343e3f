// Package refs has the subcommands for single references, which split, resolve, normalize
// and compare them. Package uri gives the answers; this package prints them.
//
//	status, err := refs.Run(refs.Options{Do: refs.Parse, Refs: []string{"http://a.example/"}})
//	status, err := refs.Compare(refs.Options{Refs: []string{"http://a.example", "HTTP://A.EXAMPLE/"}})
//
// The path of a reference: run.go ─► lines.go (from standard input) ─► answerer.go (the
// answer, plain data) ─► printer.go (as a record) or report.go (as parse prints it for
// people).
//
// Each reference is answered before the next one is read. A line is at most [LongestLine]
// bytes long.
package refs
