package delimit

import (
	"bytes"
	"encoding/binary"
)

// One pass finds where the reference ends, and which checks the bytes in front of the end require.
// A table has both for each byte. With AVX2, a kernel reads 32 bytes in each iteration. Whether a
// byte ends the loop depends on its two halves, so two tables of sixteen entries are enough
// (stopTables). Without AVX2, and for the last bytes, each iteration reads eight bytes.

// scanUntil scans b from i on. end is the index of the first byte that is in the stop until, or
// len(b). checks are the checks that the bytes in front of end require.
func scanUntil(b []byte, i int, until stop) (end int, checks check) {
	if hasAVX2 {
		if i, checks = scanUntilAVX2(b, i, &stopTables[until]); i <= len(b)-stepLen {
			return i, checks // the kernel leaves a whole step only if it has found an end
		}
	}
	end, rest := scanUntilGo(b, i, until)
	return end, checks | rest
}

// scanUntilGo is scanUntil in Go.
func scanUntilGo(b []byte, i int, until stop) (end int, checks check) {
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		m := checksOf[byte(x)] | checksOf[byte(x>>8)] | checksOf[byte(x>>16)] | checksOf[byte(x>>24)] |
			checksOf[byte(x>>32)] | checksOf[byte(x>>40)] | checksOf[byte(x>>48)] | checksOf[byte(x>>56)]
		if m>>until&1 != 0 {
			break
		}
		checks |= m
	}
	for ; i < len(b); i++ { // at most eight
		m := checksOf[b[i]]
		if m>>until&1 != 0 {
			break
		}
		checks |= m
	}
	return i, checks & (checkHost | checkEntity)
}

// A check is a check that a byte of a reference requires. Checks are bits and can be
// combined.
type check uint8

const (
	checkHost   check = 1 << 6 // check the host: the byte may end a userinfo
	checkEntity check = 1 << 7 // check whether "&amp;" begins here
)

// A stop is a set of bytes that end the loop. A byte is in it if the byte has the bit
// 1<<stop in checksOf.
type stop uint8

const (
	stopWrapped stop = iota // bytes that close a wrapper, or show that it contains more than a reference
	stopBare                // bytes that end or may end a bare reference
	numStops                // how many stops there are
)

// checksOf has the checks of each byte, and a bit for each stop that contains the byte. Special
// bytes that are not in stopBare have no effect in a bare reference without open brackets.
var checksOf = func() (t [256]check) {
	for c, r := range roles {
		if r.has(halts) {
			t[c] |= 1 << stopWrapped
		}
		if r.has(ends|special) && bytes.IndexByte([]byte("/?#"), byte(c)) < 0 {
			t[c] |= 1 << stopBare
		}
	}
	t[','] |= 1 << stopBare // a field may follow
	t['*'] |= 1 << stopBare // a comment may end
	t['@'] |= checkHost
	t['&'] |= checkEntity
	return t
}()

// stepLen is how many bytes the kernel reads in one iteration.
const stepLen = 32

// A stopTable maps the lower and the upper half of a byte to sets of bits, each repeated
// for the two halves of a register. The bits that both sets have in common are the checks of the
// byte. Any bit below checkHost and checkEntity means an end.
type stopTable = [2][stepLen]byte

// stopTables has the table for each stop.
var stopTables = [numStops]stopTable{
	stopTableOf(1 << stopWrapped), stopTableOf(1 << stopBare),
}

// stopTableOf returns the table for a stop, whose bit is until. Upper halves for which the same
// lower halves mean an end share a bit. A test checks that six bits are enough.
func stopTableOf(until check) (t stopTable) {
	var rows [16]uint16 // for each upper half, the lower halves that mean an end
	bit := byte(1)
	set := func(high, low int, bits byte) {
		for half := 0; half < stepLen; half += stepLen / 2 {
			t[0][half+low] |= bits
			t[1][half+high] |= bits
		}
	}
	for high := range rows {
		for low := range 16 {
			if checksOf[high<<4|low]&until != 0 {
				rows[high] |= 1 << low
			}
		}
		is := bit
		for above := range high {
			if rows[above] == rows[high] {
				is = t[1][above]
			}
		}
		for low := range 16 {
			if rows[high]>>low&1 != 0 {
				set(high, low, is)
			}
		}
		if t[1][high] == bit {
			bit <<= 1
		}
	}
	set('@'>>4, '@'&15, byte(checkHost))
	set('&'>>4, '&'&15, byte(checkEntity))
	return t
}
