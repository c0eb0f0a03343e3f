//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestManyWarnings checks that warnings are counted and not kept in memory. Ten times as many
// warnings, which would take 40 MiB or more, must not take more memory, even if each is printed. With two
// workers, runs over the same input differ by up to 11 MiB on a busy machine, so the least of
// several runs counts, and 20 MiB are allowed.
func TestManyWarnings(t *testing.T) {
	skipRace(t)
	few, all := 5000, []string{"-j2", "-j1 --messages=json"}
	switch {
	case long && !full:
		few, all = 20_000, append(all, "-j1")
	case full:
		few, all = 100_000, append(all, "-j1", "-j1 --warnings", "-j1 --strict", "-j1 -s --strict")
	}
	const bound = 20 << 20
	for _, flags := range all {
		few, most := few, [2]int64{}
		if flags == "-j2" {
			few = max(few, 30_000) // then there are as many blocks as there can be
		}
		for i, n := range []int{few, 10 * few, few, 10 * few, few, 10 * few} {
			if i > 0 && i%2 == 0 && most[1]-most[0] <= bound {
				break
			}
			cmd := exec.Command("sh", "-c", "exec urlsift "+flags)
			cmd.Stdin = strings.NewReader(strings.Repeat("From a@example.org Mon Jan  5 12:00:00 1998\nContent-Type: text/plain; charset=klingon\n\nx\n\n", n))
			o := finish(t, cmd)
			if i < 2 || o.memory < most[i%2] {
				most[i%2] = o.memory
			}
			want, last, status := 1, fmt.Sprintf("urlsift: %d warnings in 1 file (--warnings shows them)\n", n), foundNone
			switch {
			case strings.Contains(flags, "-s "):
				want, last, status = 0, "", hadErrors
			case strings.Contains(flags, "--strict"):
				want, last, status = n, "", hadErrors
			case strings.Contains(flags, "--"):
				want, last = n, ""
			}
			if got := strings.Count(o.complaints, "\n"); got != want || !strings.HasSuffix(o.complaints, last) || o.status != status {
				t.Errorf("%s, %d warnings: %d lines and status %d, not %d and %d", flags, n, got, o.status, want, status)
			}
			if first, _, _ := bytes.Cut([]byte(o.complaints), []byte("\n")); want == n && !bytes.Contains(first, []byte("no charset is called")) {
				t.Errorf("%s: the first line is %q", flags, first)
			}
		}
		t.Logf("%s: %d KiB, %d KiB", flags, most[0]>>10, most[1]>>10)
		if grown := most[1] - most[0]; most[0] == 0 || grown > bound {
			t.Errorf("%s: %d KiB with %d warnings, %d KiB with ten times as many", flags, most[0]>>10, few, most[1]>>10)
		}
	}
}
