package delimit

import "os"

// long is set in the long form of the tests, which CONTRIBUTING.md describes: it tries all
// cases, the short form some of them. The race detector makes each case ten times slower, so
// with it the form is short.
var long = os.Getenv("URLSIFT_LONG") != "" && !raceEnabled
