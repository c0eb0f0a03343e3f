// Package bzip2 reads .bz2 files from front to back, with memory that it keeps.
//
//	var r bzip2.Reader
//	r.Reset(bufio.NewReader(file))
//	_, err := io.Copy(os.Stdout, &r)
//	var damage *bzip2.Error
//	switch {
//	case errors.As(err, &damage):
//		log.Printf("%s at byte %d", damage.What, damage.Offset)
//	case err == io.ErrUnexpectedEOF:
//		log.Print("the file is cut")
//	}
//
// # Vocabulary
//
// A file is one or more streams, with zeros between them. A stream is a header that gives
// the largest block size, the blocks, and a checksum of all of them. A block is the
// Burrows-Wheeler transform of up to 900,000 bytes, as Huffman-coded symbols. The only
// documentation is the program of Julian Seward; "The BZIP2 format specification" by Joe
// Tsai describes it.
//
// # What is read
//
// The checksums of blocks and streams are verified. A block is decoded as a whole, so damage
// costs the block that it is in. Reading ends there, or continues at the next block that is
// found ([Reader.Continue]), also where the header of a stream is damaged. If the input ends in a
// block, the file is cut ([io.ErrUnexpectedEOF]). But if the decoder has read another block, or
// the end of the stream, as a part of this block, the block is damaged. Randomized blocks,
// which no program has written since 1998, are refused.
//
// Reading may begin at any block ([Reader.ResetAt]), which [Index] finds.
//
// # Limits
//
// A Reader takes 60 KiB, and up to 20 bytes for each byte of the largest block that it has read,
// but at most 5.1 MiB. It also keeps the compressed bytes of the current block, in case that
// block is damaged: rarely more than 1 MiB, at most 2.8 MiB. All of this is kept for the next
// block, stream and file.
//
// # Speed
//
// A Reader takes 0.27 of the time of compress/bzip2: it reads the codes of 50 symbols at once
// (group), moves the bytes of a list eight at a time (toFront), and inverts the transform in
// several places at once, so that it waits less for memory (pieces, in text.go).
//
// compress/bzip2 has the same purpose. Its reader cannot be used again, so each file costs
// 3.6 MB, however small.
package bzip2
