// Package roff turns the source of manual pages (roff with the macros of man or mdoc) into
// text, and hands the references in macros to a function.
//
//		d := &roff.Decoder{Sink: func(a decode.Attr) error {
//			start, end, _ := chain.SpanBelow(a.Start, a.End)
//			fmt.Printf("%s at %d\n", a.Value, start)
//			return nil
//		}}
//		chain.PushDecoder(d)
//		text, err := io.ReadAll(&chain)
//
//	  - An escape becomes the character that it stands for: \- is "-", \(aq and \[aq] are
//	    "'", \e is "\". Changes of font, size and colour, and escapes that only say where a
//	    line may be broken (\& \: \% \/ \, \)), become nothing.
//	  - The first argument of .UR and .Lk is a reference as a whole, and goes to the sink. So
//	    is that of .MT and .Mt if it begins with "mailto:"; elsewhere it is an address,
//	    and text.
//	  - All else stays as it is: names of macros, comments, requests. They may hold
//	    references, and a reader of the page loses none by them.
//
// Nothing is formatted: macros are not expanded, and strings (\*(xx) and registers become
// a space.
//
// # Limits
//
// Nothing is an error. An escape is at most 250 bytes long, and a line with an argument
// that goes to the sink 4 KiB; what is longer is text.
package roff
