// Package delimit finds where references stand in running text: in mail, news,
// logs, prose. It knows how text sets a reference apart, and leaves what a
// reference is to its caller.
//
// # Words
//
// A reference is a URL, absolute or with an explicit prefix relative, perhaps
// with a fragment. What encloses it is its wrapper; the two of Appendix E of the
// documents of 1997 and 2002 are <…> and "…". A [Candidate] is a stretch of text
// that is set apart like a reference and begins like one; whether a grammar
// takes it is not asked here, so http://{host}/ is one. Its primary text is the
// one answer that is given unasked; a [Reading] is another answer that the same
// text allows. An [Extra] is a habit of writers that is looked for only when
// asked.
//
// Text is UTF-8 or ASCII; bytes that are neither are taken as they come, and end
// a reference that stands in no wrapper. White space is that of ASCII and of
// Unicode. Offsets are bytes of the text from 0, lines and columns count from 1,
// columns in bytes; [Options].NoLines saves the counting.
//
// # What is found
//
// A scheme and "://" with something behind it, whatever the scheme; for schemes
// that name a host, a host. Without "//", the schemes that prose uses so: see
// [Known]. Behind the prefix "URL:" or "URI:", any scheme, and in brackets
// (<URL:../x>) a relative reference too.
//
// The form follows from what stands right before the reference:
//
//   - < opens an angle wrapper. Up to the next > all white space is taken out,
//     with line breaks and the quote prefix of mail behind them; nothing is
//     trimmed. Another <, a blank line, a line of another quoting depth, more than
//     three spaces within lines, or a limit ends the attempt.
//   - " opens a quote, which is the same, but white space within a line means that
//     the marks quote a sentence.
//   - Anything else leaves the reference bare: it ends at white space, controls,
//     < > " ` | \ and punctuation beyond ASCII, brackets must balance, and
//     punctuation at its end is left to the sentence. A pair of ' ' or of
//     typographic marks directly around it holds it whole.
//
// If an attempt at a wrapper fails, the reference is bare. A registered scheme
// with "://" in mid-reference begins a new one, unless the character before it
// says that it is data, as in http://archive.example/2001/http://a/.
//
// # Where the documents are silent
//
//   - A hyphen before a line break stays; [NoHyphen] drops it. The first three of
//     a reference are doubted, so that there are eight texts at most.
//   - A scheme is at most 64 bytes, and so is the white space between an opener or
//     a prefix and what follows. A quote prefix lies in the first 64 bytes of its
//     line, or the wrapper ends with the line.
//   - Two schemes that are glued together, http:http://a/, are what the last one
//     makes of them.
//
// # Limits
//
// A reference is at most 8 KiB as it stands, with at most 32 line breaks; see
// [Options]. A bare run that is longer is skipped whole and counted, never cut in
// two. Nothing else is lost: not by a NUL, by broken UTF-8, by a line of 10 GB.
// Memory is fixed when a [Scanner] is made, and time is linear in the text.
package delimit
