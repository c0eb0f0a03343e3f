package uri

// This file holds the rules in which the grammars differ: which bytes each allows in
// which place ([rows]), which structures each has (the named sets), how each resolves
// references and writes normal forms, and the productions of single schemes ([productions]).
// The sets that [Rules] has for programs stand beside it in grammar.go. The rest of the package
// names no document: that code tests whether a grammar is in the set of a rule. A further grammar
// needs an entry in grammar.go and its rules here. It needs code only for a structure that no other
// grammar has (CONTRIBUTING.md).

// Named sets are the grammars that have a structure which rows of bytes cannot express.
// Each stands for a sentence of the documents.
const (
	// A scheme begins with a letter (2002 and 3986: section 3.1; 1993, 1994:
	// ialpha); 1996 and 1997 let it begin with any of its characters.
	letterFirst = URL1993 | URL1994 | URI2002 | RFC3986

	// The first segment of a relative path may hold a colon: by the BNF of 1996 and 1997
	// the first segment has no rule of its own.
	colonFirst = URL1996 | URL1997

	// A host may be an IP literal: 2002 and 3986, section 3.2.2.
	ipLiterals = URI2002 | RFC3986

	// ... and one of a future version ("v1.x"): 3986, section 3.2.2.
	futureLiterals = RFC3986

	// There are productions for single schemes: see [productions].
	perScheme = URL1993 | URL1994
)

// Named sets for the pieces of forms, and for hostnames.
const (
	// The last label of a hostname begins with a letter, and no dot follows: 1996 and
	// 1997, section 4.3.1. In later documents it must begin with a letter only if a dot
	// follows.
	alphaTop = URL1996 | URL1997

	// No label is longer than 63 bytes: 2002, section 3.2.2.
	shortLabels = URI2002

	// The name of a host may contain colons: 1993, where extra has ':' and hostname is of
	// xalpha. So ":80" is part of the name, unless the host is a number.
	colonInNames = URL1993

	// In a search '+' separates words, none of which is empty: 1993. In 1994 it is
	// also a byte of the words, so that every search matches.
	plusParts = URL1993

	// Some forms of path allow bytes that others do not: 1994, ";type=" and the
	// fields of wais.
	typedPaths = URL1994

	// A fragment is no part of a reference: 1994, "URL syntax".
	withoutFragment = URL1994
)

// A whole URL may have the prefix "URL:", and means the same without it: 1994, "PrePrefix".
const wholePrefix = URL1994

// Named sets for resolution; section numbers are those of [Base].
const (
	// Dot segments are removed from every target path, not only from a merged one,
	// and none remains: 3986, section 5.2.4.
	dotsEverywhere = RFC3986

	// A query alone keeps the whole path of the base: 2002 and 3986. In 1996 and
	// 1997 it follows the base's path up to the last slash.
	queryKeepsPath = URI2002 | RFC3986

	// The query is merged with the path, and dot segments are removed from it, too:
	// 1996 and 1997, section 5.2, steps 6c to 6i.
	queryMerges = URL1996 | URL1997

	// A merge with an empty base path starts at "/": 2002 always, 3986 where the
	// base has an authority.
	slashAlways        = URI2002
	slashWithAuthority = RFC3986

	// The caller decides about excess "..": 2002, section 5.2, step 7. See [Excess].
	excessOptional = URI2002

	// "/." and "/xxx/.." are removed with the slash in front of them, so that no
	// target ends in a slash because of them: 1993, "Partial form".
	dotsTakeSlash = URL1993

	// Relative forms are not defined: 1994, "URL syntax".
	onlyAbsolute = URL1994

	// Relative forms are for hierarchical bases: 1997 (and 1996), section 4.2 and 5; 2002,
	// section 5. In 1993 an article of news has them, too.
	hierarchical = URL1996 | URL1997 | URI2002
)

// A path of ftp may end in a type: 1994, "Data type". Later documents say nothing about it.
const typedFTP = Every &^ URL1993

// A normalForm has the steps of the normal form of some grammars, and two sets of further
// steps, which make two references equal or possibly equal.
//
// In all documents the digits of an escape are those of a number, "0-9, A-F" in either
// case: "the ISO Latin 1 code for that character" (1993), "the value for that octet"
// (1994), "the octet code" (2.3.1 of 1996, 2.4.1 of 1997 and 2002). So their case has no
// meaning.
type normalForm struct {
	in    Grammar
	steps step // the steps of the normal form
	same  step // steps that keep the meaning by the document, but that it does not recommend
	might step // steps that the document neither has nor excludes
}

