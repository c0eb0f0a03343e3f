package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignalsSlow ends runs whose output nobody reads for a while. The command must end, and the
// pipe must contain complete records from the first on.
func TestSignalsSlow(t *testing.T) {
	t.Parallel() // it mostly waits
	var text strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&text, "see http://host-%d.example/%s now\n", i, strings.Repeat("x", i*7%90))
	}
	input := write(t, "input", []byte(text.String()))
	for i, args := range [][]string{nil, {"-j2"}, {"normalize"}, {"-n"}, {"--format", "jsonl"}, {"-0"}, {"--format", "csv"}, {"--format", "tsv"}} {
		if !long && i > 2 && i%2 > 0 {
			continue
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		cmd := exec.Command("urlsift", append(args, input)...)
		if args != nil && args[0] == "normalize" {
			var all []string
			whole, _ := exec.Command("urlsift", input).Output()
			all = strings.Fields(string(whole))
			cmd = exec.Command("urlsift", "normalize")
			cmd.Stdin = strings.NewReader(strings.Join(all, "\n") + "\n")
			cmd.WaitDelay = time.Second // because the output is not read to its end
		}
		cmd.Stdout = w
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		began := make([]byte, 100)
		if _, err := io.ReadFull(r, began); err != nil { // the pipe is full soon after this
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		cmd.Process.Signal(syscall.SIGTERM)
		if n := statusOf(t, cmd); n != 128+int(syscall.SIGTERM) {
			t.Errorf("%v: status %d", args, n)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(began, got...)
		end := byte('\n')
		if args != nil && args[0] == "-0" {
			end = 0
		}
		if len(got) < 8<<10 || got[len(got)-1] != end {
			t.Errorf("%v: %d bytes, which end in %q", args, len(got), got[max(0, len(got)-50):])
		}
		if args == nil {
			for i, line := range bytes.Split(got[:len(got)-1], []byte("\n")) {
				if want := fmt.Sprintf("http://host-%d.example/%s", i, strings.Repeat("x", i*7%90)); string(line) != want {
					t.Fatalf("line %d: %q, want %q", i+1, line, want)
				}
			}
		}
	}
}
