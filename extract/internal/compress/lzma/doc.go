// Package lzma decodes LZMA, the data in .lzma files, lzip and zip archives, and LZMA2, that in .xz files.
//
//	var r lzma.Reader
//	r.Reset(in, lzma.Params{LC: 3, PB: 2, Dict: 1 << 23, Size: -1}) // in is a *bufio.Reader at the data
//	_, err := io.Copy(os.Stdout, &r)
//
// # Why not a library
//
// Libraries (ulikunitz/xz, therootcompany/xz) take twice the time. ulikunitz/xz fills the whole dictionary, of
// 8 MiB by default, before it returns text, so that a pipe is read late; and with both, what is decoded in
// front of damage is lost. A Reader returns text as it decodes it, and all text in front of damage.
//
// # How it works
//
// LZMA is a sequence of literals and matches. Each of their bits is coded by a range coder with the
// probability that bits in the same place had before. "LZMA specification", 2015, has the algorithm. LZMA2 is a
// sequence of chunks, each of which is LZMA, or text verbatim.
//
// There are two loops. The fast one (fast.go) needs 24 bytes of input ahead, and room for a match. Its state is
// in registers, and it has no bounds checks; with the build tag safe, and on processors other than amd64 and arm64, it
// has. The slow one (decoder.symbol) decodes bit by bit the last bytes of a buffer and of a text.
//
// # Limits
//
// The text is decoded into a ring (window) as large as the dictionary, and 64 bytes. It is 64 KiB at first, and
// grows with the text. From 4 MiB on it has its whole size; the system provides memory only when it is
// written. The ring is kept for the next stream. Time is linear in input and text.
package lzma
