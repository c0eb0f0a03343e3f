package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
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

// build compiles urlsift, the helpers and xurls, and finds the other programs.
func (b *bench) build() error {
	b.sift = tool{name: "urlsift", path: filepath.Join(b.tmp, "urlsift")}
	b.alone = tool{name: "alone", path: filepath.Join(b.tmp, "alone")}
	b.haystacks = tool{name: "haystacks", path: filepath.Join(b.tmp, "haystacks")}
	for _, p := range []struct{ dir, out, pkg string }{
		{b.parent, b.sift.path, "./cmd/urlsift"},
		{".", b.alone.path, "./alone"},
		{".", b.haystacks.path, "./haystacks"},
	} {
		if err := goBuild(p.dir, p.out, p.pkg); err != nil {
			return err
		}
	}
	b.sift.version = b.sift.ask()
	for _, p := range known {
		path, err := exec.LookPath(p.name)
		if err != nil || !b.wanted(p.name) {
			continue
		}
		p.path = path
		b.peers = append(b.peers, p)
	}
	if b.wanted("xurls") {
		x := tool{name: "xurls", path: filepath.Join(b.tmp, "xurls"), plain: []string{"FILE"}, counts: true, slow: true}
		if err := goBuild(".", x.path, "mvdan.cc/xurls/v2/cmd/xurls"); err != nil {
			fmt.Fprintln(os.Stderr, "compare: without xurls:", err)
		} else {
			b.peers = append(b.peers, x)
		}
	}
	for i := range b.peers {
		b.peers[i].version = b.peers[i].ask()
	}
	return nil
}

func (b *bench) wanted(name string) bool {
	return b.tools == "" || slices.Contains(strings.Split(b.tools, ","), name)
}

// goBuild compiles a package of the module in dir to the file out.
func goBuild(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-o", out, pkg)
	cmd.Dir = dir
	if b, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pkg, err, b)
	}
	return nil
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

// urlsift returns a run of urlsift on an input, with these flags.
func (b *bench) urlsift(in input, flags ...string) job {
	return job{
		name:    "urlsift " + strings.Join(flags, " "),
		stages:  []stage{b.sift.on(in.file, append(flags, "FILE"))},
		size:    in.size,
		counts:  true,
		damaged: slices.Contains(flags, "auto"),
	}
}

// writeHead prints the versions of the programs, and describes the machine.
func (b *bench) writeHead() {
	m := machine()
	tell := func(what, format string, a ...any) {
		fmt.Fprintf(b.out, "%-9s"+format+"\n", append([]any{what}, a...)...)
	}
	tell("date", "%s", time.Now().UTC().Format(time.DateOnly))
	tell("machine", "%s", m)
	tell("built", "%s, urlsift %s", runtime.Version(), revision(b.parent))
	tell("runs", "%d of each row, taking turns; page cache warm; peak memory is resident; output to /dev/zero; LC_ALL=C", b.runs)
	for _, in := range b.inputs {
		tell("input", "%v, crc32 %08x", in, in.sum)
	}
	for _, t := range b.peers {
		tell("tool", "%-6s %s: %s", t.name, t.version, line(t.name, t.plain))
	}
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

// writeGoals prints a list of all goals at the end.
func (b *bench) writeGoals() {
	if len(b.goals) == 0 {
		return
	}
	io.WriteString(b.out, "\n== goals\n")
	for _, g := range b.goals {
		fmt.Fprintln(b.out, g)
	}
}
