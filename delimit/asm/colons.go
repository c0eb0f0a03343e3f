package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The search for colons. Its plan stands in the package's trigger_blocks.go.

// blockSize is the size of a block in Go: a mask and an offset.
const blockSize = 16

// colonBlocks writes a mask for each block and moves on behind it only if it has
// a bit: no branch asks whether there is a colon, since nothing foretells that.
func colonBlocks() {
	TEXT("colonBlocksAVX2", NOSPLIT, "func(b []byte, out []struct{mask uint64; at int}) (n, newlines int)")
	Doc("colonBlocksAVX2 is colonBlocks for whole blocks, at most 255 of them. It writes", "one block more than it counts.")
	p := Load(Param("b").Base(), GP64())
	size := Load(Param("b").Len(), GP64())
	out := Load(Param("out").Base(), GP64())
	colons, feeds := load(every(':')), load(every('\n'))
	lines := [2]reg.VecVirtual{YMM(), YMM()} // each byte counts up to 255
	VPXOR(lines[0], lines[0], lines[0])
	VPXOR(lines[1], lines[1], lines[1])
	at, start := GP64(), GP64()
	XORQ(at, at)
	MOVQ(out, start)
	more, one := GP64(), GP64()
	MOVQ(U32(blockSize), one)

	CMPQ(at, size)
	JGE(LabelRef("counted"))
	Label("block")
	masks := [2]reg.GPVirtual{GP64(), GP64()}
	for i := range 2 {
		text, lf := YMM(), YMM()
		VMOVDQU(Mem{Base: p, Index: at, Scale: 1, Disp: 32 * i}, text)
		VPCMPEQB(feeds, text, lf)
		VPSUBB(lf, lines[i], lines[i])
		VPCMPEQB(colons, text, text)
		VPMOVMSKB(text, masks[i].As32())
	}
	SHLQ(U8(32), masks[1])
	ORQ(masks[1], masks[0])
	MOVQ(masks[0], Mem{Base: out})
	MOVQ(at, Mem{Base: out, Disp: 8})
	XORQ(more, more)
	TESTQ(masks[0], masks[0])
	CMOVQNE(one, more)
	ADDQ(more, out)
	ADDQ(U32(64), at)
	CMPQ(at, size)
	JLT(LabelRef("block"))

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
	SUBQ(start, out)
	SHRQ(U8(4), out)
	Store(out, Return("n"))
	Store(newlines, Return("newlines"))
	RET()
}

