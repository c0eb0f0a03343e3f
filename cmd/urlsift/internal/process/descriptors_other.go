//go:build !unix

package process

// freeDescriptors returns want: there is no limit that is near.
func freeDescriptors(want int) int { return want }
