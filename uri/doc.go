// Package uri splits, checks, resolves and repairs URI references.
// It reads text only: no I/O, no DNS, no list of known schemes.
//
// # Vocabulary
//
// A reference is a URI or URL, or a relative form of one, with or without a
// fragment. Its components are scheme, authority (with userinfo, host and port
// inside), path, query and fragment. A component whose delimiter is missing is
// undefined; one that has its delimiter and nothing else is empty, which is not
// the same. A path is never undefined. What a reference means beside a base is
// its target.
//
// # Grammars
//
// The syntax was written down many times, and six of those texts are here: the
// drafts of July 1993, early 1994, December 1996, May 1997 and October 2002, and
// RFC 3986. They agree on most of what is written today and differ at the edges:
// IP literals, colons in a first segment, empty segments, the port of an empty
// host. So a [Grammar] is a set, and [Accepts] answers for a whole set in one
// pass. The two oldest define references scheme by scheme; the others take any
// scheme. What the documents leave open or contradict themselves in was decided
// once; the choices are listed in fixtures/cases/README.md.
//
// [Split] is the same for all of them. What differs in resolution is in a
// [Base].
//
// # Refusal
//
// Refusal has two speeds. Accepts gives an offset, makes no error value and does
// not allocate: in running text most candidates that fail are not mistakes that
// anybody wants to read about. [Explain] looks again and returns an [*Error] with
// the offset, the component, the reason, and the grammars that would have taken
// the text. Nothing is refused for what it means: ports above 65535, passwords and
// hosts that cannot exist are valid where the grammar has them, and are what
// [Warnings] is for.
//
// # Text and ownership
//
// Functions read strings and byte slices alike. None keeps or changes what it is
// given; Append functions return the grown dst, as append does. Only a [Ref] and an
// [Error] hold text: a Ref the string it was parsed from, an Error a copy, with a
// password if the text has one. All offsets count bytes, from 0. Where [Parts]
// stand beside a text they must be those of that text, or of a copy of it; with
// others the answer means nothing, and there may be a panic.
//
// # Limits
//
// A text longer than [MaxLen] bytes is not split and nothing takes it. Time is
// linear in the text for every input, and no function looks at more of it than it
// must to answer.
package uri
