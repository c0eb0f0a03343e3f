//go:build !unix

package follow

import "os"

// canHold says that a file that is open cannot be renamed.
const canHold = false

// reopen is never called: nothing is held open.
func reopen(file *os.File) (*os.File, error) { return file, nil }
