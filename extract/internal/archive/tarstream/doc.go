// Package tarstream reads tar archives from front to back, and continues after
// damage.
//
// An archive (POSIX.1-2017, pax, "ustar Interchange Format"; tar of Unix V7; GNU
// tar) is a sequence of blocks of 512 bytes: for each member a header, with the
// sum of its own bytes, and data filled up to whole blocks. Two blocks of zeros
// end it, or nothing does. Names and sizes for which a header has no room stand in
// members of their own, before the one they are of: those of pax (types x and g)
// and of GNU tar (L).
//
// Where a header should be and none is, the reader tells, and looks for the next
// block that is one. What stands after the zeros that end an archive may be
// another, as after "cat a.tar b.tar", and is read.
//
// Nothing grows with the input: a Reader holds a block and a name, which is cut
// at 64 KiB.
package tarstream
