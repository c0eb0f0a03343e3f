//go:build !race

package decodetest

// RaceEnabled says that the race detector is off.
const RaceEnabled = false
