// Package lzw reads what compress(1) writes: files whose names end in ".Z".
//
// There is no document of the format but the program, whose fourth version of
// 1985 all others follow. A stream is a header of three bytes and then codes:
//
//	1f 9d flags  code code code ...
//
// The flags hold the width in bits that codes grow to (9 to 16, in the low five
// bits), and a bit, 0x80, for block mode, in which the code 256 (CLEAR) empties
// the table. Codes are packed from the low bit of each byte up, and begin with 9
// bits. A code below 256 is that byte; each later one is the string of a code
// before it and one byte more. When the table has all that a width can name, codes
// get a bit wider.
//
// The program writes codes in groups of eight, and leaves the rest of a group
// empty when the width changes, by growth or by CLEAR. It has no checksum, no
// length and no mark of the end: a stream ends where it ends.
//
// Nothing grows with the input: a Reader is a table of 65536 codes and a buffer,
// 480 KiB together, whatever it reads. It does not allocate.
package lzw
