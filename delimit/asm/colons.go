package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file writes the search for colons. The plan is in colons.go of package
// window. Each function here is long because each line writes one instruction.

// writers are the bytes that a colon may be written with: itself, and the first bytes of its escapes. They
// are a table of a class; see narrowBlocks.
const writers = "\x01\x00\x00\x00\x00\x00&\x00\x00\x00:\x00\\\x00\x00\x00"

// colonBlocks writes the offset of each block, and keeps it only if the block has a colon or may have a
// written one.
// It does that without a branch, because the processor could not predict one.
func colonBlocks() {
	TEXT("colonBlocksAVX2", NOSPLIT, "func(b []byte, at []uint32) (n, newlines int)")
	Doc("colonBlocksAVX2 is colonBlocks for whole blocks, at most 255 of them.")
	p := Load(Param("b").Base(), GP64())
	size := Load(Param("b").Len(), GP64())
	list := Load(Param("at").Base(), GP64())
	colons, feeds := load(table(writers)), load(every('\n'))
	lines := [2]reg.VecVirtual{YMM(), YMM()} // each byte counts up to 255
	VPXOR(lines[0], lines[0], lines[0])
	VPXOR(lines[1], lines[1], lines[1])
	at, n := GP64(), GP64()
	XORQ(at, at)
	XORQ(n, n)

	block := func() {
		// The hardware prefetcher stops at page ends, so prefetch explicitly. The
		// address may be after the end of the text.
		PREFETCHT0(Mem{Base: p, Index: at, Scale: 1, Disp: 2048})
		var masks [2]reg.VecVirtual
		for i := range 2 {
			masks[i] = YMM()
			lf, text := YMM(), YMM()
			VMOVDQU(Mem{Base: p, Index: at, Scale: 1, Disp: 32 * i}, text)
			VPCMPEQB(feeds, text, lf)
			VPSUBB(lf, lines[i], lines[i])
			VPSHUFB(text, colons, masks[i])
			VPCMPEQB(text, masks[i], masks[i])
		}
		VPOR(masks[0], masks[1], masks[0])
		any := GP32()
		VPMOVMSKB(masks[0], any)
		MOVL(at.As32(), Mem{Base: list, Index: n, Scale: 4})
		CMPL(any, U8(1)) // carries if it is zero
		SBBQ(I8(-1), n)
		ADDQ(U8(64), at)
	}
	SUBQ(U8(64), size)
	Label("two")
	CMPQ(at, size)
	JGE(LabelRef("one"))
	block()
	block()
	JMP(LabelRef("two"))
	Label("one")
	JG(LabelRef("counted"))
	block()

	Label("counted")
	zero := YMM()
	VPXOR(zero, zero, zero)
	VPSADBW(zero, lines[0], lines[0])
	VPSADBW(zero, lines[1], lines[1])
	VPADDQ(lines[0], lines[1], lines[0])
	high := XMM()
	VEXTRACTI128(U8(1), lines[0], high)
	low := lines[0].AsX()
	VPADDQ(high, low, low)
	VPSRLDQ(U8(8), low, high)
	VPADDQ(high, low, low)
	newlines := GP64()
	VMOVQ(low, newlines)
	VZEROUPPER()
	Store(n, Return("n"))
	Store(newlines, Return("newlines"))
	RET()
}

