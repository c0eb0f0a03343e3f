package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// lineBlocks has no branch except its loop. If a block has no newline, a conditional move
// keeps the offset of the current line.
func lineBlocks() {
	TEXT("lineBlocksAVX2", NOSPLIT, "func(b []byte, out *[386]uint64) (newlines, start uint32)")
	Doc("lineBlocksAVX2 is lineBlocks for whole blocks.")
	p := Load(Param("b").Base(), GP64())
	size := Load(Param("b").Len(), GP64())
	out := Load(Param("out"), GP64())
	feeds := load(every('\n'))
	at, n, start := GP64(), GP64(), GP64()
	XORQ(at, at)
	XORQ(n, n)
	XORQ(start, start)
	JMP(LabelRef("more"))

	Label("block")
	low, high := YMM(), YMM()
	VPCMPEQB(Mem{Base: p, Index: at, Scale: 1}, feeds, low)
	VPCMPEQB(Mem{Base: p, Index: at, Scale: 1, Disp: 32}, feeds, high)
	mask, upper := GP64(), GP64()
	VPMOVMSKB(low, mask.As32())
	VPMOVMSKB(high, upper.As32())
	SHLQ(U8(32), upper)
	ORQ(upper, mask)
	MOVQ(mask, Mem{Base: out})
	MOVL(n.As32(), Mem{Base: out, Disp: 8})
	MOVL(start.As32(), Mem{Base: out, Disp: 12})
	last, ones := GP64(), GP64()
	BSRQ(mask, last) // sets the zero flag if there is none
	LEAQ(Mem{Base: last, Index: at, Scale: 1, Disp: 1}, last)
	CMOVQNE(last, start)
	POPCNTQ(mask, ones)
	ADDQ(ones, n)
	ADDQ(U8(16), out)
	ADDQ(U8(64), at)
	Label("more")
	CMPQ(at, size)
	JLT(LabelRef("block"))

	VZEROUPPER()
	Store(n.As32(), Return("newlines"))
	Store(start.As32(), Return("start"))
	RET()
}
