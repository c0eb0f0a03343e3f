package main

import (
	"os"
	"testing"
)

// long selects the long form of the tests, which CONTRIBUTING.md describes: all cases are tried, by
// default only some.
var long = os.Getenv("URLSIFT_LONG") != ""

// full also selects tests that take minutes: streams and folders of the size of an archive, for
// example a mailbox of 2 GB, and messages and parts of 1 GB.
var full = os.Getenv("URLSIFT_LONG") == "full"

// skipRace skips a test with the race detector, which takes ten times as long and finds nothing where no goroutines share
// anything, or only such that other tests let share more.
func skipRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("few goroutines share little")
	}
}
