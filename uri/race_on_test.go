//go:build race

package uri_test

// raceEnabled says that the race detector is on, under which time and memory say
// nothing.
const raceEnabled = true
