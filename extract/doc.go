// Package extract finds the URI references in files, plain, compressed, in archives,
// or wrapped as mail and news, and tells of each where it stands.
//
// # The data's way
//
//	Source ─► layers ────────► raw stream ─► messages ────► chain ───────────► text
//	     ▲    gzip zstd bzip2  lines and     mbox, rnews,   quoted-printable,   │
//	     │    xz lz4 .Z ...    bytes are     header, MIME   base64, charset,    ▼
//	     │    by their bytes   counted here  → leaf parts   HTML → UTF-8   delimit.Scanner
//	     │        │              │               │             │                │
//	     └────────┴ tar, zip,    ▼               ▼             ▼                ▼
//	                attachments  Origin ◄──── Part ◄───── raw span ◄────── candidate ─► uri ─► Result
//
// A [Source] is a name and something to open; [Walk] makes them of paths. How a
// source is compressed is told by its first bytes and never by its name, again
// for what comes out, to a depth of [Limits]. The raw stream is what comes out
// in the end: what zcat would show. The files in a tar or zip archive are streams
// of their own, to which the same is done, and so are attachments that are
// compressed or archives; [Origin].Member names the way to them.
//
// What a raw stream holds is told by its first 4 KiB, or by [Options].Format:
// messages, a page, or running text. A byte order mark tells the charset of the
// latter two, UTF-8 if there is none.
//
// # Messages
//
// Mailboxes (mbox with its dialects, pipermail's archives, Babyl, MMDF), batches of
// news (rnews, also compressed), and single messages and articles are taken apart
// into their parts: header blocks, and the leaves of what MIME puts into one
// another. Transfer encodings and charsets are undone, and each place is told in the
// raw stream all the same: Offset and Length bound the encoded bytes that became
// the reference. Where a unit of the encoding (four characters of base64, a character
// of ISO-2022-JP) begins before the reference, Exact is false.
//
// On a live pipe a message is handed on as it comes, but for what has to be seen
// first: a header to its end, 256 bytes of a part of unknown type, and lines that may
// be boundaries.
//
// Text and HTML are read, and what is unknown if it looks like one of these; images,
// office documents, signatures and the like are not, nor is uuencoded and yEnc data. A
// charset that is missing or unknown is UTF-8 where that is valid, and windows-1252
// else. Of a header, fields are text, unfolded, with encoded words undone; identifiers
// (Message-ID, References ...) and signatures are left out, unless
// Options.MessageIDs asks for the former. Content-Base and Content-Location are
// references as a whole, of the form [delimit.Header].
//
// A relative reference, in an attribute or behind "URL:", is resolved against the
// base in force: the one in the page (base href), else Content-Base, else
// Content-Location, each of the part, else of the parts and message around it, from
// the inside out, else Options.Base (1997 and 2002, section 5.1 and appendix D).
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
// Trouble is an [Error], with the place and the step that gave up. It costs no
// more than what it hit: a part of a message that is cut, a member of an archive,
// the rest of a compressed stream; never what stood before it, and never another
// source. What in a message is only against the rules (a boundary that is missing,
// a line that is no base64, an unknown charset) is told once for each part, and
// read as well as can be.
//
// A checksum that is wrong is told behind the text that it is of, which has been
// read by then. How much before damage can still be read is for the format to
// say: gzip, zlib and xz lose nothing, zstd, lz4, s2, snappy and bzip2 the block that
// is hit (128 KiB, 4 MiB, 4 MiB, 64 KiB and 900 kB at most). A panic in a library that decompresses is such an Error too.
//
// Zeros behind a compressed stream are padding. Other bytes there that begin no
// stream are told, since they may be one whose beginning is damaged.
//
// # Bounds
//
// A worker holds a window of 128 KiB (or eight times [delimit.Options].MaxLen),
// 64 KiB of the file, and of messages 68 KiB, and as much again for each stream or
// encoded message within another; 64 KiB for each zip archive, and per compression 4 KiB and what that asks for: 40 KiB for gzip and zlib, 480 KiB for
// compress, up to 4 MiB for bzip2, up to 10 MiB for s2 and lz4, for zstd what the
// stream says, and for xz as much as the text of a block takes, up to what the stream
// says; both up to Limits.Window. How many blocks, members or streams follow one another
// makes no difference. Several workers have up to 26 batches of
// 50 to 170 KiB each besides, 1 MiB where one decompresses for another. Charsets and HTML take up to 2 MiB for maps and line
// numbers. Nothing grows with the input. Time is linear in it.
package extract
