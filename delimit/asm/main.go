// Command asm writes the kernels of package delimit for processors with AVX2. It
// is a module of its own, so that users of the package do not need avo.
//
// Each kernel has a twin in Go, in the package or its tests. The twin says what
// the kernel computes; the comments here say how. A test compares the two. No
// kernel reads outside its slices, except to prefetch.
package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64")
	colonBlocks()
	blockMasks()
	narrowBlocks()
	scanUntil()
	lineBlocks()
	Generate()
}

var tables = map[string]Mem{}

// table returns a constant in memory, the 16 bytes of t twice, one for each lane.
func table(t string) Mem {
	m, ok := tables[t]
	if !ok {
		m = GLOBL(fmt.Sprintf("constant%d", len(tables)), RODATA|NOPTR)
		DATA(0, String(t+t))
		tables[t] = m
	}
	return m
}

// every returns 32 times the byte c, as a constant in memory.
func every(c byte) Mem { return table(strings.Repeat(string([]byte{c}), 16)) }

// load returns a register with the constant m.
func load(m Mem) reg.VecVirtual {
	v := YMM()
	VMOVDQU(m, v)
	return v
}
