//go:build unix

package main

import (
	"io"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReplyPrompt checks that each reference is answered before the next is read, so that a person
// can use the command interactively.
func TestReplyPrompt(t *testing.T) {
	for _, args := range [][]string{{"parse", "--format", "jsonl"}, {"normalize"}, {"resolve", "--base", "http://b.example/"}} {
		cmd, in, out, _ := start(t, args...)
		best := time.Hour
		for range 5 {
			began := time.Now()
			io.WriteString(in, "http://a.example/\n")
			line, err := out.ReadString('\n')
			if err != nil || !strings.Contains(line, "http://a.example/") {
				t.Fatalf("%v: %q, %v", args, line, err)
			}
			best = min(best, time.Since(began))
		}
		if best > 100*time.Millisecond { // the best of several counts, because the machine may be busy
			t.Errorf("%v: took %v", args, best)
		}
		in.Close()
		if n := statusOf(t, cmd); n != foundSome {
			t.Errorf("%v: status %d", args, n)
		}
	}
}

// TestReplyInterrupt checks that a signal ends the command while it waits for references, and that
// all answers so far are printed.
func TestReplyInterrupt(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd, in, out, complaints := start(t, "normalize")
		io.WriteString(in, "HTTP://a.example/\nHTTP://b.example/\nand half")
		if line, err := out.ReadString('\n'); err != nil || line != "http://a.example/\n" {
			t.Fatalf("%q, %v", line, err)
		}
		cmd.Process.Signal(sig)
		if rest, err := io.ReadAll(out); err != nil || string(rest) != "http://b.example/\n" {
			t.Errorf("%v: then comes %q, %v", sig, rest, err)
		}
		if n := statusOf(t, cmd); n != 128+int(sig) || complaints.Len() > 0 {
			t.Errorf("%v: status %d, %s", sig, n, complaints)
		}
	}
}
