package main

import (
	"errors"
)

// A closed standard descriptor. If standard output is closed, the first file that is
// opened gets its number, and results would be written into that. So the runtime of Go
// opens /dev/null in the place of a standard descriptor that is closed, before any Go
// code runs; and then results would go nowhere, in silence. From then on it looks as
// where a parent has given /dev/null, opened for reading and writing, as many do.
//
// So the descriptors are looked at before the runtime starts. On Linux the assembler
// files define the symbol that the linker makes the entry point, and go on to the rest
// of the runtime's own. That symbol may be defined twice; the linker takes the one
// of the main package, which it reads first. Where it does not, in a program that C
// starts (the race detector's), on other systems and with other releases of Go than
// were tried, nothing is known, and the command does what the runtime does.

// entry is what was found: bit n if descriptor n was closed, and looked. It is written
// before there is a runtime, and not since.
var entry uint32

// looked is set if the descriptors were looked at.
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
