// Package extract finds the URLs in files and streams: plain or compressed, in archives,
// in mail and news. For each it says exactly where it stood.
//
//	x, err := extract.New(extract.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for r, err := range x.Run(ctx, extract.Walk("mail", "logs.gz")) {
//		if err != nil { // of a stretch of one file; what else can be read is
//			log.Print(err)
//			continue
//		}
//		fmt.Println(r.URL, r.Origin)
//	}
//
// # Words
//
//   - A [Source] is a name and something to open; [Walk] makes Sources of paths.
//   - A raw stream is what comes out when compression is undone: what zcat would show. It
//     is recognised by its first bytes, never by a name, again for what comes out, to a
//     depth of [Limits]. Files in a tar or zip archive are raw streams of their own, and so
//     are attachments that are compressed or archives; [Origin].Member names the way there.
//   - A text is what a raw stream, or a part of a message in it, becomes when transfer
//     encoding, charset and markup are undone, in UTF-8.
//   - A candidate is what package delimit sets apart in a text like a reference. A [Result]
//     is a candidate that package uri has judged by the grammars of the documents, and
//     resolved against the base in force, with its [Origin] in the raw stream.
//
// # What is read
//
// What a raw stream holds is known by its first 4 KiB, or by [Options].Format: messages, a
// page, a table, a manual
// page, a TeX document, or running text. A byte order mark says the charset of the latter two; without one
// they are UTF-8.
//
// Mailboxes (mbox with its dialects, pipermail's archives, Babyl, MMDF), batches of news
// (rnews, also compressed), and single messages and articles are divided into their parts:
// header blocks, and the leaves of what MIME puts into one another. Transfer encodings and
// charsets are undone, and places are reported in the raw stream all the same: Offset and
// Length bound the encoded bytes that became the reference. Where a unit of the encoding
// (four characters of base64, a character of ISO-2022-JP) begins in front of the reference,
// Exact is false. Text and HTML are read, and parts of unknown type if they look like one of
// these; images, office documents and signatures are not, nor is uuencoded and yEnc data. A
// charset that is missing or unknown is read as UTF-8 where that is valid, and else as
// windows-1252. Header fields are text, unfolded, with encoded words decoded; identifiers
// (Message-ID, References ...) and signatures are left out, unless Options.MessageIDs asks
// for the former. Content-Base and Content-Location are references as a whole, of the form
// [delimit.Header].
//
// In a table (RFC 4180, with "," ";" TAB or "|" between cells) each cell is a text of its own:
// the end of a cell ends a reference and a wrapper, and "" in a quoted cell is one mark. A
// text is read as a table if its first rows, four at least, have the same number of cells,
// and the first row names columns or there are four columns or more; attachments of the
// type text/csv or text/tab-separated-values always are. A table is read by one worker.
//
// In manual pages (roff) and in TeX and BibTeX, escapes become their characters, and what
// macros, commands and fields hold is a reference as a whole, of the form
// [delimit.Attribute]: the arguments of .UR and .Lk, \url, \href and \path, the values of url
// and howpublished. A manual page is known by its first line and a .TH, .Dd, .SH or comment;
// TeX by a command that only documents have, or an entry like @article{, as its first line.
//
// In HTML, the values of attributes that hold references (href, src, ...) are references
// from their first to their last byte, of the form [delimit.Attribute], and often relative
// ones. A value "javascript:..." is a program, and left out. The first <base href> is the
// base of all references after it. Results come in the order of their first bytes; but an
// attribute within a wrapper (a tag between "<" and ">" of text) comes before what the
// wrapper holds.
//
// A relative reference, in an attribute or after "URL:", is resolved against the base in
// force: that of the page (base href), else Content-Base, else Content-Location, each of the
// part, else of the parts and message around it, from the inside out, else Options.Base
// (1997 and 2002, section 5.1 and appendix D).
//
// # Errors
//
// An [Error] has the place and the step that met it. It costs no more than the stretch that
// is damaged: a part of a message that is cut, a member of an archive, the rest of a
// compressed stream; never what stood in front of it, and never another source. What in a
// message is only against the rules (a boundary that is missing, a line that is no base64,
// an unknown charset) is reported once for each part, which is read as well as possible.
//
// A checksum that is wrong is reported after the text that it is of, which has been read by
// then. How much in front of damage can still be read depends on the format: gzip and zlib
// lose nothing, xz at most 4 KiB of text (and the last 21 bytes of a file that is cut), zstd,
// lz4, s2, snappy and bzip2 the block that is hit (128 KiB, 4 MiB, 4 MiB, 64 KiB and 900 kB
// at most; 8 MiB in the frames of lz4 -l, which have no checksums). A panic in a library that decompresses is an Error too.
// Zeros after a compressed stream are padding. Other bytes there that begin no stream are
// reported, since they may be one whose beginning is damaged.
//
// Formats that are recognised by their first bytes and cannot be read are Errors, alone, in
// archives and in mail: archives (7z, rar, cab, ...), compressions (.lzma, lzip, ...) and
// mailboxes (pst), and encrypted files in zip archives. PDF and office documents are passed
// over: that is a [Warning]. With the Format [Plain] all of them are read as text.
//
// # Memory
//
// Nothing grows with the input, and time is linear in it. One worker's memory is made of:
//
//	part                      bytes                               where
//	window of the scanner     128 KiB, or 8 times MaxLen          delimit/window.go
//	source                    64 KiB                              compress.FileBuffer
//	each compression          4 KiB, and for                      compress/codec.go
//	  gzip, zlib              40 KiB
//	  compress (.Z)           480 KiB
//	  bzip2                   up to 4 MiB
//	  s2, lz4                 up to 10 MiB, and 17 MiB for frames of lz4 -l
//	  zstd, xz                what the stream asks for, up to Limits.Window
//	mail, and each encoded
//	  message in another      68 KiB                              mail.Reader
//	each zip archive          72 KiB                              archive/zipstream
//	charsets, HTML            up to 2 MiB for maps and lines      decode.Chain, decode.Lines
//	values beside a text      64 KiB                              maxHeldBytes in merge.go
//	with several workers      26 batches of 50 to 170 KiB         schedule.Batches, packed.go
//	reading ahead             1 MiB                               compress/readahead.go
//	small files               192 KiB of prefetched ones          files.Prefetcher
//
// The Go runtime and the program itself take some 8 MB besides. How many blocks, members or
// streams follow one another makes no difference.
//
// # The map
//
// Each package below has its own doc.go; arrows lead from a package to those that it
// imports, and imports_test.go holds them.
//
//	extract ─┬─► uri, delimit        judge.go, worker.go: the one place where texts are scanned and judged
//	         ├─► internal/schedule   workers, ordered output, segments of one big file: Do, Output, Segment
//	         ├─► internal/files      walking, opening, reading, prefetching small files: Walker, Prefetcher, Reader
//	         ├─► internal/document   a source as a sequence of texts: Reader, Text
//	         │     ├─► internal/compress   recognising and decompressing in layers: Pool, Source
//	         │     ├─► internal/archive    tar and zip, from front to back
//	         │     ├─► internal/mail       mailboxes, messages, MIME: Reader, Part
//	         │     └─► internal/decode     bytes → UTF-8 text with a map of offsets: Chain, Lines;
//	         │                             decoders in decode/charset, transfer, header and html
//	         ├─► internal/damage, internal/ledger   what is wrong with a stretch; counts of bytes
//	         └─► internal/redact     passwords in references, however they are escaped
//
// The way of a reference from x.mbox.gz to the caller's loop, each file entered once:
//
//	Run                                run.go         with several workers by schedule.Do:
//	schedule: listAll, claim, work     jobs.go, claim.go, run.go there
//	worker.Jobs, readSource, read      sources.go     opens the file:
//	File.Open, Prefetcher.Take         files/open_unix.go, prefetch_unix.go
//	document.Reader.Open, Next         document.go    enters the source's stream:
//	compress.Pool.Open, layer.Read     pool.go, codec.go   gzip is recognised and undone
//	stream.next, look                  stream.go, look.go  it is a mailbox
//	mailbox.next, part                 messages.go    header, MIME, transfer encoding, charset
//	mail.Reader.Next                   mail/reader.go
//	worker.text                        worker.go      reads the Text that Next returned:
//	split.Next                         delimit/split  a candidate of delimit.Scanner
//	Text.Locate                        document/text.go    its place in the raw stream
//	judge.assess, finish               judge.go       uri: parts, grammars, target
//	sink.result                        sink.go        inline for one worker; a batch for several:
//	consumer.deliver                   consume.go     Results again, in the caller's goroutine
//	yield                                             the caller's loop
package extract
