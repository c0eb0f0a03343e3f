package uri

// This file has the names of places and classes of bytes, for the rows of rules.go,
// and the tables made from them, for the loops.

// A place is where a byte may occur. There are more places than Components, because
// the bytes of a Component may depend on the components beside it.
type place uint8

const (
	inScheme place = iota
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
	inName // in a name, where a form allows fewer bytes than the place
	inData // bytes whose escapes may mean the same as the bytes
	inSame // bytes whose escapes mean the same as the bytes by the document
	places
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

// dataPlace is the place of each component's data.
var dataPlace = [Fragment + 1]place{
	Userinfo: inUserinfo, Host: inHost, Path: inPath, Query: inQuery, Fragment: inFragment,
}

// allowed has for each place and byte the set of grammars that allow the byte there,
// made from [rows] when the package is initialized.
//
// The sets have marks, too: [noEscape] for each byte except '%', and in queries
// [noPlus] for each byte except '+'.
var allowed [places][256]Grammar

// mustEscape has for each component and byte the set of grammars by which the byte is
// escaped in data of the component, made from [allowed] and [reserved].
var mustEscape [Fragment + 1][256]Grammar

// Three marks share the bits of Grammar with the grammars. They start in a set and
// are intersected with what [allowed] has for each byte, so that what remains at the
// end answers one more question in the same pass. They have the highest bits: after
// "have > noEscape" there is no '%', and a grammar or another mark remains.
const (
	noEscape  Grammar = 1 << 15   // no byte is '%'
	plainPath Grammar = 1 << 14   // in a path: all bytes are in every form's path, see typedPaths
	noPlus            = plainPath // in a query: no byte is '+'
)

// This fails to compile if the grammars reach the marks.
const _ = plainPath - nextGrammar

func init() {
	for at := range allowed {
		for b := range allowed[at] {
			if b != '%' {
				allowed[at][b] = noEscape
			}
			if at == int(inQuery) && b != '+' {
				allowed[at][b] |= noPlus
			}
		}
	}
	for _, r := range rows {
		for _, at := range r.in {
			for i := range len(r.bytes) {
				allowed[at][r.bytes[i]] |= r.have
			}
		}
	}
	for c := Userinfo; c <= Fragment; c++ {
		if dataPlace[c] == inScheme {
			continue // it has no escapes
		}
		for b := range mustEscape[c] {
			mustEscape[c][b] = Every &^ allowed[dataPlace[c]][b]
		}
		mustEscape[c]['%'] = Every
	}
	for _, r := range reserved {
		for i := range len(r.bytes) {
			mustEscape[r.in][r.bytes[i]] |= r.have
		}
	}
}

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
