// Package uri works on URI references: it splits, validates, resolves, normalizes,
// compares, escapes and builds them, by any of six grammars from 1993 to RFC 3986.
// It works on text alone and does no I/O.
//
//	page := uri.MustParse("http://www.example.org/people/jim/links.html")
//	base, err := uri.NewBase(page, uri.RFC3986)
//	if err != nil {
//		log.Fatal(err)
//	}
//	link, err := uri.Parse("../tim/?q=1#top", uri.RFC3986)
//	if err != nil {
//		log.Fatal(err) // a *uri.Error: which byte, in which component, and why
//	}
//	target, err := base.Resolve(link)
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(target)                       // http://www.example.org/people/tim/?q=1#top
//	fmt.Println(target.Host(), target.Path()) // www.example.org /people/tim/
//
// There are two levels. [Ref], [Base] and [Builder] are values that own or share a
// string, as above. The functions below them take a string or a []byte and its
// [Parts], write to a slice of the caller, and do not allocate:
//
//	p := uri.Split(text)
//	if got, _ := uri.Accepts(text, p, uri.Every); got&uri.RFC3986 != 0 {
//		lo, hi, _ := p.Span(uri.Host)
//		fmt.Printf("%s\n", text[lo:hi])
//	}
//
// # Vocabulary
//
//   - A reference is a URI or URL, or a relative form of one, with or without a
//     fragment.
//   - Its components are scheme, authority (which contains userinfo, host and
//     port), path, query and fragment; see [Component].
//   - A component is undefined if its delimiter is missing, and empty if there is
//     nothing after the delimiter. "http://h/" has an undefined query, "http://h/?"
//     an empty one. A path is never undefined.
//   - The target of a reference is what it resolves to relative to a base.
//   - An escape is '%' with two hexadecimal digits. RFC 3986 calls it a
//     percent-encoded octet.
//   - A grammar accepts a text if the text is a reference by its document.
//   - An IP literal is an address in brackets.
//
// # Grammars
//
// A [Grammar] is a set of definitions, and [Accepts] answers for a whole set in
// one pass.
//
//   - [URL1993], the draft of July 1993, is the oldest. It has productions for the
//     references of single schemes, and one production for all other schemes, which
//     has no host. It describes relative references in prose.
//   - [URL1994], of early 1994, has only the productions of single schemes: a
//     reference with another scheme is not accepted. It adds Gopher+, the types of
//     ftp, and the prefix "URL:". It defines neither relative references nor
//     fragments.
//   - [URL1996], of December 1996, is the first generic syntax: any scheme, and the
//     same components for all. Only its changes are known; the rest is taken from
//     the next.
//   - [URL1997], of May 1997, became RFC 2396. It accepts nearly any text of the
//     bytes that it allows: a scheme may begin with a digit, and a first segment may
//     contain a colon.
//   - [URI2002], of October 2002, is the first draft of what became RFC 3986. It
//     adds IP literals, brackets in opaque parts, and registry-based names in place
//     of hosts.
//   - [RFC3986], of January 2005, is in force. Ports are digits, hosts contain no
//     '@', and dot segments are removed from every target.
//
// They agree on most references of today. They differ on these (+ means that the
// grammar accepts the text; the columns are in order of age):
//
//	93 94 96 97 02 86
//	 +  +  +  +  +  +  http://h/p?q
//	 .  .  +  +  +  +  http://h/~u/         bytes that the first two do not allow
//	 .  .  +  +  +  +  http://h/a=b
//	 +  +  .  .  .  .  http://h/"q"         a byte that only they allow
//	 +  .  +  +  +  +  http://h/p#f         1994 has no fragments
//	 +  .  +  +  +  +  p/q                  and no relative references
//	 +  .  +  +  .  .  a_b:c                a first segment with a colon
//	 .  .  +  +  .  .  12:30                a scheme that begins with a digit
//	 .  .  +  +  +  +  http://h//p          empty segments
//	 .  .  +  +  +  +  ftp://h              an empty path
//	 .  +  +  +  +  +  ftp://h/p;type=I
//	 .  .  +  +  +  +  HTTP://h/            schemes in upper case
//	 +  .  +  +  +  +  x-y:z                unregistered schemes
//	 +  .  +  +  +  .  //u@v@h              a second '@'
//	 +  .  +  +  +  .  http://h:8x/         a port that is not a number
//	 .  .  .  .  +  +  http://[::1]/        IP literals
//	 .  .  .  .  .  +  http://[v1.x]/       IP literals of future versions
//	 .  .  .  .  +  .  urn:[a]              brackets in an opaque part
//
// Use [RFC3986] for references of today and for any that other software will read.
// Use [Default], which is URI2002, for text of any age: it is a little more liberal.
// Use an older grammar for text of its time. The set that Accepts returns is a hint
// at the age of a text. Where a document is ambiguous or contradicts itself, the
// choice is listed in fixtures/cases/README.md.
//
// [Split] is the same for all grammars. A [Base] has the rules of resolution of one.
//
// # Errors
//
// Accepts returns an offset and makes no error value, because most rejected candidates
// in running text are never reported. [Explain] examines the text again and returns an
// [*Error] with the offset, the component, the reason, and the grammars that do accept
// the text. All errors about a reference are of this type.
//
// No text is rejected because of what it means. A port above 65535, a password or a
// host that cannot exist is valid if the grammar allows its bytes; [Warnings]
// reports these.
//
// # Parts of schemes
//
// Package uri/scheme splits a reference further, by the rules of its scheme: the segments of an
// ftp path, the selector of a gopher menu, the address in a mailto. It also makes references of
// such parts. [Account] splits the userinfo, [KindOfHost] classifies the host. Escapes in data
// are decoded once, in the smallest piece; see [AppendUnescaped]. Package uri/unwrap finds the
// reference inside one that a rewriting service has made.
//
// # Equality
//
// Two references can be equivalent though their texts differ. [AppendNormal] writes
// the normal form that a document defines. [Equal] compares two references by
// a document, which may leave the answer open ("?" in this table, with "=" for equal,
// "!" for different, and "." if it rejects one of the two):
//
//	93 94 96 97 02 86
//	 ?  ?  ?  =  =  =  http://h/      http://H:80/
//	 ?  ?  ?  ?  ?  =  http://h       http://h/
//	 ?  =  =  =  =  =  http://h/?%41  http://h/?A
//	 =  .  !  !  !  !  http://h/#     http://h/
//	 ?  ?  !  !  !  =  http://h/a/../b  http://h/b
//	 !  !  !  !  !  !  http://h/a%2Fb   http://h/a/b
//	 ?  .  ?  ?  ?  =  urn:EX:a         urn:ex:a
//	 ?  .  ?  ?  ?  ?  tel:+1-201       tel:+1201
//
// In the last row the scheme has a rule of its own, which no document has. The schemes with
// such rules are urn, tel, sip, sips and geo.
//
// Host names beyond ASCII are converted with golang.org/x/net/idna, which looks no name up.
// The only other package outside the standard library is golang.org/x/sys/cpu: it says
// whether the processor has AVX2.
//
// # Building
//
// [AppendData] escapes data for the component that it becomes a part of. A [Builder] joins
// components and checks that parsing finds the same ones again. [AppendEscaped] repairs text
// that people wrote by hand, and [AppendSafer] escapes the characters of a finished reference
// that are unsafe in text. A Ref has the methods of encoding, flag and database/sql that read
// and write its text.
//
// [AppendRelative] is the inverse of [AppendTarget]: it writes the shortest reference that
// leads from a base to a target.
//
// # Other generators
//
// The table shows what other libraries write in the same cases: net/url of Go 1.26
// (URL.String, URL.Parse), java.net.URI of Java 17 (its constructors, relativize,
// resolve), urllib.parse of Python 3.11 (urlunsplit, urljoin, quote). "-" means that
// there is no such function.
//
//	                           this package  net/url      java.net.URI    urllib.parse
//	from http://h/x/y to
//	  http://h/x/z             z             -            http://h/x/z    -
//	  http://h/x/a:b           ./a:b         -            http://h/x/a:b  -
//	from http://h/x/ to
//	  http://h/x/a:b           ./a:b         -            a:b (wrong)     -
//	made of the path
//	  a:b                      an error      ./a:b        a:b (wrong)     a:b (wrong)
//	  //a                      an error      //a (wrong)  //a (wrong)     //a (wrong)
//	made of data, a b/100%?    a%20b%2F100%25%3F  a%20b/100%25%3F  a%20b/100%25%3F  a%20b/100%25%3F
//	resolved from http://h/x
//	  g?                       http://h/g?   http://h/g?  http://h/g?     http://h/g
//	  g#                       http://h/g#   http://h/g   http://h/g#     http://h/g
//	  %7e%2f                   unchanged     unchanged    unchanged       unchanged
//	  HTTP://H/                unchanged     http://H/    unchanged       http://H/
//	  a^                       an error      a%5E         an error        a^
//
// A wrong result is parsed as something else: a:b has a scheme, and //a an authority.
// [Builder] returns an [*Error] there; with data instead of text it escapes the delimiter.
//
// # Ownership
//
// No function keeps or changes a string or slice that it is given, with three
// exceptions that say so: a [Ref] keeps the string that it was parsed from, a
// [Builder] the strings that were set, and an [Error] a copy of the text, passwords
// included. Append functions return the extended dst, as append
// does, and dst must not overlap their text. A string or slice that is returned is a
// part of the caller's text unless the function says that it is a copy.
//
// Offsets are in bytes, from 0. Parts passed with a text must be the result of
// Split for that text, or for a copy of it. With other Parts the result is
// undefined, and the function may panic.
//
// # Limits
//
// A text longer than [MaxLen] bytes is not split, and no grammar accepts it. All
// functions take time linear in the length of the text. Split, Accepts and
// AppendTarget do not allocate, nor do the other Append functions if dst has room;
// AppendNormal allocates where it converts a host name beyond ASCII.
//
// # Names
//
// All names of the package, by what they are for:
//
//	values       Ref: Parse, MustParse; Base: NewBase; Builder
//	components   Split, Parts, Text, MaxLen; Component: Scheme, Authority, Userinfo, Host,
//	             Port, Path, Query, Fragment
//	grammars     Grammar: URL1993, URL1994, URL1996, URL1997, URI2002, RFC3986, Every,
//	             Default; Rules
//	validity     Accepts; Explain, Error
//	resolution   AppendTarget, SameDocument, AppendRelative; Excess: Retain, Remove, RaiseError
//	equality     AppendNormal, Equal
//	escapes      AppendData, AppendEscaped, AppendSafer, AppendUnescaped
//	authorities  Account, AppendRedacted, DefaultPort; KindOfHost, HostKind: NoHost,
//	             HostName, HostIPv4, HostIPv6, HostFuture, Registry; HostFault
//	oddities     Warnings, Warning, WarningNames
//
// # The files
//
//	ref.go, build.go     values: Ref and Base; Builder
//	split.go, parts.go   a text into its Parts, with a fast path for usual references
//	accept*.go           which grammars accept it, with a fast path; error.go says why one does not
//	grammar.go, rules.go the grammars as data; class.go has the names for the rules, and tables
//	host.go, form*.go    rules beyond single bytes: IP literals, productions of single schemes
//	resolve.go           targets; relative.go is the inverse
//	normal.go, equal.go  normal forms and equality; ports.go has default ports
//	escape.go, warn.go   escaping, repair, passwords; what is legal but strange
//	dots.go              dot segments are removed from a path
//	plain.go, head*.go   vector instructions for the fast paths
//	scheme               a package: the fields of single schemes
//
// slow_test.go implements the documents a second time, slowly and simply; tests compare
// both.
package uri
