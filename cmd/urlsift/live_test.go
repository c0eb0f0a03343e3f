//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// start starts the command, which TestMain has put into PATH, with pipes as standard streams.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out *bufio.Reader, complaints *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command("urlsift", args...)
	complaints = new(bytes.Buffer)
	cmd.Stderr = complaints
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() }) // in case the test has failed
	return cmd, in, bufio.NewReader(stdout), complaints
}

// statusOf waits for cmd to end and returns its exit status.
func statusOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		var e *exec.ExitError
		if err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode()
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
		return -1
	}
}

// TestPrompt checks that a reference is printed soon after its line was written to the pipe, while
// the pipe stays open, as "tail -f log | urlsift" requires.
func TestPrompt(t *testing.T) {
	for _, args := range [][]string{nil, {"--format", "jsonl"}, {"-l"}, {"-j4", "-"}} {
		cmd, in, out, _ := start(t, args...)
		best := time.Hour
		for range 5 {
			began := time.Now()
			io.WriteString(in, "see http://a.example/ now\n")
			line, err := out.ReadString('\n')
			if err != nil || !strings.Contains(line, "http://a.example/") && line != "-\n" {
				t.Fatalf("%v: %q, %v", args, line, err)
			}
			best = min(best, time.Since(began))
			if args != nil && args[0] == "-l" {
				best = 0 // the only line may have waited for the command to start
				break
			}
		}
		if best > 100*time.Millisecond { // the best of several counts, because the machine may be busy
			t.Errorf("%v: took %v", args, best)
		}
		in.Close()
		if n := statusOf(t, cmd); n != 0 {
			t.Errorf("%v: status %d", args, n)
		}
	}
}

// TestInterrupt checks that the results so far are printed if a signal ends the run, while it waits
// for input and while it works.
func TestInterrupt(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(big, bytes.Repeat([]byte("see http://a.example/ now\n"), 100), 0o644); err != nil {
		t.Fatal(err)
	}
	many := make([]string, 10000)
	for i := range many {
		many[i] = big
	}
	for _, c := range []struct {
		sig   syscall.Signal
		input string
		args  []string
	}{
		{syscall.SIGINT, "see http://a.example/ now\n", nil},
		{syscall.SIGTERM, "see http://a.example/ now\n", []string{"--progress", "always"}},
		{syscall.SIGINT, "", many},
		{syscall.SIGHUP, "see http://a.example/ now\n", nil},
		{syscall.SIGHUP, "", many},
		{syscall.SIGTERM, "", append([]string{"-j1"}, many...)},
	} {
		cmd, in, out, complaints := start(t, c.args...)
		io.WriteString(in, c.input)
		if line, err := out.ReadString('\n'); err != nil || line != "http://a.example/\n" {
			t.Fatalf("%q, %v", line, err)
		}
		began := time.Now()
		cmd.Process.Signal(c.sig)
		rest, err := io.ReadAll(out)
		if err != nil || strings.ReplaceAll(string(rest), "http://a.example/\n", "") != "" {
			t.Errorf("%v: then comes %.100q, %v", c.sig, rest, err)
		}
		if n := statusOf(t, cmd); n != 128+int(c.sig) {
			t.Errorf("%v: status %d", c.sig, n)
		}
		if d := time.Since(began); d > 5*time.Second {
			t.Errorf("%v: took %v", c.sig, d)
		}
		if strings.Contains(complaints.String(), "urlsift:") {
			t.Errorf("%v: %s", c.sig, complaints)
		}
	}
}

