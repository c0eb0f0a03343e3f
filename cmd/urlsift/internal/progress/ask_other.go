//go:build !unix

package progress

import "os"

// askSignals are those that ask for a line of progress: there are none here.
var askSignals []os.Signal
