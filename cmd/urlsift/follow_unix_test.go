//go:build unix

package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A tailing is a running command that follows files, and its output so far.
type tailing struct {
	t          *testing.T
	cmd        *exec.Cmd
	complaints *bytes.Buffer
	mu         sync.Mutex
	lines      []string
	ended      chan struct{} // closed when the output has ended
}

// tail starts the command with -F.
func tail(t *testing.T, args ...string) *tailing {
	t.Helper()
	cmd, in, out, complaints := start(t, append([]string{"-F"}, args...)...)
	in.Close()
	f := &tailing{t: t, cmd: cmd, complaints: complaints, ended: make(chan struct{})}
	go func() {
		defer close(f.ended)
		for s := bufio.NewScanner(out); s.Scan(); {
			f.mu.Lock()
			f.lines = append(f.lines, s.Text())
			f.mu.Unlock()
		}
	}()
	return f
}

// printed returns what was printed so far.
func (f *tailing) printed() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.lines)
}

// prints waits until the output has as many lines as want. It fails if they differ, or if it takes
// long.
func (f *tailing) prints(want ...string) {
	f.t.Helper()
	var got []string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if got = f.printed(); len(got) >= len(want) {
			break
		}
	}
	if !slices.Equal(got, want) {
		f.t.Fatalf("printed %q, not %q; %s", got, want, f.complaints)
	}
}

// end sends sig, reads the rest of the output, and returns the exit status.
func (f *tailing) end(sig syscall.Signal) int {
	f.t.Helper()
	if err := f.cmd.Process.Signal(sig); err != nil {
		f.t.Fatal(err)
	}
	<-f.ended
	return statusOf(f.t, f.cmd)
}

// add appends text to a file.
func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		if closed := f.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFollowFolder follows a folder whose log grows, and is rotated in each way.
func TestFollowFolder(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	add(t, log, "http://a.example/1\n")
	f := tail(t, dir)
	want := []string{"http://a.example/1"}
	next := func(some ...string) {
		t.Helper()
		want = append(want, some...)
		f.prints(want...)
	}
	next()
	add(t, log, "http://a.example/2\nhttp://a.exa") // the last line is not complete
	next("http://a.example/2")
	add(t, log, "mple/3\n")
	next("http://a.example/3")

	must(t, os.Rename(log, log+".1")) // its writer continues for a moment
	add(t, log+".1", "http://a.example/4\n")
	next("http://a.example/4")
	add(t, log, "http://a.example/5\n")
	next("http://a.example/5")

	text, err := os.ReadFile(log + ".1")
	must(t, err)
	z, err := os.Create(log + ".1.gz") // slowly, as gzip does with a big file
	must(t, err)
	packed := new(bytes.Buffer)
	w := gzip.NewWriter(packed)
	w.Write(text[:30])
	must(t, w.Flush())
	_, err = packed.WriteTo(z)
	must(t, err)
	add(t, log, "http://a.example/6\n") // wait for a round while the copy is incomplete
	next("http://a.example/6")
	w.Write(text[30:])
	must(t, w.Close())
	_, err = packed.WriteTo(z)
	must(t, err)
	must(t, z.Close())
	must(t, os.Remove(log+".1"))
	add(t, log, "http://a.example/7\n")
	next("http://a.example/7")

	must(t, os.Rename(log+".1.gz", log+".2.gz"))
	text, err = os.ReadFile(log) // copytruncate
	must(t, err)
	add(t, log+".1", string(text[:25]))
	add(t, filepath.Join(dir, "other"), "http://b.example/1\n") // so that a round takes place
	next("http://b.example/1")
	add(t, log+".1", string(text[25:]))
	must(t, os.Truncate(log, 0))
	add(t, log, "http://a.example/8\n")
	next("http://a.example/8")

	must(t, os.Mkdir(filepath.Join(dir, "new"), 0o777))
	add(t, filepath.Join(dir, "new", "file"), "http://c.example/1\n")
	next("http://c.example/1")
	add(t, filepath.Join(dir, "new", "file"), "http://c.example/2\n")
	next("http://c.example/2")
	time.Sleep(1500 * time.Millisecond) // every file is examined at least once more
	next()
	if status := f.end(syscall.SIGHUP); status != 129 {
		t.Errorf("status %d", status)
	}
	if f.complaints.Len() > 0 {
		t.Errorf("complaints: %s", f.complaints)
	}
}

