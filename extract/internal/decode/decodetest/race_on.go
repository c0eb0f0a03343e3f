//go:build race

package decodetest

// RaceEnabled says that the race detector is on, under which time and memory say
// nothing.
const RaceEnabled = true
