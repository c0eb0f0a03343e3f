package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

// The library stops reading flags at the first argument that is none, and takes
// those behind it for paths, silently. So arrange reads the command line before
// it, by the table and as getopt does, and hands over what has one meaning only:
//
//	a.txt -nj4 --format jsonl b.txt -- -c
//	--line-number=true --jobs=4 --format=jsonl -- a.txt b.txt -c

// Nothing else of the command reads raw arguments. The rules, in getopt's words:
// options permute; "--" ends them; "-" is an operand; a short option's value may
// be in the same argument or the next; a long one's follows '=' or is the next.
// Whatever follows an option that wants a value is its value, "--" included.

// A usageError is a command line that makes no sense. Its text is for people.
type usageError struct{ what string }

func (e *usageError) Error() string { return e.what }

func misuse(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// arrange returns args, those of t, with the flags in front, each by its long name and with
// its value behind '=', then "--", then the paths in their order. Each argument
// is looked at once. The slices returned are new; the error is a usageError, and
// is about the first argument that is wrong.
func (t task) arrange(args []string) ([]string, error) {
	var found, paths []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			paths = append(paths, args...)
			args = nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			paths = append(paths, arg)
		default:
			one, rest, err := t.arrangeOne(arg, args)
			if err != nil {
				return nil, err
			}
			found = append(found, one...)
			args = rest
		}
	}
	return append(append(found, "--"), paths...), nil
}

// arrangeOne arranges the flag or the flags in arg. If the last of them wants a
// value that arg does not hold, it is the first of args. The rest of args is
// returned. A cluster of short flags is taken letter by letter, until one of them
// takes what is left of it as its value.
func (t task) arrangeOne(arg string, args []string) (found, rest []string, err error) {
	if name, isLong := strings.CutPrefix(arg, "--"); isLong {
		name, value, given := strings.Cut(name, "=")
		f := t.longFlag(name)
		switch {
		case f == nil:
			return nil, nil, t.unknown("--"+name, name)
		case given:
		case f.arg == "":
			value = "true"
		case len(args) == 0:
			return nil, nil, valueless(f)
		default:
			value, args = args[0], args[1:]
		}
		return []string{"--" + f.long + "=" + value}, args, nil
	}

	for cluster := arg[1:]; cluster != ""; { // a byte less with each turn
		f := t.shortFlag(cluster[0])
		switch {
		case f == nil:
			if cluster == arg[1:] {
				name, _, _ := strings.Cut(cluster, "=")
				return nil, nil, t.unknown(arg, name) // perhaps one '-' too few
			}
			return nil, nil, misuse("unknown flag -%c in %s", []rune(cluster)[0], arg)
		case f.arg == "":
			found = append(found, "--"+f.long+"=true")
			cluster = cluster[1:]
			continue
		case len(cluster) > 1:
			found = append(found, "--"+f.long+"="+strings.TrimPrefix(cluster[1:], "="))
		case len(args) == 0:
			return nil, nil, valueless(f)
		default:
			found = append(found, "--"+f.long+"="+args[0])
			args = args[1:]
		}
		break
	}
	return found, args, nil
}

// longFlag returns the row of a long name that serves t, or nil. There is no way to write a
// name short: what is not ambiguous today may be tomorrow.
func (t task) longFlag(name string) *flagSpec {
	for f := range t.flags {
		if f.long == name {
			return f
		}
	}
	return nil
}

// shortFlag returns the row of a short name that serves t, or nil. No row has the name 0, so a
// NUL in a cluster is as unknown as any other.
func (t task) shortFlag(name byte) *flagSpec {
	for f := range t.flags {
		if name != 0 && f.short == name {
			return f
		}
	}
	return nil
}

// valueless returns the error for a flag without the value that it wants.
func valueless(f *flagSpec) error {
	if len(f.words) > 0 {
		return misuse("--%s wants a value: one of %s", f.long, strings.Join(f.words, ", "))
	}
	return misuse("--%s wants a value: --%s %s", f.long, f.long, f.arg)
}

// unknown returns the error for a flag that is none, with what was perhaps meant.
func (t task) unknown(flag, name string) error {
	if near := t.nearest(name); near != "" {
		return misuse("unknown flag %s; did you mean %s?", flag, near)
	}
	if f := everything.longFlag(name); f != nil {
		return misuse("%s has no flag --%s; %s --help lists those there are", t.command(), f.long, t.command())
	}
	return misuse("unknown flag %s; %s --help lists those there are", flag, t.command())
}

// nearest returns the flag of t that name is most like, or the flag with that one of
// its values that name is most like, as in "--format jsonl" for "json". It
// returns "" if all are too far away: a letter in three may be wrong.
func (t task) nearest(name string) (near string) {
	best := max(1, len(name)/3) + 1 // below this is near enough
	try := func(candidate, told string) {
		d := distance(name, candidate, best)
		if len(name) > 2 && strings.HasPrefix(candidate, name) {
			d = min(d, 1) // cut short
		}
		if d < best {
			best, near = d, told
		}
	}
	for f := range t.flags {
		try(f.long, "--"+f.long)
		if f.group == reports {
			continue // --json asks for records, not for messages
		}
		for _, w := range f.words {
			if f.group == input && slices.Contains(output.Formats, w) {
				continue // --csv asks for the form of what is printed
			}
			try(w, "--"+f.long+" "+w)
		}
	}
	return near
}

// distance returns how many letters must be put in, taken out, changed or
// swapped with their neighbour to make b of a, or limit if it is not below. The
// table of the usual way is kept to three rows, and names are short.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	// row[j] is the distance between a[:i] and b[:j], last that of a[:i-1], and
	// before, for the swaps, that of a[:i-2].
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}
