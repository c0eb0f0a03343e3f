package delimit

import "os"

// long is set in the long form of the tests, which CONTRIBUTING.md describes: all cases
// are tried, and by default some of them. The race detector makes each case ten times slower, so
// that it has the short form.
var long = os.Getenv("URLSIFT_LONG") != "" && !raceEnabled
