package main

import "os"

// long selects the long form of the tests, which CONTRIBUTING.md describes: all cases are tried, by
// default only some.
var long = os.Getenv("URLSIFT_LONG") != ""

// full also selects tests that take minutes: streams and folders of the size of an archive, for
// example a mailbox of 2 GB, and messages and parts of 1 GB.
var full = os.Getenv("URLSIFT_LONG") == "full"