// narrowBlocks has no branch but its loop either. All that is asked of a colon is
// asked of all bytes of a block at once, by loads that are off by where the answer
// stands.
func narrowBlocks() {
	TEXT("narrowBlocksAVX2", NOSPLIT, "func(b []byte, from int, blocks []struct{mask uint64; at int}, t *[3][32]byte) int")
	Doc("narrowBlocksAVX2 is narrowBlocks for blocks before which 64 bytes of b stand, and", "from whose beginning 130 do.")
	p := Load(Param("b").Base(), GP64())
	from := Load(Param("from"), GP64())
	ADDQ(from, p)
	in := Load(Param("blocks").Base(), GP64())
	n := Load(Param("blocks").Len(), GP64())
	t := Load(Param("t"), GP64())
	out, start, end := GP64(), GP64(), GP64()
	MOVQ(in, out)
	MOVQ(in, start)
	SHLQ(U8(4), n)
	LEAQ(Mem{Base: in, Index: n, Scale: 1}, end)

	var endings [3]reg.VecVirtual
	for i := range endings {
		endings[i] = load(Mem{Base: t, Disp: 32 * i})
	}
	// The byte with each low nibble that is in the class, or one with another
	// nibble: what is looked up is the byte itself, if it is in the class.
	white := load(table(" \x00\x00\x00\x00\x00\x00\x00\x00\t\n\v\f\r\x00\x00"))
	leads := load(table(" \x00\x00\x00\x00\x00\x00\x00\x00\t\n\v\f\r>/"))
	space, slash, hyphen, x := load(every(' ')), load(every('/')), load(every('-')), load(every('x'))
	at, mask := GP64(), GP64()
	more, one := GP64(), GP64()
	MOVQ(U32(blockSize), one)
	zero := GP64()

	CMPQ(in, end)
	JGE(LabelRef("narrowed"))
	Label("colons")
	MOVQ(Mem{Base: in}, mask)
	MOVQ(Mem{Base: in, Disp: 8}, at)
	text := func(disp int) Mem { return Mem{Base: p, Index: at, Scale: 1, Disp: disp} }

	// Is there a slash not far behind the block, or "x-" not far before it?
	near, drawn := YMM(), YMM()
	a := YMM()
	VPCMPEQB(text(2), slash, near)
	for i := 1; i < 4; i++ {
		VPCMPEQB(text(2+32*i), slash, a)
		VPOR(a, near, near)
	}
	for i := range 4 {
		v := a
		if i == 0 {
			v = drawn
		}
		h := YMM()
		VPOR(text(32*i-64), space, v)
		VPCMPEQB(x, v, v)
		VPCMPEQB(text(32*i-63), hyphen, h)
		VPAND(h, v, v)
		if i > 0 {
			VPOR(v, drawn, drawn)
		}
	}
	// Of a yes, make a mask of ones.
	for _, v := range []reg.VecVirtual{near, drawn} {
		is := GP64()
		VPMOVMSKB(v, is.As32())
		XORL(zero.As32(), zero.As32())
		NEGL(is.As32()) // carries if not zero
		SBBL(zero.As32(), zero.As32())
		VMOVD(zero.As32(), v.AsX())
		VPBROADCASTD(v.AsX(), v)
	}

	var hits [2]reg.GPVirtual
	for i := range 2 {
		d := 32 * i
		keep, lead, c, w := YMM(), YMM(), YMM(), YMM()
		// An ending that some scheme has; bit 7 is of those of two letters.
		VPSHUFB(text(d-3), endings[0], keep)
		VPOR(every(0x80), keep, keep)
		VPSHUFB(text(d-2), endings[1], c)
		VPAND(c, keep, keep)
		VPSHUFB(text(d-1), endings[2], c)
		VPAND(c, keep, keep)
		// But "-ID: <" has none, if it is not an "x-" scheme.
		next := YMM()
		VMOVDQU(text(d+1), next)
		VMOVDQU(text(d+2), lead)
		VPCMPEQB(space, next, c)
		VPCMPGTB(space, lead, w)
		VPAND(c, w, c)
		VPCMPEQB(text(d-3), hyphen, w)
		VPAND(c, w, c)
		VPANDN(c, drawn, c) // ^drawn & c
		VPANDN(keep, c, keep)
		// White space and what leads on to a slash.
		VPSHUFB(lead, leads, c)
		VPCMPEQB(lead, c, c)
		VPCMPEQB(every(':'), lead, w)
		VPOR(w, c, c)
		VPCMPEQB(every('|'), lead, w)
		VPOR(w, c, c)
		VPSHUFB(next, white, w)
		VPCMPEQB(next, w, w)
		VPAND(c, near, c)
		VPAND(c, w, c)
		VPANDN(drawn, w, w) // ^w & drawn
		VPOR(w, c, c)
		// A slash at once.
		VPCMPEQB(slash, next, w)
		VPOR(w, c, c)
		VPCMPEQB(every('\\'), next, w)
		VPOR(w, c, c)
		// keep holds bits, the others bytes of ones: is any bit there?
		VPOR(keep, c, c)
		VPXOR(w, w, w)
		VPCMPEQB(w, c, c)
		hits[i] = GP64()
		VPMOVMSKB(c, hits[i].As32())
	}
	SHLQ(U8(32), hits[1])
	ORQ(hits[1], hits[0])
	NOTQ(hits[0])
	ANDQ(hits[0], mask)
	MOVQ(mask, Mem{Base: out})
	MOVQ(at, Mem{Base: out, Disp: 8})
	XORQ(more, more)
	TESTQ(mask, mask)
	CMOVQNE(one, more)
	ADDQ(more, out)
	ADDQ(U32(blockSize), in)
	CMPQ(in, end)
	JLT(LabelRef("colons"))

	Label("narrowed")
	VZEROUPPER()
	SUBQ(start, out)
	SHRQ(U8(4), out)
	Store(out, ReturnIndex(0))
	RET()
}
