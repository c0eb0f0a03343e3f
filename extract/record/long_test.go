package record

import "os"

// long selects the long form of the tests, which CONTRIBUTING.md describes: it tries all cases, the
// short form only some.
var long = os.Getenv("URLSIFT_LONG") != ""
