//go:build unix

package main

import (
	"encoding/json"
	"io"
	"syscall"
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/stats"
)

// TestStatsInterrupted ends runs by a signal: one that waits for input, and one whose output nobody
// reads. The statistics must be printed. They must add up if the workers could be stopped in an
// orderly way.
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
		var r stats.Record
		if err := json.Unmarshal(complaints.Bytes(), &r); err != nil {
			t.Fatalf("%v in %q", err, complaints)
		}
		if !r.Interrupted || r.Found == 0 || !stalled && (r.Stored.Read != 26 || r.Raw.All != 26 || r.Raw.Text != 26) {
			t.Errorf("%s", complaints)
		}
	}
}
