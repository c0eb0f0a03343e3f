// Package uri splits, checks, takes apart, resolves, normalizes, compares and
// builds URI references, by six grammars. It reads text only: no I/O, no DNS.
//
// # Vocabulary
//
// A reference is a URI or URL, or a relative form of one, with or without a
// fragment. Its components are scheme, authority (with userinfo, host and port
// inside), path, query and fragment. A component whose delimiter is missing is
// undefined; one that has its delimiter and nothing else is empty, which is not
// the same. A path is never undefined. What a reference means beside a base is
// its target. An escape is '%' with two hexadecimal digits.
//
// # Grammars
//
// The syntax was written down many times, and six of those texts are here. So a
// [Grammar] is a set, and [Accepts] answers for a whole set in one pass.
//
//   - [URL1993], the draft of July 1993, is the oldest. It lists what references
//     of each scheme look like, and has one production for all other schemes, which
//     knows no host. Relative references are described in prose.
//   - [URL1994], of early 1994, has no such production: what is not on its list is
//     no URL. It knows Gopher+, the types of ftp, and the prefix "URL:". Relative
//     references and fragments are no part of it.
//   - [URL1996], of December 1996, is the first that is generic: any scheme, and
//     components that are the same for all. It is known from its changes only; the
//     rest is that of the next.
//   - [URL1997], of May 1997, is what RFC 2396 was made of. It takes nearly any
//     text of its bytes: a scheme may begin with a digit, and a first segment may
//     hold a colon.
//   - [URI2002], of October 2002, is the first draft of what became RFC 3986. It
//     has IP literals, brackets in opaque parts, and names of registries where a
//     host could be.
//   - [RFC3986], of January 2005, is in force. Ports are numbers, no host holds a
//     second '@', and dot segments go from every target.
//
// They agree on most of what is written today and differ at the edges (+ is
// taken, from the oldest to the newest):
//
//	93 94 96 97 02 86
//	 +  +  +  +  +  +  http://h/p?q
//	 .  .  +  +  +  +  http://h/~u/         bytes that nobody had thought of
//	 .  .  +  +  +  +  http://h/a=b
//	 +  +  .  .  .  .  http://h/"q"         a byte that was let go
//	 +  .  +  +  +  +  http://h/p#f         fragments are no part of 1994
//	 +  .  +  +  +  +  p/q                  nor are relative references
//	 +  .  +  +  .  .  a_b:c                a first segment with a colon
//	 .  .  +  +  .  .  12:30                a scheme that begins with a digit
//	 .  .  +  +  +  +  http://h//p          empty segments
//	 .  .  +  +  +  +  ftp://h              a path that is missing
//	 .  +  +  +  +  +  ftp://h/p;type=I
//	 .  .  +  +  +  +  HTTP://h/            schemes in upper case
//	 +  .  +  +  +  +  x-y:z                schemes that nobody registered
//	 +  .  +  +  +  .  //u@v@h              a second '@'
//	 +  .  +  +  +  .  http://h:8x/         a port that is no number
//	 .  .  .  .  +  +  http://[::1]/        IP literals
//	 .  .  .  .  .  +  http://[v1.x]/       ... of a version to come
//	 .  .  .  .  +  .  urn:[a]              brackets in an opaque part
//
// Which to use? RFC3986 for what is written today and for anything that other
// software is to read. [Default], which is URI2002, for text of any age, where a
// little more has to be let through. The older ones for texts of their time, or to
// tell what a text's time is: the set that Accepts returns dates it. What the
// documents leave open or contradict themselves in was decided once; the choices
// are listed in fixtures/cases/README.md.
//
// [Split] is the same for all of them. What differs in resolution is in a [Base].
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
// # Taking apart
//
// [Parts.Span] and [Ref.Get] give components, [Account] the user and the password
// in a userinfo, [KindOfHost] what a host is by its looks. [Fields] goes on from
// there by the rules of the scheme: the steps of an ftp path, the selector of a
// gopher menu. Escapes are data, and are undone in the smallest piece alone, once:
// see [AppendUnescaped].
//
// # Sameness
//
// Two references may be the same and not look it. [AppendNormal] writes what the
// document says is the same in one way; [Equal] compares, and has a third answer
// where the document has no rule:
//
//	93 94 96 97 02 86
//	 ?  ?  ?  =  =  =  http://h/      http://H:80/
//	 ?  ?  ?  ?  ?  =  http://h       http://h/
//	 ?  ?  ?  =  ?  =  http://h/?%41  http://h/?A
//	 ?  ?  !  !  !  =  http://h/a/../b  http://h/b
//	 !  !  !  !  !  !  http://h/a%2Fb   http://h/a/b
//
// Names beyond ASCII are where this package needs tables that the standard library
// keeps to itself: those of golang.org/x/net/idna, in one file, which turn text
// into text and ask nobody.
//
// # Building
//
// [AppendData] escapes a piece of data for the component that it goes to, and a
// [Builder] puts components together and makes sure that they come out again. A
// Ref travels through encoding, flag and database/sql as its text.
// [AppendEscaped] repairs text that people wrote by hand.
//
// # Text and ownership
//
// Functions read strings and byte slices alike. None keeps or changes what it is
// given; Append functions return the grown dst, as append does. Only a [Ref], a
// [Builder], a [Field] and an [Error] hold text: a Ref the string it was parsed
// from, a Builder the strings that were set, a Field and an Error a copy, with a
// password if the text has one. All offsets count bytes, from 0. Where [Parts]
// stand beside a text they must be those of that text, or of a copy of it; with
// others the answer means nothing, and there may be a panic.
//
// # Limits
//
// A text longer than [MaxLen] bytes is not split and nothing takes it. Time is
// linear in the text for every input, and no function looks at more of it than it
// must to answer. Split, Accepts, AppendTarget, and with room in dst the other
// Append functions, allocate nothing; AppendNormal does where it converts a name
// beyond ASCII.
package uri
