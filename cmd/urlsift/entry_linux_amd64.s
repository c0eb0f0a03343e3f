//go:build go1.26 && !go1.27

#include "textflag.h"

// The entry point of the process, in front of the one of the runtime: see main.go.
// It asks fcntl(fd, F_GETFD) of 0, 1 and 2, and changes neither the stack nor what
// the runtime wants to find in registers.
TEXT _rt0_amd64_linux(SB),NOSPLIT|NOFRAME|DUPOK,$0
	XORL	DI, DI // the descriptor
	MOVL	$8, R8 // checked
	MOVL	$1, R9 // the bit of the descriptor
next:
	MOVL	$72, AX // fcntl
	MOVL	$1, SI  // F_GETFD
	XORL	DX, DX
	SYSCALL
	CMPQ	AX, $-9 // EBADF
	JNE	open
	ORL	R9, R8
open:
	ADDL	R9, R9
	INCL	DI
	CMPL	DI, $3
	JLT	next
	MOVL	R8, ·entry(SB)
	JMP	_rt0_amd64(SB)
