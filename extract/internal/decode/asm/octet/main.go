// The program octet generates the assembler kernels of package octet.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	copyTo()
	plain()
	pair()
	Generate()
}

// copyTo generates a function that compares 32 bytes at a time while it copies them. It stores them before it knows
// how many are wanted.
func copyTo() {
	TEXT("copyToAVX2", NOSPLIT, "func(dst, src []byte, stop [2]byte) int")
	Doc("copyToAVX2 is CopyToEither for whole blocks of 32 bytes: if it finds no stop in them, it returns their", "length. src is not longer than dst.")
	d := Load(Param("dst").Base(), GP64())
	block := YMM()
	search(2, block, func(n reg.GPVirtual) { VMOVDQU(block, Mem{Base: d, Index: n, Scale: 1}) }, nil)
}

// plain generates a function that compares 32 bytes at a time. The highest bit of a byte that is not ASCII counts as a
// match.
func plain() {
	TEXT("plainAVX2", NOSPLIT, "func(src []byte, stop [3]byte) int")
	Doc("plainAVX2 is Plain for whole blocks of 32 bytes: if it finds no end in them, it returns their length.")
	block := YMM()
	search(3, block, nil, func(found reg.VecVirtual) { VPOR(block, found, found) })
}

// pair generates a function that compares 32 bytes, and those that follow them, at a time.
func pair() {
	TEXT("pairAVX2", NOSPLIT, "func(src []byte, stop [4]byte) int")
	Doc("pairAVX2 is Pair for whole blocks of 32 bytes that another byte follows: if it finds no pair in them, it returns", "their length.")
	s := Load(Param("src").Base(), GP64())
	left := Load(Param("src").Len(), GP64())
	stop := stops(4)
	n := GP64()
	XORQ(n, n)
	SUBQ(U8(33), left)
	JLT(LabelRef("done"))

	Label("block")
	first, next, other := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: s, Index: n, Scale: 1, Disp: 1}, next)
	VPCMPEQB(Mem{Base: s, Index: n, Scale: 1}, stop[0], first)
	VPCMPEQB(stop[1], next, other)
	third := YMM()
	VPCMPEQB(stop[2], next, third)
	VPOR(third, other, other)
	VPCMPEQB(stop[3], next, next)
	VPOR(other, next, next)
	VPAND(next, first, first)
	end(first, n, left)
}

// stops generates the loading of so many stops into all bytes of a register each.
func stops(count int) (stop []reg.VecVirtual) {
	for i := range count {
		a, err := Param("stop").Index(i).Resolve()
		if err != nil {
			panic(err)
		}
		stop = append(stop, YMM())
		VPBROADCASTB(a.Addr, stop[i])
	}
	return stop
}

// end generates the end of the loop "block" and of the function, which returns the offset of the first match in found, or n.
func end(found reg.VecVirtual, n, left reg.Register) {
	mask := GP32()
	VPMOVMSKB(found, mask)
	TESTL(mask, mask)
	JNZ(LabelRef("found"))
	ADDQ(U8(32), n)
	CMPQ(n, left)
	JLE(LabelRef("block"))
	JMP(LabelRef("done"))

	Label("found")
	TZCNTL(mask, mask)
	ADDQ(mask.As64(), n)
	Label("done")
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
}

// search generates the rest of a function: it loads blocks of src, compares them with so many stops, and returns the
// offset of the first match. each is called for a block at the offset n, and match may add to the matches.
func search(count int, block reg.VecVirtual, each func(n reg.GPVirtual), match func(found reg.VecVirtual)) {
	s := Load(Param("src").Base(), GP64())
	left := Load(Param("src").Len(), GP64())
	stop := stops(count)
	n := GP64()
	XORQ(n, n)
	SUBQ(U8(32), left)
	JLT(LabelRef("done"))

	Label("block")
	VMOVDQU(Mem{Base: s, Index: n, Scale: 1}, block)
	if each != nil {
		each(n)
	}
	found := YMM()
	VPCMPEQB(stop[0], block, found)
	for _, y := range stop[1:] {
		other := YMM()
		VPCMPEQB(y, block, other)
		VPOR(other, found, found)
	}
	if match != nil {
		match(found)
	}
	end(found, n, left)
}
