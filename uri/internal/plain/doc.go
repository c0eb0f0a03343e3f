// Package plain scans the plain bytes at the beginning of a reference: letters, digits and
// "-./_", which every grammar allows in host and path.
//
//	at, path, marks := plain.HeadMarks(s, len("http://")) // within the first 64 bytes
//	at, path, marks = plain.Run(s, at, path, marks)  // after them
//
// It has a kernel for processors with AVX2, which the program in asm writes.
package plain
