// Command asm generates the kernel of package uri for processors with AVX2. It is a
// module of its own, so that users of the package do not need avo.
//
// The tests of the package have the same function in Go, PlainHead, and compare the two.
// The kernel does not read outside its text.
package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	head()
	Generate()
}

var tables int

// table returns a constant in memory, the 16 bytes of t twice, one for each lane.
func table(t []byte) Mem {
	m := GLOBL(fmt.Sprintf("constant%d", tables), RODATA|NOPTR)
	tables++
	DATA(0, String(t)+String(t))
	return m
}

// every returns a constant in memory: 32 times the byte c.
func every(c byte) Mem { return table([]byte(strings.Repeat(string([]byte{c}), 16))) }

// halves returns two tables of bits. A byte is plain if the entry of its lower half in
// lows and that of its upper half in highs have a bit in common.
func halves() (lows, highs []byte) {
	lows, highs = make([]byte, 16), make([]byte, 16)
	rows := map[[16]bool]byte{} // the bit of each set of lower halves; upper halves that are plain with this set share the bit
	for high := range 8 {
		var row [16]bool
		none := true
		for low := range 16 {
			c := byte(high<<4 | low)
			row[low] = '0' <= c && c <= '9' || 'A' <= c&^0x20 && c&^0x20 <= 'Z' || strings.IndexByte("-./_", c) >= 0
			none = none && !row[low]
		}
		if none {
			continue
		}
		if rows[row] == 0 {
			rows[row] = 1 << len(rows)
		}
		highs[high] = rows[row]
		for low, is := range row {
			if is {
				lows[low] |= rows[row]
			}
		}
	}
	return lows, highs
}

// head scans its text in two pieces of 32 bytes, or of 16 if the text is shorter than
// 32. The second piece ends at the end of the text, or at 64 bytes. It may overlap the
// first, and has the same bits there.
func head() {
	TEXT("headAVX2", NOSPLIT, "func(s string) (odd, slash uint64)")
	Doc("headAVX2 marks the first bytes of a text of 16 or more.")
	p := Load(Param("s").Base(), GP64())
	n := Load(Param("s").Len(), GP64())
	low, high := halves()
	lows, highs := table(low), table(high)
	nibble, bars := every(0x0F), every('/')
	odd, slash, odd2, slash2 := GP64(), GP64(), GP64(), GP64()

	// look sets odd and slash to the marks of the bytes at m, in the lowest bits.
	look := func(m Mem, odd, slash reg.GPVirtual, x func() reg.VecVirtual) {
		text, upper, zero := x(), x(), x()
		VMOVDQU(m, text)
		VPCMPEQB(bars, text, zero)
		VPMOVMSKB(zero, slash.As32())
		VPSRLW(U8(4), text, upper)
		VPAND(nibble, upper, upper)
		high, low := x(), x()
		VMOVDQU(highs, high)
		VPSHUFB(upper, high, upper)
		VMOVDQU(lows, low)
		VPSHUFB(text, low, text) // 0 for non-ASCII bytes
		VPAND(upper, text, text)
		VPXOR(zero, zero, zero)
		VPCMPEQB(zero, text, text)
		VPMOVMSKB(text, odd.As32())
	}
	join := func() {
		SHLQ(reg.CL, odd2)
		SHLQ(reg.CL, slash2)
		ORQ(odd2, odd)
		ORQ(slash2, slash)
		Store(odd, Return("odd"))
		Store(slash, Return("slash"))
	}

	end := GP64()
	MOVQ(U32(64), end)
	CMPQ(n, end)
	CMOVQGT(end, n)
	CMPQ(n, U8(32))
	JL(LabelRef("short"))
	LEAQ(Mem{Base: n, Disp: -32}, reg.RCX)
	look(Mem{Base: p}, odd, slash, YMM)
	look(Mem{Base: p, Index: reg.RCX, Scale: 1}, odd2, slash2, YMM)
	VZEROUPPER()
	join()
	RET()

	Label("short")
	LEAQ(Mem{Base: n, Disp: -16}, reg.RCX)
	look(Mem{Base: p}, odd, slash, XMM)
	look(Mem{Base: p, Index: reg.RCX, Scale: 1}, odd2, slash2, XMM)
	join()
	RET()
}
