package delimit

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Escapes: a stretch of the text that stands for another character, or for nothing (rules 12, 28 to
// 30 and 32). The scan for the end of a reference asks for the escape at a byte, and goes on behind
// it; undo makes the text without escapes.
//
//	\/ \\/          "/", in JSON and in JSON within JSON
//	\u003d          "=", in JSON and JavaScript; \ud83d\ude00 is one character
//	\xe9            an octet, in logs of Apache, Python and C
//	\_ \( ^&        a mark, in Markdown and shells
//	&#x2F; &shy;    "/" and nothing, in text that was written for HTML
//	ESC [ 1 m       nothing: the colour of a terminal
//	U+00AD          nothing
//	〜              "~", on its way through the charsets of Japan

// An escape is what stands for a character.
type escape struct {
	n     int  // its length in bytes, 0 for none
	r     rune // the character; nothing for none
	octet bool // r is an octet
	by    Extra
}

// nothing is the character of an escape that stands for none.
const nothing rune = -1

// escapable are the marks that a backslash may stand in front of (rule 30).
const escapable = "_*()[]{}~?=&#!$%-+,"

// backslashAt returns the escape that begins with the backslash b[i], except for that of a mark. The
// answer is more if it depends on bytes after b.
func backslashAt(b []byte, i int, atEOF bool) (escape, answer) {
	k := i
	for k < len(b) && b[k] == '\\' { // bounded by the run of backslashes
		k++
	}
	switch {
	case k == len(b):
		return escape{}, atEnd(atEOF)
	case b[k] == '/':
		return escape{n: k + 1 - i, r: '/'}, yes
	case k > i+1:
		return escape{}, no
	case b[k] == 'x':
		r, v := hexAt(b, k+1, 2, atEOF)
		return escape{n: 4, r: r, octet: true, by: Unescaped}, v
	case b[k] != 'u':
		return escape{}, no
	}
	r, v := hexAt(b, k+1, 4, atEOF)
	if v != yes {
		return escape{}, v
	}
	e := escape{n: 6, r: r, by: Unescaped}
	switch {
	case r == '&': // as common as \/
		e.by = 0
	case 0xD800 <= r && r < 0xDC00: // with the other half of a surrogate pair
		rest := b[i+e.n:]
		if len(rest) < 2 && !atEOF {
			return escape{}, more
		}
		if !bytes.HasPrefix(rest, []byte(`\u`)) {
			return escape{}, no
		}
		low, v := hexAt(b, i+e.n+2, 4, atEOF)
		if v != yes || low < 0xDC00 || low > 0xDFFF {
			return escape{}, v.and(false)
		}
		e.n, e.r = 12, (r-0xD800)<<10+(low-0xDC00)+0x10000
	case 0xDC00 <= r && r <= 0xDFFF:
		return escape{}, no
	}
	return e, yes
}

// hexAt returns the value of n hexadecimal digits at b[i].
func hexAt(b []byte, i, n int, atEOF bool) (r rune, v answer) {
	for k := i; k < i+n; k++ { // at most 4
		if k >= len(b) {
			return 0, atEnd(atEOF)
		}
		c := lower(b[k])
		switch {
		case roles[c].has(digit):
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			return 0, no
		}
	}
	return r, yes
}

// markAt returns the escape of a mark at b[i], a backslash or, in front of "&", a caret (rule 30).
// The reference begins at b[start]. More of it must follow, or the mark must close a bracket in it.
func markAt(b []byte, start, i int, atEOF bool) (escape, answer) {
	if i+1 >= len(b) {
		return escape{}, atEnd(atEOF)
	}
	c := b[i+1]
	if b[i] == '^' && c != '&' || strings.IndexByte(escapable, c) < 0 {
		return escape{}, no
	}
	e := escape{n: 2, r: rune(c), by: Unescaped}
	if opener := openerOf(c); opener != 0 {
		open := 0
		for _, d := range b[max(start, i-maxEscapedBracket):i] { // bounded
			if d == opener {
				open++
			} else if d == c {
				open--
			}
		}
		if open > 0 {
			return e, yes
		}
		return escape{}, no
	}
	return e, goesOnAt(b, i+2, atEOF)
}

// maxEscapedBracket is how far in front of an escaped closing bracket its partner may be.
const maxEscapedBracket = 256

// openerOf returns the bracket that c closes, or 0.
func openerOf(c byte) byte {
	switch c {
	case ')':
		return '('
	case ']':
		return '['
	case '}':
		return '{'
	}
	return 0
}

// goesOnAt decides whether a reference goes on at b[i], after one of its marks: with a letter, a digit,
// a symbol, or a mark that does not end a sentence.
func goesOnAt(b []byte, i int, atEOF bool) answer {
	switch {
	case i >= len(b):
		return atEnd(atEOF)
	case b[i] < utf8.RuneSelf:
		if roles[b[i]].has(alnum) || strings.IndexByte(`/\_%-=&#?(+~@`, b[i]) >= 0 {
			return yes
		}
		return no
	case !atEOF && !utf8.FullRune(b[i:]):
		return more
	}
	r, _ := utf8.DecodeRune(b[i:])
	if m := effectOf(r); isOfWord(r) || m == symbol {
		return yes
	}
	return no
}

// sgrAt returns the length of the sequences ESC [ … m and ESC [ … K at the beginning of b.
func sgrAt(b []byte, atEOF bool) (n int, v answer) {
	for {
		k := n
		if k == len(b) || b[k] != 0x1B {
			if k == len(b) && !atEOF {
				return 0, more
			}
			if n == 0 {
				return 0, no
			}
			return n, yes
		}
		k++
		if k < len(b) && b[k] != '[' {
			return 0, no
		}
		for k++; k < len(b) && k-n < maxLead && (roles[b[k]].has(digit) || b[k] == ';' || b[k] == ':'); {
			k++
		}
		switch {
		case k >= len(b):
			return 0, atEnd(atEOF)
		case b[k] != 'm' && b[k] != 'K':
			return 0, no
		}
		n = k + 1
	}
}

// entities are those that end a bare reference, stand for nothing, or for a delimiter of it, by their
// names. Other entities are text.
var entities = map[string]rune{
	"Tab": '\t', "NewLine": '\n', "excl": '!', "quot": '"', "num": '#', "dollar": '$', "percnt": '%', "amp": '&', "apos": '\'', "lpar": '(',
	"rpar": ')', "ast": '*', "plus": '+', "comma": ',', "period": '.', "sol": '/', "colon": ':', "semi": ';', "lt": '<', "equals": '=', "gt": '>',
	"quest": '?', "commat": '@', "lbrack": '[', "lsqb": '[', "rbrack": ']', "rsqb": ']', "lowbar": '_', "lcub": '{', "rcub": '}',
	"nbsp": '\u00a0', "iexcl": '\u00a1', "sect": '\u00a7', "laquo": '\u00ab', "shy": '\u00ad', "acute": '\u00b4', "para": '\u00b6',
	"centerdot": '\u00b7', "middot": '\u00b7', "cedil": '\u00b8', "raquo": '\u00bb', "iquest": '\u00bf',
	"ensp": '\u2002', "emsp": '\u2003', "emsp13": '\u2004', "emsp14": '\u2005', "numsp": '\u2007', "puncsp": '\u2008', "thinsp": '\u2009',
	"hairsp": '\u200a', "ZeroWidthSpace": '\u200b', "zwnj": '\u200c', "zwj": '\u200d', "lrm": '\u200e', "rlm": '\u200f',
	"ndash": '\u2013', "mdash": '\u2014', "horbar": '\u2015', "lsquo": '\u2018', "rsquo": '\u2019', "sbquo": '\u201a', "lsquor": '\u201a',
	"ldquo": '\u201c', "rdquo": '\u201d', "bdquo": '\u201e', "ldquor": '\u201e', "dagger": '\u2020', "Dagger": '\u2021', "bull": '\u2022',
	"hellip": '\u2026', "mldr": '\u2026', "permil": '\u2030', "prime": '\u2032', "Prime": '\u2033', "lsaquo": '\u2039', "rsaquo": '\u203a',
	"NoBreak": '\u2060',
}

// maxEntity is the length of the longest entity that is recognised.
const maxEntity = 20

// entityAt returns the entity at b[i], which is "&".
func entityAt(b []byte, i int, atEOF bool) (e escape, v answer) {
	e, v = entityNamed(b, i+1, atEOF)
	e.n++
	return e, v
}

// entityNamed returns the entity whose name begins at b[i], with its length from there on.
func entityNamed(b []byte, i int, atEOF bool) (e escape, v answer) {
	t := b[i:min(len(b), i+maxEntity)]
	whole := atEOF || len(t) == maxEntity
	end := 0
	for end < len(t) && (roles[t[end]].has(alnum) || t[end] == '#' && end == 0) { // bounded by maxEntity
		end++
	}
	if end == len(t) {
		return escape{}, atEnd(whole)
	}
	if t[end] != ';' || end < 2 {
		return escape{}, no
	}
	name := t[:end]
	e = escape{n: end + 1, by: EntityUndone}
	if name[0] == '#' {
		e.r = numeric(name[1:])
		if e.r < 0 {
			return escape{}, no
		}
	} else {
		r, ok := entities[string(name)]
		if !ok {
			var low [maxEntity]byte
			k := 0
			for _, c := range name {
				low[k] = lower(c)
				k++
			}
			if r, ok = entities[string(low[:k])]; !ok || r != '<' && r != '>' && r != '"' && r != 0xA0 {
				return escape{}, no
			}
		}
		e.r = r
	}
	if isInvisible(e.r) {
		e.r = nothing
	}
	return e, yes
}

// numeric returns the character of "8217" or "x2019", or -1.
func numeric(digits []byte) (r rune) {
	base := rune(10)
	if len(digits) > 0 && lower(digits[0]) == 'x' {
		base, digits = 16, digits[1:]
	}
	if len(digits) == 0 || len(digits) > 7 {
		return -1
	}
	for _, c := range digits { // at most 7
		c = lower(c)
		d := rune(c - '0')
		if c >= 'a' {
			d = rune(c-'a') + 10
		}
		if d < 0 || d >= base {
			return -1
		}
		r = r*base + d
	}
	if r > utf8.MaxRune || r == 0 {
		return -1
	}
	return r
}

// isInvisible reports whether nothing is seen of r, which is no white space.
func isInvisible(r rune) bool {
	return r == 0xAD || 0x200B <= r && r <= 0x200F || r == 0x2060 || r == 0xFEFF
}

// endsReference reports whether r, written as an escape, ends a bare reference.
func endsReference(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && roles[r].has(ends)
	}
	m := effectOf(r)
	return m == endsIt || m == wordJoiner || m == tilde
}

