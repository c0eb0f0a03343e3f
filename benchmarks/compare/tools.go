package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A tool is one command line of the comparison. FILE in args is the input.
type tool struct {
	name    string
	path    string
	args    []string
	version string

	// counts says what a line of output is: a reference, or nothing that
	// could be counted.
	counts bool
	// slow tools get the beginning of each input only.
	slow bool
}

// The references of the peers are what this pattern matches: they know of no
// wrapper, no line break and no trailing punctuation.
const (
	pattern      = `https?://[^\s<>"]+`
	posixPattern = `https?://[^[:space:]<>"]+`
)

// peers are the tools that are looked for in PATH. ugrep and ripgrep are held to
// one worker, as urlsift is; grep has no other way. ripgrep does not map the
// file, since a pipe could not be mapped either.
var peers = []tool{
	{name: "rg", args: []string{"-a", "-j1", "-oN", "--no-mmap", pattern, "FILE"}, counts: true},
	{name: "ugrep", args: []string{"-a", "-J1", "-o", "--no-line-number", pattern, "FILE"}, counts: true},
	{name: "grep", args: []string{"-aoE", posixPattern, "FILE"}, counts: true},
	{name: "wc", args: []string{"-l", "FILE"}}, // no peer: what reading alone costs
}

// findTools builds urlsift and xurls into tmp, finds the peers, and asks each
// for its version. urlsift comes first.
func findTools(c config, tmp string) ([]tool, error) {
	sift := filepath.Join(tmp, "urlsift")
	if err := build(c.parent, sift, "./cmd/urlsift"); err != nil {
		return nil, err
	}
	tools := []tool{
		{name: "urlsift", path: sift, args: []string{"-j", "1", "--as", "plain", "FILE"}, counts: true},
		{name: "urlsift jsonl", path: sift, args: []string{"-j", "1", "--as", "plain", "--format", "jsonl", "FILE"}, counts: true},
	}
	wanted := func(name string) bool {
		return c.only == "" || slices.Contains(strings.Split(c.only, ","), name)
	}
	for _, p := range peers {
		path, err := exec.LookPath(p.name)
		if err != nil || !wanted(p.name) {
			continue
		}
		p.path = path
		tools = append(tools, p)
	}
	if wanted("xurls") {
		xurls := filepath.Join(tmp, "xurls")
		if err := build(".", xurls, "mvdan.cc/xurls/v2/cmd/xurls"); err != nil {
			fmt.Fprintln(os.Stderr, "compare: without xurls:", err)
		} else {
			tools = append(tools, tool{name: "xurls", path: xurls, args: []string{"FILE"}, counts: true, slow: true})
		}
	}
	for i := range tools {
		tools[i].version = tools[i].ask()
	}
	return tools, nil
}

// build compiles a package of the module in dir to the file out.
func build(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-o", out, pkg)
	cmd.Dir = dir
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, b)
	}
	return nil
}

// ask returns the first line that the tool says of its version, as it is.
func (t tool) ask() string {
	b, err := exec.Command(t.path, "--version").CombinedOutput()
	if err != nil {
		return "unknown version"
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(line)
}

// command returns the tool's run on a file.
func (t tool) command(file string) *exec.Cmd {
	args := slices.Clone(t.args)
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	cmd := exec.Command(t.path, args...)
	// The C locale is the fast one for grep, and the others do not mind.
	cmd.Env = append(os.Environ(), "LC_ALL=C", "NO_COLOR=1")
	return cmd
}
