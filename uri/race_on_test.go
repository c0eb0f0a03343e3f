//go:build race

package uri_test

// raceEnabled reports whether the race detector is on. With it, measurements of time and
// memory mean nothing.
const raceEnabled = true