// slashAt returns the length of a slash at b[i], plain or escaped, and whether it is an entity. The
// answer is no if there is none.
func slashAt(b []byte, i int, atEOF bool) (n int, entity bool, v answer) {
	if i >= len(b) {
		return 0, false, atEnd(atEOF)
	}
	switch b[i] {
	case '/':
		return 1, false, yes
	case '\\':
		e, v := backslashAt(b, i, atEOF)
		return e.n, false, v.and(e.r == '/')
	case '&':
		e, v := entityAt(b, i, atEOF)
		return e.n, true, v.and(e.r == '/')
	}
	return 0, false, no
}

// colonAt returns the length of the colon at b[i], plain or written, and whether it is an entity. The answer
// is no if there is none.
func colonAt(b []byte, i int, atEOF bool) (n int, entity bool, v answer) {
	if i >= len(b) {
		return 0, false, atEnd(atEOF)
	}
	switch b[i] {
	case ':':
		return 1, false, yes
	case '\\':
		if i+1 < len(b) && b[i+1] != 'u' && b[i+1] != 'x' {
			return 0, false, no // a run of backslashes may have any length
		}
		e, v := backslashAt(b, i, atEOF)
		return e.n, false, v.and(e.r == ':')
	case '&':
		e, v := entityAt(b, i, atEOF)
		return e.n, true, v.and(e.r == ':')
	}
	return 0, false, no
}

