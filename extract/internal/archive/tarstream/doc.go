// Package tarstream reads tar archives from front to back, without seeking, and continues
// after damage.
//
//	var r tarstream.Reader
//	r.Reset(in) // a *bufio.Reader at the first block
//	for {
//		name, size, regular, err := r.Next()
//		if err == io.EOF {
//			break
//		}
//		...                      // a *damage.Damage: report it and go on
//		fmt.Println(name, size)
//		io.Copy(out, &r)         // or nothing: Next skips the data
//	}
//
// # Vocabulary
//
//   - An archive (POSIX.1-2017, pax, "ustar Interchange Format"; tar of Unix V7; GNU tar) is a
//     sequence of blocks of 512 bytes. Two blocks of zeros end it, or the stream ends.
//   - A member is one file, link or directory of the archive: a header of one block, with a
//     checksum, and data that is filled up to whole blocks.
//   - An extended header is a member that gives the name or the size of the next member,
//     whose own header has no room for it: types x and g of pax, L of GNU tar.
//   - A sparse file has holes: stretches of zeros that are not stored. A map says where the
//     stored stretches belong.
//
// After the zeros another archive may follow, as after "cat a.tar b.tar"; it is read too.
//
// # Why not archive/tar
//
// A Reader of archive/tar (Go 1.26) keeps the first error: after a damaged header each Next
// returns it again, so all members after it are lost. It also does not say how many bytes of the
// archive it has read. The positions of errors need that number, which Reader.Counts returns.
//
// # Limits
//
// If a block should be a header and is not, Next returns a *damage.Damage, and the next
// call searches for a header, at the offsets of blocks as GNU tar does. A Reader holds one block,
// one name, which is cut at 64 KiB, and the map of a sparse file, of which at most 8,192 stretches
// are kept. Of a long hole only some zeros are returned. Nothing grows with the input.
package tarstream
