package inflate

import "os"

// long is set in the long form of the tests, which CONTRIBUTING.md describes: all cases
// are tried, and by default some of them.
var long = os.Getenv("URLSIFT_LONG") != ""
