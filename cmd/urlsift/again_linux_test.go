package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nonblocking returns a pipe with an end for the command, its. If atStart is set, that end is
// non-blocking. Otherwise a call of since makes it non-blocking while the command runs.
func nonblocking(t *testing.T, commandReads, atStart bool) (ours, its *os.File, since func()) {
	t.Helper()
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	r, w := os.NewFile(uintptr(fds[0]), "r"), os.NewFile(uintptr(fds[1]), "w")
	ours, its = r, w
	fd := fds[1]
	if commandReads {
		ours, its, fd = w, r, fds[0]
	}
	t.Cleanup(func() { ours.Close(); its.Close() })
	set := func() {
		if err := syscall.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	if atStart {
		set()
		return ours, its, func() {}
	}
	return ours, its, set
}

// TestNonblockingStandard runs the command with non-blocking standard streams. All of a slow input
// must be read, a slow reader must get all output, and there must be no errors.
func TestNonblockingStandard(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, atStart := range []bool{true, false} {
		for _, args := range [][]string{{}, {"-j2", "--format", "jsonl"}, {"normalize"}} {
			in, stdin, sinceIn := nonblocking(t, true, atStart)
			out, stdout, sinceOut := nonblocking(t, false, atStart)
			cmd := exec.Command("urlsift", args...)
			var complaints bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, &complaints
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			const n = 5000 // several times the capacity of a pipe
			text := urls(n)
			go func() {
				defer in.Close()
				io.WriteString(in, text[:1000])
				time.Sleep(100 * time.Millisecond)
				sinceIn()
				sinceOut()
				time.Sleep(50 * time.Millisecond)
				io.WriteString(in, text[1000:])
			}()
			time.Sleep(300 * time.Millisecond) // the pipe is full by then
			stdout.Close()
			printed, err := io.ReadAll(out)
			if found := strings.Count(string(printed), "\n"); err != nil || found != n {
				t.Errorf("%v, from the start %v: %d of %d are printed, %v", args, atStart, found, n, err)
			}
			if status := statusOf(t, cmd); status != 0 || complaints.Len() > 0 {
				t.Errorf("%v, from the start %v: status %d, %s", args, atStart, status, complaints.String())
			}
		}
	}
}
