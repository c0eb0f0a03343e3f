package files_test

import "os"

// long selects the long form of the tests, which CONTRIBUTING.md describes: all cases are tried, by
// default only some.
var long = os.Getenv("URLSIFT_LONG") != ""
