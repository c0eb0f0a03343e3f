package schemes

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
)

// This file decides whether a text counts as a reference (rule 2). It examines the
// whole text, after wrappers, white space, quote prefixes and the tail are removed. So
// the result is also correct if the scheme was broken over two lines, or if an Extra
// has added it.
//
// Only a scheme and something after it are required. The caller may also check the text
// by a grammar. Some schemes are in prose far more often a word and a colon; for these,
// schemes.go lists what else must follow.

// Rules say which schemes count without "//". The zero Rules are those of [Known].
type Rules struct {
	Known func(scheme []byte) bool // if not nil, it decides
}

// A SchemeSet says which schemes count in a context.
type SchemeSet uint8

const (
	Usual  SchemeSet = iota // "scheme://", and the schemes that prose uses without slashes
	Quoted                  // the same in quotation marks, where some need less after the colon
	Angled                  // experimental schemes ("x-") too, as in angle brackets
	Any                     // every scheme, as after the prefix "URL:"
)

// Begins reports whether t, which is complete, counts as a reference by its beginning (rule 2):
// a scheme that counts in this context, and something after it. colon is the length of the
// scheme. Begins examines the authority, or NeedLen bytes.
func (l Rules) Begins(t []byte, set SchemeSet) (colon int, ok bool) {
	n := lex.SchemeLen(t)
	if n < 2 || n+1 == len(t) {
		return n, false
	}
	scheme, rest := t[:n], t[n+1:]
	if set == Any && lex.IsPrefix(scheme) {
		return n, false // of two prefixes the last one counts
	}
	h := TraitsOf(scheme)
	// "://" counts for every scheme. But if a host is required, dots, quotes and the like
	// are placeholders in a text about URLs.
	if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' {
		switch after := rest[2:]; {
		case h&Hosts != 0:
			return n, HasHost(after)
		case h&IsRegistered != 0 && len(after) > 0 && after[0] == '/': // file:///
			return n, true
		default:
			return n, hasWord(after)
		}
	}
	switch {
	case lex.FoldEqual(scheme, "file") && rest[0] == '/':
		return n, len(rest) > 1
	case h&Wraps != 0 && set != Any:
		for range MaxWrapping { // one scheme in each iteration
			if _, ok = l.Begins(rest, set); ok {
				return n, true
			}
			k := lex.SchemeLen(rest)
			if k < 2 || lex.IsPrefix(rest[:k]) {
				break
			}
			rest = rest[k+1:]
		}
		return n, false
	case l.Knows(scheme, h):
		return n, h&Opaque == 0 || h.Need().MetBy(rest, set == Usual) || set == Any && hasWord(rest)
	case set == Any, set == Angled && lex.FoldEqual(t[:2], "x-"):
		return n, hasWord(rest)
	}
	return n, false
}

// Knows reports whether scheme counts without "//".
func (l Rules) Knows(scheme []byte, h trait) bool {
	if l.Known != nil {
		return l.Known(scheme)
	}
	return h&Opaque != 0
}

// HasHost reports whether the text in after begins with an authority that has something like a host:
// a letter or digit, or a literal in brackets.
func HasHost(after []byte) bool {
	host, end := 0, 0
	for ; end < len(after); end++ { // one byte in each iteration
		switch after[end] {
		case '/', '?', '#':
			return isHost(after[host:end])
		case '@':
			host = end + 1
		}
	}
	return isHost(after[host:])
}

// isHost reports whether hostport, a host and perhaps a port, begins with a host.
func isHost(hostport []byte) bool {
	if len(hostport) > 0 && (lex.Roles[hostport[0]].Has(lex.Alnum) || hostport[0] == '[') {
		return true
	}
	if i := bytes.IndexByte(hostport, ':'); i >= 0 {
		hostport = hostport[:i]
	}
	return hasWord(hostport)
}

// IsRelative reports whether t is plausible as a relative reference, after a prefix in
// angle brackets. A mail address is not, and neither are dots as a placeholder.
func IsRelative(t []byte) bool {
	if len(t) == 0 {
		return false
	}
	first := t
	if i := bytes.IndexAny(t, "/?#"); i >= 0 {
		first = t[:i]
	}
	if bytes.IndexByte(first, ':') >= 0 {
		return false
	}
	if bytes.IndexByte(t, '@') >= 0 && bytes.IndexByte(t, '/') < 0 {
		return false
	}
	return hasWord(t) || bytes.ContainsAny(t, "#?") || isDots(t)
}

// IsMessageID reports whether t is plausible as the identifier of an article: a word on each
// side of one "@", and nothing that separates components.
func IsMessageID(t []byte) bool {
	i := bytes.IndexByte(t, '@')
	return i > 0 && hasWord(t[:i]) && hasWord(t[i+1:]) && bytes.IndexByte(t[i+1:], '@') < 0 &&
		!bytes.ContainsAny(t, "/?#:<>\"")
}

// isDots reports whether all segments of t are "." or "..".
func isDots(t []byte) bool {
	run := 0
	for _, c := range t {
		switch c {
		case '.':
			run++
		case '/':
			run = 0
		default:
			return false
		}
		if run > 2 {
			return false
		}
	}
	return true
}

// MayBeEscaped reports whether rest, which does not meet n, might meet n after the escapes in rest
// and, if defanged is set, its defanged spellings are decoded. These can become a dot, a colon, a
// slash or, if defanged is set, an "@".
func (n need) MayBeEscaped(rest []byte, defanged bool) bool {
	switch n {
	case needNumber, needQuestion, needPair, needBlank:
		return false
	case needQuery:
		return false
	case NeedMail, needAt: // of the defanged spellings, only (at) and [at] make an "@"
		for _, end := range defangedAt {
			if defanged && bytes.Contains(rest, end) {
				return true
			}
		}
		return false
	case needTen:
		return rest[0] == '1' && rest[1] == '0'
	case needComma:
		return bytes.IndexByte(rest, ',') >= 0
	case needDot:
		return bytes.IndexByte(rest, '.') >= 0 || defanged && (bytes.IndexByte(rest, 'd') >= 0 || bytes.IndexByte(rest, 'D') >= 0)
	}
	return true // not decided here: it depends on the next colon, or on a letter
}

// HasEscape reports whether b has a byte with which an escape of JSON, or if defanged is
// set a defanged spelling, may begin.
func HasEscape(b []byte, defanged bool) bool {
	return bytes.IndexByte(b, '\\') >= 0 ||
		defanged && (bytes.IndexByte(b, '[') >= 0 || bytes.IndexByte(b, '(') >= 0 || bytes.IndexByte(b, '{') >= 0)
}

// MaxEscape is the length of the longest escape of one byte: \u0026.
const MaxEscape = 6

// defangedAt has the ends of the defanged spellings that mean "@".
var defangedAt = [...][]byte{[]byte("t)"), []byte("t]"), []byte("T)"), []byte("T]")}

// OpaqueIn searches b[lo:i] for a scheme that counts without "//" and ends at i. It returns where
// the scheme begins: at lo, or later, after a "+", "-" or "."; or -1 if there is none.
func (l Rules) OpaqueIn(b []byte, lo, i int) int {
	for k := lo; i-k >= 2; k++ {
		if (k == lo || !lex.Roles[b[k-1]].Has(lex.Alnum)) && lex.Roles[b[k]].Has(lex.Alpha) {
			if scheme := b[k:i]; l.Knows(scheme, TraitsOf(scheme)) {
				return k
			}
		}
	}
	return -1
}
