//go:build race

package main

// raceEnabled says that the race detector is on. What several workers read is then read in
// fewer ways.
const raceEnabled = true
