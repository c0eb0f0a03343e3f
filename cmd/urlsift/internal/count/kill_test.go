//go:build unix

package count

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestMain counts forever in the process that TestKilled starts.
func TestMain(m *testing.M) {
	dir := os.Getenv("URLSIFT_COUNT_IN")
	if dir == "" {
		os.Exit(m.Run())
	}
	c := New(Options{Memory: 4000, Dir: dir})
	for i := int64(0); ; i++ { // until it is killed
		if err := c.Add(fmt.Appendf(nil, "%d", i*i%1_000_003), i, i); err != nil {
			panic(err)
		}
	}
}

// TestKilled kills a process that counts, at random moments. No file may be left.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	for i := range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "URLSIFT_COUNT_IN="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(60 * time.Millisecond))))
		sig := []os.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT}[i%3]
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("ended by itself: %v", err)
		}
		left, err := os.ReadDir(dir)
		if err != nil || len(left) > 0 {
			t.Fatalf("after %v: %v, %v", sig, left, err)
		}
	}
}
