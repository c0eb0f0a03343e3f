// Package roff turns the source of manual pages (roff with the macros of man or mdoc)
// into text, and passes the references in macros to a function.
//
//	d := &roff.Decoder{Sink: func(a decode.Attr) error {
//		start, end, _ := chain.SpanBelow(a.Start, a.End)
//		fmt.Printf("%s at %d\n", a.Value, start)
//		return nil
//	}}
//	chain.PushDecoder(d)
//	text, err := io.ReadAll(&chain)
//
// The text is the source with these changes:
//
//   - An escape becomes the character that it represents: \- is "-", \(aq and \[aq] are
//     "'", \e is "\". Changes of font, size and colour, and escapes that only say where a
//     line may be broken (\& \: \% \/ \, \)), are removed.
//   - The first argument of .UR and .Lk is one reference, and is passed to Sink. The first
//     argument of .MT and .Mt is passed to Sink if it begins with "mailto:"; otherwise it is
//     an address, and text.
//   - Everything else is unchanged: names of macros, comments, requests. They may hold
//     references.
//
// Nothing is formatted: macros are not expanded, and strings (\*(xx) and registers become
// a space.
//
// # Limits
//
// Nothing is an error. An escape is at most 250 bytes long. A line with an argument for
// Sink is at most 4 KiB long; a longer one is text.
package roff
