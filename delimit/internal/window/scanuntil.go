package window

import (
	"encoding/binary"
)

// This file has the loop of the fast path that visits each byte of a reference. One pass
// finds where the reference ends, and which checks the bytes in front of the end require.
// A table has both for each byte. With AVX2, a kernel reads 32 bytes in each iteration.
// Whether a byte ends the loop depends on its two halves, so two tables of sixteen
// entries are enough (StopTables). Without AVX2, and for the last bytes, each iteration
// reads eight bytes.

// ScanUntil returns the index of the first byte of b, from i on, in the set until, or
// len(b); and the asks of the bytes in front of it.
func ScanUntil(b []byte, i int, until Stop) (end int, due Ask) {
	if HasAVX2 {
		if i, due = scanUntilAVX2(b, i, &StopTables[until]); i <= len(b)-lane {
			return i, due // the kernel leaves a whole lane only if it has found an end
		}
	}
	end, rest := ScanUntilGo(b, i, until)
	return end, due | rest
}

// ScanUntilGo is ScanUntil in Go.
func ScanUntilGo(b []byte, i int, until Stop) (end int, due Ask) {
	for ; i+8 <= len(b); i += 8 { // eight bytes in each iteration
		x := binary.LittleEndian.Uint64(b[i:])
		m := Asks[byte(x)] | Asks[byte(x>>8)] | Asks[byte(x>>16)] | Asks[byte(x>>24)] |
			Asks[byte(x>>32)] | Asks[byte(x>>40)] | Asks[byte(x>>48)] | Asks[byte(x>>56)]
		if m>>until&1 != 0 {
			break
		}
		due |= m
	}
	for ; i < len(b); i++ { // at most eight
		m := Asks[b[i]]
		if m>>until&1 != 0 {
			break
		}
		due |= m
	}
	return i, due & (AskHost | AskEntity)
}
