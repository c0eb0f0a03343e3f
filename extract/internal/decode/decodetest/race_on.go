//go:build race

package decodetest

// RaceEnabled says that the race detector is on. Measurements of time and memory are
// meaningless then.
const RaceEnabled = true
