// Package lzw decompresses the output of compress(1): files whose names end in ".Z".
//
//	is, _ := lzw.Sniff(head, true) // is it such a file?
//	var r lzw.Reader
//	r.Reset(in)
//	n, err := io.Copy(out, &r)
//	var damage *lzw.Error
//	if errors.As(err, &damage) {
//		fmt.Println(damage.Offset, damage.What)
//	}
//
// # Format
//
// No document describes the format. All programs follow compress 4.0 of 1985. A
// stream is a header of three bytes and then codes:
//
//	1f 9d flags  code code code ...
//
// The flags hold the width in bits that codes grow to (9 to 16, in the low five
// bits), and a bit, 0x80, for block mode, in which the code 256 (CLEAR) empties
// the table. Codes are packed from the low bit of each byte up, and begin with 9
// bits. A code below 256 is that byte; each later one is the string of an
// earlier code and one byte more. When the table has a code for each number of the
// present width, codes become one bit wider.
//
// The program writes codes in groups of eight, and leaves the rest of a group empty when
// the width changes, by growth or by CLEAR. The format has no checksum, no length and no
// end mark: a stream ends where its file ends.
//
// # Limits
//
// A Reader is a table of 65536 codes and a buffer, together 480 KiB for any input. It does not
// allocate.
package lzw
