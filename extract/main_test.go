package extract_test

import (
	"os"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no goroutine, ours or a library's, continues after the tests.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // with 100, a sixth of the time of all tests is for garbage
	}
	goleak.VerifyTestMain(m)
}
