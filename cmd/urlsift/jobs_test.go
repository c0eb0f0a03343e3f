package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// TestJobs reads all fixtures with one worker and with eight. Standard output and standard error
// must be the same to the last byte.
func TestJobs(t *testing.T) {
	for n, flags := range []string{"-H -b --readings", "-n --column", "-c", "--format jsonl --refused --addresses --abbreviated", "--format jsonl", "--format csv"} {
		if !long && n%2 == 0 {
			continue
		}
		var want [2]string
		for i, jobs := range []string{"-j1", "-j8"} {
			var out, messages bytes.Buffer
			cmd := exec.Command("urlsift", append(append(strings.Fields(flags), jobs, "--hidden"), "../../fixtures")...)
			cmd.Stdout, cmd.Stderr = &out, &messages
			err := cmd.Run()
			got := [2]string{out.String(), messages.String()}
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

// TestEncoded compares records that the workers encode with records that are printed one by one.
func TestEncoded(t *testing.T) {
	for n, flags := range []string{"", "-b", "--redact", "--readings --addresses --abbreviated", "--scheme http,ftp --host *.org --host *.example", "--base http://a.example/b --null"} {
		if !long && n%2 == 0 {
			continue
		}
		var want [2]string
		for i, how := range []string{"-j2 -n", "-j1", "-j3"} {
			if raceEnabled && how == "-j1" {
				continue
			}
			var out, messages bytes.Buffer
			cmd := exec.Command("urlsift", append(strings.Fields(flags+" "+how), "--hidden", "../../fixtures")...)
			cmd.Stdout, cmd.Stderr = &out, &messages
			err := cmd.Run()
			got := [2]string{out.String(), messages.String()}
			if i > 0 {
				if got != want {
					t.Errorf("%s %s: %d and %d bytes, one by one %d and %d", flags, how, len(got[0]), len(got[1]), len(want[0]), len(want[1]))
				}
				continue
			}
			if want = got; len(got[0]) < 1000 || len(got[1]) < 1000 {
				t.Errorf("%s: %d and %d bytes only, %v\n%.300s", flags, len(got[0]), len(got[1]), err, got[1])
			}
			end := "\n"
			if strings.Contains(flags, "--null") {
				end = "\x00"
			}
			var b strings.Builder
			for record := range strings.SplitAfterSeq(got[0], end) {
				if strings.HasPrefix(record, "\t") { // the line of another reading
					b.WriteString(record)
					continue
				}
				_, rest, _ := strings.Cut(record, ":")
				b.WriteString(rest)
			}
			want[0] = b.String()
		}
	}
}
