// Package delimit finds URLs in ordinary text: mail, news, logs, documents.
//
//	s := delimit.NewScanner(os.Stdin, delimit.Options{})
//	for c, err := range s.All() {
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Printf("%d:%d: %s\n", c.Line, c.Column, c.Text)
//		for reading, text := range c.Readings(nil) {
//			fmt.Printf("\tor, by %s: %s\n", reading, text)
//		}
//	}
//
// The package decides where a reference begins and ends. It does not decide whether a
// grammar accepts it: package uri does that.
//
// # Vocabulary
//
//   - A reference is a URL: absolute, or relative with an explicit prefix, with or
//     without a fragment.
//   - A wrapper is a pair of delimiters around a reference: <…> or "…". These two
//     are in Appendix E of the documents of 1997 and 2002 (see package uri). A
//     reference without a wrapper is bare.
//   - A prefix is "URL:" or "URI:", in any case, in front of a reference.
//   - A [Candidate] is a stretch of text that is delimited like a reference and
//     begins like one. http://{host}/ is a candidate, although no grammar accepts it.
//   - The primary text of a candidate is the default answer. A [Reading] is another
//     answer that the same text allows.
//   - An [Extra] is a habit of writers, such as www.example.org. It is off by
//     default.
//   - A quote prefix is what mail and news put in front of a quoted line: "> ",
//     ">> ", "| ", ": ", "JB> ".
//   - White space is that of ASCII (space, HT, LF, VT, FF, CR) and U+0085, U+00A0,
//     U+1680, U+2000 to U+200B, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF.
//
// Text is UTF-8 or ASCII. A byte that is neither ends a bare reference. Offsets are
// in bytes, from 0. Lines and columns count from 1, columns in bytes.
//
// # Rules
//
// Comments in all packages cite these rules by number. Package extract implements rules 15,
// 17, 18, 21 and 23, and the tables of rule 16.
//
//  1. Scheme. A reference has a scheme and a colon. The scheme is the longest run of
//     letters, digits and + - . before the colon that begins with a letter. It has
//     at least two bytes. If the run is no registered scheme, its end may be one:
//     http, https or ftp directly after a word (fromhttp://a/), or, where no "//"
//     follows, what comes after + - or a dot. 12:30, std::string, C:\dir and
//     localhost:8080 are no references.
//  2. What counts. "scheme://" counts for every scheme, if something follows: a host
//     if the scheme needs one, so http:// alone is not a candidate. Without "//", a scheme
//     counts if it is common in text; see [Known]. Some of these need more after the
//     colon: urn: needs a second colon, tel: a number, data: a comma.
//     file:/path counts. After a prefix every scheme counts; in <…>, schemes that
//     begin with "x-" count too.
//  3. Angle brackets. After < there may be white space and a prefix, and then the
//     reference, up to the next >. All white space in it is removed. Nothing is
//     trimmed at its end, and all other characters belong to it. A < that no
//     reference follows is text.
//  4. Quotation marks. The same holds for "…", but white space that contains no line
//     break means that the marks quote a sentence: then they are text. Typographic
//     marks, and a pair of apostrophes, delimit a reference that stands directly
//     between them, on one line. They are no wrapper.
//  5. Prefix. After a prefix without brackets, with or without blanks after it, there
//     is a bare reference. It may be relative only in angle brackets: <URL:../x>.
//     <URL:1@h> is a reference only in an article of news; see [Options].Article.
//  6. Bare. A bare reference ends at white space, control characters, < > " ` | \
//     and typographic quotation marks (see also rule 20). The | of file:///C|/x belongs
//     to it. { } must balance. So must [ ], which belong to a query or an IP literal;
//     elsewhere they end the reference. Letters, digits, marks and symbols beyond ASCII belong
//     to it; other characters beyond ASCII end it, and so does a symbol in the host.
//     A letter of a script without spaces (Han, kana, Thai, Lao, Khmer, Myanmar)
//     ends it directly after an ASCII letter or digit.
//  7. Tail. At the end of a bare reference, these are text: . , ; : ! ? and ', a ")"
//     whose partner is not in the reference, a "%" that begins no escape, and
//     * _ ~ | - = if the same mark is directly in front of the reference (see also
//     rule 20). The candidate has them as its Tail, and the reading [WithTail] has the
//     reference with them. A reference directly after ( [ or { ends at the partner.
//  8. Line breaks. A reference continues after a line break only in a wrapper. The
//     break is removed, with the white space around it, a backslash in front of it,
//     and the quote prefix of the next line. This prefix must equal the prefix of the
//     line with the opening mark. A line with another prefix, a blank line, or another <
//     means that this is no wrapper.
//  9. Hyphen. A hyphen directly before a line break stays; the reading [NoHyphen]
//     has the reference without it. A soft hyphen there is removed. With [Rejoin], a
//     bare reference in front of such a break has the readings [Rejoined] and NoHyphen.
//  10. Space in brackets. White space within a line is removed from <…>; the reading
//     [SpaceEscaped] has it as %20, and escapes all other bytes that no reference can hold;
//     [CutAtSpace] ends in front of it. More than three such gaps mean that this is no
//     wrapper; the bare reference in it then has the readings [Rejoined], without the gaps,
//     and SpaceEscaped. Directly after "](", as in Markdown, any number of gaps stays, as %20.
//  11. Entities. &amp; stays; the reading [Entity] has it as "&". &lt; &gt; &quot;
//     and &nbsp; end a bare reference, and &amp; at its end belongs to the tail.
//  12. Escapes. http:\/\/host\/path, as JSON has it, is a reference: \/ stands for
//     "/" and \u0026 for "&". Any other backslash ends a bare reference, except for rules 29 and
//  30. So does an escape sequence of a terminal, except for rule 32.
//  13. Unclosed. If an opening mark opens no wrapper, it is text, and the reference
//     is bare.
//  14. Adjacent references. A registered scheme with "://" begins a new reference
//     inside a bare one, unless a character of rule 36 stands in front of it:
//     http://archive.example/2001/http://a/ is one reference.
//  15. Repair. If the grammar does not accept a reference, package extract escapes the
//     characters that the grammar excludes. In an authority it escapes only letters beyond
//     ASCII.
//  16. Tables. Each cell of a table is read separately: the end of a cell ends a
//     reference and a wrapper. See package extract. In other text a comma is part of a
//     bare reference; the reading [AtComma] ends in front of the first comma, if this
//     follows the comma: a date, a number, a quoted word, a capitalised word and a
//     blank, or another comma.
//  17. Manual pages. Escapes of roff are decoded, and the arguments of some macros are
//     one reference each. See package extract.
//  18. TeX and BibTeX. Escapes are decoded, and the values of some commands and fields
//     are one reference each. See package extract.
//  19. Labels. In <…>, a "|" ends the reference, and so does a group in […] in front of
//     the >. The text from there to the > is a label. A bar stays in a query if another
//     field follows it (?hl=en|fr&x=1). A group stays if it belongs to the name of a
//     field (?list[0]), or if one of . , ; : ! ? and ' is in front of it.
//  20. Marks. In rule 7, the mark in front of the reference does not count if a letter,
//     digit or _ is directly in front of it: url=http://a/?q= keeps its "=". At the end
//     of a bare reference, -- directly before > is text (an HTML comment). ${ , and an
//     apostrophe in front of + , ; or ), end a bare reference (the text of a program).
//  21. Broken escapes. Rule 15 also escapes a "%" in path, query or fragment that begins
//     no escape. Then the By of the candidate has [Repaired].
//  22. Schemes that wrap. jdbc, view-source, feed, blob and jar belong to the reference that
//     follows them: jdbc:mysql://host/ is one reference. In rule 2, mailto: needs "@" or "?",
//     geo: a number and a comma, skype: "?", nntp: a slash and a number, and mid: "@" if it is
//     bare; about:blank counts. news:* (all groups; 1994, "News") counts in a wrapper and
//     after a prefix. Bare, it is the end of an emphasised phrase: *Good news:* it works.
//  23. Identifiers of markup. The names of namespaces (xmlns) and what a DOCTYPE holds name
//     a language, and are no references. An empty value refers to the page (href=""), or to
//     the base (action="", src=""). See package extract.
//  24. Hosts beyond ASCII. Against rule 6, symbols, and letters of scripts without spaces, belong to
//     the host if they stand in its first label, or directly after a dot, and a label follows:
//     http://i❤.example.ws/. In wrappers they always do. Where they end a reference, the reading
//     [InHost] has it with them. A full stop of another script between letters of a host ends it, and the reading
//     [IDNADot] has the rest.
//  25. Frames. The letters of rule 6 do not end a reference that reaches from one end of a frame to
//     the other: a pair of brackets or of `, the text of an element, BBCode, a link of Markdown, a value after
//     "key: ", or one of several lines that hold nothing else. The other text is the reading [Script].
//  26. Joiners. A middle dot, a dash beyond ASCII, an apostrophe and the like belong to path, query and fragment
//     between two letters or digits of one script. The reading [Joiner] ends in front of it.
//  27. Emphasis. A run of * _ ~ at the end is text if the same run was opened earlier on the
//     line: **see http://a/**.
//  28. Entities in text. One that stands for a character that ends a reference ends it, also if
//     it is escaped twice; one that stands for nothing visible is nothing. If the ":" or "/" of "://" is written as
//     an entity, all of the reference are undone, and By has [EntityUndone].
//  29. Escapes of programs. As in rule 12, with any number of backslashes, and with
//     \u002f and \x2f, \u003a and \x3a. Inside a reference \uXXXX is its character, and \xHH an octet. By has [Unescaped].
//  30. Backslashes. In front of one of _ * ( ) [ ] { } ~ ? = & # ! $ % - + , with more of the reference
//     after it, a backslash is an escape of Markdown or of a shell, and is removed, as is ^ in front of &.
//     Directly in front of the reference, the same escape ends it. The reading [Backslash] ends
//     at the first one. In a host, \. in front of a letter or digit makes an expression, which is
//     no reference; any other backslash ends the host. After file: and a drive, "\" is "/".
//  31. Symbols. Box drawing, replacement characters, wide brackets and the like end a bare
//     reference. Other symbols are text at its end after a letter or digit, or if the same
//     symbol is in front of it. ～ 〜 ‾ between "/" and a letter or digit are "~", and the reading
//     [RawTilde] has the character.
//  32. Colours. Sequences of a terminal for colours are nothing if more of the reference follows; By has
//     [Colour], and the reading [AtColour] ends in front of the first. Otherwise they end it. So
//     do ^[ and ^G. A soft hyphen is nothing.
//  33. Possessives. After the host of http, https, ftp or www., an apostrophe ends the reference, and so
//     does a colon with a word (example.com's, example.com:in). A Korean particle after an ASCII
//     letter is text. The reading [Possessive] has them.
//  34. Brackets. A ")" whose "(" stands in front of the reference on its line ends it, and an unclosed
//     "(" at its end is text. A group in [ ] belongs to a path if more of the reference follows, or one of _ - .
//     is in front of it. The other text is the reading [Bracket].
//  35. Comments. The closers */ *) #} and --> end a reference whose comment was opened on its line.
//  36. Glued references. The list in rule 14 is / ? = & : % # ( [ * _ - ~ @ ! and the reading [Glued] ends
//     in front of the second reference.
//  37. Bars and commas. "|" belongs to a query if a further field follows it. && and & at the
//     end are text where there is no "?". ,name= in front of a scheme ends a reference. After a comma, a
//     reference ends where AtComma does, and the reading [PastComma] has the rest.
//  38. Words. cid: and acct: need "@"; sip:, sips:, im:, pres: and xmpp: "@" or a dot; tel: and sms: three
//     digits; bitcoin: and the like 20 letters and digits; news: a dot, "@" or "*". Smileys at the end are text.
//  39. Octets. One octet C0 to FF that is no UTF-8, between ASCII letters, digits and / _ - =, belongs to the
//     reference; the reading [AtCharset] has the letter of windows-1252.
//  40. Neighbours. www. and ftp. count after what http:// counts after: marks, dashes, symbols, and letters
//     of scripts without spaces. So do addresses, which begin after a known key and "=" (user=a@b.example), may
//     have a host beyond ASCII or an address in brackets, and have no two dots in a row.
//  41. Defanged. Half a bracket is a dot, too (evil[.example). Nothing is printed of a host that goes on in a way
//     that is not understood (evil[d]example, evil . example). A host or an address with a dot or "@" in brackets
//     needs no scheme (evil[.]example).
//
// The documents leave these questions open; this package decides them:
//
//   - White space between an opening mark or a prefix and what follows is at most 64
//     bytes long. A scheme is at most 64 bytes long, too.
//   - A quote prefix lies in the first 64 bytes of its line. If it is longer, the
//     wrapper ends with the line.
//   - Only the first three hyphens before line breaks have the reading NoHyphen (rule
//     9), so there are at most eight texts.
//   - Of two adjacent schemes, as in http:http://a/, the last one counts.
//   - Brackets in a bare reference nest at most 16 deep. A bracket that is nested
//     deeper ends the reference.
//
// # One text, several scanners
//
// Most programs need only [Scanner.All] or [Scanner.Next], and [Scanner.Reset] to read the
// next text. [Options.Neutral] says where a text may be cut, so that several scanners can share one big text. The workers of
// package extract do this. [Scanner.State] says how far a scanner has read.
//
// # Writing
//
// [AppendWrapped] writes a reference into a text so that it is read back byte for byte: in
// brackets, with "URL:" where a reader needs that, and broken over lines as Appendix E allows.
// [Survives] reports whether a reference is read back without brackets.
//
// # Limits
//
// A reference is at most 8 KiB long, with at most 32 line breaks; see [Options]. A
// bare run that is longer is skipped as a whole and counted by [Scanner.Skipped]; it
// is never cut in two. Nothing else is skipped: NUL bytes, invalid UTF-8 and a line
// of 10 GB are read like other text.
//
// A [Scanner] allocates its memory when it is made. Its time is linear in the text,
// whatever the text. Results do not depend on how the input is split into reads.
//
// # Names
//
// All names of the package, by what they are for:
//
//	scanning      Scanner: NewScanner; Options; State; NeutralAfter
//	what is found Candidate, Span; Form: Bare, Angle, Quote, Attribute, Header
//	other texts   Reading: NoHyphen, SpaceEscaped, CutAtSpace, Entity, Rejoined, WithTail, AtComma,
//	              InHost, Script, Joiner, Backslash, AtColour, Possessive, Bracket, Glued, RawTilde,
//	              PastComma, AtCharset, IDNADot
//	extras        Extra: Abbreviated, Defanged, Rejoin, Address; Repaired, Unescaped, EntityUndone,
//	              Colour; NameError
//	writing       AppendWrapped, WrapOptions, Survives
//	by themselves Typed, QuotePrefix, Known, Schemes, SchemesDate
//
// # The files
//
// A Scanner is built in layers. Each uses those below it:
//
//	Scanner      scanner.go, options.go: the exported methods. What they return is in
//	             candidate.go; references as typed are in typed.go
//	searcher     search.go: from one colon to the next, and malformed references. extra.go has what is off by default
//	fastMatcher  fastpath.go: finds the usual references faster; its results are those of matcher
//	matcher      matcher.go: the candidate at a colon, and which other readings it has
//	endFinder    bare.go: the end of a bare reference (rules 6, 7, 11, 12, 14, 20 and 24 to 39)
//	             escapes.go: escapes, entities and colours in it (rules 12, 28 to 30 and 32)
//	             frames.go: what is around it (rules 25, 27, 34 and 35)
//	             front.go: what is in front of a reference
//	             wrapper.go, quoteprefix.go: what is in a wrapper (rules 3 to 5, 8 to 10 and 19)
//	window       window.go: the text in memory, and its lines. colons.go: the search for colons;
//	             scanuntil.go: for the end of usual references; kernels
//	             schemes.go: which schemes count (rules 1, 2, 14 and 22)
//	             roles.go, spell.go, entities.go: what bytes and characters mean
//
// write.go writes references into text. excluded.go escapes what a reference cannot hold.
// state.go lets several Scanners share one text.
//
// slow_*.go implements the same rules a second time, slowly and simply; tests compare both.
package delimit
