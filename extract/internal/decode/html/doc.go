// Package html turns HTML into plain text, and hands the references in attributes to a
// function.
//
//	h := html.New(func(a decode.Attr) error {
//		start, end, _ := chain.SpanBelow(a.Start, a.End)
//		fmt.Printf("%s %s=%s at %d\n", a.Tag, a.Name, a.Value, start)
//		return nil
//	})
//	chain.PushDecoder(h)
//	text, err := io.ReadAll(&chain)
//
// It reads tag soup as browsers do, without building a tree:
//
//   - A tag becomes a line break where a page has one (block elements, br), the separator
//     of cells around those of a table (td, th; package table has the same), a space elsewhere,
//     and nothing if it only changes how the letters of a word look (b, i, em, strong, font,
//     wbr). A space ends a bare reference, so a wrapper such as
//     &lt;<a href="x">http://a/</a>&gt; closes after the reference.
//   - Character references are decoded. A name without ';' is kept verbatim in front of
//     '=', a letter or a digit. &lt; and &gt; become the wrappers that a reader of the page
//     sees.
//   - Comments, declarations, scripts and style sheets are text, verbatim: they may hold
//     references. title and textarea are text with character references.
//   - A value that holds references (href, src, srcset, style, a refresh) is passed to the sink
//     as a [decode.Attr]. A value that never holds one (class, width) is dropped. Any other
//     value is text between blank lines, unless it is as short and plain as "true".
//   - The names of namespaces (xmlns, xmlns:x) and the content of a document type, except
//     its own declarations, are dropped, unless Identifiers is set.
//   - An empty value of an attribute that holds one reference (href="") refers to the page, or to
//     the base of the page. It is passed to the sink, except in the element base; see
//     [decode.Attr].Request.
//   - A '<' that begins no tag is text, also in <http://a/>, <URL:x> and <x@host>.
//
// # Vocabulary
//
//   - A piece is one reference in a value that may hold several (srcset, ping).
//   - Raw text is the content of an element that holds no other element: script, style.
//   - A value that holds references is kept. Any other value is dropped, or is text.
//
// A reference in an attribute is passed to the sink after the Read that returned the text in
// front of it, and before the Read that returns the text after it. So a scanner that returns
// its results before it reads again sees both in the order of the document.
//
// # Why not golang.org/x/net/html
//
// Its Tokenizer keeps the whole of a token in memory, and its limit (SetMaxBuf) ends the
// reading: a text or comment of 10 GB between two tags is one token. It returns values of
// attributes with their character references decoded, but not the position of each byte. A
// position here is that of the encoded reference.
//
// # Limits
//
// Nothing is an error. A comment without an end is text up to the last byte. A tag or value
// without an end is dropped; a value with references is handed over up to its first blank. The
// decoder keeps two copies of one value of at most [Decoder.MaxValue] bytes. A longer value is
// dropped whole and counted. Names of elements and attributes that are longer than 32 bytes are
// treated as unknown.
package html
