//go:build unix

package main

import (
	"encoding/json"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestStatsInterrupted ends runs from outside: one that waits for input, and one
// whose reader does not read. The numbers come all the same, and add up where the
// work could be stopped.
func TestStatsInterrupted(t *testing.T) {
	for _, stalled := range []bool{false, true} {
		cmd, in, out, complaints := start(t, "--stats=json")
		if stalled {
			go func() { // more than the buffers hold
				for range 100_000 {
					if _, err := io.WriteString(in, "see http://a.example/ now\n"); err != nil {
						return
					}
				}
			}()
			io.ReadFull(out, make([]byte, 4096))
		} else {
			io.WriteString(in, "see http://a.example/ now\n")
			out.ReadString('\n')
		}
		cmd.Process.Signal(syscall.SIGINT)
		if !stalled {
			io.Copy(io.Discard, out)
		}
		if n := statusOf(t, cmd); n != interrupted {
			t.Errorf("status %d", n)
		}
		var r statsRecord
		if err := json.Unmarshal(complaints.Bytes(), &r); err != nil {
			t.Fatalf("%v in %q", err, complaints)
		}
		if !r.Interrupted || r.Found == 0 || !stalled && (r.Stored.Read != 26 || r.Raw.All != 26 || r.Raw.Text != 26) {
			t.Errorf("%s", complaints)
		}
	}
}

// TestLimitsHaveFlags holds that each limit of package extract is moved by a flag,
// which is named in what is told of it.
func TestLimitsHaveFlags(t *testing.T) {
	for _, limit := range []string{"Depth", "Nesting", "Size", "Ratio", "Window"} {
		told := moves(&extract.Error{Limit: limit})
		if !strings.HasPrefix(told, " (--max-") || !strings.HasSuffix(told, " moves this)") {
			t.Errorf("%s: %q", limit, told)
		}
	}
	if told := moves(os.ErrNotExist); told != "" {
		t.Errorf("%q for what is no limit", told)
	}
}
