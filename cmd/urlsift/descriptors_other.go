//go:build !unix

package main

// freeDescriptors returns want: there is no limit that is near.
func freeDescriptors(want int) int { return want }
