package uri

import (
	"iter"
	"math/bits"
)

// This file holds all that the package knows of one grammar and not of the
// others: which bytes stand where ([rows]), which structures each grammar has
// (the named sets), how each resolves (more named sets), and the names. The rest
// of the package asks "does a member of the set have this?" and names no
// document, so that a seventh grammar would be one more bit here and no new code
// elsewhere.

// A Grammar is a set of syntax definitions, one bit for each. The zero Grammar
// is the empty set, which takes nothing.
type Grammar uint8

const (
	URL1993 Grammar = 1 << iota // July 1993, the IETF URL group's draft
	URL1994                     // early 1994, its draft 03
	URL1996                     // December 1996, draft-fielding-url-syntax-02 as amended
	URL1997                     // May 1997, draft-fielding-url-syntax-05
	URI2002                     // October 2002, draft-fielding-uri-rfc2396bis-00
	RFC3986                     // January 2005

	Every = RFC3986<<1 - 1
)

// names are those of the bits, lowest first.
var names = [...]string{"url-1993", "url-1994", "url-1996", "url-1997", "uri-2002", "rfc3986"}

// Default is the grammar of functions that are given none: the newest of the
// drafts.
const Default = URI2002

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

// Named sets for the pieces of forms.
const (
	// A host's name may hold colons, so that a port is part of the name unless
	// the host is a number: 1993, where extra has ':' and hostname is of xalpha.
	colonInNames = URL1993

	// In a search '+' parts words, none of which is empty: 1993. In 1994 it is
	// also a byte of the words, so that nothing is said.
	plusParts = URL1993

	// Some paths have bytes that others lack: 1994, ";type=" and the fields of
	// wais.
	typedPaths = URL1994

	// plainPath is no grammar but a mark that goes with typedPaths through the
	// bytes of a path, and is left if none of them is such a byte.
	plainPath = RFC3986 << 1

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

// A place is where a byte may stand. There are more of them than Components,
// since a Component's bytes may depend on its neighbours.
type place uint8

const (
	inScheme place = iota
	inUserinfo
	inHost
	inPort
	byLiteral   // the userinfo before an IP literal
	afterColon  // the port behind an IP literal
	inPath      // a path that may be hierarchical
	inOpaque    // a path behind a scheme that does not begin with "/"
	inQuery     // behind inPath
	opaqueQuery // behind inOpaque
	inFragment
	inName // in a name, where a form asks for less than the place has
	places
)

// Classes, under the names and in the order of the documents. '%' stands for an
// escape; that two hexadecimal digits follow is seen to elsewhere.
const (
	digit = "0123456789"
	alpha = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

	// 1993 and 1994. The space that 1993 lists in extra is not legal (its
	// prose), and 1994 prints '-' twice in safe.
	xalpha93 = alpha + digit + "$-_@.&" + "!*\"'():;," + "%"
	xalpha94 = alpha + digit + "$-_@.&+" + "!*\"'()," + "%"

	// 1996 and 1997, section 2.3 and 4.3.2.
	unreserved97 = alpha + digit + "$-_.!~*'(),"
	segment97    = unreserved97 + "%" + ":@&=+" + ";"
	urlc97       = segment97 + "/?"

	// 2002, section 2.3 and 3.
	unreserved02 = alpha + digit + "-_.!~*'()"
	regname02    = unreserved02 + "%" + ";:@&=+$,"
	pchar02      = unreserved02 + "%" + ";:@&=+$,"
	uric02       = pchar02 + "[]/?"

	// 3986, section 2.2, 2.3 and 3.3.
	unreserved86 = alpha + digit + "-._~"
	subDelims86  = "!$&'()*+,;="
	regname86    = unreserved86 + "%" + subDelims86
	pchar86      = regname86 + ":@"
)

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
}

// allowed is what [rows] say, turned round for the loop that asks: a set of
// grammars for each place and byte. It is built when the package is loaded and
// never written again.
var allowed [places][256]Grammar

func init() {
	for _, r := range rows {
		for _, at := range r.in {
			for i := range len(r.bytes) {
				allowed[at][r.bytes[i]] |= r.have
			}
		}
	}
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

// Each yields the members of g one at a time, oldest first. The sequence may be
// ranged over again.
func (g Grammar) Each() iter.Seq[Grammar] {
	return func(yield func(Grammar) bool) {
		for g &= Every; g != 0; g &= g - 1 { // at most a turn for each bit
			if !yield(g & -g) {
				return
			}
		}
	}
}

// newest returns the highest member of g alone, or that of [Default] for the
// empty set.
func (g Grammar) newest() Grammar {
	if g &= Every; g == 0 {
		return Default
	}
	return 1 << (bits.Len8(uint8(g)) - 1)
}