var normalForms = []normalForm{
	// The oldest documents have no normal form. In both the port is given "if it is not
	// the default number" ("Internet protocol parts"). 1993: a void fragment "with or
	// without the hash sign means that the URL refers to the whole object"
	// ("Fragment-id"). 1994: escapes "can be selectively and reversibly expanded", except
	// those of reserved characters ("Encoding prohibited characters"). They have a rule
	// for the dots of partial forms, which may be meant for all.
	{URL1993, 0, upperHex | dropVoid | dropDefaultPort | statedDefaults, everyStep},
	{URL1994, 0, upperHex | undoPath | undoRest | dropDefaultPort | statedDefaults, everyStep},

	// 1996: schemes in any case by 4.1; unreserved characters "can be escaped without
	// changing the semantics" by 2.2; the default port "is assumed" by 4.3.1.
	{URL1996, 0, upperHex | lowerScheme | dropDefaultPort | undoUser | undoPath | undoRest | statedDefaults, everyStep &^ dropDots},

	// 1997, section 6, with 4.1 for the scheme and 2.4.2: "It is safe to unescape
	// these within the body of a URL."
	{URL1997, lowerScheme | lowerHostname | dropDefaultPort | undoUser | undoPath | undoRest, upperHex | statedDefaults, everyStep &^ dropDots},

	// 2002, sections 6 and 3.1. By 2.4.2 a scheme may allow unescaping; the path of
	// http is the only example. By 2.3 escapes of unreserved characters mean the same
	// in all of a reference.
	{URI2002, lowerScheme | lowerHostname | dropDefaultPort | undoHTTP, upperHex | undoUser | undoHost | undoPath | undoRest | statedDefaults, everyStep &^ dropDots},

	// 3986: case and escapes by 6.2.2.1 and 6.2.2.2, dots by 6.2.2.3, the rest by
	// 6.2.3, which leaves mailto and urn to their own documents (RFC 6068; RFC 8141, section 3.1);
	// IDNA by 3.2.2, for names that are looked up in the DNS. By 3.2.2 "no
	// authority, an empty host, and localhost" mean the same in file.
	{RFC3986, syntaxSteps | schemeSteps, statedDefaults | fileAuthority, everyStep},
}

// anyScheme is the number of rows in [productions] for every scheme. They are the first.
const anyScheme = 1

// A row of reserved has a component, bytes that the component allows, and grammars. By
// these grammars the bytes are delimiters in the component, so they are escaped in its
// data. '/', '?' and '#' end what is in front of them. A colon in a first segment would
// end a scheme. Fragments have no delimiters.
var reserved = []struct {
	in    Component
	bytes string
	have  Grammar
}{
	// 1993 and 1994: the delimiters between names in their productions. 1994 reserves
	// "=;/#?:".
	{Userinfo, ":@", URL1993 | URL1994},
	{Host, ":@", URL1993 | URL1994},
	{Path, "/:", URL1993},
	{Path, "=;/?:", URL1994},
	{Query, "+", URL1993 | URL1994}, // between words

	// 1996 (2.1) and 1997 (2.2): ";/?:@&=+", and for segments 4.3.2. '$' and ',' are
	// marks, which are unreserved.
	{Userinfo, ";:&=+@", URL1996 | URL1997},
	{Host, ";:&=+@", URL1996 | URL1997},
	{Path, "/;=?:", URL1996 | URL1997},
	{Query, ";/?:@&=+", URL1996 | URL1997},

	// 2002: 3.2.1, 3.2.2, 3.3 and 3.4.
	{Userinfo, ";:&=+$,@", URI2002},
	{Host, "$,;:@&=+", URI2002},
	{Path, "/;=?:", URI2002},
	{Query, ";/?:@&=+,$", URI2002},

	// 3986, 2.2: "data octets that correspond to characters in the reserved set" are
	// escaped, unless a scheme allows them as data. The set is the same in all components.
	// By 3.4 "/" and "?" may be data of a query; escaped they mean the same there.
	{Userinfo, reserved86, RFC3986},
	{Host, reserved86, RFC3986},
	{Path, reserved86, RFC3986},
	{Query, reserved86, RFC3986},
}

// A row has bytes, the slots in which they are allowed, and the grammars that allow
// them.
type row struct {
	in    []slot
	bytes string
	have  Grammar
}