// TestSecondSignal sends two signals to a run that ends at once, since it waits for input, and to one
// that cannot end, since nobody reads its output. Soon after the first signal, the second has no
// effect; later it ends the process.
func TestSecondSignal(t *testing.T) {
	t.Parallel() // it mostly waits
	big := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(big, bytes.Repeat([]byte("see http://a.example/ now\n"), 100000), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		pause  time.Duration
		second syscall.Signal
		status int // -1 if the signal itself ended the process
	}{
		{nil, 0, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
		{nil, time.Millisecond, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
		{nil, 20 * time.Millisecond, syscall.SIGHUP, 128 + int(syscall.SIGTERM)},
		{[]string{big}, 0, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
		{[]string{big}, 20 * time.Millisecond, syscall.SIGTERM, 128 + int(syscall.SIGTERM)},
		{[]string{big}, 250 * time.Millisecond, syscall.SIGTERM, -1},
	} {
		status := 0
		for range 5 { // on a busy machine, the late signal may come too late
			cmd, in, out, _ := start(t, c.args...)
			if c.args == nil {
				io.WriteString(in, "see http://a.example/ now\n")
			}
			if line, err := out.ReadString('\n'); err != nil || line != "http://a.example/\n" {
				t.Fatalf("%q, %v", line, err)
			}
			if c.args != nil {
				time.Sleep(100 * time.Millisecond) // so that the pipe is full
			}
			cmd.Process.Signal(syscall.SIGTERM)
			time.Sleep(c.pause)
			cmd.Process.Signal(c.second)
			if status = statusOf(t, cmd); status == c.status || c.status > 0 {
				break
			}
		}
		if status != c.status {
			t.Errorf("%v, %v after %v: status %d, want %d", c.args, c.second, c.pause, status, c.status)
		}
	}
}

// TestOldOutput ends runs with -o in several ways. The old file stays, with all that is in it, and
// no other file is left in the folder. A run that ends by itself replaces the file.
func TestOldOutput(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, c := range []struct {
		sig  syscall.Signal // 0: the input ends
		args []string
		has  string // what the file has then
	}{
		{0, nil, "http://a.example/\n"},
		{syscall.SIGINT, nil, "old"},
		{syscall.SIGTERM, []string{"-j4"}, "old"},
		{syscall.SIGHUP, nil, "old"},
		{syscall.SIGTERM, []string{"count"}, "old"},
		{syscall.SIGTERM, []string{"report"}, "old"},
		{syscall.SIGKILL, nil, "old"},
	} {
		if c.sig == syscall.SIGKILL && runtime.GOOS != "linux" {
			continue // the new file remains
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "out")
		if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd, in, _, complaints := start(t, append(c.args, "--progress", "always", "-o", file)...)
		io.WriteString(in, "see http://a.example/ now\n")
		time.Sleep(300 * time.Millisecond)
		if c.sig == 0 {
			in.Close()
		} else {
			cmd.Process.Signal(c.sig)
		}
		status := statusOf(t, cmd)
		if want := 128 + int(c.sig); c.sig != 0 && c.sig != syscall.SIGKILL && status != want || c.sig == 0 && status != 0 {
			t.Errorf("%v %v: status %d: %s", c.sig, c.args, status, complaints)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != c.has {
			t.Errorf("%v %v: the file has %q, %v", c.sig, c.args, got, err)
		}
		if found, err := os.ReadDir(dir); err != nil || len(found) != 1 {
			t.Errorf("%v %v: the folder has %v, %v", c.sig, c.args, found, err)
		}
	}
}

// TestIgnored checks that a signal that is ignored when the command starts does not end the run.
// nohup ignores signals, and so does a shell for background commands.
func TestIgnored(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"HUP": syscall.SIGHUP, "INT": syscall.SIGINT} {
		cmd := exec.Command("sh", "-c", "trap '' "+name+"; exec urlsift")
		in, _ := cmd.StdinPipe()
		pipe, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		out := bufio.NewReader(pipe)
		for i := range 2 {
			io.WriteString(in, "see http://a.example/ now\n")
			if line, err := out.ReadString('\n'); err != nil || line != "http://a.example/\n" {
				t.Fatalf("%s, line %d: %q, %v", name, i, line, err)
			}
			cmd.Process.Signal(sig)
		}
		in.Close()
		if n := statusOf(t, cmd); n != foundSome {
			t.Errorf("%s: status %d", name, n)
		}
	}
}

// TestAsked checks that the command answers a signal for progress with a line.
func TestAsked(t *testing.T) {
	cmd, in, out, complaints := start(t)
	io.WriteString(in, "see http://a.example/ now\n")
	out.ReadString('\n')
	cmd.Process.Signal(syscall.SIGUSR1)
	time.Sleep(50 * time.Millisecond)
	in.Close()
	if n := statusOf(t, cmd); n != 0 || !strings.Contains(complaints.String(), " 1 found  after 0:0") {
		t.Errorf("status %d: %s", n, complaints)
	}
}

// TestInterruptStalled checks that a signal ends a run whose output nobody reads.
func TestInterruptStalled(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(big, bytes.Repeat([]byte("see http://a.example/ now\n"), 100000), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd, _, out, _ := start(t, "--progress", "always", big)
	if line, err := out.ReadString('\n'); err != nil || line != "http://a.example/\n" {
		t.Fatalf("%q, %v", line, err)
	}
	time.Sleep(100 * time.Millisecond) // so that the pipe is full
	cmd.Process.Signal(os.Interrupt)
	if n := statusOf(t, cmd); n != interrupted {
		t.Errorf("status %d", n)
	}
}
