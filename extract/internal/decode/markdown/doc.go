// Package markdown turns Markdown (CommonMark 0.31) into the HTML that package html reads:
//
//	chain.PushDecoder(markdown.New())
//	chain.PushDecoder(html.New(sink))
//
// It makes an HTML document of it only as far as references need that, and holds no block or paragraph:
//
//   - The target of an inline link, of an image, and of the definition of a label becomes the tag
//     <a href="…">, in the place of the target. What stands around it stays text: the label in front,
//     the title behind.
//   - In code (spans, fences, indented lines) '<' and '&' become &lt; and &amp;, so that they are what
//     they look like. '<' that begins no tag, no autolink and no comment does, too.
//   - Everything else is copied: text, autolinks, HTML.
//
// # What is read ahead
//
// A code span, a target with its title, and a tag are looked for within [decode.MaxAhead] bytes. A
// longer one is text, or, if it is a tag, ends where a tag of HTML does.
//
// # What is not read as CommonMark has it
//
// Whether an indented line is code depends on the list around it, whose structure is not followed: below
// a list marker no line is indented code, up to the next line that is not indented after a blank one.
// Brackets nested more than 32 deep, and an empty target, are text. A label in square brackets that no
// definition has does not end the links around it.
package markdown
