package main

import "os"

// long is set in the long form of the tests, which CONTRIBUTING.md describes: all cases
// are tried, and by default some of them.
var long = os.Getenv("URLSIFT_LONG") != ""

// full is set if also what takes minutes is tried: streams and folders of the size of
// an archive, a mailbox of 2 GB and messages and parts of 1 GB among them.
var full = os.Getenv("URLSIFT_LONG") == "full"