// TestFollowFile follows one file by its name. Text that is written to it after it was renamed or
// removed must be read too.
func TestFollowFile(t *testing.T) {
	t.Chdir(t.TempDir())
	f := tail(t, "-H", "log", "missing")
	add(t, "log", "http://a.example/1\n")
	want := []string{"log:http://a.example/1"}
	f.prints(want...)
	for i := range 3 {
		old, err := os.OpenFile("log", os.O_WRONLY|os.O_APPEND, 0)
		must(t, err)
		if i < 2 {
			must(t, os.Rename("log", fmt.Sprint("log.", i)))
		} else {
			must(t, os.Remove("log"))
		}
		_, err = fmt.Fprintf(old, "http://b.example/%d\n", i)
		must(t, err)
		if i == 1 { // the command cannot see this name of the file
			must(t, os.Remove("log.1"))
		}
		want = append(want, fmt.Sprintf("log:http://b.example/%d", i))
		f.prints(want...)
		add(t, "log", fmt.Sprintf("http://a.example/%d\n", i))
		want = append(want, fmt.Sprintf("log:http://a.example/%d", i))
		f.prints(want...)
		_, err = fmt.Fprintf(old, "http://b.example/%d/again\n", i)
		must(t, err)
		must(t, old.Close())
		want = append(want, fmt.Sprintf("log:http://b.example/%d/again", i))
		f.prints(want...)
	}
	if status := f.end(syscall.SIGINT); status != 130 {
		t.Errorf("status %d", status)
	}
	complaints := strings.Replace(f.complaints.String(), "urlsift: log: open: no such file or directory\n", "", -1) // the command may have looked for it before, or twice while it had no name
	if want := "urlsift: missing: open: no such file or directory\n"; complaints != want {
		t.Errorf("complaints %q, not %q", complaints, want)
	}
}

// TestFollowState ends or kills a run that follows a log. The next run must continue at the same
// place. With -o each URL is printed once.
func TestFollowState(t *testing.T) {
	t.Chdir(t.TempDir())
	n := 0
	var want []string
	grow := func() {
		n++
		add(t, "log", fmt.Sprintf("http://a.example/%d http://b.example/\n", n))
		want = append(want, fmt.Sprintf("http://a.example/%d", n))
	}
	grow()
	want = append(want, "http://b.example/") // with -u, once in all runs
	for round, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGINT, syscall.SIGKILL} {
		f := tail(t, "-u", "--state", "state", "-o", "out", ".")
		for range 3 {
			grow()
			var got []byte
			for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
				if got, _ = os.ReadFile("out"); strings.Count(string(got), "\n") >= len(want) {
					break
				}
			}
			if text := strings.Join(want, "\n") + "\n"; string(got) != text {
				t.Fatalf("round %d: %q, not %q; %s", round, got, text, f.complaints)
			}
		}
		if status := f.end(sig); sig != syscall.SIGKILL && status != 128+int(sig) {
			t.Errorf("status %d after %v", status, sig)
		}
		grow() // while no command runs
	}
	out, err := exec.Command("urlsift", "-u", "--state", "state", "-o", "out", "--stats", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got, _ := os.ReadFile("out")
	if text := strings.Join(want, "\n") + "\n"; string(got) != text {
		t.Errorf("%q, not %q", got, text)
	}
}

