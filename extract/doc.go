// Package extract finds the URLs in files and streams: plain or compressed, in archives,
// in mail and news. It reports the exact position of each.
//
//	x, err := extract.New(extract.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for r, err := range x.Run(context.Background(), extract.Walk("mail", "logs.gz")) {
//		if err != nil { // concerns a stretch of one file; the rest is still read
//			log.Print(err)
//			continue
//		}
//		fmt.Printf("%s %s\n", r.URL, r.Origin)
//	}
//
// # Words
//
//   - A [Source] is a name and a function that opens it. [Walk] makes Sources of paths.
//   - A raw stream is a source after decompression: the bytes that zcat would print. Compressions
//     are recognised by their first bytes, and brotli, which has no magic number, by the suffix of its name; they may be nested up to a depth in
//     [Limits]. Each file in an archive (tar, zip, ar, deb, cpio, 7z) is a raw stream of its own, and so is each
//     attachment that is compressed or an archive. Such a file is called a member; [Origin].Member
//     is the path to it. The members of a gzip file are something else: they are called compressed
//     members, as are frames of zstd and blocks of bzip2.
//   - A text is a raw stream, or one part of a message in it, after transfer encoding, charset and
//     markup are decoded. It is UTF-8.
//   - A candidate is a stretch of a text that package delimit recognises as a possible reference. A
//     [Result] is a candidate that package uri has checked against the grammars of the RFCs and
//     resolved against the base in force. Its [Origin] is its position in the raw stream.
//   - A stretch is any sequence of adjacent bytes. A long run is a stretch of text that could be
//     one reference but is longer than one may be; it is skipped and counted. Otherwise a run is
//     one execution of [Extractor.Run] or Encode.
//   - A batch has Results that a worker passes on together. A batch of
//     news is something else: articles in one stream, as rnews writes them.
//   - A neutral place is one where nothing of what was in front matters for what follows: a line at which no reference can be open, or the beginning of
//     a message or record. A block is a stretch of a source between neutral places, which one worker scans.
//   - A layer is one compression of a stream that is compressed several times.
//   - A value is an attribute, or a whole header field, that is a reference. It is not part of a
//     text.
//   - 1993, 1994, 1996, 1997 and 2002 are the documents that [uri.Grammar] names by their years.
//
// # What is read
//
// The first 4 KiB of a raw stream, or [Options].Format, decide what it is: messages, an HTML page,
// a table, a manual page, a TeX document, or running text. Between running text, HTML and Markdown,
// the suffix of its name may decide, if its first bytes leave that open: in Markdown, the targets of
// links, images and definitions are one reference each, of the form [delimit.Attribute]. Except in
// messages, a byte order mark decides the charset. Without one it is UTF-8, or UTF-16 that is mostly
// ASCII, or Options.Charset.
//
// Mailboxes (the dialects of mbox, pipermail archives, Babyl, MMDF), batches of news (rnews, also
// compressed), and single messages and articles are divided into their parts: header blocks, and
// the MIME parts that contain no other parts. Transfer encodings and charsets are decoded, but
// positions are those of the raw stream: Offset and Length are the encoded bytes of the reference.
// If an encoded unit (four characters of base64, a character of ISO-2022-JP) begins in front of the
// reference, Exact is false.
//
// Web archives (WARC, ARC) are divided into their records, which count as messages: the URL of a record
// is a reference, of the form [delimit.Header], and the base of those in it; the header and the body of an
// HTTP message in it are parts.
//
// Text and HTML parts are read. Parts of unknown type are read if they look like text or HTML.
// Images, office documents, signatures, uuencoded and yEnc data are not read. A part whose charset
// is missing or unknown is read as UTF-8 if it is valid UTF-8, otherwise as windows-1252. Header
// fields are text, unfolded, with encoded words decoded. Identifiers (Message-ID, References ...)
// and signatures are left out; Options.MessageIDs includes the identifiers. Content-Base and
// Content-Location are one reference each, of the form [delimit.Header]. References in angle
// brackets in Link (RFC 8288), Archived-At (RFC 5064) and the fields of mailing lists (List-Archive
// ...; RFC 2369) may be relative.
//
// In a table (RFC 4180, with "," ";" TAB or "|" between cells) each cell is read separately: the
// end of a cell ends a reference and a wrapper, and "" in a quoted cell is one quotation mark. A
// text is read as a table if at least its first four rows have the same number of cells, and if
// either the first row has column names or there are at least four columns. Attachments of type
// text/csv or text/tab-separated-values are always read as tables. One worker reads a table.
//
// In manual pages (roff), TeX and BibTeX, escapes are decoded. The arguments of .UR and .Lk, \url,
// \href and \path, and the values of url and howpublished, are one reference each, of the form
// [delimit.Attribute]. A manual page is recognised by its first line and a .TH, .Dd, .SH or
// comment; TeX by a command that only documents have, or by an entry like @article{ in its first
// line.
//
// In HTML, attributes that hold references (href, src, ...) are one reference each, of the form
// [delimit.Attribute], and often relative. Values that begin with "javascript:" are programs and
// are left out. An empty value is a Result if its base is known. If a request always follows, as
// with FORM action and IMG src, the Target is that base. Otherwise, as with href="", the value
// refers to the page itself, and the Target is Source.Base, if there is one (2002, section 4.2; by
// RFC 3986 it is the base). The names of namespaces (xmlns) and the text of a DOCTYPE are read only
// with Options.Identifiers. The first <base href> is the base of all references after it. Results
// come in the order of their first bytes, with one exception: an attribute inside a wrapper (a tag
// between "<" and ">" in the text) comes before the reference in the wrapper.
//
// A relative reference, in an attribute, a field or after "URL:", is resolved against the base in
// force. It is the first of these that exists: <base href> of the page; Content-Base, then
// Content-Location, of the part; the same fields of the parts and the message around it, from the
// innermost outwards; the URL of the record of a web archive; Source.Base; Options.Base (1997 and
// 2002, section 5.1 and appendix D). Names of groups and articles after "URL:" in an article of news
// have another base: see [FromArticle].
// Limits.Joined bounds how much longer bases in the input make the references.
//
// # Errors
//
// An [Error] has a position and the Stage that failed. Only the damaged stretch is lost: the rest
// of a part, a member of an archive, the rest of a compressed stream. Everything in front of it,
// and all other sources, are read. A violation of the rules for messages (a missing boundary, a bad
// line of base64, an unknown charset) is reported once for each part, which is read all the same.
//
// A wrong checksum is reported after the text that it covers. How much text in front of damage can
// be read depends on the format. gzip, zlib, LZMA alone and lzip lose nothing, nor does xz, except
// at most 48 bytes if a filter for machine code was used; brotli loses at most 64 KiB; zstd, lz4, s2, snappy and bzip2 lose the damaged block:
// at most 128 KiB, 4 MiB (lz4 -l: 8 MiB, and it has no checksums), 4 MiB, 64 KiB and 900 kB.
//
// After a damaged block of bzip2 the next ones are read, in the outermost stream of a source: they
// are searched for by the bits that begin a block. A line break replaces a damaged block; offsets
// and lines count only that line break. The checksum of a stream with such a block is not compared.
//
// A panic of a Source or of a decompression library is an Error too. Zeros after a compressed
// stream are padding. Other bytes there that begin no stream are reported, because they may be a
// stream whose beginning is damaged.
//
// Formats that are recognised by their first bytes and cannot be read are Errors, alone, in
// archives and in mail: archives (rar, cab, ...), compressions (lzop, lrzip) and mailboxes
// (pst), and encrypted files in zip and 7z archives. So is a 7z archive that is not a file itself, because
// its directory is at its end. Some of them are searched as text after the Error,
// because their files may not be compressed (lha, squashfs, ...). PDF and office documents are not read
// either, which is only a [Warning]. With the Format [Plain] all of them are read as text.
//
// Data with control characters in its first 256 bytes is searched as text too. If nothing that could
// be a reference is found in it, a Warning of the stage "binary" says so, unless it is an attachment
// or the Format is Plain.
//
// Of a long hole in a sparse file of a tar archive only about 4 KiB of zeros are read. Offsets after it
// are smaller than in the unpacked file.
//
// # Reading on where the last run ended
//
// With [Options].Resume a run reads only what was added to its files since an earlier run. [Resume]
// has two functions: Begin returns the [Place] from which a [File] is read, and Reached is given
// the Place to keep. A program that knows its files by name needs File.Continues, which checks that
// the file still begins with what was read, and Place.AppendBinary and UnmarshalBinary; see the
// example of Resume. HasAll and Begins compare all bytes, and Begins also finds the text of a Place
// in a file that was compressed since.
//
// Place.AppendKey, File.Keys and KeyPrefix are for an index of many Places, in which files are
// found that were renamed, copied or compressed; File.Other examines a second file that the Place
// may belong to. A File may be left for a later run (Later), or be known to grow (Growing).
//
// # Parts
//
// Source.Range is a part of a large file, which begins and ends where nothing in front matters. So several
// programs read one file, and need not know of each other. Extractor.Measure counts what is in a part. Where places
// are searched, a worker takes 72 KiB, or 1.3 MiB in a mailbox or web archive; see range.go.
//
// # Names
//
// All names of the package, by what they are for:
//
//	reading    Extractor: New; Options, Limits; Encoder, Encoded; Stats
//	options    Format: Auto, Plain, Mbox, Message, News, Rnews, HTML, Table, Roff, TeX, Markdown,
//	           Calendar, WARC; FormatGlobs;
//	           PartKinds: PlainParts, HTMLParts, HeaderParts, AllParts
//	sources    Source; Walk, Walker, ReadPaths
//	results    Result, Origin, Fields; BaseSource: FromHTML, FromContentBase, FromContentLocation,
//	           FromArticle, FromOuter, FromRetrieval, FromOption,
//	           FromRecord
//	errors     Error; StageOptions, StageWalk, StageOpen, StageRead, StageRange, StageClose;
//	           Severity: Lost, Warning; IsWarning
//	passwords  Redactor, RedactedError
//	resuming   Resume, File, Place
//	parts      Range, Numbers; Part: Extractor.Measure
//
// # Memory
//
// Nothing grows with the input, and time is linear in it. A worker takes some MiB: windows, buffers and batches of fixed
// size; up to Limits.Window for each compression; up to 8 times Options.Delimit.MaxLen for the scanner. With
// several workers, up to three blocks of 512 KiB for each of them, if one stream is read. The page
// extract/internal/doc.go lists all of it.
package extract
