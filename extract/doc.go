// Package extract finds the URI references in files, plain or compressed, and
// tells of each where it stands.
//
// # The data's way
//
//	Source ─► layers ─────────► raw stream ─► chain ─────────► text
//	          gzip zstd bzip2   lines and     UTF-16, UTF-32,   │
//	          xz lz4 ...        bytes are     HTML → UTF-8      ▼
//	          by their bytes    counted here       │     delimit.Scanner
//	                              │                │            │
//	                              ▼                ▼            ▼
//	                            Origin ◄────── raw span ◄── candidate ─► uri ─► Result
//
// A [Source] is a name and something to open; [Walk] makes them of paths. How a
// source is compressed is told by its first bytes and never by its name, again
// for what comes out, to a depth of [Limits]. The raw stream is what comes out
// in the end: what zcat would show. A byte order mark tells its charset, UTF-8
// if there is none. [Options].Format tells what it holds: running text, or HTML.
// (Mailboxes, messages and news batches are not in this version.)
//
// In the text, package delimit finds what is set apart like a reference. Package
// uri judges whether it is one, by the grammars of its documents, and resolves
// it. A [Result] holds both answers, and an [Origin] in the raw stream.
//
// # HTML
//
// In HTML, the values of attributes that hold references (href, src, ...) are
// read as what they are: each is a reference from its first to its last byte,
// of the form [delimit.Attribute], and often a relative one. One that consists
// of a fragment ("#top") is reported like any other. A value "javascript:..." is
// a program, and left out. The first <base href> is the base of all references
// behind it; those before it have that of the Options. Results come in the order
// of their first bytes; but an attribute within a wrapper (a tag between "<" and
// ">" of text) comes before what the wrapper holds.
//
// # Trouble
//
// Trouble is an [Error], with the place and the step that gave up. It costs the
// rest of its source, never what stood before it, and never another source. A
// checksum that is wrong is told behind the text that it is of, which has been
// read by then. How much before damage can still be read is for the format to
// say: gzip and zlib lose nothing, zstd, lz4, s2, snappy and bzip2 the block that
// is hit (128 KiB, 4 MiB, 4 MiB, 64 KiB and 900 kB at most), xz the chunk (2 MiB at
// most). A panic in a library that decompresses is such an Error too.
//
// Zeros behind a compressed stream are padding. Other bytes there that begin no
// stream are told, since they may be one whose beginning is damaged.
//
// # Bounds
//
// A worker holds a window of 128 KiB (or eight times [delimit.Options].MaxLen),
// 64 KiB of the file, and per compression 4 KiB and what that asks for: 40 KiB
// for gzip and zlib, 4 MiB for bzip2, up to 10 MiB for s2 and lz4, and for zstd
// and xz what the stream says, up to Limits.Window. Several workers have six
// batches of 100 KiB each besides. Charsets and HTML take up to 2 MiB for maps
// and line numbers. Nothing grows with the input. Time is linear in it.
package extract
