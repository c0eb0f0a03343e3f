package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// stepLen is how many bytes scanUntil examines in an iteration.
const stepLen = 32

// gathered is the first of the two bits that scanUntil collects from the bytes in front of
// the end. Any lower bit means the end.
const gathered = 6

// scanUntil scans a reference. The checks that a byte requires are the bits that the tables for
// its two halves have in common. This function is long because each line writes one
// instruction.
func scanUntil() {
	TEXT("scanUntilAVX2", NOSPLIT, "func(b []byte, i int, t *[2][32]byte) (end int, checks uint8)")
	Doc("scanUntilAVX2 is scanUntil for as many bytes as make whole steps of 32.")
	p := Load(Param("b").Base(), GP64())
	last := Load(Param("b").Len(), GP64())
	i := Load(Param("i"), GP64())
	t := Load(Param("t"), GP64())
	lows, highs := load(Mem{Base: t}), load(Mem{Base: t, Disp: stepLen})
	nibble, end, zero := load(every(0x0F)), load(every(0x3F)), YMM()
	VPXOR(zero, zero, zero)
	checks6, checks7 := GP32(), GP32()
	XORL(checks6, checks6)
	XORL(checks7, checks7)
	SUBQ(U8(stepLen), last)

	Label("loop")
	CMPQ(i, last)
	JG(LabelRef("done"))
	text, high := YMM(), YMM()
	VMOVDQU(Mem{Base: p, Index: i, Scale: 1}, text)
	// The checks of a byte are the bits that two entries have in common: those of its
	// lower and of its upper four bits.
	VPSRLW(U8(4), text, high)
	VPAND(nibble, text, text)
	VPAND(nibble, high, high)
	VPSHUFB(text, lows, text)
	VPSHUFB(high, highs, high)
	VPAND(text, high, text)
	VPAND(end, text, high)
	VPCMPEQB(zero, high, high)
	going, in6, in7 := GP32(), GP32(), GP32()
	VPMOVMSKB(high, going)
	VPMOVMSKB(text, in7)
	VPADDB(text, text, text) // moves bit 6 to the top
	VPMOVMSKB(text, in6)
	NOTL(going)
	TESTL(going, going)
	JNZ(LabelRef("ended"))
	ORL(in6, checks6)
	ORL(in7, checks7)
	ADDQ(U8(stepLen), i)
	JMP(LabelRef("loop"))

	Label("ended") // of this step only the bytes before the end count
	at, before := GP32(), GP32()
	BSFL(going, at)
	LEAL(Mem{Base: going, Disp: -1}, before)
	NOTL(going)
	ANDL(going, before)
	ANDL(before, in6)
	ANDL(before, in7)
	ORL(in6, checks6)
	ORL(in7, checks7)
	ADDQ(at.As64(), i)

	Label("done")
	VZEROUPPER()
	is6, is7 := GP8(), GP8()
	TESTL(checks6, checks6)
	SETNE(is6)
	TESTL(checks7, checks7)
	SETNE(is7)
	SHLB(U8(gathered), is6)
	SHLB(U8(gathered+1), is7)
	ORB(is6, is7)
	Store(i, Return("end"))
	Store(is7, Return("checks"))
	RET()
}