// TestFollowEnds checks that a run ends if its result is complete, as with -m, or if its pipe is
// closed.
func TestFollowEnds(t *testing.T) {
	t.Chdir(t.TempDir())
	add(t, "log", "http://a.example/1\n")
	f := tail(t, "--format", "csv", "--fields", "url", "-m2", "log")
	f.prints("url", "http://a.example/1")
	add(t, "log", "http://a.example/2\nhttp://a.example/3\n")
	<-f.ended
	if f.prints("url", "http://a.example/1", "http://a.example/2"); statusOf(t, f.cmd) != 0 {
		t.Error("-m: another status")
	}

	add(t, "other", "http://a.example/2\nhttp://a.example/4\n")
	f = tail(t, "--settle", "0s", "-u", "-m1", "log", "other")
	f.prints("http://a.example/1", "http://a.example/2")
	<-f.ended
	if status := statusOf(t, f.cmd); status != 0 {
		t.Errorf("-u -m: status %d; %s", status, f.complaints)
	}

	add(t, "empty", "")
	f = tail(t, "-q", "empty")
	time.Sleep(50 * time.Millisecond)
	add(t, "empty", "http://a.example/1\n")
	<-f.ended
	if status := statusOf(t, f.cmd); status != 0 {
		t.Errorf("-q: status %d", status)
	}

	cmd := exec.Command("urlsift", "-F", "log")
	pipe, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	defer cmd.Process.Kill()
	_, err = io.ReadFull(pipe, make([]byte, 10))
	must(t, err)
	must(t, pipe.Close())
	if status := statusOf(t, cmd); status != 0 {
		t.Errorf("a closed pipe: status %d", status)
	}
}

// TestFollowRefused checks that flags that make no sense with -F are errors.
func TestFollowRefused(t *testing.T) {
	for _, args := range []string{"-F", "-F -", "-F -c .", "-F -l .", "-F --files-from -", "count -F .", "report -F ."} {
		cmd := exec.Command("urlsift", strings.Fields(args)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || len(out) < 20 {
			t.Errorf("%s: status %d, %q", args, cmd.ProcessState.ExitCode(), out)
		}
	}
}

// TestFollowPrompt checks that a URL is printed to a pipe within a second after it was written,
// while other files change all the time.
func TestFollowPrompt(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	add(t, log, "http://a.example/\n")
	for i := range 200 {
		add(t, filepath.Join(dir, fmt.Sprint("other", i)), "nothing\n")
	}
	f := tail(t, dir)
	want := []string{"http://a.example/"}
	f.prints(want...)
	best := time.Hour
	for i := range 10 {
		add(t, filepath.Join(dir, fmt.Sprint("other", i)), "nothing more\n")
		began := time.Now()
		add(t, log, fmt.Sprintf("http://a.example/%d\n", i))
		want = append(want, fmt.Sprintf("http://a.example/%d", i))
		f.prints(want...)
		best = min(best, time.Since(began))
	}
	if best > time.Second { // the best of several counts, because the machine may be busy
		t.Errorf("took %v", best)
	}
	f.end(syscall.SIGTERM)
}

// TestStateSaysLines checks that the subcommand state shows a number of lines only if it is known.
// The next run reads a long text from near its end, and a short one from its beginning.
func TestStateSaysLines(t *testing.T) {
	t.Chdir(t.TempDir())
	add(t, "short", "http://a.example/\n")
	add(t, "long", strings.Repeat("see http://a.example/ and more\n", 3000))
	if out, err := exec.Command("urlsift", "--state", "state", "-o", "out", "short", "long").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := exec.Command("urlsift", "state", "state").Output()
	must(t, err)
	records, err := exec.Command("urlsift", "state", "--format", "jsonl", "state").Output()
	must(t, err)
	for i, all := range []string{string(text), string(records)} {
		mark := []string{"near line", `"lines":`}[i]
		lines := strings.Split(all, "\n")
		if len(lines) < 3 || !strings.Contains(lines[0], "long") || !strings.Contains(lines[0], mark) || strings.Contains(lines[1], mark) {
			t.Errorf("%q", all)
		}
	}
}
