package extract_test

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

// alone skips a long test of one worker if the race detector is on: a test that starts no
// goroutines has no races, and takes ten times as long with the detector. Without the race detector
// alone counts the goroutines that the test starts, and fails if there are any beside one for each
// subtest. So only tests without goroutines are skipped.
func alone(t *testing.T, subtests int) {
	t.Helper()
	if raceEnabled {
		t.Skip("starts no goroutine")
	}
	before := started()
	t.Cleanup(func() {
		others := 4 + runtime.GOMAXPROCS(0) // the garbage collector starts these once
		if n := started() - before; n > subtests+others {
			t.Errorf("%d goroutines were started in %d subtests: run this test with the race detector, without alone", n, subtests)
		}
	})
}

// started returns how many goroutines were started until now, or 0 if Go does not count them.
func started() int {
	s := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	if metrics.Read(s); s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int(s[0].Value.Uint64())
}

// TestStarted checks that started counts a new goroutine.
func TestStarted(t *testing.T) {
	before := started()
	if before == 0 {
		t.Skip("this Go does not count goroutines")
	}
	done := make(chan struct{})
	go close(done)
	<-done
	if started() == before {
		t.Error("a goroutine is not counted")
	}
}
