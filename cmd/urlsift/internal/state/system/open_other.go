//go:build !unix

package system

// careful are flags to open a file that may be a link or a pipe by now.
const careful = 0
