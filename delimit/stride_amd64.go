package delimit

import "golang.org/x/sys/cpu"

//go:generate go run -C asm ./stride -out ../stride_amd64.s -pkg delimit

// strideWide says that the kernel can be used. Tests turn it off.
var strideWide = cpu.X86.HasAVX2

// strideAVX2 is stride for as many bytes as make whole lanes of 32: it goes on until
// there is an end, or less than a lane is left.
//
//go:noescape
func strideAVX2(b []byte, i int, t *strideTable) (end int, met ask)
