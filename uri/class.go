package uri

import "strings"

// A slot is a position in a reference. It decides which bytes may occur there. There are
// more slots than Components, because the bytes of a Component may depend on the
// components beside it.
type slot uint8

const (
	inScheme slot = iota
	inUserinfo
	inHost
	inPort
	byLiteral   // the userinfo in front of an IP literal
	afterColon  // the port after an IP literal
	inPath      // a path that may be hierarchical
	inOpaque    // a path after a scheme that does not begin with "/"
	inQuery     // after inPath
	opaqueQuery // after inOpaque
	inFragment
	inName // in a name, where a production allows fewer bytes than the slot
	inData // bytes whose escapes may mean the same as the bytes
	inSame // bytes whose escapes mean the same as the bytes, as the document says
	slots
)

// Classes have the names and the order of the documents. '%' stands for an escape;
// the scan checks that two hexadecimal digits follow.
const (
	digit = "0123456789"
	alpha = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

	// 1993 and 1994. The space that 1993 lists in extra is not legal (its
	// prose), and 1994 prints '-' twice in safe.
	xalpha93 = alpha + digit + "$-_@.&" + "!*\"'():;," + "%"
	xalpha94 = alpha + digit + "$-_@.&+" + "!*\"'()," + "%"

	plain94 = alpha + digit + "$-_.&" + "!*\"'(),"

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
	reserved86   = ":/?#[]@" + subDelims86
	regname86    = unreserved86 + "%" + subDelims86
	pchar86      = regname86 + ":@"
)

// dataSlot is the slot of each component's data.
var dataSlot = [Fragment + 1]slot{
	Userinfo: inUserinfo, Host: inHost, Path: inPath, Query: inQuery, Fragment: inFragment,
}

// allowed has for each slot and byte the set of grammars that allow the byte there,
// made from [rows] when the package is initialized.
//
// The sets have marks, too: [noEscape] for each byte except '%', and in queries
// [noPlus] for each byte except '+'.
var allowed [slots][256]Grammar

// mustEscape has for each component and byte the set of grammars by which the byte is
// escaped in data of the component, made from [allowed] and [reserved].
var mustEscape [Fragment + 1][256]Grammar

// Three marks are further bits of a Grammar. A scan begins with the marks in its set
// and intersects the set with that of [allowed] for each byte. So the marks that remain
// at the end answer another question in the same pass. The marks are the highest bits:
// if have > noEscape, no byte is '%', and a grammar or another mark remains.
const (
	noEscape  Grammar = 1 << 15   // no byte is '%'
	plainPath Grammar = 1 << 14   // in a path: every form of path allows all bytes, see typedPaths
	noPlus            = plainPath // in a query: no byte is '+'
)

// This fails to compile if the grammars reach the marks.
const _ = plainPath - nextGrammar

// Byte classes that all documents have.
const (
	lower = 1 << iota // a-z
	upper             // A-Z
	dec               // 0-9
	hex               // a-f A-F
)

var class = func() (t [256]uint8) {
	for b := 'a'; b <= 'z'; b++ {
		t[b], t[b-'a'+'A'] = lower, upper
	}
	for b := 'a'; b <= 'f'; b++ {
		t[b] |= hex
		t[b-'a'+'A'] |= hex
	}
	for b := '0'; b <= '9'; b++ {
		t[b] = dec
	}
	return t
}()

func isAlpha(b byte) bool { return class[b]&(lower|upper) != 0 }
func isDigit(b byte) bool { return class[b]&dec != 0 }
func isHex(b byte) bool   { return class[b]&(dec|hex) != 0 }

// isScheme reports whether s has only bytes of a scheme. In the grammars of colonFirst,
// what is in front of a colon may also be the beginning of a first segment.
func isScheme(s string) bool {
	for i := range len(s) {
		if !isAlpha(s[i]) && !isDigit(s[i]) && strings.IndexByte("+-.", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// escapeAt reports whether '%' and two hexadecimal digits begin at i.
func escapeAt(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && isHex(s[i+1]) && isHex(s[i+2])
}

// number returns the value of s and whether s has only digits. For a value above limit
// it returns some number above limit.
func number(s string, limit int) (v int, ok bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		v = min(v*10+int(s[i]-'0'), limit+1)
	}
	return v, true
}

// A step is one rule of a normal form. Steps combine as bits.
type step uint32

const (
	lowerScheme     step = 1 << iota // the scheme in lower case
	lowerHostname                    // the host in lower case, if it is a hostname
	lowerHost                        // any host in lower case
	idnaHost                         // names beyond ASCII as A-labels
	dropDefaultPort                  // no port that is the scheme's default
	dropEmptyPort                    // no ':' without a port
	undoUser                         // escapes of inSame decoded, in the userinfo
	undoHost                         // ... in the host
	undoPath                         // ... in the path
	undoHTTP                         // ... in the path of http
	undoRest                         // ... in query and fragment
	undoNames                        // undoUser to undoRest decode escapes of inData instead of inSame
	upperHex                         // digits of escapes in upper case
	dropDots                         // no dot segments in a path that begins with '/'
	rootPath                         // "/" after an authority without a path
	lowerMailbox                     // the domains of mailto in lower case
	statedDefaults                   // defaults of single schemes that the documents state
	fileAuthority                    // "//" after file, if it has no authority
	lowerNamespace                   // the namespace of urn in lower case
	ownRules                         // what the rules of single schemes for equivalence may ignore
	otherDefaults                    // defaults of single schemes that no document states
	everyStep       = otherDefaults<<1 - 1
	dropVoid        = everyStep + 1 // no '#' without a fragment
)

// The steps of 3986, sections 6.2.2 and 6.2.3.
const (
	syntaxSteps = lowerScheme | lowerHost | undoUser | undoHost | undoPath | undoRest | upperHex | dropDots
	schemeSteps = dropDefaultPort | dropEmptyPort | rootPath | lowerMailbox | lowerNamespace | idnaHost
)
