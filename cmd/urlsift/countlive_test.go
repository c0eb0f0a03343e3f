//go:build unix

package main

import (
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestCountInterrupted interrupts a run that waits for input. The counts so far must be printed.
func TestCountInterrupted(t *testing.T) {
	const line, n = "http://a.example/\n", 400_000
	for _, jobs := range []string{"-j1", "-j2"} {
		cmd, in, out, _ := start(t, "count", jobs)
		if _, err := io.WriteString(in, strings.Repeat(line, n)); err != nil { // much more than a pipe and blocks hold
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		row, err := out.ReadString('\n')
		number, rest, _ := strings.Cut(row, "\t")
		if got, _ := strconv.Atoi(number); got < n/10 || got > n || rest != "http://a.example/\t\t\t1\n" {
			t.Errorf("%s: %q %v", jobs, row, err)
		}
		if status := statusOf(t, cmd); status != interrupted {
			t.Errorf("%s: status %d", jobs, status)
		}
	}
}
