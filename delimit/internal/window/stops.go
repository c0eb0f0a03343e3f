package window

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// A Check is a check that a byte of a reference requires. Checks are bits and can be
// combined.
type Check uint8

const (
	CheckHost   Check = 1 << 6 // check the host: the byte may end a userinfo
	CheckEntity Check = 1 << 7 // check whether "&amp;" begins here
)

// A Stop is a set of bytes that end the loop. A byte is in it if the byte has the bit
// 1<<stop in ChecksOf.
type Stop uint8

const (
	StopWrapped Stop = iota // bytes that close a wrapper, or show that it contains more than a reference
	StopBare                // bytes that end or may end a bare reference
	StopNested              // the same after "(", where its partner also ends it
	NumStops                // how many Stops there are
)

// ChecksOf has the checks of each byte, and a bit for each Stop that contains the byte. Special
// bytes that are not in StopBare have no effect in a bare reference without open brackets.
var ChecksOf = func() (t [256]Check) {
	for c, r := range lex.Roles {
		if r.Has(lex.Halts) {
			t[c] |= 1 << StopWrapped
		}
		if r.Has(lex.Ends|lex.Special) && bytes.IndexByte([]byte("/?#()"), byte(c)) < 0 {
			t[c] |= 1<<StopBare | 1<<StopNested
		}
	}
	t[','] |= 1<<StopBare | 1<<StopNested // a field may follow
	t['('] |= 1 << StopNested
	t[')'] |= 1 << StopNested
	t['@'] |= CheckHost
	t['&'] |= CheckEntity
	return t
}()

// stepLen is how many bytes the kernel reads in one iteration.
const stepLen = 32

// A stopTable maps the lower and the upper half of a byte to sets of bits, each repeated
// for the two halves of a register. The bits that both sets have in common are the checks of the
// byte. Any bit below CheckHost and CheckEntity means an end.
type stopTable = [2][stepLen]byte

// StopTables has the table for each Stop.
var StopTables = [NumStops]stopTable{
	stopTableOf(1 << StopWrapped), stopTableOf(1 << StopBare), stopTableOf(1 << StopNested),
}

// stopTableOf returns the table for a Stop, whose bit is until. Upper halves for which the same
// lower halves mean an end share a bit. A test checks that six bits are enough.
func stopTableOf(until Check) (t stopTable) {
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
			if ChecksOf[high<<4|low]&until != 0 {
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
	set('@'>>4, '@'&15, byte(CheckHost))
	set('&'>>4, '&'&15, byte(CheckEntity))
	return t
}
