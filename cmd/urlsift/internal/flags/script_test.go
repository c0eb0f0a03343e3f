package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scripts is the folder of scripts that run the command.
const scripts = "../../../../fixtures/cli"

// TestEveryFlagHasScript fails for each flag that no command in a script uses, by its long name or
// its letter, and for each subcommand that no script runs.
func TestEveryFlagHasScript(t *testing.T) {
	given, run := make(map[string]bool), Task(0)
	files, err := filepath.Glob(filepath.Join(scripts, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", scripts, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut(string(text), "\n-- ") // the commands end where the files begin
		for line := range strings.Lines(script) {
			for f := range flagsOf(line) {
				given[f] = true
			}
			for _, command := range commandsOf(line) {
				task, _ := TaskOf(command)
				run |= task
			}
		}
	}
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

// flagsOf returns the long names of the flags of urlsift commands in a line of a script.
func flagsOf(line string) map[string]bool {
	found := make(map[string]bool)
	for _, command := range commandsOf(line) {
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
			flags, rest, err := task.arrangeOne(arg, args)
			if err != nil {
				continue // a wrong flag, whose message the script expects
			}
			for _, f := range flags {
				name, _, _ := strings.Cut(f[2:], "=")
				found[name] = true
			}
			args = rest
		}
	}
	return found
}

// TestFlagsOf checks flagsOf.
func TestFlagsOf(t *testing.T) {
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
		got := flagsOf(c.line)
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
