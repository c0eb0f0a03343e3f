// Package decode turns encoded text into plain text, byte by byte accountably:
// whatever a reader above finds in the text, it can ask where in the raw stream
// that stood, in bytes, lines and columns.
//
// # Vocabulary
//
// The raw stream is what lies at the bottom: what zcat would show. Text is what
// is read at the top, in UTF-8 or bytes that are taken for it. A [Decoder] is a
// pure function from a slice of the one to a slice of the other; it tells what
// it did as a [Run]. A unit is the least piece that a decoder turns as a whole:
// a byte, an escape, a character, "&amp;". A [Stage] is a reader made of a
// decoder; its input and its output have offsets of their own, from 0. A [Map]
// leads from output offsets to input offsets. A [Chain] is a pile of stages,
// and leads from text offsets to raw ones. [Lines] lies at the bottom, and
// leads from raw offsets to lines and columns.
//
//	Lines → Chain[ part of a message → base64 → charset → HTML ] → text → scanner
//	  ↑          ↑ Span, SpanBelow, Forget
//	  └──────────┘ Forget
//
// A span of text is asked as a span, by [Chain.Span]: input that was taken out
// just before its first byte or behind its last one belongs to no text, and the
// offset at which one byte begins would not tell where the one before it ends.
//
// # Reading
//
// A Read returns what is there, and goes below for more only when there is
// nothing; so what is complete is handed on while a pipe pauses. What an error
// of the reader below comes behind is read first, and a unit that the error
// cuts is taken as if it stood at the end. An error is told again by every
// later Read. Damage that can be stepped over (a surrogate without its partner)
// becomes U+FFFD and is no error; a unit that the end cuts is an [*Error].
//
// # HTML as text
//
// [HTML] reads tag soup as browsers do, without building a tree:
//
//   - Tags leave a line break where a page has one (block elements, br), a
//     space elsewhere, and nothing if they only change how the letters of a word
//     look (b, i, em, strong, font, wbr ...). A space ends a bare reference, and
//     a wrapper such as &lt;<a href="x">http://a/</a>&gt; closes over it.
//   - Character references are undone. A name without ';' stays as it is in
//     front of '=', a letter or a digit. &lt; and &gt; become the wrappers that
//     a reader of the page sees.
//   - Comments, declarations, scripts and style sheets are text, as they are:
//     references in them are worth finding. title and textarea are text with
//     character references.
//   - A value that holds references (href, src, srcset, style, a refresh, ...)
//     goes to the sink as an [Attr]. A value that never holds one (class, width,
//     ...) goes nowhere. Any other value is text, between blank lines, unless it is
//     as short and plain as "true".
//   - A '<' that begins no tag is text, also that of <http://a/>, <URL:x> and
//     <x@host>.
//   - Damage is no error: a comment without an end is text to the last byte, a
//     tag or value without one is dropped, and a value with references goes to the
//     sink up to its first blank.
//
// An attribute is handed over by the Read behind the one that returned the text
// before it, ahead of all text behind it. A scanner that returns what is
// complete before it reads again thus sees both in the order in which they
// stand, and the sink may pass the reference on at once.
//
// # Bounds
//
// A stage has a buffer of 8 KiB. A map has at most one mark of 24 bytes for
// each byte of text that is not forgotten, and about one for each tag, escape or
// change of script in practice; [Chain.Keep] forgets in step with a window.
// HTML keeps one value of at most [HTML.MaxValue] bytes, twice. Lines keeps 8
// bytes for each newline not forgotten, up to [Lines.Max]. Nothing else grows,
// with any input, and nothing is allocated once these have their size. Time is
// linear: every byte is looked at a bounded number of times by each stage.
package decode
