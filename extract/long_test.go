package extract_test

import "os"

// long is set in the long form of the tests, which CONTRIBUTING.md describes: all cases
// are tried, and by default some of them. The race detector makes each case ten times slower, so
// that it has the short form.
var long = os.Getenv("URLSIFT_LONG") != "" && !raceEnabled

// full is set if also what takes minutes is tried: streams and folders of the size of
// an archive, a mailbox of 2 GB and messages and parts of 1 GB among them.
var full = os.Getenv("URLSIFT_LONG") == "full"
