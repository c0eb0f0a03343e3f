//go:build !race

package tarstream

const raceEnabled = false
