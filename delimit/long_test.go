package delimit

import "os"

// long selects the long form of the tests, which CONTRIBUTING.md describes: it tries all cases, the
// short form only some. The race detector makes each case ten times slower, so it always uses the
// short form.
var long = os.Getenv("URLSIFT_LONG") != "" && !raceEnabled