// slashesAt decides whether two slashes are at b[i], both plain or both escaped, and returns their
// length.
func slashesAt(b []byte, i int, atEOF bool) (n int, entities bool, v answer) {
	first, entities, v := slashAt(b, i, atEOF)
	if v != yes {
		return 0, false, v
	}
	second, also, v := slashAt(b, i+first, atEOF)
	return first + second, entities, v.and(also == entities && (first == 1) == (second == 1))
}

// undo appends the text of raw, a bare reference or the content of quotation marks without line
// breaks, with its escapes undone. all says that all entities are undone. by says what was undone.
func undo(dst, raw []byte, all bool) (_ []byte, by Extra) {
	for i := 0; i < len(raw); {
		e := undoneAt(raw, i, all)
		if e.n == 0 {
			dst = append(dst, raw[i])
			i++
			continue
		}
		if k := len(dst) - len("C:"); e.by == Repaired && e.n == 1 && k > 2 && string(dst[k-3:k]) == "://" { // the drive is no host
			dst = append(dst, 0)
			copy(dst[k+1:], dst[k:])
			dst[k] = '/'
		}
		dst = e.appendTo(dst)
		by |= e.by
		i += e.n
	}
	return dst, by
}

// undoneIn returns what is undone in raw, the content of quotation marks.
func undoneIn(raw []byte) (by Extra) {
	for i := bytes.IndexByte(raw, '\\'); i >= 0 && i < len(raw); {
		e, v := backslashAt(raw, i, true)
		if v == yes {
			by |= e.by
		}
		i += max(1, e.n)
		k := bytes.IndexByte(raw[i:], '\\')
		if k < 0 {
			break
		}
		i += k
	}
	return by
}

