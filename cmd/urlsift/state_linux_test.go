package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stateRun runs the command in dir. It returns standard output, standard error and the exit status.
func stateRun(t *testing.T, dir, line string) (out []string, said string, status int) {
	t.Helper()
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(line, "urlsift", built(t)))
	cmd.Dir = dir
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	_ = cmd.Run()
	out = strings.Fields(o.String())
	return out, strings.ReplaceAll(e.String(), dir, ""), cmd.ProcessState.ExitCode()
}

// manyFiles makes n files with one URL each, last changed some time ago.
func manyFiles(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	rested := time.Now().Add(-time.Hour)
	for i := range n {
		path := filepath.Join(dir, "in", fmt.Sprint(i))
		if err := os.WriteFile(path, fmt.Appendf(nil, "http://a.example/%d\n", i), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, rested, rested); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestStateFull limits the size of files, like a full disk, while the state is saved. The next run
// must lose nothing, and an output must have each URL once.
func TestStateFull(t *testing.T) {
	dir := manyFiles(t, 1500)
	_, said, status := stateRun(t, dir, "ulimit -f 150; urlsift --state s -o out in")
	if status != 2 || !strings.Contains(said, "s: ") || strings.Count(said, "\n") != 1 {
		t.Errorf("with a full disk: status %d, %q", status, said)
	}
	if _, said, status := stateRun(t, dir, "urlsift --state s -o out in"); status > 1 || said != "" {
		t.Errorf("after that: status %d, %q", status, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(text))
	slices.Sort(lines)
	if all := len(lines); len(slices.Compact(lines)) != 1500 || all != 1500 {
		t.Errorf("%d lines in the output, %d different ones", all, len(slices.Compact(lines)))
	}
}

// TestStateHeld runs the command twice with one state at the same time.
func TestStateHeld(t *testing.T) {
	dir := manyFiles(t, 3)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(built(t), "--state", "s", "pipe")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	want := fmt.Sprintf("urlsift: s: in use by another run (process %d)\n", cmd.Process.Pid)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "s.pid")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the first run has not begun")
		}
	}
	for _, line := range []string{"urlsift --state s in", "urlsift state --forget x s"} {
		if out, said, status := stateRun(t, dir, line); status != 2 || said != want || len(out) > 0 {
			t.Errorf("%s: status %d, %q, %q", line, status, out, said)
		}
	}
}

// TestStateDamaged damages a state in many places. A run ends with an error if it reads the damage.
// It must not start again with an empty state, nor panic.
func TestStateDamaged(t *testing.T) {
	dir := manyFiles(t, 400)
	if out, said, _ := stateRun(t, dir, "urlsift --state s in"); len(out) != 400 || said != "" {
		t.Fatalf("%d URLs, %q", len(out), said)
	}
	good, err := os.ReadFile(filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range 24 {
		bad := bytes.Clone(good)
		switch at := (len(bad) - 1) * i / 23; i % 3 {
		case 0:
			bad = bad[:at]
		case 1:
			for k := range bad[at:min(len(bad), at+5000)] {
				bad[at+k] ^= 0xff
			}
		default:
			clear(bad[at:min(len(bad), at+9000)])
		}
		if err := os.WriteFile(filepath.Join(dir, "s"), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		out, said, status := stateRun(t, dir, "urlsift --state s in")
		if status == 2 {
			refused++
		}
		if status == 2 && (!strings.Contains(said, "the state is damaged") || !strings.Contains(said, "s.bak")) || status != 2 && (status != 1 || said != "" || len(out) > 0) ||
			len(out) > 40 || strings.Contains(said, "goroutine") {
			t.Errorf("damage %d: status %d, %d URLs, %.300q", i, status, len(out), said)
		}
	}
	if refused < 8 {
		t.Errorf("only %d damaged states were refused", refused)
	}
	stateRun(t, dir, "cp s.bak s")
	if out, said, status := stateRun(t, dir, "urlsift --state s in"); len(out) != 0 || said != "" || status != 1 {
		t.Errorf("with the copy: %d URLs, %q, status %d", len(out), said, status)
	}
}

// TestStateClock has files with times in the future, as if the clock had been set back.
func TestStateClock(t *testing.T) {
	dir := manyFiles(t, 1)
	path, later := filepath.Join(dir, "in", "0"), time.Now().Add(time.Hour)
	write := func(text string, at time.Time) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	run := func() {
		t.Helper()
		out, said, status := stateRun(t, dir, "urlsift --state s in")
		if got = append(got, out...); said != "" || status > 1 {
			t.Errorf("status %d, %q", status, said)
		}
	}
	run()
	write("http://a.example/1\nhttp://a.example/2", later)
	run()
	run() // the file was not changed for a while
	write("\nhttp://a.example/3\n", time.Now().Add(-2*time.Hour))
	run()
	if want := []string{"http://a.example/0", "http://a.example/1", "http://a.example/2", "http://a.example/3"}; !slices.Equal(got, want) {
		t.Errorf("%q is printed, not %q", got, want)
	}
}

// TestStateLogrotate rotates a log with logrotate while a program writes to it.
func TestStateLogrotate(t *testing.T) {
	rotate, err := exec.LookPath("logrotate")
	if err != nil {
		if rotate = "/usr/sbin/logrotate"; !exists(rotate) {
			t.Skip("SKIPPED: there is no logrotate, which apt-get install logrotate brings")
		}
	}
	for _, how := range []string{"create", "copytruncate", "delaycompress\ncreate", "dateext\ndateformat -%Y%m%d%s\ncreate"} {
		t.Run(strings.Fields(how)[0], func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, "log")
			conf := fmt.Sprintf("%q {\nrotate 20\ncompress\nsu root root\n%s\n}\n", log, how)
			if os.Geteuid() != 0 {
				conf = strings.ReplaceAll(conf, "su root root\n", "")
			}
			if err := os.WriteFile(filepath.Join(dir, "conf"), []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			var want []string
			n := 0
			write := func(lines int) {
				t.Helper()
				f, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				for range lines {
					n++
					want = append(want, fmt.Sprintf("http://l.example/%d", n))
					fmt.Fprintf(f, "%d GET http://l.example/%d 200\n", n, n)
				}
			}
			run := func() {
				t.Helper()
				if _, said, status := stateRun(t, dir, "urlsift --state s -o out log*"); status > 1 || said != "" {
					t.Fatalf("status %d, %q", status, said)
				}
			}
			for round := range 6 {
				write(200)
				if round%3 != 1 {
					run()
				}
				write(100)
				if out, err := exec.Command(rotate, "-f", "-s", filepath.Join(dir, "rotated"), filepath.Join(dir, "conf")).CombinedOutput(); err != nil {
					t.Fatalf("logrotate: %v\n%s", err, out)
				}
				if round%2 == 0 {
					run()
				}
				time.Sleep(time.Second / 2)
				if strings.HasPrefix(how, "dateext") {
					time.Sleep(time.Second)
				}
			}
			write(10)
			run()
			text, err := os.ReadFile(filepath.Join(dir, "out"))
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(string(text))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%d are printed of %d\nnot printed: %q\ntoo often: %q", len(got), len(want), without(want, got), without(got, want))
			}
		})
	}
}

// exists reports whether the file exists.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
