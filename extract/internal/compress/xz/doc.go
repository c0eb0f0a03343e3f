// Package xz reads .xz files from front to back, one block at a time.
//
//	r := xz.Reader{MaxDict: 64 << 20}
//	r.Reset(bufio.NewReader(file))
//	_, err := io.Copy(os.Stdout, &r)
//	var damage *xz.Error
//	switch {
//	case errors.As(err, &damage):
//		log.Printf("%s at byte %d", damage.What, damage.Offset)
//	case err == xz.ErrDictionary:
//		log.Print("a block needs more memory than MaxDict")
//	}
//
// # Vocabulary
//
// A file is one stream or several, with zeros between them. A stream is a header, blocks, an
// index of the blocks, and a footer. A block is compressed by itself: a header, data, and a check
// of its text. The data is LZMA2, which is a sequence of chunks; each chunk is LZMA, or bytes
// verbatim. A match in LZMA refers to text that is at most one dictionary back; the block header
// declares the size of the dictionary. Filters change the text before it is compressed.
//
// "The .xz File Format", version 1.2, describes all but LZMA. This package reads the
// container and undoes the filters (filters.go); package lzma decodes the data of blocks.
//
// # What is read
//
// Checks by CRC32, CRC64 and SHA-256 are verified, and so are the index, all sizes and all
// padding. A check of another kind is skipped. The filters are Delta and those for the
// code of x86, PowerPC, IA-64, ARM, ARM-Thumb, SPARC and ARM64. A block with another filter, such as that for RISC-V,
// is an [Error]. Files of the older .lzma format are not read.
//
// Damage costs the text after it. With filters for machine code, up to 48 bytes of text in front of it may
// be lost. What is lost does not depend on the sizes of reads.
//
// # Limits
//
// A Reader takes 30 KiB, and the dictionary that the block declares, which is at most
// MaxDict. The dictionary grows with the text. So xz -9, which declares 64 MiB, costs little for a short
// text. The dictionary is kept for the next
// block, the next stream and the next file: so memory follows the largest block, and not
// the number of blocks.
//
// A Reader starts no goroutine, and one worker decodes a file. Several could each decode blocks of
// it: xz -T writes the sizes of blocks into their headers, and the index has them. But a worker
// that is ahead of the one whose results are being delivered keeps at most 3,072 results
// (schedule.Batches), and then waits. A block of xz -T has 24 MiB of text (3 MiB with -1, 192 MiB
// with -9), which in a log are 75,000 results, and in mail 10,000. So a second worker would wait
// during most of a log, and during two thirds of a mailbox. Each worker would need a dictionary of
// its own. And the records of the blocks, which the index is compared with, would have to be
// combined from the workers' parts, as bzip2.Checksum is.
package xz
