package flags

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scripts is the folder of scripts that run the command.
const scripts = "../../../../fixtures/cli"

// TestEveryFlagHasScript fails for each flag that no command in a script uses, by its long name or
// its letter, and for each subcommand that no script runs.
func TestEveryFlagHasScript(t *testing.T) {
	given, run := make(map[string]bool), Task(0)
	eachCommand(t, func(_ string, command []string) {
		for _, f := range flagsIn(command) {
			name, _, _ := strings.Cut(f, "=")
			given[name] = true
		}
		task, _ := TaskOf(command)
		run |= task
	})
	for i := range table {
		if !given[table[i].long] {
			t.Errorf("no script gives --%s: add commands to a file of fixtures/cli that run with it, without it, and with a wrong value if it has one", table[i].long)
		}
	}
	for _, c := range subcommands {
		if run&c.task == 0 {
			t.Errorf("no script runs urlsift %s: add commands to a file of fixtures/cli", c.name)
		}
	}
}

// TestEveryWordHasScript fails for each word that a flag takes and that no script gives to it, and
// for each flag that refuses some value if no script gives it a wrong one.
func TestEveryWordHasScript(t *testing.T) {
	given, refused := make(map[string]bool), make(map[string]bool)
	eachCommand(t, func(line string, command []string) {
		for _, f := range flagsIn(command) {
			name, value, _ := strings.Cut(f, "=")
			for word := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == '+' }) {
				given[name+" "+word] = true
			}
			if strings.HasPrefix(line, "status 2 ") {
				refused[name] = true
			}
		}
	})
	for i := range table {
		f := &table[i]
		for _, word := range slices.Concat(f.words, f.forms) {
			if !given[f.long+" "+word] {
				t.Errorf("no script gives --%s %s: add a command to fixtures/cli/words.txtar, and what it prints", f.long, word)
			}
		}
		if f.arg != "" && f.set(new(Options), "xyzzy") != nil && !refused[f.long] {
			t.Errorf("no script gives --%s a wrong value: add a command to fixtures/cli/words.txtar, and its message", f.long)
		}
	}
}

// commandsOf returns the arguments of each urlsift command in a line of a script. In a line for sh,
// a command ends at |, ; and &.
func commandsOf(line string) (all [][]string) {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return nil
	}
	for i, command := range strings.Split(line, "urlsift ") {
		if i == 0 {
			continue // a word in front of the program name
		}
		if end := strings.IndexAny(command, "|;&"); end >= 0 {
			command = command[:end]
		}
		all = append(all, strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(command)))
	}
	return all
}

// eachCommand calls do for each urlsift that a line of a script in fixtures/cli runs, with the
// arguments.
func eachCommand(t *testing.T, do func(line string, command []string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", scripts, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut(string(text), "\n-- ") // the files follow
		for line := range strings.Lines(script) {
			for _, command := range commandsOf(line) {
				do(line, command)
			}
		}
	}
}

// flagsIn returns the flags in the arguments of urlsift: the long name, and after '=' the value, if
// the flag has one.
func flagsIn(command []string) (flags []string) {
	task, args := TaskOf(command)
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			continue
		}
		found, rest, err := task.arrangeOne(arg, args)
		if err != nil {
			continue // a wrong flag, whose message the script expects
		}
		for _, f := range found {
			flags = append(flags, f[2:])
		}
		args = rest
	}
	return flags
}

// TestFlagsIn checks commandsOf and flagsIn.
func TestFlagsIn(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"# urlsift --count", ""},
		{"status 0 urlsift -c a", "count"},
		{"status 2 urlsift -cH --format=csv a", "count with-filename format"},
		{"status 0 urlsift --host --count a", "host"},
		{"status 0 urlsift -- --count", ""},
		{"exec sh -c 'cat -n a | urlsift -0 | tail -n 1'", "null"},
		{"status 0 urlsift count --top 3 a", "top"},
		{"status 2 urlsift parse --top 3 a", ""},
		{"stdout '--count'", ""},
	} {
		got := make(map[string]bool)
		for _, command := range commandsOf(c.line) {
			for _, f := range flagsIn(command) {
				name, _, _ := strings.Cut(f, "=")
				got[name] = true
			}
		}
		for name := range strings.FieldsSeq(c.want) {
			if !got[name] {
				t.Errorf("%s: --%s is not found", c.line, name)
			}
		}
		if len(got) != len(strings.Fields(c.want)) {
			t.Errorf("%s: %v, want %s", c.line, got, c.want)
		}
	}
}
