// The program asm generates the assembler kernel of package decode. It is a module of its own,
// so that package decode does not depend on the library that generates the code.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	newlines()
	Generate()
}

// newlines generates a function that compares 64 bytes at a time and converts the bits of the
// result to the offsets at which lines begin. The number of newlines in 64 bytes is hard to predict, and a mispredicted
// branch costs more than a store. So four offsets are always stored, and out advances by the
// true number. If there are more than four, a loop stores the rest.
func newlines() {
	TEXT("newlinesAVX2", NOSPLIT, "func(b []byte, at int64, out []int64) int")
	Doc("newlinesAVX2 is newlines for whole blocks of 64 bytes.")
	p := Load(Param("b").Base(), GP64())
	left := Load(Param("b").Len(), GP64())
	at := Load(Param("at"), GP64())
	out := Load(Param("out").Base(), GP64())
	lf, c := YMM(), GP32()
	MOVL(U32('\n'), c)
	x := XMM()
	MOVD(c, x)
	VPBROADCASTB(x, lf)
	INCQ(at)
	n := GP64()
	XORQ(n, n)
	SHRQ(U8(6), left)
	JZ(LabelRef("done"))

	Label("block")
	low, high := YMM(), YMM()
	VPCMPEQB(Mem{Base: p}, lf, low)
	VPCMPEQB(Mem{Base: p, Disp: 32}, lf, high)
	mask, upper := GP64(), GP64()
	VPMOVMSKB(low, mask.As32())
	VPMOVMSKB(high, upper.As32())
	SHLQ(U8(32), upper)
	ORQ(upper, mask)
	JZ(LabelRef("next"))
	count, place := GP64(), GP64()
	POPCNTQ(mask, count)
	for i := range 4 {
		TZCNTQ(mask, place)
		ADDQ(at, place)
		MOVQ(place, Mem{Base: out, Index: n, Scale: 8, Disp: 8 * i})
		BLSRQ(mask, mask)
	}
	ADDQ(n, count)
	TESTQ(mask, mask)
	JZ(LabelRef("counted"))
	ADDQ(U8(4), n)
	Label("more")
	TZCNTQ(mask, place)
	ADDQ(at, place)
	MOVQ(place, Mem{Base: out, Index: n, Scale: 8})
	INCQ(n)
	BLSRQ(mask, mask)
	TESTQ(mask, mask)
	JNZ(LabelRef("more"))
	Label("counted")
	MOVQ(count, n)
	Label("next")
	ADDQ(U8(64), p)
	ADDQ(U8(64), at)
	DECQ(left)
	JNZ(LabelRef("block"))
	Label("done")
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}
