//go:build !race

package decodetest

const RaceEnabled = false
