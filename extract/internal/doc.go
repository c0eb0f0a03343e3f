// Package internal holds no code. This page says how package extract works inside: memory, bounds, and which package does what.
//
// # Memory
//
// Nothing grows with the input, and time is linear in it. The memory of one worker:
//
//	part                      bytes                               where
//	window of the scanner     128 KiB, or 8 times MaxLen          delimit/scanner.go
//	forms of one reference    up to 15 times MaxLen               delimit/scanner.go, validate.go
//	source                    64 KiB                              compress.FileBuffer
//	each compression          4 KiB, and for                      compress/pool.go
//	  gzip, zlib              132 KiB                             compress/inflate
//	  compress (.Z)           480 KiB
//	  bzip2                   up to 8 MiB, as a rule 6 MiB
//	  s2, snappy, lz4         up to 10 MiB, and 17 MiB for frames of lz4 -l
//	  zstd, xz, lzma, lzip,   the stream's window, up to Limits.Window
//	  brotli
//	mail, and each encoded
//	  message in another      68 KiB                              mail.Reader
//	each tar archive          up to 128 KiB for the map of a      archive/tarstream
//	                          sparse file
//	each ar, cpio archive     64 KiB for a name, and 256 KiB for  archive/sequence
//	                          the table of names of an ar
//	a 7z archive              its directory, and the dictionary   archive/sevenzip
//	                          of a folder, up to Limits.Window
//	each zip archive          72 KiB, 132 KiB for deflate         archive/zipstream
//	charsets, HTML            up to 2 MiB for maps and lines      KeepText in worker.go, maxLines in internal/decode/lines.go
//	attribute values          64 KiB                              maxHeldBytes in merge.go
//	with Options.LogTimes     twice the scanner's window          internal/times/stamp.go
//	with Options.Resume       30 KiB: hashes and the last bytes    internal/digest, resumedtext.go
//	  in a mailbox            8 bytes for each message since the    rewritten.go
//	                          last report; if it was rewritten,
//	                          up to 40 for each of all, and 6 MiB
//	with several workers      26 batches of 50 to 170 KiB         schedule.Batches; packed.go (Results, Origins, text)
//	reading ahead             1 MiB                               compress/readahead.go
//	a stream, with several    512 KiB for each block: up to three blocks.go, schedule/block.go
//	  workers                 for each worker
//	a file of short members   up to 12 MiB for each worker        parts.go: texts of parts, of 0.8 to 4 MiB
//	small files               192 KiB of prefetched ones          files.Prefetcher
//
// The Go runtime and the program itself take about 8 MB more. The number of consecutive
// compressed members or streams makes no difference.
//
// # Bounds
//
// Whatever may be repeated without end in the input has a bound, which is a constant. Most of
// those of 1 KiB or more are in this table. TestBounds compares it with the constants.
//
//	what                                                  bound      constant
//	bytes of a reference, by default                      8 KiB      defaultMaxLen in extract/options.go
//	  the same in package delimit                         8 KiB      defaultMaxLen in delimit/options.go
//	  and at most                                         4 MiB      maxLen in extract/options.go
//	  and in package delimit                              4 MiB      greatestLen in delimit/options.go
//	line breaks in a wrapper, by default                  32         defaultMaxBreaks in delimit/options.go
//	brackets in a bare reference that are paired          16         maxNest in delimit/bare.go
//	bytes of the next line that Rejoin examines           1 KiB      rejoinReach in delimit/matcher.go
//	bytes in front of a position that a scanner examines  512        lookBehind in delimit/window.go
//	bytes after a place that may decide that it is neutral  4 KiB    NeutralAfter in delimit/neutral.go
//	  in a file that is read in parts                     128 KiB    neutralAfter in extract/range.go
//	  bytes in front of a message that may decide it      1 MiB      NeutralBefore in extract/internal/mail/neutral.go
//	window of a scanner, at least                         128 KiB    minWindow in delimit/window.go
//	compressions and archives in one another, by default  16         defaultDepth in extract/options.go
//	multiparts and messages in one another, by default    100        defaultNesting in extract/options.go
//	decompressed to stored size, by default               10000      defaultRatio in extract/options.go
//	what bases add to the text, by default times it       64         defaultJoined in extract/options.go
//	  and in any case                                     64 KiB     joinedFrom in extract/base.go
//	window of a compressed stream, by default             128 MiB    defaultWindow in extract/options.go
//	bytes that decide a compression                       4 KiB      MaxHead in extract/internal/compress/kind.go
//	buffer of the source                                  64 KiB     FileBuffer in extract/internal/compress/source.go
//	first member of a file that is read in parts          64 MiB     maxFirst in extract/internal/compress/members.go
//	text that shows whether a member begins at a place    64 KiB     probed in extract/internal/compress/members.go
//	  and the stored bytes of it                          16 MiB     probedStored in extract/internal/compress/members.go
//	stored bytes of what only looks like a member         64 MiB     maxOthers in extract/internal/compress/members.go
//	ring of decompressed text that is read ahead          1 MiB      aheadRing in extract/internal/compress/readahead.go
//	block of a stream, and of a file, at least            512 KiB    blockBytes in extract/blocks.go
//	  bytes in which its reader searches a neutral place  64 KiB     placeBytes in extract/blocks.go
//	text of a block of lz4 -l                             8 MiB      maxLegacyText in extract/internal/compress/lz4.go
//	string of a code of compress                          64 KiB     maxString in extract/internal/compress/lzw/lzw.go
//	jobs that are listed ahead                            1024       ringSize in extract/internal/schedule/jobs.go
//	first zstd frame of a file that has parts             8 MiB      longFrame in extract/internal/compress/parts.go
//	  and its first member of gzip or bzip2               1 MiB      longMember in extract/internal/compress/parts.go
//	text of a part                                        4 MiB      mostText in extract/parts.go
//	  and what decides a place, in front of it            72 KiB     partRoom in extract/parts.go
//	name of a member of a tar archive                     64 KiB     maxName in extract/internal/archive/tarstream/tar.go
//	  and of an ar or cpio archive                        64 KiB     maxName in extract/internal/archive/sequence/sequence.go
//	header of an entry in a zip archive                   64 KiB     bufferSize in extract/internal/archive/zipstream/zip.go
//	table of the names of an ar archive                   256 KiB    arTable in extract/internal/archive/sequence/ar.go
//	directory of a 7z archive                             32 MiB     maxDirectory in extract/internal/archive/sevenzip/sevenzip.go
//	  and the properties of a coder in it                 1 KiB      mostBytes in extract/internal/archive/sevenzip/directory.go
//	stretches of a sparse file in a tar archive           8192       maxStretches in extract/internal/archive/tarstream/tar.go
//	  and zeros that stand for a longer hole in it        4 KiB      maxHole in extract/internal/archive/tarstream/tar.go
//	name of a nested member in an Origin                  16 KiB     maxMember in extract/internal/document/path.go
//	  and of one element of it                            4 KiB      maxElement in extract/internal/document/path.go
//	header that is examined before it is read             64 KiB     headerMax in extract/internal/mail/frame.go
//	bytes that decide what a line of a mailbox is         4 KiB      Lookahead in extract/internal/mail/frame.go
//	From_ line at which reading begins                    1 KiB      maxFromLine in extract/internal/document/outermost.go
//	relative reference in a header field                  1 KiB      maxRelative in extract/internal/decode/header/kept.go
//	lines whose beginnings are known                      131072     maxLines in extract/internal/decode/lines.go
//	value of a header field that decides what a part is   8 KiB      valueMax in extract/internal/mail/fields.go
//	reference that is a whole header field, by default    8 KiB      defaultMaxKept in extract/internal/decode/header/kept.go
//	value of an HTML attribute, by default                8 KiB      defaultMaxValue in extract/internal/decode/html/value.go
//	values that one Read of a text returns                64         maxValues in extract/internal/document/text.go
//	  and their bytes                                     16 KiB     maxValueBytes in extract/internal/document/text.go
//	values that wait for their place among Results        1024       maxHeld in extract/merge.go
//	  and their bytes                                     64 KiB     maxHeldBytes in extract/merge.go
//	DOCTYPE that is examined                              1 KiB      maxDoctype in extract/internal/decode/html/html.go
//	line in which a time stamp is searched                4 KiB      MaxLine in extract/internal/times/stamp.go
//	warnings of decoders kept for a part                  16         maxWarnings in extract/internal/document/reports.go
//	prefetched small files                                192 KiB    prefetchBytes in extract/internal/files/prefetch.go
//	path in a list of paths                               64 KiB     longestPath in extract/internal/files/list.go
//	file .gitignore or .ignore                            1 MiB      mostIgnore in extract/internal/files/ignore.go
//	Results in a batch                                    128        batchResults in extract/packed.go
//	  and their bytes                                     32 KiB     batchBytes in extract/packed.go
//	results at the end of a file in a Place               1024       maxLast in extract/place.go
//	results of a message that are held                    4096       maxHeldResults in extract/rewritten.go
//	  and their bytes                                     1 MiB      maxHeldArena in extract/rewritten.go
//	messages of a rewritten mailbox that are remembered   4194304    maxKnown in extract/rewritten.go
//	zeros at the end of a file that its Place leaves out  1 MiB      maxZeros in extract/internal/digest/reader.go
//
// # The way of one URL
//
//	main.go, flags      the command line becomes options: an Extractor's, filters, a printer
//	find.go             Extractor.Encode gets sources and, for each worker, an Encoder
//	schedule            a worker claims the source; worker.go opens it and reads it
//	compress            recognises compressions by the first bytes, and decompresses: the raw stream
//	document            recognises what that is: members of an archive, messages, or a text. It pushes a stream for each
//	                    member and part, and returns one text after another, with the path to it
//	mail                finds the parts of a message, and describes them
//	decode              decodes a part to UTF-8, and remembers what became of each byte
//	finder.go           gives the text to the scanner
//	delimit             finds the candidate: where it begins and ends, and its other readings
//	finder.go, locate   asks the text for its place in the raw stream; lines are counted there, or by the scanner if
//	                    nothing is decoded
//	validate.go, uri    splits it, asks the grammars, resolves it
//	sinks.go            the Encoder makes bytes of it (cmd's printer, record), which wait in a batch (packed.go)
//	schedule            delivers batches in the order of sources; find.go writes them
//
// # The map
//
// The comment of each package below has its vocabulary and limits (in doc.go if it is long).
// Arrows lead from a package to those that it imports; imports_test.go checks them.
//
//	extract ─┬─► uri, delimit        finder.go, validate.go: the one place where texts are scanned and validated
//	         ├─► uri/unwrap          for Options.Unwrap
//	         ├─► internal/schedule   workers, ordered output, blocks of one big file: Do, Producer, SharedFile
//	         ├─► internal/files      walking, opening, reading, prefetching small files: Walker, Prefetcher, Reader;
//	         │                       files/system: what differs among systems
//	         ├─► internal/document   a source as a sequence of texts: Reader, Text
//	         │     ├─► internal/magic      formats recognised by their first bytes: Numbers (compress imports it too)
//	         │     ├─► internal/compress   recognising and decompressing in layers: Pool, Source
//	         │     ├─► internal/archive    tar, zip, ar, cpio and 7z; zip imports compress/inflate,
//	         │     │                       7z that and compress/bzip2, lzma and xz
//	         │     ├─► internal/mail       mailboxes, messages, MIME: Reader, Part
//	         │     └─► internal/decode     bytes → UTF-8 text with a map of offsets: Chain, Lines;
//	         │                             decoders in decode/charset, transfer, header, html,
//	         │                             markdown, table, roff and tex; decode/octet has classes of bytes
//	         ├─► internal/digest     hashes of what was read, for Options.Resume
//	         ├─► internal/damage, internal/ledger   what is wrong with a stretch; counts of bytes
//	         ├─► internal/times      dates of messages, time stamps in logs: Parse, LineStamps
//	         └─► internal/redact     passwords in references, however they are escaped
//
// A worker has a core (core.go: pool, document, scanner, sink, and the source that is read), a
// sharedReading (share*.go: reads a source together with other workers; blocks.go: hands out blocks of a stream), a resumption (resum*.go:
// reads a file from where an earlier run has stopped), a partReading (range.go: reads a part of a file, for Source.Range) and a finder (finder.go: texts become Results;
// with validator and merge). The code of each uses only those in front of it, and the types of
// options and results, such as File in resume.go.
package internal
