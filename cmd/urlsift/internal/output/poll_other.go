//go:build !unix

package output

func poll(uintptr, bool) {}
