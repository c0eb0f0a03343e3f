// Package tex turns the source of TeX documents and BibTeX databases into text, and
// passes the references in commands and fields to a function.
//
//	d := &tex.Decoder{Sink: func(a decode.Attr) error {
//		start, end, _ := chain.SpanBelow(a.Start, a.End)
//		fmt.Printf("%s at %d\n", a.Value, start)
//		return nil
//	}}
//	chain.PushDecoder(d)
//	text, err := io.ReadAll(&chain)
//
// The text is the source with these changes:
//
//   - An escape becomes the character that it represents: \& \# \_ \% \$ \{ \} and \~{} ,
//     \textasciitilde and similar.
//   - These are one reference each: the argument of \url, \nolinkurl and \path, the first argument
//     of \href, the value of the fields url and howpublished. Such an argument or value is passed
//     to Sink without white space if it begins with a scheme (in \path, with a scheme and "//").
//     Otherwise it is text.
//   - Everything else is unchanged: commands, comments, mathematics. They may hold
//     references.
//
// # Vocabulary
//
//   - A command is "\" and a name: letters, or one other character.
//   - An argument is the content of the braces after a command. A value is the content of
//     the braces or quotation marks after the "=" of a field.
//
// # Limits
//
// Nothing is an error. An argument is at most 4 KiB long, has braces at most 3 deep, and has no
// blank line. An argument that is not closed within these bounds is text.
package tex
