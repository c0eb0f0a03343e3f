package extract_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no goroutine, ours or a library's, continues after the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