// undoneAt returns the escape at raw[i] that the scan has accepted. n is 0 if there is none.
func undoneAt(raw []byte, i int, all bool) (e escape) {
	switch c := raw[i]; {
	case c == '\\':
		e, v := backslashAt(raw, i, true)
		if v == yes {
			return e
		}
		if inDrive(raw[:i]) {
			return escape{n: 1, r: '/', by: Repaired}
		}
		if i+1 < len(raw) && strings.IndexByte(escapable, raw[i+1]) >= 0 {
			return escape{n: 2, r: rune(raw[i+1]), by: Unescaped}
		}
	case c == '^':
		if i+1 < len(raw) && raw[i+1] == '&' {
			return escape{n: 2, r: '&', by: Unescaped}
		}
	case c == '&':
		if e, v := entityAt(raw, i, true); v == yes && (all || e.r == nothing) {
			return e
		}
	case c == 0x1B:
		if n, v := sgrAt(raw[i:], true); v == yes {
			return escape{n: n, r: nothing, by: Colour}
		}
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRune(raw[i:])
		switch {
		case r == 0xAD:
			return escape{n: n, r: nothing}
		case isTilde(r) && i > 0 && raw[i-1] == '/':
			return escape{n: n, r: '~', by: Repaired}
		}
	}
	return escape{}
}

// appendTo appends what e stands for: a character, percent-escaped if it would end a reference; an
// octet, whether or not it is part of a character; or nothing.
func (e escape) appendTo(dst []byte) []byte {
	const hex = "0123456789ABCDEF"
	switch {
	case e.r == nothing:
		return dst
	case e.r < utf8.RuneSelf && roles[e.r].has(ends):
		return append(dst, '%', hex[e.r>>4], hex[e.r&15])
	case e.octet:
		return append(dst, byte(e.r))
	}
	return utf8.AppendRune(dst, e.r)
}

// inDrive reports whether ref is the beginning of a file URL with a drive, up to a place in its path:
// file:///C:\Temp, file://C:. Schemes that wrap may be in front of it.
func inDrive(ref []byte) bool {
	for range maxWrapping {
		n := schemeLen(ref)
		if n == 0 || traitsOf(ref[:n])&wraps == 0 {
			break
		}
		ref = ref[n+1:]
	}
	if len(ref) < len("file://C:") || !foldEqual(ref[:len("file://")], "file://") {
		return false
	}
	rest := ref[len("file://"):]
	if rest[0] == '/' {
		rest = rest[1:]
	}
	return len(rest) > 1 && roles[rest[0]].has(alpha) && (rest[1] == ':' || rest[1] == '|')
}
