package main

import (
	"os/exec"
	"slices"
	"strings"
)

// A tool is a program of the comparison. In its command lines FILE is the input.
type tool struct {
	name    string
	path    string
	version string

	plain  []string // reads a file of text
	packed []string // reads a compressed file; none if it cannot
	piped  []string // reads text from a pipe; none if no section needs it
	counts bool     // each line of output is a reference
	slow   bool     // gets only the beginning of each input
}

// The other programs search for this pattern. They know nothing of wrappers, line breaks and
// trailing punctuation.
const (
	pattern      = `https?://[^\s<>"]+`
	posixPattern = `https?://[^[:space:]<>"]+`
)

// known are the other programs, which must be in PATH. ugrep and ripgrep use one worker, like
// urlsift; grep always does. ripgrep does not map the file into memory, because a pipe cannot be
// mapped either.
var known = []tool{
	{name: "rg", counts: true,
		plain:  []string{"-a", "-j1", "-oN", "--no-mmap", pattern, "FILE"},
		packed: []string{"-z", "-a", "-j1", "-oN", pattern, "FILE"},
		piped:  []string{"-a", "-j1", "-oN", pattern, "-"}},
	{name: "ugrep", counts: true,
		plain:  []string{"-a", "-J1", "-o", "--no-line-number", pattern, "FILE"},
		packed: []string{"-z", "-a", "-J1", "-o", "--no-line-number", pattern, "FILE"}},
	{name: "grep", counts: true,
		plain: []string{"-aoE", posixPattern, "FILE"}},
	{name: "wc", plain: []string{"-l", "FILE"}}, // for comparison: the time to read the file
}

// ask returns the first line in which the tool prints its version.
func (t tool) ask() string {
	b, err := exec.Command(t.path, "--version").CombinedOutput()
	if err != nil {
		return "unknown version"
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}

// on returns the stage that runs the tool with args, in which FILE is replaced by file.
func (t tool) on(file string, args []string) stage {
	args = slices.Clone(args)
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	return stage{t.path, args}
}

// line returns a command line as a person would type it in a shell.
func line(name string, args []string) string {
	s := []string{name}
	for _, a := range args {
		if strings.ContainsAny(a, ` "<>[]?`) {
			a = "'" + a + "'"
		}
		s = append(s, a)
	}
	return strings.Join(s, " ")
}
