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

// ScanUntil scans b from i on. end is the index of the first byte that is in the Stop until, or
// len(b). checks are the checks that the bytes in front of end require.
func ScanUntil(b []byte, i int, until Stop) (end int, checks Check) {
	if HasAVX2 {
		if i, checks = scanUntilAVX2(b, i, &StopTables[until]); i <= len(b)-stepLen {
			return i, checks // the kernel leaves a whole step only if it has found an end
		}
	}
	end, rest := ScanUntilGo(b, i, until)
	return end, checks | rest
}

// ScanUntilGo is ScanUntil in Go.
func ScanUntilGo(b []byte, i int, until Stop) (end int, checks Check) {
	for ; i+8 <= len(b); i += 8 { // eight bytes in each iteration
		x := binary.LittleEndian.Uint64(b[i:])
		m := ChecksOf[byte(x)] | ChecksOf[byte(x>>8)] | ChecksOf[byte(x>>16)] | ChecksOf[byte(x>>24)] |
			ChecksOf[byte(x>>32)] | ChecksOf[byte(x>>40)] | ChecksOf[byte(x>>48)] | ChecksOf[byte(x>>56)]
		if m>>until&1 != 0 {
			break
		}
		checks |= m
	}
	for ; i < len(b); i++ { // at most eight
		m := ChecksOf[b[i]]
		if m>>until&1 != 0 {
			break
		}
		checks |= m
	}
	return i, checks & (CheckHost | CheckEntity)
}
