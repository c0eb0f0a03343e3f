package flags

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
)

// A Task is what the command is to do. Tasks are bits, so that a row of the table of
// flags can name the tasks to which it applies.
type Task uint32

const (
	Find       Task = 1 << iota // find references: without a subcommand
	Parse                       // split single references into components
	Resolve                     // print the targets of references
	Normalize                   // print references in their normal form
	Equal                       // compare two references
	Completion                  // print a completion script
	Man                         // print the man page
	Schema                      // print the schema of the record
	Count                       // count references by URL, host and others
	Report                      // make a page about references
	Help                        // explain a subcommand
	Version                     // print the version
	Relativize                  // write references relative to a base
	Wrap                        // write references into text
	Build                       // make a reference of the parts of its scheme
	State                       // show the contents of a state
	Check                       // say what is wrong with references
	Licenses                    // print the notices of what the command contains
	Ranges                      // divide files for --range
)

// The tasks that search files, those that answer each reference with a record, and the
// tasks that use references at all.
const (
	searching = Find | Count | Report | Check
	Answering = Parse | Resolve | Normalize | Relativize | Wrap | Build
	reading   = Answering &^ Build // those that are given references
	referring = searching | Answering | Equal
	Every     = referring | Completion | State | Ranges | Man | Schema | Help | Version | Licenses
)

// A subcommand is a word that, as the first argument, selects a task.
type subcommand struct {
	name string
	task Task
	args string // what may follow it
	help string // a phrase without period
}

// subcommands is the table of the subcommands, in the order of the help. perform runs them; help.go
// has their longer descriptions.
var subcommands = []subcommand{
	{"count", Count, "[--by KEY,...] [FLAG]... [PATH]...", "count URLs by host, day and others"},
	{"report", Report, "[-o FILE] [FLAG]... [PATH]...", "make an HTML page about the URLs"},
	{"check", Check, "[--files[=ROOT]] [FLAG]... [PATH]...", "say what is wrong with URLs; the exit status is a gate"},
	{"state", State, "[--forget GLOB] [FLAG]... FILE", "show what a file of --state contains"},
	{"ranges", Ranges, "[--size N] [FLAG]... FILE...", "divide files for --range, and count what is in each part"},
	{"parse", Parse, "[FLAG]... [REF]...", "split URLs, and say which grammars accept them"},
	{"resolve", Resolve, "--base URL [FLAG]... [REF]...", "resolve relative URLs against a base"},
	{"normalize", Normalize, "[FLAG]... [REF]...", "write equal URLs in one spelling, their normal form"},
	{"equal", Equal, "[FLAG]... REF REF", "compare two URLs; the exit status is the answer"},
	{"relativize", Relativize, "--base URL [FLAG]... [REF]...", "write URLs relative to a base, as short as possible"},
	{"wrap", Wrap, "[FLAG]... [REF]...", "write URLs into text, broken over lines"},
	{"build", Build, "[FLAG]... SCHEME [NAME=VALUE]...", "make a URL of the parts that its scheme defines"},
	{"completion", Completion, "bash|zsh|fish", "print a script that completes flags"},
	{"man", Man, "", "print the man page"},
	{"schema", Schema, "", "print the JSON Schema of the records of --format jsonl"},
	{"licenses", Licenses, "", "print the notices of what the command contains"},
	{"help", Help, "[COMMAND]", "explain a subcommand, or the whole command"},
	{"version", Version, "[--verbose]", "print the version"},
}

// TaskOf returns the task that args select, and the remaining arguments. The name of a
// subcommand must be the first argument: after "--", or as ./name, it is a path; and after a
// flag, if there is such a file (see isLateTask).
func TaskOf(args []string) (Task, []string) {
	if len(args) > 0 {
		for i := range subcommands {
			if subcommands[i].name == args[0] {
				return subcommands[i].task, args[1:]
			}
		}
	}
	return Find, args
}

// Mistyped returns the subcommand that is most similar to the first of args. It returns ""
// if more than two letters differ, or if the first of args is a subcommand, a flag, or the
// name of a file.
func Mistyped(args []string) (near string) {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], `/\`) {
		return ""
	}
	word := args[0]
	if near = nearTask(word); near == "" || near == word {
		return ""
	}
	if _, err := os.Lstat(word); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return near
}

// isLateTask reports whether word, which follows a flag, is the name of a subcommand and not of a
// file. As a path, "urlsift -F count ." would wait for a file of that name.
func isLateTask(word string) bool {
	if !slices.ContainsFunc(subcommands, func(s subcommand) bool { return s.name == word }) {
		return false
	}
	_, err := os.Lstat(word)
	return errors.Is(err, fs.ErrNotExist)
}

// nearTask returns the subcommand that is most similar to word, or "" if more than two
// letters differ from each.
func nearTask(word string) (near string) {
	best := min(3, len(word)) // only fewer wrong letters are near enough
	for _, s := range subcommands {
		if d := names.Distance(word, s.name, best); d < best {
			best, near = d, s.name
		}
	}
	return near
}

// subcommand returns the row of t, or nil for the task without a name.
func (t Task) subcommand() *subcommand {
	for i := range subcommands {
		if subcommands[i].task == t {
			return &subcommands[i]
		}
	}
	return nil
}

// Name returns the word that selects t, or "" for the task without one.
func (t Task) Name() string {
	if s := t.subcommand(); s != nil {
		return s.name
	}
	return ""
}

// command returns the name of t on the command line.
func (t Task) command() string {
	if s := t.subcommand(); s != nil {
		return "urlsift " + s.name
	}
	return "urlsift"
}

// commands returns the subcommands in t, a set of tasks, as a phrase: "urlsift wrap or build".
func (t Task) commands() string { return "urlsift " + oneOf(t.names()) }

// oneOf joins words into a phrase: "a, b or c".
func oneOf(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// names returns the names of the subcommands in t, a set of tasks.
func (t Task) names() (names []string) {
	for _, s := range subcommands {
		if s.task&t != 0 {
			names = append(names, s.name)
		}
	}
	return names
}

// flags yields the flags of t, in the order of the table.
func (t Task) flags(yield func(*spec) bool) { t.in(table, yield) }

// known yields the flags of t, and the old spellings of some.
func (t Task) known(yield func(*spec) bool) { _ = t.in(table, yield) && t.in(old, yield) }

// in yields the flags of t in rows, and reports whether to go on.
func (t Task) in(rows []spec, yield func(*spec) bool) bool {
	for i := range rows {
		if rows[i].serves(t) && !yield(&rows[i]) {
			return false
		}
	}
	return true
}

// longFlag returns the row of the flag of t with that long name, or nil. Long names
// cannot be abbreviated: what is unambiguous today may not be tomorrow.
func (t Task) longFlag(name string) *spec {
	for f := range t.known {
		if f.long == name {
			return f
		}
	}
	return nil
}

// shortFlag returns the row of the flag of t with that short name, or nil. No row has the
// name 0, so a NUL in a cluster is unknown too.
func (t Task) shortFlag(name byte) *spec {
	for f := range t.known {
		if name != 0 && f.short == name {
			return f
		}
	}
	return nil
}

// others returns the names of all subcommands but t.
func (t Task) others() (names []string) {
	for _, s := range subcommands {
		if s.task != t {
			names = append(names, s.name)
		}
	}
	return names
}