// narrowBlocks has no branch except its loop, either. Each condition on a colon is about a byte
// at a fixed distance from the colon. To test it for all bytes of a block at once, the block is
// loaded again, shifted by that distance.
func narrowBlocks() {
	TEXT("narrowBlocksAVX2", NOSPLIT, "func(b []byte, from int, at []uint32, masks []uint64, t *[3][32]byte) int")
	Doc("narrowBlocksAVX2 is narrowBlocks for blocks before which 64 bytes of b stand, and", "from whose beginning 130 do.")
	p := Load(Param("b").Base(), GP64())
	from := Load(Param("from"), GP64())
	ADDQ(from, p)
	at := Load(Param("at").Base(), GP64())
	end := Load(Param("at").Len(), GP64())
	masks := Load(Param("masks").Base(), GP64())
	t := Load(Param("t"), GP64())
	i, n := GP64(), GP64()
	XORQ(i, i)
	XORQ(n, n)

	var endings [3]reg.VecVirtual
	for i := range endings {
		endings[i] = load(Mem{Base: t, Disp: 32 * i})
	}
	// Tables of classes, indexed by the low nibble of a byte. An entry is the byte of the
	// class with that nibble, or else a byte with another nibble. So a byte is in the class
	// if its entry is the byte itself.
	white := load(table(" \x00\x00\x00\x00\x00\x00\x00\x00\t\n\v\f\r\x00\x00"))
	leads := load(table(" \x00\x00\x00\x00\x00\x00\x00\x00\t\n\v\f\r>/"))
	space, slash, hyphen, x := load(every(' ')), load(every('/')), load(every('-')), load(every('x'))
	colons := every(':')

	CMPQ(i, end)
	JGE(LabelRef("narrowed"))
	Label("colons")
	start, block := GP32(), GP64()
	MOVL(Mem{Base: at, Index: i, Scale: 4}, start)
	LEAQ(Mem{Base: p, Index: start.As64(), Scale: 1}, block)
	text := func(disp int) Mem { return Mem{Base: block, Disp: disp} }

	// Is there a slash soon after the block, or "x-" shortly in front of it?
	near, drawn := YMM(), YMM()
	a := YMM()
	VPCMPEQB(text(2), slash, near)
	for k := 1; k < 4; k++ {
		VPCMPEQB(text(2+32*k), slash, a)
		VPOR(a, near, near)
	}
	for k := range 4 {
		v := a
		if k == 0 {
			v = drawn
		}
		h := YMM()
		VPOR(text(32*k-64), space, v)
		VPCMPEQB(x, v, v)
		VPCMPEQB(text(32*k-63), hyphen, h)
		VPAND(h, v, v)
		if k > 0 {
			VPOR(v, drawn, drawn)
		}
	}
	// Make a mask of each answer: all ones for yes, zeros for no.
	for _, v := range []reg.VecVirtual{near, drawn} {
		is := GP32()
		VPMOVMSKB(v, is)
		NEGL(is) // carries if it is not zero
		SBBL(is, is)
		VMOVD(is, v.AsX())
		VPBROADCASTD(v.AsX(), v)
	}

	var hits [2]reg.GPVirtual
	for half := range hits {
		d := 32 * half
		keep, lead, c, w := YMM(), YMM(), YMM(), YMM()
		// The groups of endings that have these three bytes. Bit 7 is the group of the
		// endings of two letters. The third byte must not be below '0', as in "-ID":
		// adding 0xD0 sets the top bit of such a byte, and so its entry is 0. With "x-"
		// near, 0xE0 is added, which allows a hyphen, as the search in Go does.
		VPAND(every(0x10), drawn, keep)
		VPADDB(every(0xD0), keep, keep)
		VPADDB(text(d-3), keep, keep)
		VPSHUFB(keep, endings[0], keep)
		VPOR(every(0x80), keep, keep)
		VPSHUFB(text(d-2), endings[1], c)
		VPAND(c, keep, keep)
		VPSHUFB(text(d-1), endings[2], c)
		VPAND(c, keep, keep)
		next := YMM()
		VMOVDQU(text(d+1), next)
		VMOVDQU(text(d+2), lead)
		// White space after the colon, and then a byte that may lead to a slash.
		VPSHUFB(lead, leads, c)
		VPCMPEQB(lead, c, c)
		VPCMPEQB(colons, lead, w)
		VPOR(w, c, c)
		VPCMPEQB(every('|'), lead, w)
		VPOR(w, c, c)
		VPSHUFB(next, white, w)
		VPCMPEQB(next, w, w)
		VPAND(c, near, c)
		VPAND(c, w, c)
		VPANDN(drawn, w, w) // ^w & drawn
		VPOR(w, c, c)
		// A slash directly after the colon.
		VPCMPEQB(slash, next, w)
		VPOR(w, c, c)
		VPCMPEQB(every('\\'), next, w)
		VPOR(w, c, c)
		// keep has the bits of groups, c has bytes of ones. Is any bit set?
		VPOR(keep, c, c)
		VPXOR(w, w, w)
		VPCMPEQB(w, c, c)
		this := YMM()
		VMOVDQU(text(d), this)
		VPCMPEQB(colons, this, w)
		VPANDN(w, c, c) // ^c & w
		// A written colon: "&" or "\\", and then two bytes of the classes "#cux" and "5xo03", by their
		// lower halves. Entries have only the top bit, which is all that counts at the end.
		VMOVDQU(table("\x00\x00\x00\x80\x00\x80\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00"), w)
		VPSHUFB(next, w, next)
		VMOVDQU(table("\x80\x00\x00\x80\x00\x80\x00\x00\x80\x00\x00\x00\x00\x00\x00\x80"), w)
		VPSHUFB(lead, w, lead)
		VPAND(next, lead, lead)
		VPCMPEQB(every('&'), this, next)
		VPCMPEQB(every('\\'), this, this)
		VPOR(next, this, this)
		VPAND(lead, this, this)
		VPOR(this, c, c)
		hits[half] = GP64()
		VPMOVMSKB(c, hits[half].As32())
	}
	SHLQ(U8(32), hits[1])
	ORQ(hits[1], hits[0])
	MOVQ(hits[0], Mem{Base: masks, Index: n, Scale: 8})
	MOVL(start, Mem{Base: at, Index: n, Scale: 4})
	CMPQ(hits[0], U8(1)) // carries if it is zero
	SBBQ(I8(-1), n)
	ADDQ(U8(1), i)
	CMPQ(i, end)
	JLT(LabelRef("colons"))

	Label("narrowed")
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}
