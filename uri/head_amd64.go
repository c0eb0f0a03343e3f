package uri

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../head_amd64.s -pkg uri

// hasAVX2 says that the kernel can be used. Tests turn it off.
var hasAVX2 = cpu.X86.HasAVX2

// headAVX2 marks those of the first 64 bytes of s, lowest first, that are not plain
// (see notPlain in plain.go), and those that are slashes. s has 16 bytes or more; if it has less
// than 64, there are no marks above them.
//
//go:noescape
func headAVX2(s string) (odd, slash uint64)
