package uri_test

import "os"

// long selects the long form of the tests, which CONTRIBUTING.md describes.
var long = os.Getenv("URLSIFT_LONG") != "" && !raceEnabled
