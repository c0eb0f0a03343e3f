// Package wrap finds what is in a wrapper, <…> or "…": its end, the line breaks and other things
// that are removed, and labels (rules 3 to 5, 8 to 10 and 19 in package delimit).
//
//	m := wrap.QuotePrefixOf(line)                              // the line of the opening mark
//	e, v := wrap.Enclose(text, '<', &m, maxBreaks, atEOF)      // where it ends
//	ref := wrap.Join(nil, text[e.Start:e.End], &m, wrap.Joiner{})
//
// An opening mark is a byte: '<' or '"'; 0 is none. No function keeps what it is given.
package wrap
