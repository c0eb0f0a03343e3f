package uri

import "golang.org/x/sys/cpu"

//go:generate go run -C asm . -out ../head_amd64.s -pkg uri

// Without the kernel a list of URLs takes 1.07 times the processor time, and 1.06 times with
// --format jsonl; access logs take 1.05 times and mail 1.02 times (one worker, an AMD EPYC; the
// least of 15 to 25 interleaved runs). CONTRIBUTING.md requires 5 % on an input that users
// have; lists of URLs meet that.

// hasAVX2 reports whether the kernel can be used. Tests change it.
var hasAVX2 = cpu.X86.HasAVX2

// headAVX2 returns a bit for each of the first 64 bytes of s, the first one lowest: in
// odd the bytes that are not plain (see notPlain), in slash the slashes. s
// has at least 16 bytes. The bits after the end of s are 0.
//
//go:noescape
func headAVX2(s string) (odd, slash uint64)
