//go:build race

package extract_test

// raceEnabled says that the race detector is on, with which measurements of time and
// memory are meaningless.
const raceEnabled = true
