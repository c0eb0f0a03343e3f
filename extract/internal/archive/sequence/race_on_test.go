//go:build race

package sequence

// raceEnabled says that the race detector is on. Measurements of time and memory are meaningless
// then.
const raceEnabled = true
