//go:build !race

package delimit

const raceEnabled = false
