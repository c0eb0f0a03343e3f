package decode

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../newlines_amd64.s -pkg decode

// hasAVX2 reports whether the kernel can be used, which also needs BMI1 and POPCNT. Tests
// set it to false.
var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT

// newlinesAVX2 is newlines for whole blocks of 64 bytes.
//
//go:noescape
func newlinesAVX2(b []byte, at int64, out []int64) int
