// Package refs answers for single references: it takes them apart, resolves, normalizes and
// compares them. Package uri decides; this package asks it and prints.
//
//	status, err := refs.Run(refs.Options{Do: refs.Parse, Refs: []string{"http://a.example/"}})
//	status, err := refs.Compare(refs.Options{Refs: []string{"http://a.example", "HTTP://A.EXAMPLE/"}})
//
// The way of a reference: run.go ─► lines.go (from standard input) ─► command.go (the
// answer, plain data) ─► answer.go (as a record) or report.go (as parse shows it to people).
//
// References come one by one, and each is answered before the next is read. A line is at
// most [LongestLine] bytes long.
package refs
