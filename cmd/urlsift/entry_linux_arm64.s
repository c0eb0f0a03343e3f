//go:build go1.26 && !go1.27

#include "textflag.h"

// The entry point of the process, in front of the one of the runtime: see main.go.
// It asks fcntl(fd, F_GETFD) of 0, 1 and 2, and changes neither the stack nor what
// the runtime wants to find in registers.
TEXT _rt0_arm64_linux(SB),NOSPLIT|NOFRAME|DUPOK,$0
	MOVD	$0, R9  // the descriptor
	MOVD	$8, R10 // checked
	MOVD	$1, R11 // the bit of the descriptor
next:
	MOVD	R9, R0
	MOVD	$1, R1 // F_GETFD
	MOVD	$0, R2
	MOVD	$25, R8 // fcntl
	SVC
	CMN	$9, R0 // EBADF
	BNE	open
	ORR	R11, R10, R10
open:
	LSL	$1, R11, R11
	ADD	$1, R9, R9
	CMP	$3, R9
	BLT	next
	MOVD	$·entry(SB), R12
	MOVW	R10, (R12)
	JMP	_rt0_arm64(SB)
