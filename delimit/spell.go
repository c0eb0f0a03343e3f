package delimit

import (
	"bytes"
	"unicode/utf8"
)

// How schemes, prefixes, line breaks and escapes are spelled.

// softHyphen is U+00AD. In front of a line break it is never data.
var softHyphen = []byte("\u00ad")

// jsonSlashes is "://" in JSON whose slashes are escaped.
var jsonSlashes = []byte(`:\/\/`)

// isCR reports whether t is at most three CRs and nothing else. With the text after t, they may
// be a longer line break.
func isCR(t []byte) bool {
	return len(t) <= 3 && len(bytes.Trim(t, "\r")) == 0
}

// lineBreak returns the length of the line break at the beginning of t: LF, CR LF, CR CR
// LF as some gateways wrote it, or a single CR.
func lineBreak(t []byte) int {
	n := 0
	for n < len(t) && t[n] == '\r' && n < 3 {
		n++
	}
	if n < len(t) && t[n] == '\n' {
		return n + 1
	}
	return 1
}

// schemeLen returns the length of the scheme at the beginning of t, or 0 if no colon
// follows it.
func schemeLen(t []byte) int {
	if len(t) == 0 || !roles[t[0]].has(alpha) {
		return 0
	}
	for i := 1; i < len(t) && i <= maxScheme; i++ {
		if t[i] == ':' {
			return i
		}
		if !roles[t[i]].has(inScheme) {
			return 0
		}
	}
	return 0
}

// hasSlashes reports whether t begins with "://".
func hasSlashes(t []byte) bool {
	return len(t) > 2 && t[0] == ':' && t[1] == '/' && t[2] == '/'
}

// schemeEnd returns the length of the run of scheme characters that t begins with.
func schemeEnd(t []byte) int {
	n := 0
	for n < len(t) && n <= maxScheme && roles[t[n]].has(inScheme) {
		n++
	}
	return n
}

// isPrefix reports whether word is URL or URI, in any case.
func isPrefix(word []byte) bool {
	return len(word) == 3 && lower(word[0]) == 'u' && lower(word[1]) == 'r' &&
		(lower(word[2]) == 'l' || lower(word[2]) == 'i')
}

// wordBefore reports whether a prefix directly after b would continue a word, as "URL" does in
// "curURL:". The escape \u0026 at the end of b is not part of a word.
func wordBefore(b []byte) bool {
	if len(b) == 0 || bytes.HasSuffix(b, []byte(`\u0026`)) {
		return false
	}
	if c := b[len(b)-1]; c < utf8.RuneSelf {
		return c == '_' || roles[c].has(inScheme)
	}
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	m := effectOf(r)
	return m == letter || m == unspacedLetter
}

// inWord reports whether b ends with a letter, a digit or "_".
func inWord(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	c := b[len(b)-1]
	if c < utf8.RuneSelf {
		return c == '_' || roles[c].has(alnum)
	}
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	m := effectOf(r)
	return m == letter || m == unspacedLetter
}

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool {
	return roles[c].has(digit) || ('a' <= lower(c) && lower(c) <= 'f')
}

// escapedAmp is "&" as an escape of JSON, without its backslash.
var escapedAmp = []byte("u0026")

// spaceBefore returns the index of the first byte of the white space directly in front of b[k],
// or k if there is none. It does not search in front of b[least].
func spaceBefore(b []byte, k, least int) int {
	for k > least {
		if c := b[k-1]; c < utf8.RuneSelf {
			if !roles[c].has(white) {
				break
			}
			k--
			continue
		}
		r, n := utf8.DecodeLastRune(b[max(least, k-utf8.UTFMax):k])
		if !isSpace(r) {
			break
		}
		k -= n
	}
	return k
}

// isMark reports whether c marks a quoted line.
func isMark(c byte) bool { return c == '>' || c == '|' || c == ':' }

// partnerOf returns the bracket that closes c, or 0 if c opens none.
func partnerOf(c byte) byte {
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

// endsString reports whether an apostrophe in front of c ends a string of a program:
// 'http://a/'+ name.
func endsString(c byte) bool { return c == '+' || c == ',' || c == ';' || c == ')' }

// driveLetter reports whether ref is a file URL up to its drive: "file:", a host or none,
// and a path of one letter.
func driveLetter(ref []byte) bool {
	n := len(ref) - 2
	if n < len("file:") || !foldEqual(ref[:5], "file:") || ref[n] != '/' || !roles[ref[n+1]].has(alpha) {
		return false
	}
	host := ref[5:n]
	return len(host) == 0 || len(host) > 1 && host[0] == '/' && host[1] == '/' && bytes.IndexByte(host[2:], '/') < 0
}

// wordFollows reports whether b begins with a letter or digit.
func wordFollows(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	if b[0] < utf8.RuneSelf {
		return roles[b[0]].has(alnum)
	}
	r, _ := utf8.DecodeRune(b)
	return effectOf(r) == letter || effectOf(r) == unspacedLetter
}

// maxScheme bounds the length of a scheme, and the search back from a colon.
const maxScheme = 64
