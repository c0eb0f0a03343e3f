package extract_test

import "testing"

// skipRace skips a long test of one worker if the race detector is on: a test that starts no
// goroutine has no races, and takes ten times as long with the detector.
func skipRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("starts no goroutine")
	}
}
