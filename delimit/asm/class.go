package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// classPrefix asks 32 bytes at a time: a byte is in the class if what is looked up
// for its low half and what is looked up for its high half have a bit in common.
// The lookup gives nothing for a byte beyond ASCII.
//
// What is left at the end is asked together with bytes that were asked before; if
// the whole slice is shorter than 32 bytes, with those behind it or before it,
// whichever lie in the same page and can be read therefore, and these do not count.
func classPrefix() {
	TEXT("classPrefixAVX2", NOSPLIT, "func(b []byte, c *[2][16]byte) int")
	Doc("classPrefixAVX2 is class.prefix.")
	p := Load(Param("b").Base(), GP64())
	n := Load(Param("b").Len(), GP64())
	c := Load(Param("c"), GP64())
	low, high := YMM(), YMM()
	VBROADCASTI128(Mem{Base: c}, low)
	VBROADCASTI128(Mem{Base: c, Disp: 16}, high)
	nibble := load(every(0x0F))
	zero := YMM()
	VPXOR(zero, zero, zero)

	// out sets a bit for each of the 32 bytes at m that is not in the class.
	out := func(m Mem) reg.GPVirtual {
		text, l := YMM(), YMM()
		VMOVDQU(m, text)
		VPSHUFB(text, low, l)
		VPSRLW(U8(4), text, text)
		VPAND(nibble, text, text)
		VPSHUFB(text, high, text)
		VPAND(l, text, text)
		VPCMPEQB(zero, text, text)
		bits := GP64()
		VPMOVMSKB(text, bits.As32())
		return bits
	}
	i, last := GP64(), GP64()
	XORQ(i, i)
	MOVQ(n, last)
	SUBQ(U8(32), last)
	JLT(LabelRef("short"))

	Label("loop")
	bits := out(Mem{Base: p, Index: i, Scale: 1})
	TESTL(bits.As32(), bits.As32())
	JNE(LabelRef("found"))
	ADDQ(U8(32), i)
	CMPQ(i, last)
	JLE(LabelRef("loop"))
	CMPQ(i, n)
	JGE(LabelRef("all"))
	MOVQ(last, i)
	bits2 := out(Mem{Base: p, Index: i, Scale: 1})
	MOVL(bits2.As32(), bits.As32())
	TESTL(bits.As32(), bits.As32())
	JEQ(LabelRef("all"))
	Label("found")
	BSFL(bits.As32(), bits.As32())
	ADDQ(bits, i)
	VZEROUPPER()
	Store(i, ReturnIndex(0))
	RET()

	Label("short")
	TESTQ(n, n)
	JEQ(LabelRef("all"))
	page := GP64()
	MOVQ(p, page)
	ANDL(U32(4095), page.As32())
	CMPL(page.As32(), U32(4096-32))
	JGT(LabelRef("before"))
	head := out(Mem{Base: p})
	BTSQ(n, head) // the end is not in the class
	BSFQ(head, head)
	VZEROUPPER()
	Store(head, ReturnIndex(0))
	RET()

	Label("before")
	tail := out(Mem{Base: p, Index: last, Scale: 1})
	shift := GP64()
	MOVQ(last, reg.RCX)
	NEGQ(reg.RCX)
	SHRQ(reg.CL, tail)
	BTSQ(n, tail)
	BSFQ(tail, shift)
	VZEROUPPER()
	Store(shift, ReturnIndex(0))
	RET()

	Label("all")
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}
