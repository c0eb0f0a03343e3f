package lex

import (
	"bytes"
	"unicode/utf8"
)

// How schemes, prefixes, line breaks and escapes are spelled.

// SoftHyphen is U+00AD. In front of a line break it is never data.
var SoftHyphen = []byte("\u00ad")

// JsonSlashes is "://" in JSON whose slashes are escaped.
var JsonSlashes = []byte(`:\/\/`)

// JsonEscape returns the length of the escape "\/" or "\u0026" at the beginning of t, or
// 0. short is true if t is only the beginning of such an escape.
func JsonEscape(t []byte) (n int, short bool) {
	const amp = `\u0026`
	if len(t) > 1 && t[1] == '/' {
		return 2, false
	}
	k := min(len(t), len(amp))
	if string(t[:k]) != amp[:k] {
		return 0, false
	}
	if k < len(amp) {
		return 0, true
	}
	return k, false
}

// IsCR reports whether t is at most three CRs and nothing else. With the text after t, they may
// be a longer line break.
func IsCR(t []byte) bool {
	return len(t) <= 3 && len(bytes.Trim(t, "\r")) == 0
}

// LineBreak returns the length of the line break at the beginning of t: LF, CR LF, CR CR
// LF as some gateways wrote it, or a single CR.
func LineBreak(t []byte) int {
	n := 0
	for n < len(t) && t[n] == '\r' && n < 3 {
		n++
	}
	if n < len(t) && t[n] == '\n' {
		return n + 1
	}
	return 1
}

// SchemeLen returns the length of the scheme at the beginning of t, or 0 if no colon
// follows it.
func SchemeLen(t []byte) int {
	if len(t) == 0 || !Roles[t[0]].Has(Alpha) {
		return 0
	}
	for i := 1; i < len(t) && i <= MaxScheme; i++ {
		if t[i] == ':' {
			return i
		}
		if !Roles[t[i]].Has(InScheme) {
			return 0
		}
	}
	return 0
}

// HasSlashes reports whether t begins with "://".
func HasSlashes(t []byte) bool {
	return len(t) > 2 && t[0] == ':' && t[1] == '/' && t[2] == '/'
}

// SchemeEnd returns the length of the run of scheme characters that t begins with.
func SchemeEnd(t []byte) int {
	n := 0
	for n < len(t) && n <= MaxScheme && Roles[t[n]].Has(InScheme) {
		n++
	}
	return n
}

// IsPrefix reports whether word is URL or URI, in any case.
func IsPrefix(word []byte) bool {
	return len(word) == 3 && Lower(word[0]) == 'u' && Lower(word[1]) == 'r' &&
		(Lower(word[2]) == 'l' || Lower(word[2]) == 'i')
}

// WordBefore reports whether a prefix directly after b would continue a word, as "URL" does in
// "curURL:". The escape \u0026 at the end of b is not part of a word.
func WordBefore(b []byte) bool {
	if len(b) == 0 || bytes.HasSuffix(b, []byte(`\u0026`)) {
		return false
	}
	if c := b[len(b)-1]; c < utf8.RuneSelf {
		return c == '_' || Roles[c].Has(InScheme)
	}
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	m := EffectOf(r)
	return m == letter || m == UnspacedLetter
}

// InWord reports whether b ends with a letter, a digit or "_".
func InWord(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	c := b[len(b)-1]
	if c < utf8.RuneSelf {
		return c == '_' || Roles[c].Has(Alnum)
	}
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	m := EffectOf(r)
	return m == letter || m == UnspacedLetter
}

// IsHex reports whether c is a hexadecimal digit.
func IsHex(c byte) bool {
	return Roles[c].Has(Digit) || ('a' <= Lower(c) && Lower(c) <= 'f')
}

// EscapedAmp is "&" as an escape of JSON, without its backslash.
var EscapedAmp = []byte("u0026")

// SpaceBefore returns the index of the first byte of the white space directly in front of b[k],
// or k if there is none. It does not search in front of b[least].
func SpaceBefore(b []byte, k, least int) int {
	for k > least { // one byte in each iteration
		if c := b[k-1]; c < utf8.RuneSelf {
			if !Roles[c].Has(White) {
				break
			}
			k--
			continue
		}
		r, n := utf8.DecodeLastRune(b[max(least, k-utf8.UTFMax):k])
		if !IsSpace(r) {
			break
		}
		k -= n
	}
	return k
}

// IsMark reports whether c marks a quoted line.
func IsMark(c byte) bool { return c == '>' || c == '|' || c == ':' }

// PartnerOf returns the bracket that closes c, or 0 if c opens none.
func PartnerOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	}
	return 0
}

// EndsString reports whether an apostrophe in front of c ends a string of a program:
// 'http://a/'+ name.
func EndsString(c byte) bool { return c == '+' || c == ',' || c == ';' || c == ')' }

// DriveLetter reports whether ref is a file URL up to its drive: "file:", a host or none,
// and a path of one letter.
func DriveLetter(ref []byte) bool {
	n := len(ref) - 2
	if n < len("file:") || !FoldEqual(ref[:5], "file:") || ref[n] != '/' || !Roles[ref[n+1]].Has(Alpha) {
		return false
	}
	host := ref[5:n]
	return len(host) == 0 || len(host) > 1 && host[0] == '/' && host[1] == '/' && bytes.IndexByte(host[2:], '/') < 0
}

// WordFollows reports whether b begins with a letter or digit.
func WordFollows(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if b[0] < utf8.RuneSelf {
		return Roles[b[0]].Has(Alnum)
	}
	r, _ := utf8.DecodeRune(b)
	return EffectOf(r) == letter || EffectOf(r) == UnspacedLetter
}

// MaxScheme bounds the length of a scheme, and the search back from a colon.
const MaxScheme = 64
