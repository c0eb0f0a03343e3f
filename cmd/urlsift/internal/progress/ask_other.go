//go:build !unix

package progress

import "os"

// askSignals are the signals that request a line of progress: none on this system.
var askSignals []os.Signal
