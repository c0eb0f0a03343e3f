package uri

// This file holds the rules in which the grammars differ: which bytes each allows
// in which place ([rows]), which structures each has (the named sets), how each
// resolves references and writes normal forms, and the productions of single
// schemes ([forms]). The rest of the package tests whether a member of the set has
// a rule and names no document. A further grammar needs an entry in grammar.go and
// its rules here, and no code elsewhere.

// Named sets say what bytes cannot. Each stands for a sentence of the documents.
const (
	// A scheme begins with a letter (2002 and 3986: section 3.1; 1993, 1994:
	// ialpha); 1996 and 1997 let it begin with any of its characters.
	letterFirst = URL1993 | URL1994 | URI2002 | RFC3986

	// The first segment of a relative path may hold a colon: by the BNF of 1996
	// and 1997 a segment is a segment, first or not.
	colonFirst = URL1996 | URL1997

	// A host may be an IP literal in brackets: 2002 and 3986, section 3.2.2.
	ipLiterals = URI2002 | RFC3986

	// ... and one of a version to come ("v1.x"): 3986, section 3.2.2.
	futureLiterals = RFC3986

	// The rules are those of a scheme: see [forms].
	perScheme = URL1993 | URL1994
)

// Named sets for the pieces of forms, and for hostnames.
const (
	// The last label of a hostname begins with a letter, and no dot follows: 1996
	// and 1997, section 4.3.1. Later it has to only if a dot follows.
	alphaTop = URL1996 | URL1997

	// No label is longer than 63 bytes: 2002, section 3.2.2.
	shortLabels = URI2002

	// A host's name may hold colons, so that a port is part of the name unless
	// the host is a number: 1993, where extra has ':' and hostname is of xalpha.
	colonInNames = URL1993

	// In a search '+' parts words, none of which is empty: 1993. In 1994 it is
	// also a byte of the words, so that nothing is said.
	plusParts = URL1993

	// Some paths have bytes that others lack: 1994, ";type=" and the fields of
	// wais.
	typedPaths = URL1994

	// A fragment is no part of a reference: 1994, "URL syntax".
	withoutFragment = URL1994
)

// Named sets for resolution; section numbers are those of [Base].
const (
	// Dot segments go from every target path, not only from a merged one, and
	// none is left over: 3986, section 5.2.4.
	dotsEverywhere = RFC3986

	// An empty reference has a target, the base itself with its query: 3986,
	// section 5.2.2. Elsewhere it means the current document.
	emptyIsBase = RFC3986

	// A query alone keeps the base's whole path, last segment and all: 2002 and
	// 3986. In 1996 and 1997 it stands behind the base's directory.
	queryKeepsPath = URI2002 | RFC3986

	// The query is merged with the path and takes part in the removal of dot
	// segments: 1996 and 1997, section 5.2, steps 6c to 6i.
	queryMerges = URL1996 | URL1997

	// A merge with an empty base path starts at "/": 2002 always, 3986 where the
	// base has an authority.
	slashAlways        = URI2002
	slashWithAuthority = RFC3986

	// Excess ".." is the caller's to treat: 2002, section 5.2, step 7.
	excessOptional = URI2002

	// A reference may repeat the scheme of its base if the caller is lax: 2002
	// and 3986, section 5.2, "validating" and "strict".
	laxAllowed = URI2002 | RFC3986

	// "/." and "/xxx/.." go with the slash before them, so that no target ends
	// in a slash because of them: 1993, "Partial form".
	dotsTakeSlash = URL1993

	// Relative forms are not defined: 1994, "URL syntax".
	onlyAbsolute = URL1994
)

// Named sets for the fields of schemes, see [Fields].
const (
	// "URL:" may stand before a whole URL, and whether it does is told: 1994.
	prefixes = URL1994

	// A path of ftp may end in a type, or in a slash that asks for the
	// directory: 1994, "Data type". What came later says nothing of schemes, so
	// that what was said last holds, here and below.
	typedFTP = Every &^ URL1993

	// A tab, escaped, parts selector, search and Gopher+ string: 1994, "Gopher".
	// Before that a '?' parts the first two, and the type has a default.
	gopherTabs = Every &^ URL1993

	// A document of wais is known by fields: 1994. Before that by its length and
	// the rest of the path.
	waisByField = Every &^ URL1993

	// A terminal's user may have a password: 1994, login.
	loginPassword = Every &^ URL1993

	// A scheme that has no production of its own has a path and a search: 1993,
	// generic.
	genericFields = URL1993

	// Schemes are written in lower case: 1993 and 1994, "Single letters stand for
	// single letters".
	lowerSchemes = URL1993 | URL1994
)

// A norm says how a grammar writes its normal form, and what else might be said
// to make two references equal, though the document does not say so.
type norm struct {
	in    Grammar
	do    step // what the document allows
	might step // what it neither allows nor rules out
}

