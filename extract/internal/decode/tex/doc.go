// Package tex turns the source of TeX documents and BibTeX databases into text, and hands
// the references in commands and fields to a function.
//
//		d := &tex.Decoder{Sink: func(a decode.Attr) error {
//			start, end, _ := chain.SpanBelow(a.Start, a.End)
//			fmt.Printf("%s at %d\n", a.Value, start)
//			return nil
//		}}
//		chain.PushDecoder(d)
//		text, err := io.ReadAll(&chain)
//
//	  - An escape becomes the character that it stands for: \& \# \_ \% \$ \{ \} and \~{} ,
//	    \textasciitilde and its kin.
//	  - The argument of \url, \nolinkurl, \path and the first one of \href, and the value of
//	    the fields url and howpublished, are references as a whole and go to the sink, without
//	    the white space in them, if they begin with a scheme; in \path, "//" has to follow
//	    that. Any other argument is text.
//	  - All else stays as it is: commands, comments, mathematics. They may hold references.
//
// # Vocabulary
//
//   - A command is "\" and a name of letters.
//   - An argument is what stands in the braces after a command; a value, in the braces or
//     quotation marks after the "=" of a field.
//
// # Limits
//
// Nothing is an error. An argument is at most 4 KiB long, braces in it nest at most 3 deep,
// and there is no blank line in it; one that is not closed within these bounds is text.
package tex
