package extract_test

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// pathLine matches a row of the call tree in doc.go: functions, and the file that declares them.
// The first function of a row is called by a function of the row that encloses it. Each other
// function is called by a function of either of these two rows.
var pathLine = regexp.MustCompile(`(?m)^//\t( *)([\w.]+(?:, [\w.]+)*)  +((?:(?:internal|cmd|delimit|uri)/(?:[\w-]+/)*)?\w+\.go)\b`)

// A pathStep is one function of the path.
type pathStep struct {
	name, file string   // the file from the top of the module
	callers    []string // the steps that may call it; none for the first
}

func (s pathStep) String() string { return s.file + ": " + s.name }

// pathSteps returns the path in doc.go.
func pathSteps(t *testing.T) (steps []pathStep) {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, tree, found := strings.Cut(string(text), "as a tree of calls")
	tree, _, ended := strings.Cut(tree, "A worker has a core")
	type row struct {
		indent int
		steps  []string
	}
	var around []row // the rows that enclose the current one
	for _, m := range pathLine.FindAllStringSubmatch(tree, -1) {
		for len(around) > 0 && around[len(around)-1].indent >= len(m[1]) {
			around = around[:len(around)-1]
		}
		var callers []string
		if len(around) > 0 {
			callers = around[len(around)-1].steps
		}
		file := m[3]
		if !strings.Contains(file, "/") || strings.HasPrefix(file, "internal/") {
			file = "extract/" + file
		}
		current := row{indent: len(m[1])}
		for name := range strings.SplitSeq(m[2], ", ") {
			step := pathStep{name, file, slices.Concat(current.steps, callers)}
			steps = append(steps, step)
			current.steps = append(current.steps, step.String())
		}
		around = append(around, current)
	}
	if !found || !ended || len(steps) < 50 {
		t.Fatalf("doc.go has no tree of calls, or only %d steps of it are read", len(steps))
	}
	return steps
}

// TestPath checks that each function in the call tree of doc.go is declared in the file that the
// tree names.
func TestPath(t *testing.T) {
	declared := map[string]map[string]bool{}
	for _, s := range pathSteps(t) {
		for _, wrong := range wrongIn("`"+s.file+"`: `"+s.name+"`", declared) {
			t.Errorf("doc.go, the path of a reference: %s; write there what is so now", wrong)
		}
	}
}

// unseen are the steps of the path that TestPathTaken cannot see, because they neither read nor
// yield.
var unseen = []string{
	"Open", "mailbox.part", "mailbox.decode", "decoders.push", "searcher.search", "matcher.atColon", "matcher.reference", "finder.locate",
	"validator.assess", "validator.finish", "Split", "Accepts", "AppendTarget",
}

// runOf is a variable, so that the compiler does not inline Run, whose name the stack would lack.
var runOf = (*extract.Extractor).Run

// TestPathTaken reads a mailbox with one worker. It records the stack in each Read of the source
// and in the body of the loop, and checks that each function in the call tree of doc.go was
// called. The nearest function of the tree that has called it, directly or not, must be one of its
// callers in the tree. The steps of the command are not run here.
func TestPathTaken(t *testing.T) {
	mail := "From a@b.example Mon Nov 23 06:39:13 2026\nSubject: one\nContent-Type: text/html\n" +
		"Content-Transfer-Encoding: quoted-printable\n\n<p><a href=3D\"http://h.example/1\">one</a> http://h.example/2 </p>\n\n"
	zipped := pack(t, "gzip", []byte(strings.Repeat(mail, 1000)))
	stacks := map[string][]string{} // by their text
	record := func() {
		stack := callers()
		stacks[strings.Join(stack, "\n")] = stack
	}
	source := extract.Source{Name: "x.mbox.gz", Size: -1, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(&watchedReader{bytes.NewReader(zipped), record}), nil
	}}
	found := 0
	for _, err := range runOf(extractor(t, extract.Options{Workers: 1}), t.Context(), slices.Values([]extract.Source{source})) {
		if err != nil {
			t.Fatal(err)
		}
		found++
		record()
	}
	if found != 2000 {
		t.Errorf("%d results, want 2000", found)
	}
	steps := pathSteps(t)
	inTree := func(name string) bool {
		return slices.ContainsFunc(steps, func(s pathStep) bool { return s.String() == name })
	}
	for _, s := range steps {
		if strings.HasPrefix(s.file, "cmd/") {
			continue
		}
		seen, called := false, strings.HasPrefix(s.callers[0], "cmd/")
		for _, stack := range stacks {
			i := slices.Index(stack, s.String())
			if i < 0 {
				continue
			}
			seen = true
			caller := slices.IndexFunc(stack[i:], func(name string) bool { return name != s.String() && inTree(name) })
			called = called || caller >= 0 && slices.Contains(s.callers, stack[i+caller])
		}
		switch hidden := slices.Contains(unseen, s.name); {
		case seen && hidden:
			t.Errorf("%s was seen; remove it from the list of unseen steps", s)
		case !seen && !hidden:
			t.Errorf("doc.go, the path of a reference: %s is not called; write there what is called now", s)
		case seen && !called:
			t.Errorf("doc.go, the path of a reference: none of %s calls %s; write there what calls it now", strings.Join(s.callers, ", "), s)
		}
	}
}

// A watchedReader calls watch in each Read, which returns a few bytes.
type watchedReader struct {
	r     io.Reader
	watch func()
}

func (w *watchedReader) Read(p []byte) (int, error) {
	w.watch()
	return w.r.Read(p[:min(len(p), 16)])
}

// callers returns the functions of this module on the stack, the innermost first, in the form of
// pathStep.String.
func callers() (names []string) {
	const module = "github.com/urlsift/urlsift/"
	pcs := make([]uintptr, 100)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		frame, more := frames.Next()
		if full, ours := strings.CutPrefix(frame.Function, module); ours {
			last := strings.LastIndex(full, "/") + 1
			folder, name, _ := strings.Cut(full[last:], ".")
			name, _, _ = strings.Cut(name, ".func") // a function literal belongs to the function around it
			name = strings.NewReplacer("(*", "", ")", "").Replace(name)
			file := frame.File[strings.LastIndex(frame.File, "/")+1:]
			names = append(names, full[:last]+folder+"/"+file+": "+name)
		}
		if !more {
			return names
		}
	}
}