var norms = []norm{
	// The oldest say nothing of equivalence. What the first two say of dots is for
	// partial forms, and may be taken for more.
	{URL1993 | URL1994, 0, everyStep},
	{URL1996, 0, everyStep &^ dropDots},

	// 1997, section 6, with 4.1 for the scheme and 2.4.2: "It is safe to unescape
	// these within the body of a URL."
	{URL1997, lowerScheme | lowerHostname | dropDefaultPort | bareUser | barePath | bareRest, everyStep &^ dropDots},

	// 2002, sections 6 and 3.1. By 2.4.2 unescaping is the scheme's to allow; the
	// path of http is the one example.
	{URI2002, lowerScheme | lowerHostname | dropDefaultPort | bareHTTP, everyStep &^ dropDots},

	// 3986: case and escapes by 6.2.2.1 and 6.2.2.2, dots by 6.2.2.3, the rest by
	// 6.2.3; IDNA for names that are looked up in the DNS by 3.2.2.
	{RFC3986, syntaxSteps | schemeSteps, everyStep},
}

// A row says: in these places these bytes stand, in these grammars.
type row struct {
	in    []place
	bytes string
	have  Grammar
}

var rows = []row{
	// 1993: a scheme is an ialpha, and host and user are names. '+' stands in
	// paths and parts the words of a search.
	{[]place{inScheme, inUserinfo, inHost, inPort, inFragment, inName}, xalpha93, URL1993},
	{[]place{inPath, inOpaque}, xalpha93 + "+/", URL1993},
	{[]place{inQuery, opaqueQuery}, xalpha93 + "+", URL1993},

	// 1994: the schemes are those of [forms]. A ':' parts user and password, and
	// stands in what follows the prefix "URL:".
	{[]place{inScheme, inHost, inQuery, opaqueQuery, inName}, xalpha94, URL1994},
	{[]place{inUserinfo, inPort}, xalpha94 + ":", URL1994},
	{[]place{inPath, inOpaque}, xalpha94 + "/", plainPath},
	{[]place{inPath}, xalpha94 + "/;=", URL1994},
	{[]place{inOpaque}, xalpha94 + "/;=:", URL1994},

	{[]place{inScheme}, alpha + digit + "+-.", URL1996 | URL1997 | URI2002 | RFC3986},
	// What looks like a scheme and is none is a first segment with a colon.
	{[]place{inScheme}, segment97, URL1996 | URL1997},

	// 1996, 1997: opaque-URL is scheme ":" *urlc, and rel_path may begin with
	// "//", so a site that is none never makes a URL invalid.
	{[]place{inUserinfo, inHost, inPort}, segment97, URL1996 | URL1997},
	{[]place{inPath, inOpaque}, segment97 + "/", URL1996 | URL1997},
	{[]place{inQuery, opaqueQuery, inFragment}, urlc97, URL1996 | URL1997},

	// 2002: an authority without an IP literal is a registry's name or a part of
	// that language (section 3.2); with one it is a server.
	{[]place{inUserinfo, inHost, inPort}, regname02, URI2002},
	{[]place{byLiteral}, unreserved02 + "%" + ";:&=+$,", URI2002},
	{[]place{afterColon}, digit, URI2002 | RFC3986},
	{[]place{inPath}, pchar02 + "/", URI2002},
	{[]place{inQuery, inFragment}, pchar02 + "/?", URI2002},
	{[]place{inOpaque, opaqueQuery}, uric02, URI2002},

	{[]place{inUserinfo, byLiteral}, regname86 + ":", RFC3986},
	{[]place{inHost}, regname86, RFC3986},
	{[]place{inPort}, digit, RFC3986},
	{[]place{inPath, inOpaque}, pchar86 + "/", RFC3986},
	{[]place{inQuery, opaqueQuery, inFragment}, pchar86 + "/?", RFC3986},

	// Escapes of these bytes say no more than the bytes do (2.3 of the newer
	// four). What the oldest escape at will is all that a name can hold.
	{[]place{inData}, xalpha93, URL1993},
	{[]place{inData}, xalpha94, URL1994},
	{[]place{inData}, unreserved97, URL1996 | URL1997},
	{[]place{inData}, unreserved02, URI2002},
	{[]place{inData}, unreserved86, RFC3986},
}

// anyScheme is how many rows of [forms] hold for every scheme.
const anyScheme = 1

// forms are the productions of the grammars that go by schemes: those for every
// scheme first, the rest by scheme, so that the rows of one lie together. One
// text may have several forms; one is enough.
//
// 1993: "BNF syntax" and, for relative forms, the prose of "Partial form", with
// a user before the host as in "Internet protocol parts". newsaddress is not
// here: all of it is generic.
//
// 1994: "BNF for specific URL schemes". mailto has one colon, not the two that
// are printed, and an ftptype follows ";type=", as the prose has both.
var forms = []form{
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
