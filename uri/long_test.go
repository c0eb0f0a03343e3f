package uri_test

import "os"

// long is set in the long form of the tests, which CONTRIBUTING.md describes.
var long = os.Getenv("URLSIFT_LONG") != "" && !raceEnabled
