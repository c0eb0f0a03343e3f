// Package inflate decompresses deflate (RFC 1951), gzip (RFC 1952) and zlib (RFC 1950) from
// front to back.
//
//	var z inflate.Gzip
//	if err := z.Reset(in); err != nil { // in is a *bufio.Reader at the header of a member
//		return err
//	}
//	_, err := io.Copy(os.Stdout, &z) // one member; in is after it
//
// Errors are those of compress/flate, compress/gzip and compress/zlib. What these packages
// accept is accepted, and nothing else. The text in front of an error is returned.
//
// # How it works
//
// A Reader decodes into a window: 32 KiB of text that was returned, and up to 64 KiB of
// text that is still to be returned. When the window is full, the last 32 KiB move to its
// beginning.
//
// The next 10 or 12 bits of the stream are the index of an entry in a table. The entry says what
// these bits are: up to two literals, or a match, or a literal and a match. Bits that do not fit
// lead to a second table. Entries with two items take longer to make than entries with
// one. So they are made when a block has turned out to be long, or the one before was (tables.buildLits).
//
// There are three loops. The fast one (fast.go) needs 8 bytes of input ahead. It reads and writes
// without bounds checks. One iteration may write beyond the window, which has room for that after
// its end. The safe one (fastSafe) does the same with bounds checks. It is for other processors,
// and the tests compare the two. The slow one (slow) decodes the last bytes of a buffer,
// bit by bit, and only as many as are there.
//
// # Limits
//
// A Reader takes 129 KiB and allocates nothing. It needs no more memory for any stream, and
// a time that is linear in input and text. A block without text costs at most 10 µs.
package inflate
