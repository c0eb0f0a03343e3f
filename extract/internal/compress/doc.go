// Package compress recognises how a stream is compressed and decompresses it, layer by
// layer, from the outside in:
//
//	p := compress.NewPool(limits, hooks, ledger)
//	p.Source.Reset(file, wake)
//	in, err := p.Open(&p.Source, name) // the innermost stream, decompressed
//	...
//	p.Reset()                    // then the next source
//
// A compression is recognised by the first bytes of a stream; brotli, which has no magic number, by the suffix of its name, and because the
// stream is no text. The
// decompressed stream is examined the same way, until nothing is recognised or
// Limits.Depth is reached.
//
//	stored → buffer 0 → gzip → buffer 1 → zstd → buffer 2 → decompressed
//
// # Words
//
//   - The source is the stored bytes of a file or a pipe.
//   - A layer is one compression of one stream, with the buffer that it reads from.
//   - A member, called a compressed member in other packages, is one of several compressed streams
//     that are concatenated and read as one: a member of gzip or zlib, a frame of zstd. A block of
//     bzip2 counts as a member where a file is read in parts.
//   - A part of a file is a stretch of members that can be decompressed by itself (parts.go).
//   - A worker that has nothing else to do can decompress for another one. This is called
//     reading ahead (readahead.go).
//
// # Errors
//
// All errors are *damage.Damage with the stage of the outermost layer that failed. The layers
// inside it return that error unchanged. All text in front of the damage is returned first. A
// panic of a library is a Damage too.
//
// # Limits
//
// For each depth that was ever reached, a Pool holds a buffer (64 KiB for the source, 4 KiB for
// others) and the decompressors that were needed there. Limits.Window bounds the window that a
// stream may declare in the two outermost layers; each layer inside may declare half as much as the
// one around it. Limits.Ratio bounds the decompressed size of a source to a multiple of its
// stored size.
//
// To add a compression, add a Kind and its stage in kind.go, its magic number
// there, and a case in decompressor.start.
//
// The package knows nothing of the content of streams. With the build tag safe, inflate does
// without package unsafe.
package compress
