package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// A task is what the command is to do. Tasks are bits, so that a row of the table of
// flags can name the tasks to which it applies.
type task uint8

const (
	sifting     task = 1 << iota // find references: without a subcommand
	parsing                      // split single references into components
	resolving                    // find out what they refer to
	normalizing                  // write them in their normal form
	comparing                    // compare two
	completing                   // print a completion script
	documenting                  // print the man page
	describing                   // print the schema of the record
)

// The tasks that answer each reference with a record, and the tasks that use references
// at all.
const (
	answering  = parsing | resolving | normalizing
	referring  = sifting | answering | comparing
	everything = referring | completing | documenting | describing
)

// A subcommand is a word that, as the first argument, selects a task.
type subcommand struct {
	name string
	task task
	args string // what may follow it
	help string // a phrase without period
}

// subcommands is the table of them, in the order of the help. perform runs them; help.go
// has their longer descriptions.
var subcommands = []subcommand{
	{"parse", parsing, "[FLAG]... [REF]...", "split references, and say which grammars take them"},
	{"resolve", resolving, "--base URL [FLAG]... [REF]...", "resolve references against a base"},
	{"normalize", normalizing, "[FLAG]... [REF]...", "write references in the normal form of their grammar"},
	{"equal", comparing, "[FLAG]... REF REF", "compare two references; the exit status is the answer"},
	{"completion", completing, "bash|zsh|fish", "print a script that completes flags"},
	{"man", documenting, "", "print the man page"},
	{"schema", describing, "", "print the JSON Schema of the records of --format jsonl"},
}

// taskOf returns the task that args select, and the remaining arguments. The name of a
// subcommand must be the first argument: after a flag or "--", or as ./name, it is a
// path.
func taskOf(args []string) (task, []string) {
	if len(args) > 0 {
		for i := range subcommands {
			if subcommands[i].name == args[0] {
				return subcommands[i].task, args[1:]
			}
		}
	}
	return sifting, args
}

// mistyped returns the subcommand that the first of args is most like, if it is neither one
// nor a flag, no file has that name, and at most two letters are wrong.
func mistyped(args []string) (near string) {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], `/\`) {
		return ""
	}
	word := args[0]
	best := min(3, len(word)) // below this is near enough
	for _, s := range subcommands {
		if d := distance(word, s.name, best); d < best {
			best, near = d, s.name
		}
	}
	if near == "" || best == 0 {
		return ""
	}
	if _, err := os.Lstat(word); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return near
}

// subcommand returns the row of t, or nil for the task without a name.
func (t task) subcommand() *subcommand {
	for i := range subcommands {
		if subcommands[i].task == t {
			return &subcommands[i]
		}
	}
	return nil
}

// command returns the name of t on the command line.
func (t task) command() string {
	if s := t.subcommand(); s != nil {
		return "urlsift " + s.name
	}
	return "urlsift"
}

// names returns the names of the subcommands in t, a set of tasks.
func (t task) names() (names []string) {
	for _, s := range subcommands {
		if s.task&t != 0 {
			names = append(names, s.name)
		}
	}
	return names
}

// flags yields the flags of t, in the order of the table.
func (t task) flags(yield func(*flagSpec) bool) {
	for i := range flags {
		if flags[i].serves(t) && !yield(&flags[i]) {
			return
		}
	}
}
