package flags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

// The flag library stops at the first argument that is not a flag, and silently treats
// flags after it as paths. So Task.Arrange reads the command line first, by the table of flags
// and the rules of getopt, and gives the library a form with only one meaning:
//
//	a.txt -nj4 --format jsonl b.txt -- -c
//	--line-number=true --jobs=4 --format=jsonl -- a.txt b.txt -c

// No other code of the command reads raw arguments. The rules, in the words of getopt:
// options permute; "--" ends them; "-" is an operand; the value of a short option may be
// in the same argument or the next; that of a long option follows '=' or is the next
// argument. The argument after an option that takes a value is its value, even "--".

// A UsageError is a wrong command line. Its text is for people.
type UsageError struct{ what string }

func (e *UsageError) Error() string { return e.what }

// Misuse returns a [UsageError] with the text that fmt.Sprintf makes.
func Misuse(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// Arrange returns args, without the name of t, in this order: the flags, each as
// --long-name=value; then "--"; then the paths. Each argument is examined once. The
// returned slice is new. The error is a [UsageError] about the first wrong argument.
func (t Task) Arrange(args []string) ([]string, error) {
	var found, paths []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			paths = append(paths, args...)
			args = nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			if t == Find && len(paths) == 0 && isLateTask(arg) && !slices.ContainsFunc(found, isHelp) {
				return nil, Misuse("no file is called %s; the subcommand has to be the first word: urlsift %s", arg, arg)
			}
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

// isHelp reports whether an arranged flag is --help or -h.
func isHelp(flag string) bool { return flag == "--help=true" || flag == "--help="+briefly }

// briefly is the value of --help for -h.
const briefly = "brief"

// arrangeOne arranges the flag or flags in arg. If the last of them takes a value that
// arg does not have, args[0] is the value. It returns the rest of args. A cluster of
// short flags is read letter by letter; the first that takes a value takes the rest of
// the cluster.
func (t Task) arrangeOne(arg string, args []string) (found, rest []string, err error) {
	if name, isLong := strings.CutPrefix(arg, "--"); isLong {
		name, value, hasValue := strings.Cut(name, "=")
		f := t.longFlag(name)
		switch {
		case f == nil:
			return nil, nil, unknownFlag(t, "--"+name, name)
		case hasValue:
		case f.arg == "":
			value = "true"
		case len(args) == 0:
			return nil, nil, valueless(f)
		default:
			value, args = args[0], args[1:]
		}
		return []string{"--" + f.long + "=" + value}, args, nil
	}

	if err := t.oneDash(arg); err != nil {
		return nil, nil, err
	}
	for cluster := arg[1:]; cluster != ""; {
		f := t.shortFlag(cluster[0])
		switch {
		case f == nil:
			return nil, nil, unknownShort(t, cluster, arg)
		case f.forms != nil && len(cluster) > 1 && cluster[1] == '=':
			found = append(found, "--"+f.long+cluster[1:])
		case f.arg == "":
			value := "true"
			if f.short == 'h' {
				value = briefly
			}
			found = append(found, "--"+f.long+"="+value)
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

// oneDash returns an error if arg, which begins with one '-', has the name of a long flag.
// Read letter by letter, -only-refused would write results to a file.
func (t Task) oneDash(arg string) error {
	name, _, _ := strings.Cut(arg[1:], "=")
	if t.longFlag(name) == nil {
		return nil
	}
	var apart strings.Builder // the same as short flags, one by one
	for cluster := arg[1:]; cluster != ""; cluster = cluster[1:] {
		f := t.shortFlag(cluster[0])
		if f == nil {
			return unknownFlag(t, arg, name)
		}
		apart.WriteString(" -" + cluster[:1])
		if f.arg != "" && len(cluster) > 1 {
			apart.WriteString(" " + strings.TrimPrefix(cluster[1:], "="))
			break
		}
	}
	return Misuse("-%s: did you mean --%s? (for%s, write them apart)", name, name, apart.String())
}

// valueless returns the error for a flag whose value is missing.
func valueless(f *spec) error {
	if len(f.words) > 0 {
		return Misuse("--%s wants a value: one of %s", f.long, strings.Join(f.words, ", "))
	}
	return Misuse("--%s wants a value: --%s %s", f.long, f.long, f.arg)
}

// unknownFlag returns the error for a flag that t does not have, with a suggestion if there is one.
func unknownFlag(t Task, flag, name string) error {
	if f := Every.longFlag(name); f != nil && t.longFlag(name) == nil {
		if t == Find {
			return Misuse("--%s belongs to %s", f.long, f.on.commands())
		}
		return otherFlag(t, "--"+f.long)
	}
	if name == "recursive" && t&searching != 0 {
		return recursive(flag)
	}
	near := nearestFlag(t, name)
	if hint := hints[name]; hint != "" && t&searching != 0 {
		near = hint
	}
	if near != "" {
		return Misuse("unknown flag %s; did you mean %s?", flag, near)
	}
	return Misuse("unknown flag %s; %s --help lists the flags", flag, t.command())
}

// unknownShort returns the error for an unknown flag at the start of cluster, the rest of
// arg. If cluster is all of arg, perhaps one '-' is missing.
func unknownShort(t Task, cluster, arg string) error {
	name, _, _ := strings.Cut(cluster, "=")
	whole := cluster == arg[1:]
	if whole && len(name) > 2 && nearestFlag(t, name) != "" {
		return unknownFlag(t, arg, name)
	}
	letter := "-" + string([]rune(cluster)[:1])
	switch {
	case Every.shortFlag(cluster[0]) != nil:
		return otherFlag(t, letter)
	case (letter == "-r" || letter == "-R") && t&searching != 0:
		return recursive(letter)
	case whole:
		return unknownFlag(t, arg, name)
	}
	return Misuse("unknown flag %s in %s", letter, arg)
}

// otherFlag returns the error for a flag that only other tasks than t have.
func otherFlag(t Task, flag string) error {
	return Misuse("%s has no flag %s; %s --help lists the flags", t.command(), flag, t.command())
}

// recursive returns the error for a flag of grep that people type out of habit.
func recursive(flag string) error {
	return Misuse("folders are always searched; there is no %s", flag)
}

// nearestFlag returns the flag of t whose name or value is most similar to name; a value is
// returned with its flag, as "--format jsonl" for "json". It returns "" if none is similar:
// at most one letter in three may differ.
//
// An abbreviation is nearer than a name with a wrong letter, and the shortest name that
// begins so is the nearest. A word that may be a member of a list, such as the name of a
// field, is never nearer than a name with a wrong letter, because many of these words
// are common.
func nearestFlag(t Task, name string) (near string) {
	const letter = 100 // a wrong letter weighs more than all letters that an abbreviation leaves out
	limit := max(1, len(name)/3) + 1
	best := limit * letter // only a distance below this is near enough
	try := func(candidate, answer string, least int) {
		d := letter * names.Distance(name, candidate, limit)
		if len(name) > 2 && strings.HasPrefix(candidate, name) {
			d = min(d, len(candidate)-len(name))
		}
		if d = max(d, least); d < best {
			best, near = d, answer
		}
	}
	if t&searching != 0 {
		for _, f := range finds {
			try(f.name, "--find "+f.name, 0)
		}
		for _, l := range limits {
			try("max-"+l.name, "--limit "+l.name+"=N", 0)
		}
	}
	for f := range t.flags {
		least := 0 // the least distance of its values
		if f.separator != 0 {
			least = letter
		}
		try(f.long, "--"+f.long, 0)
		if f.group == reports {
			continue // --json is about records, not messages
		}
		for _, w := range f.words {
			if f.group == input && slices.Contains(output.Formats, w) {
				continue // --csv is about the format of output
			}
			try(w, "--"+f.long+" "+w, least)
		}
	}
	return near
}
