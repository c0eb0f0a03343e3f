// Package compress recognises how a stream is compressed and decompresses it, layer
// by layer, from the outside in:
//
//	p := compress.NewPool(limits, hooks, ledger)
//	p.Source.Reset(file, wake)
//	in, err := p.Open(&p.Source) // the innermost stream, decompressed
//	...
//	p.Reset()                    // the next source may follow
//
// A compression is recognised by the first bytes of a stream and never by a name,
// again for what comes out of it, until nothing is recognised or Limits.Depth is
// reached.
//
//	stored → buffer 0 → gzip → buffer 1 → zstd → buffer 2 → decompressed
//
// # Words
//
//   - The source is what is stored: the bytes of a file or a pipe.
//   - A layer is one compression of one stream, with the buffer it reads from.
//   - A member is one of several compressed streams that follow one another in a
//     layer and are read as one: of gzip and zlib a member, of zstd a frame.
//   - A split is a place in the source from which another worker looks for the
//     beginning of a member, to read the file from there on (frames.go, find.go).
//   - A worker that has nothing else to do can decompress for another one; that is
//     called reading ahead (readahead.go).
//
// # Errors
//
// All errors are *damage.Damage with the stage of the lowest layer that met any;
// the layers above return that error unchanged. Text in front of the damage has
// been returned by then. A panic of a library is a Damage too.
//
// # Limits
//
// A Pool holds for each depth that was ever reached a buffer (64 KiB for the
// source, 4 KiB for others) and the decompressors that were needed there. What a
// stream may ask to be remembered is bounded by Limits.Window at the outermost
// layer, and by half as much for each layer within. Limits.Ratio bounds what may
// come of the source in all.
//
// To add a compression, add a Kind and its name in kind.go, its magic number
// there, and a case in decompressor.start.
//
// The package imports damage, ledger, lzw and the libraries that decompress. It
// does not know what a stream holds, or reads it.
package compress
