package main

// A task is what the command is asked to do. Tasks are bits, so that a row of the
// table of flags can say which of them it serves.
type task uint8

const (
	sifting     task = 1 << iota // to find references: the job without a subcommand
	parsing                      // to take single references apart
	resolving                    // to find out where they lead
	normalizing                  // to write them in one way
	comparing                    // to compare two
	completing                   // to teach a shell
	documenting                  // to print the man page
	describing                   // to print the schema of the record
)

// Those that answer for each reference with a record, and those that are about
// references at all.
const (
	answering  = parsing | resolving | normalizing
	referring  = sifting | answering | comparing
	everything = referring | completing | documenting | describing
)

// A subcommand is a word that names a task where it stands first.
type subcommand struct {
	name string
	task task
	args string // what may follow it
	help string // a phrase without period
}

// subcommands is the table of them, in the order in which people read it. What a
// task is done by is in perform, and the longer prose in help.go.
var subcommands = []subcommand{
	{"parse", parsing, "[FLAG]... [REF]...", "split references, and say which grammars take them"},
	{"resolve", resolving, "--base URL [FLAG]... [REF]...", "resolve references against a base"},
	{"normalize", normalizing, "[FLAG]... [REF]...", "write references in the normal form of their grammar"},
	{"equal", comparing, "[FLAG]... REF REF", "compare two references; the exit status is the answer"},
	{"completion", completing, "bash|zsh|fish", "print a script that completes flags"},
	{"man", documenting, "", "print the man page"},
	{"schema", describing, "", "print the JSON Schema of the records of --format jsonl"},
}

// taskOf returns the task that args ask for, and the arguments that are left for
// it. A subcommand's name is one in front only: behind a flag or "--", and as
// ./name, it is a path.
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

// subcommand returns the row of t, or nil for the one task that has no name.
func (t task) subcommand() *subcommand {
	for i := range subcommands {
		if subcommands[i].task == t {
			return &subcommands[i]
		}
	}
	return nil
}

// command returns what t is called on the command line.
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

// flags yields the rows of the flags that serve t, in the table's order.
func (t task) flags(yield func(*flagSpec) bool) {
	for i := range flags {
		if flags[i].serves(t) && !yield(&flags[i]) {
			return
		}
	}
}
