package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The plan is in colons.go of package window. Each function here is long because each line writes
// one instruction.

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

// blockMasks is colonBlocks for one block, and tells where its writers and newlines are.
func blockMasks() {
	TEXT("blockMasksAVX2", NOSPLIT, "func(b *[64]byte) (colons, newlines uint64)")
	Doc("blockMasksAVX2 returns the masks of all writers of colons in b, and of all newlines.")
	p := Load(Param("b"), GP64())
	class, feeds := load(table(writers)), load(every('\n'))
	var colons, newlines reg.GPVirtual
	join := func(v reg.VecVirtual, low reg.GPVirtual) reg.GPVirtual {
		half := GP64()
		VPMOVMSKB(v, half.As32())
		if low != nil {
			SHLQ(U8(32), half)
			ORQ(low, half)
		}
		return half
	}
	for i := range 2 {
		text := Mem{Base: p, Disp: 32 * i}
		is, lf := YMM(), YMM()
		VPSHUFB(text, class, is)
		VPCMPEQB(text, is, is)
		VPCMPEQB(text, feeds, lf)
		colons, newlines = join(is, colons), join(lf, newlines)
	}
	VZEROUPPER()
	Store(colons, Return("colons"))
	Store(newlines, Return("newlines"))
	RET()
}

// The classes of the byte after a writer, as bits. A class is a product: some upper halves of a byte with some
// lower ones.
const (
	classSlash   = 1 << iota // a slash or a backslash; also ',' and '_'
	classWhite               // white space; also NUL and ')' to '-'
	classText                // the next three together are all but white space: upper halves of text,
	classSign                // other signs,
	classControl             // and other controls
	classHash                // "#", as in "&#58;"
	classC                   // "c", as in "&colon;"
	classUX                  // "u" or "x", as in "\\u003a" and "\\x3a"

	classVisible = classText | classSign | classControl
	classWritten = classHash | classC | classUX
)

// classTables returns the tables of these classes, for the lower and the upper half of a byte. An entry has the
// bits of the classes that have no byte with that half. Of a byte beyond ASCII, the shuffle takes all lower
// halves as zero: then the upper half decides.
func classTables() (lower, upper [16]byte) {
	for _, c := range []struct {
		class        byte
		lower, upper string
	}{
		{classSlash, "\x0C\x0F", "\x02\x05"},
		{classWhite, "\x00\x09\x0A\x0B\x0C\x0D", "\x00\x02"},
		{classText, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F", "\x01\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F"},
		{classSign, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F", "\x02"},
		{classControl, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x0E\x0F", "\x00"},
		{classHash, "\x03", "\x02"},
		{classC, "\x03", "\x06"},
		{classUX, "\x05\x08", "\x07"},
	} {
		for half := range byte(16) {
			if strings.IndexByte(c.lower, half) < 0 {
				lower[half] |= c.class
			}
			if strings.IndexByte(c.upper, half) < 0 {
				upper[half] |= c.class
			}
		}
	}
	return lower, upper
}

// seconds returns the table of the byte after that, by its lower half: the classes of the byte in front of it with
// which that half may be. White space is followed by white space or by one of ">/:|", and a written colon goes on with
// "5", "0", "x" or "X" after "#", with "o" after "c", and with "0" or "3" after "u" and "x".
func seconds() (t [16]byte) {
	for class, lower := range map[byte]string{
		classWhite: "\x00\x09\x0A\x0B\x0C\x0D\x0E\x0F",
		classHash:  "\x00\x05\x08",
		classC:     "\x0F",
		classUX:    "\x00\x03",
	} {
		for _, half := range []byte(lower) {
			t[half] |= class
		}
	}
	return t
}

// choice returns 32 times the byte a and then 32 times the byte b, as a constant in memory.
func choice(a, b byte) Mem {
	m := GLOBL(fmt.Sprintf("choice%d", a), RODATA|NOPTR)
	DATA(0, String(strings.Repeat(string([]byte{a}), 32)+strings.Repeat(string([]byte{b}), 32)))
	return m
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
	lowers, uppers := classTables()
	second := seconds()
	lower, upper := load(table(string(lowers[:]))), load(table(string(uppers[:])))
	after, writer := load(table(string(second[:]))), load(table(writers))
	space, slash, hyphen := load(every(' ')), load(every('/')), load(every('-'))
	// What depends on whether a slash is near, and on whether "x-" is: which classes the second byte
	// decides about, which classes suffice, and what is added to the first of three bytes.
	byNear, always, bias := GP64(), GP64(), GP64()
	LEAQ(choice(classWritten, classWritten|classWhite), byNear)
	LEAQ(choice(classSlash, classSlash|classVisible), always)
	LEAQ(choice(0xD0, 0xE0), bias)

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
		VPCMPEQB(every('x'), v, v)
		VPCMPEQB(text(32*k-63), hyphen, h)
		VPAND(h, v, v)
		if k > 0 {
			VPOR(v, drawn, drawn)
		}
	}
	// Make 32 of a yes, 0 of a no: the place in the choices.
	isNear, isDrawn := GP32(), GP32()
	for k, is := range []reg.GPVirtual{isNear, isDrawn} {
		VPMOVMSKB([]reg.VecVirtual{near, drawn}[k], is)
		NEGL(is) // carries if it is not zero
		SBBL(is, is)
		ANDL(U8(32), is)
	}
	chosen := func(choice, is reg.GPVirtual) Mem { return Mem{Base: choice, Index: is.As64(), Scale: 1} }
	first := YMM()
	VMOVDQU(chosen(bias, isDrawn), first)

	var hits [2]reg.GPVirtual
	for half := range hits {
		d := 32 * half
		// The groups of endings that have these three bytes. Bit 7 is the group of the
		// endings of two letters. The third byte must not be below '0', as in "-ID":
		// adding 0xD0 sets the top bit of such a byte, and so its entry is 0. With "x-"
		// near, 0xE0 is added, which allows a hyphen, as the search in Go does.
		keep, c := YMM(), YMM()
		VPADDB(text(d-3), first, keep)
		VPSHUFB(keep, endings[0], keep)
		VPOR(every(0x80), keep, keep)
		VPSHUFB(text(d-2), endings[1], c)
		VPAND(c, keep, keep)
		VPSHUFB(text(d-1), endings[2], c)
		VPAND(c, keep, keep)
		// The classes that the next byte is not in.
		not, u := YMM(), YMM()
		VMOVDQU(text(d+1), u)
		VPSHUFB(u, lower, not)
		VPSRLW(U8(4), u, u)
		VPAND(every(0x0F), u, u)
		VPSHUFB(u, upper, u)
		VPOR(u, not, not)
		// The classes that suffice, some of them because of the byte after that.
		VPSHUFB(text(d+2), after, c)
		VPAND(chosen(byNear, isNear), c, c)
		VPOR(chosen(always, isDrawn), c, c)
		VPANDN(c, not, c) // ^not & c
		// Is any bit set, and is this a writer?
		VPOR(keep, c, c)
		VPCMPEQB(every(0), c, c)
		VPSHUFB(text(d), writer, u)
		VPCMPEQB(text(d), u, u)
		VPANDN(u, c, c) // ^c & u
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
