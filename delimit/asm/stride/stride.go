// Command stride writes the kernel of package delimit that walks through a reference,
// for processors with AVX2. What it computes is said by its twin in Go, stride.go of
// that package, with which a test compares it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Lane is how many bytes are looked at in a turn. In what is known of each, the lower
// six bits make an end, and the upper two are gathered.
const (
	lane     = 32
	ends     = 0x3F3F3F3F3F3F3F3F
	nibbles  = 0x0F0F0F0F0F0F0F0F
	gathered = 6
)

func main() {
	ConstraintExpr("amd64")
	TEXT("strideAVX2", NOSPLIT, "func(b []byte, i int, t *[2][32]byte) (end int, met uint8)")
	Doc("strideAVX2 is stride for as many bytes as make whole lanes of 32.")
	p := Load(Param("b").Base(), GP64())
	last := Load(Param("b").Len(), GP64())
	i := Load(Param("i"), GP64())
	t := Load(Param("t"), GP64())
	lows, highs, nibble, end, zero := YMM(), YMM(), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: t}, lows)
	VMOVDQU(Mem{Base: t, Disp: lane}, highs)
	VMOVDQU(every("nibbles", nibbles), nibble)
	VMOVDQU(every("ends", ends), end)
	VPXOR(zero, zero, zero)
	met6, met7 := GP32(), GP32()
	XORL(met6, met6)
	XORL(met7, met7)
	SUBQ(U8(lane), last)

	Label("turn")
	CMPQ(i, last)
	JG(LabelRef("done"))
	text, high := YMM(), YMM()
	VMOVDQU(Mem{Base: p, Index: i, Scale: 1}, text)
	// What a byte is follows from what its halves may be.
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
	VPADDB(text, text, text) // moves the bit below to the top
	VPMOVMSKB(text, in6)
	NOTL(going)
	TESTL(going, going)
	JNZ(LabelRef("ended"))
	ORL(in6, met6)
	ORL(in7, met7)
	ADDQ(U8(lane), i)
	JMP(LabelRef("turn"))

	Label("ended") // of this lane only the bytes before the end count
	at, before := GP32(), GP32()
	BSFL(going, at)
	LEAL(Mem{Base: going, Disp: -1}, before)
	NOTL(going)
	ANDL(going, before)
	ANDL(before, in6)
	ANDL(before, in7)
	ORL(in6, met6)
	ORL(in7, met7)
	ADDQ(at.As64(), i)

	Label("done")
	VZEROUPPER()
	is6, is7 := GP8(), GP8()
	TESTL(met6, met6)
	SETNE(is6)
	TESTL(met7, met7)
	SETNE(is7)
	SHLB(U8(gathered), is6)
	SHLB(U8(gathered+1), is7)
	ORB(is6, is7)
	Store(i, Return("end"))
	Store(is7, Return("met"))
	RET()
	Generate()
}

// every returns a constant in memory that holds the eight bytes c in each place.
func every(name string, c uint64) Mem {
	m := GLOBL("stride_"+name, RODATA|NOPTR)
	for at := 0; at < lane; at += 8 {
		DATA(at, U64(c))
	}
	return m
}