var rows = []row{
	// 1993: a scheme is an ialpha, and host and user are names. Paths contain '+'; in a search '+'
	// separates words.
	{[]slot{inScheme, inUserinfo, inHost, inPort, inFragment, inName}, xalpha93, URL1993},
	{[]slot{inPath, inOpaque}, xalpha93 + "+/", URL1993},
	{[]slot{inQuery, opaqueQuery}, xalpha93 + "+", URL1993},

	// 1994: the schemes are those of [productions]. ':' separates user and password, and
	// is allowed after the prefix "URL:".
	{[]slot{inScheme, inHost, inQuery, opaqueQuery, inName}, xalpha94, URL1994},
	{[]slot{inUserinfo, inPort}, xalpha94 + ":", URL1994},
	{[]slot{inPath, inOpaque}, xalpha94 + "/", plainPath},
	{[]slot{inPath}, xalpha94 + "/;=", URL1994},
	{[]slot{inOpaque}, xalpha94 + "/;=:", URL1994},

	{[]slot{inScheme}, alpha + digit + "+-.", URL1996 | URL1997 | URI2002 | RFC3986},
	// The first segment of a relative path, in front of a colon.
	{[]slot{inScheme}, segment97, URL1996 | URL1997},

	// 1996, 1997: opaque-URL is scheme ":" *urlc, and rel_path may begin with
	// "//", so a wrong site never makes a URL invalid.
	{[]slot{inUserinfo, inHost, inPort}, segment97, URL1996 | URL1997},
	{[]slot{inPath, inOpaque}, segment97 + "/", URL1996 | URL1997},
	{[]slot{inQuery, opaqueQuery, inFragment}, urlc97, URL1996 | URL1997},

	// 2002: an authority without an IP literal is accepted as reg_name, which
	// contains the language of server (section 3.2); with an IP literal it is a server.
	{[]slot{inUserinfo, inHost, inPort}, regname02, URI2002},
	{[]slot{byLiteral}, unreserved02 + "%" + ";:&=+$,", URI2002},
	{[]slot{afterColon}, digit, URI2002 | RFC3986},
	{[]slot{inPath}, pchar02 + "/", URI2002},
	{[]slot{inQuery, inFragment}, pchar02 + "/?", URI2002},
	{[]slot{inOpaque, opaqueQuery}, uric02, URI2002},

	{[]slot{inUserinfo, byLiteral}, regname86 + ":", RFC3986},
	{[]slot{inHost}, regname86, RFC3986},
	{[]slot{inPort}, digit, RFC3986},
	{[]slot{inPath, inOpaque}, pchar86 + "/", RFC3986},
	{[]slot{inQuery, opaqueQuery, inFragment}, pchar86 + "/?", RFC3986},

	// Escapes of these bytes mean the same as the bytes (2.2 of 1996, 2.3 of the newer
	// three). In the oldest two escapes of all bytes of a name may mean the same. 1994
	// says so for its plain characters. It does not reserve '+' and '@', but they are
	// delimiters in a search and in news, so whether their escapes mean the same stays
	// open.
	{[]slot{inData}, xalpha93, URL1993},
	{[]slot{inData}, xalpha94, URL1994},
	{[]slot{inSame}, plain94, URL1994},
	{[]slot{inData, inSame}, unreserved97, URL1996 | URL1997},
	{[]slot{inData, inSame}, unreserved02, URI2002},
	{[]slot{inData, inSame}, unreserved86, RFC3986},
}

// productions has the productions of the grammars of perScheme. Those for every scheme
// are first; after them, the rows of each scheme are adjacent. A text that matches one
// of them is accepted.
//
// 1993: "BNF syntax" and, for relative forms, the prose of "Partial form", with
// a user in front of the host as in "Internet protocol parts". newsaddress has
// no row, because generic contains it.
//
// 1994: "BNF for specific URL schemes". By the prose, mailto has one colon, not the two
// that are printed, and an ftptype follows ";type=".
//
// The columns are those of [production]: the scheme, the grammars, the form after "//", the form
// of the path, and whether a search may follow.
var productions = []production{
	{"*", URL1993, noAuth, bare, true}, // generic

	{"http", URL1993 | URL1994, hostPort, maybe, true},

	{"", URL1993, userHost, maybe, true},
	{"", URL1993, noAuth, slashed, true},
	{"", URL1993, noAuth, bareSome, true},

	{"ftp", URL1993, aHost, slashed, false},
	{"ftp", URL1994, login, typed, false},
	{"mailto", URL1994, noAuth, mailbox, false},
	{"news", URL1994, noAuth, group, false},
	{"gopher", URL1993, hostPort, selector, true},
	{"gopher", URL1994, hostPort, selector, false},
	{"telnet", URL1993, userHost, noPath, false},
	{"telnet", URL1994, login, noPath, false},
	{"wais", URL1993 | URL1994, hostPort, database, true},
	{"wais", URL1993, hostPort, waisID, false},
	{"wais", URL1994, hostPort, waisFields, false},
	{"prospero", URL1993 | URL1994, hostPort, slashed, false},
	{"afs", URL1993, aName, slashed, false},
	{"nntp", URL1994, noAuth, groupNumber, false},
	{"mid", URL1994, noAuth, messageID, false},
	{"cid", URL1994, noAuth, messageID, false},
	{"url", URL1994, noAuth, wholeURL, false}, // prefixedurl
	{"URL", URL1994, noAuth, wholeURL, false}, // the same in prose, "PrePrefix"
}
