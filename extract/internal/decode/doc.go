// Package decode turns encoded bytes into UTF-8 text and remembers, for every byte of the
// text, which bytes of the raw stream it was made of.
//
//	var chain decode.Chain
//	lines := decode.NewLines(file, charset.UTF8.Newline())
//	chain.Reset(lines, 0)
//	chain.PushDecoder(transfer.NewQuotedPrintable())
//	chain.PushDecoder(html.New(nil))
//
//	text, err := io.ReadAll(&chain)
//	at := int64(bytes.Index(text, []byte("http://")))
//	start, end, exact := chain.Span(at, at+int64(len("http://")))
//	line, column, ok := lines.Position(start)
//
// The package has the chain and no decoder. Each family of decoders has a package of its
// own, which imports this one:
//
//	charset    character sets to UTF-8
//	transfer   base64, quoted-printable, format=flowed, folded lines
//	header     header fields of messages, with encoded words
//	html       HTML to plain text
//	markdown   Markdown to plain text
//	roff       manual pages to plain text
//	table      tables to text in which each cell stands by itself
//	tex        TeX and BibTeX to plain text
//	octet      classes of bytes and fast copying, which several decoders need
//	decodetest what the tests of decoders have in common
//
// # Vocabulary
//
//   - The raw stream is what the lowest link reads: what zcat would print.
//   - Text is what the chain returns: UTF-8, or bytes that are treated as UTF-8.
//   - A [Decoder] converts a slice of input to a slice of output, without I/O. It describes
//     what it did as a [Conversion].
//   - A unit is the smallest piece that a decoder converts as a whole: a byte, an escape, a
//     character, "&amp;". For quoted-printable "=41", which becomes "A", the unit has 3 bytes
//     of input and 1 of output.
//   - A [MappedReader] is a reader that knows from which input its output was made, such as a
//     Decoder over another reader. Its input and its output have offsets of their own, from 0.
//   - A [Map] leads from the output offsets of a link to its input offsets. A mapping is one
//     entry of a Map.
//   - A link is a Decoder with its buffers and its Map. A [Chain] is a stack of links. It leads
//     from text offsets to raw offsets.
//   - [Lines] is the reader below the lowest link. It leads from raw offsets to lines and
//     columns.
//
// The data flows from left to right. Calls for offsets and calls of Forget go from right to
// left:
//
//	Lines → Chain[ part of a message → base64 → charset → HTML ] → text → scanner
//	  ↑          ↑ Span, SpanBelow, Forget
//	  └──────────┘ Forget
//
// To locate a reference, call [Chain.Span] once, and not [Chain.Origin] twice. Input that
// was removed just in front of the first byte or just after the last byte belongs to no
// text, and the offset at which a byte begins does not say where the byte before it ended.
//
// # Reading
//
// Read returns the text that is available. It reads from the link below only if it has nothing to
// return, so complete text is passed on while a pipe pauses. An error of the reader below is
// returned after all text in front of it; a unit that the error cuts is decoded as if the input
// ended there. Errors are sticky: each later Read returns the same error.
//
// Damage that a decoder can skip (a surrogate without its partner) becomes U+FFFD and is
// no error. A unit that is cut by the end of the input is a *damage.Damage.
//
// # Limits
//
// A link has a buffer of 8 KiB. A Map has at most one mapping of 24 bytes for each byte of
// text that was not forgotten; in practice it has about one for each tag, escape or change
// of script. If [Chain.Keep] is set, old text is forgotten. Lines keeps 8 bytes for each newline
// that was not forgotten, up to maxLines of them. Nothing else grows with the input, and nothing
// is allocated once these buffers have their size. Time is linear: each link examines each
// byte a bounded number of times.
package decode
