//go:build !race

package zipstream

const raceEnabled = false
