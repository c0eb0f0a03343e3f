package main

import (
	"errors"
)

// Detects standard descriptors that were closed. If standard output is closed, the first
// file that is opened gets its number, and results would be written into that file. So
// the Go runtime opens /dev/null in place of a closed standard descriptor before any Go
// code runs. But then results would be lost without a message. Afterwards nobody can see the
// difference: many parents pass /dev/null, opened for reading and writing.
//
// So the descriptors are checked before the runtime starts. On Linux, assembly files
// define the symbol that the linker uses as the entry point, and then jump to the entry
// point of the runtime. That symbol may be defined twice; the linker takes the one of the
// main package, which it reads first. Where this does not work, in a program that C
// starts (with the race detector), on other systems, and with untested releases of Go,
// nothing is known, and the command behaves like any Go program.

// entry is the result: bit n if descriptor n was closed, and looked. It is written before
// the runtime starts, and never again.
var entry uint32

// looked is set if the descriptors were checked.
const looked = 8

// standard are the names of the standard descriptors.
var standard = [...]string{"standard input", "standard output", "standard error"}

// closedStandard returns an error that names the first standard descriptor that was
// closed when the command started, or nil.
func closedStandard() error {
	for n, name := range standard {
		if entry>>n&1 != 0 {
			return errors.New(name + " is closed")
		}
	}
	return nil
}
