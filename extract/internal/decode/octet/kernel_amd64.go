package octet

import "golang.org/x/sys/cpu"

//go:generate go run -C ../asm ./octet -out ../octet/kernel_amd64.s -pkg octet

// hasAVX2 reports whether the kernels can be used, which also needs BMI1. Tests set it to false.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// copyToAVX2 is CopyToEither for whole blocks of 32 bytes: if it finds no stop in them, it returns their
// length. src is not longer than dst.
//
//go:noescape
func copyToAVX2(dst, src []byte, stop [2]byte) int

// plainAVX2 is Plain for whole blocks of 32 bytes: if it finds no end in them, it returns their length.
//
//go:noescape
func plainAVX2(src []byte, stop [3]byte) int

// pairAVX2 is Pair for whole blocks of 32 bytes that another byte follows: if it finds no pair in them, it returns
// their length.
//
//go:noescape
func pairAVX2(src []byte, stop [4]byte) int
