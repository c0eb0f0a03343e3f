package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// TestJobs reads all fixtures with one worker and with eight. What is printed, and
// what is told on standard error, is the same to the last byte.
func TestJobs(t *testing.T) {
	for _, flags := range []string{"-n --column", "-c", "--format jsonl --refused --addresses --abbreviated"} {
		var want [2]string
		for i, jobs := range []string{"-j1", "-j8"} {
			var out, trouble bytes.Buffer
			cmd := exec.Command("urlsift", append(append(strings.Fields(flags), jobs, "--hidden"), "../../fixtures")...)
			cmd.Stdout, cmd.Stderr = &out, &trouble
			err := cmd.Run()
			got := [2]string{out.String(), trouble.String()}
			switch {
			case i == 0:
				want = got
				if len(want[0]) < 1000 || len(want[1]) < 1000 {
					t.Errorf("%s: %d and %d bytes only, %v\n%.300s", flags, len(want[0]), len(want[1]), err, want[1])
				}
			case got != want:
				t.Errorf("%s %s: %d and %d bytes, with one worker %d and %d", flags, jobs, len(got[0]), len(got[1]), len(want[0]), len(want[1]))
			}
		}
	}
}
