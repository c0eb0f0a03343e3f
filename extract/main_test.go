package extract_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no worker, and no goroutine of a library, continues after its Run.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
