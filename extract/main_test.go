package extract_test

import (
	"testing"

	"go.uber.org/goleak"
)

// No worker, and no goroutine of a library, outlives its Run.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
