// The program copyto generates the assembler kernel of package octet.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// main generates a function that compares 32 bytes at a time while it copies them. It stores them before it knows
// how many are wanted.
func main() {
	TEXT("copyToAVX2", NOSPLIT, "func(dst, src []byte, stop [2]byte) int")
	Doc("copyToAVX2 is CopyToEither for whole blocks of 32 bytes: if it finds no stop in them, it returns their", "length. src is not longer than dst.")
	d := Load(Param("dst").Base(), GP64())
	s := Load(Param("src").Base(), GP64())
	left := Load(Param("src").Len(), GP64())
	var stops [2]Op
	for i := range stops {
		a, err := Param("stop").Index(i).Resolve()
		if err != nil {
			panic(err)
		}
		stop := YMM()
		VPBROADCASTB(a.Addr, stop)
		stops[i] = stop
	}
	n := GP64()
	XORQ(n, n)
	SUBQ(U8(32), left)
	JLT(LabelRef("done"))

	Label("block")
	block, first, second := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: s, Index: n, Scale: 1}, block)
	VMOVDQU(block, Mem{Base: d, Index: n, Scale: 1})
	VPCMPEQB(stops[0], block, first)
	VPCMPEQB(stops[1], block, second)
	VPOR(first, second, first)
	mask := GP32()
	VPMOVMSKB(first, mask)
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
	Generate()
}
