package delimit

import (
	"unicode"
	"unicode/utf8"
)

// A role is what a byte can mean for a reference. Roles are bits and can be combined. A
// byte without any role is ordinary text.
type role uint8

const (
	inScheme role = 1 << iota // ALPHA DIGIT + - .
	alpha                     // ALPHA
	digit                     // DIGIT
	white                     // SP HT CR LF VT FF
	blank                     // SP HT
	ends                      // ends every bare reference
	special                   // needs a closer look inside a bare reference
	halts                     // needs a closer look inside a wrapper
)

// alnum is ALPHA or DIGIT.
const alnum = alpha | digit

// roles has the roles of each byte. Control characters end a reference because no
// document allows them in a URL (section 2.4.3 of 2002); < > and " because they are delimiters in
// that section; the backtick because prose uses it as a quotation mark.
var roles = func() (t [256]role) {
	for c := range 0x21 {
		t[c] = ends
	}
	t[0x7F] = ends
	for _, c := range []byte("<>\"`") {
		t[c] |= ends
	}
	for _, c := range []byte(" \t\r\n\v\f") {
		t[c] |= white
	}
	t[' '] |= blank
	t['\t'] |= blank
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= alpha | inScheme
		t[c-'a'+'A'] |= alpha | inScheme
	}
	for c := '0'; c <= '9'; c++ {
		t[c] |= digit | inScheme
	}
	for _, c := range []byte("+-.") {
		t[c] |= inScheme
	}
	for _, c := range []byte("[]{}()|\\^&:/?#'") {
		t[c] |= special
	}
	for c := 0x80; c <= 0xFF; c++ {
		t[c] |= special
	}
	for c := range t {
		if t[c].has(ends) || c == '\\' || c == '|' || c >= 0x80 {
			t[c] |= halts
		}
	}
	return t
}()

// has reports whether r has one of the roles in q.
func (r role) has(q role) bool { return r&q != 0 }

// spaceAt returns the length of the white space character at the beginning of b, or 0.
// White space is the six characters of ASCII and those of Unicode that only separate text
// (see the vocabulary in doc.go).
func spaceAt(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] < utf8.RuneSelf {
		if roles[b[0]].has(white) {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeRune(b); isSpace(r) {
		return n
	}
	return 0
}

// isSpace reports whether r, beyond ASCII, is white space.
func isSpace(r rune) bool {
	switch {
	case r >= 0x2000 && r <= 0x200B:
		return true
	case r == 0x85, r == 0xA0, r == 0x1680, r == 0x2028, r == 0x2029, r == 0x202F,
		r == 0x205F, r == 0x3000, r == 0xFEFF:
		return true
	}
	return false
}

// An effect is the effect of a character beyond ASCII on a bare reference.
type effect uint8

const (
	endsIt         effect = iota // ends it: punctuation, white space, controls, broken UTF-8
	letter                       // letter, digit or mark
	unspacedLetter               // a letter of a script without spaces
	symbol                       // belongs to it, except in some places of a host and at the end
	wordJoiner                   // belongs to it between letters or digits (rule 26)
	tilde                        // stands for "~" between a slash and a letter or digit (rule 31)
)

// unspaced are the scripts without spaces. One of their letters directly after an ASCII
// letter or digit belongs to the sentence and not to the reference.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// enders are the symbols that end a bare reference (rule 31): boxes, blocks, pictures of control
// characters, signs for line ends, placeholders, brackets and quotation marks of other widths.
var enders = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x00B4, Hi: 0x00B4, Stride: 1}, {Lo: 0x21B5, Hi: 0x21B5, Stride: 1}, {Lo: 0x226A, Hi: 0x226B, Stride: 1},
	{Lo: 0x23CE, Hi: 0x23CE, Stride: 1}, {Lo: 0x2400, Hi: 0x243F, Stride: 1}, {Lo: 0x2500, Hi: 0x259F, Stride: 1},
	{Lo: 0x275D, Hi: 0x275E, Stride: 1}, {Lo: 0xFF1C, Hi: 0xFF1C, Stride: 1}, {Lo: 0xFF1E, Hi: 0xFF1E, Stride: 1},
	{Lo: 0xFF40, Hi: 0xFF40, Stride: 1}, {Lo: 0xFF5C, Hi: 0xFF5C, Stride: 1}, {Lo: 0xFFFC, Hi: 0xFFFD, Stride: 1},
}}

// isJoiner reports whether r joins two parts of a word (rule 26): dots and hyphens in the middle, the
// en dash, the apostrophe of typography.
func isJoiner(r rune) bool {
	switch r {
	case 0x00B7, 0x05BE, 0x05F3, 0x05F4, 0x0F0B, 0x2010, 0x2011, 0x2013, 0x2019, 0x2027, 0x30FB:
		return true
	}
	return false
}

// mayJoinInHost reports whether r, a joiner, may be in a host: IDNA allows these two.
func mayJoinInHost(r rune) bool { return r == 0x00B7 || r == 0x30FB }

// isIDNADot reports whether r is a full stop that IDNA reads as a dot between labels (RFC 3490, 3.1).
func isIDNADot(r rune) bool { return r == 0x3002 || r == 0xFF0E || r == 0xFF61 }

// isTilde reports whether r is what "~" became on its way through the charsets of Japan.
func isTilde(r rune) bool { return r == 0x203E || r == 0x301C || r == 0xFF5E }

// oneWord are the scripts that may stand in one word.
var oneWord = [...][]*unicode.RangeTable{
	{unicode.Han, unicode.Hiragana, unicode.Katakana},
	{unicode.Han, unicode.Hangul},
	{unicode.Han, unicode.Bopomofo},
}

// inOneWord reports whether the letters or digits a and b may stand in one word, by their scripts.
func inOneWord(a, b rune) bool {
	if unicode.Is(unicode.N, a) || unicode.Is(unicode.N, b) || unicode.In(a, unicode.Common, unicode.Inherited) || unicode.In(b, unicode.Common, unicode.Inherited) {
		return true
	}
	for _, scripts := range oneWord {
		if unicode.In(a, scripts...) && unicode.In(b, scripts...) {
			return true
		}
	}
	for _, script := range unicode.Scripts { // a letter has one script
		if unicode.Is(script, a) {
			return unicode.Is(script, b)
		}
	}
	return false
}

// isOfWord reports whether r is a letter, a digit or a mark.
func isOfWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && roles[r].has(alnum)
	}
	m := effectOf(r)
	return m == letter || m == unspacedLetter
}

// isFinalSymbol reports whether r belongs to a run of symbols that goes at the end of a bare
// reference: a symbol or superscript digit, or what modifies a symbol.
func isFinalSymbol(r rune) bool {
	return r >= utf8.RuneSelf && (effectOf(r) == symbol || isSuperscript(r) || isSymbolModifier(r))
}

func isSuperscript(r rune) bool {
	return r == 0xB2 || r == 0xB3 || r == 0xB9 || 0x2070 <= r && r <= 0x2079
}

// isSymbolModifier reports whether r is a variation selector, the zero width joiner or the keycap,
// which emoji have.
func isSymbolModifier(r rune) bool { return 0xFE00 <= r && r <= 0xFE0F || r == 0x200D || r == 0x20E3 }

// effectOf classifies r, a character beyond ASCII. The joiners U+200C and U+200D are
// format characters that spelling requires. All other format characters (bidirectional
// overrides, soft hyphens) end a reference.
func effectOf(r rune) effect {
	switch {
	case r == utf8.RuneError || isSpace(r):
		return endsIt
	case r == 0x200C || r == 0x200D:
		return letter
	case unicode.IsLetter(r):
		if unicode.In(r, unspaced...) {
			return unspacedLetter
		}
		return letter
	case unicode.IsMark(r) || unicode.IsDigit(r) || unicode.Is(unicode.N, r):
		return letter
	case isJoiner(r):
		return wordJoiner
	case isTilde(r):
		return tilde
	case unicode.IsSymbol(r) && !unicode.Is(enders, r):
		return symbol
	}
	return endsIt
}

// effects caches results of effectOf by the low bits of the character. A lookup in the
// tables of Unicode takes as long as ten bytes of ASCII.
type effects [64]struct {
	r rune
	m effect
}

// of returns effectOf(r), and stores it. An entry that is zero is free, because U+0000
// is ASCII.
func (t *effects) of(r rune) effect {
	e := &t[r%64]
	if e.r != r {
		e.r, e.m = r, effectOf(r)
	}
	return e.m
}

// pairs are the quotation marks that form pairs: the opening mark, and those that may
// close it. Some languages open with the mark with which others close.
var pairs = [...]struct {
	opener  rune
	Closers string
}{
	{'\'', "'"},
	{'“', "”"}, {'‟', "”"}, {'„', "“”"}, {'”', "”"},
	{'«', "»"}, {'»', "«»"}, {'‹', "›"}, {'›', "‹›"},
	{'‘', "’"}, {'‚', "‘’"}, {'’', "’"},
	{'「', "」"}, {'『', "』"},
}

// pairOf returns the index in pairs of the opening mark r, or -1.
func pairOf(r rune) int {
	for i := range pairs {
		if pairs[i].opener == r {
			return i
		}
	}
	return -1
}

// lower returns c in lower case, if it is an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + ('a' - 'A')
	}
	return c
}

// foldEqual reports whether b equals word, ignoring case. word is in lower case.
func foldEqual(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range b {
		if lower(b[i]) != word[i] {
			return false
		}
	}
	return true
}

// foldSuffix reports whether b ends with word, ignoring case.
func foldSuffix(b []byte, word string) bool {
	return len(b) >= len(word) && foldEqual(b[len(b)-len(word):], word)
}

// The results of functions that examine text, and how far they may read.

// maxLead bounds the white space between an opener, or a prefix, and what follows.
const maxLead = 64

// An answer is the result of a function that examines text.
type answer uint8

const (
	no   answer = iota // nothing here
	yes                // found
	more               // it depends on bytes that were not read yet
)

// atEnd is the answer if the bytes in the window end before the result is known: no at the end
// of the text, otherwise more.
func atEnd(atEOF bool) answer {
	if atEOF {
		return no
	}
	return more
}

// orEnd returns yes, the end of a reference, if v is no.
func (v answer) orEnd() answer {
	if v == no {
		return yes
	}
	return v
}

// and returns no if v is yes and holds is false, otherwise v.
func (v answer) and(holds bool) answer {
	if v == yes && !holds {
		return no
	}
	return v
}

// headLen is how many bytes at the beginning of a line are examined for its quote
// prefix.
const headLen = 64
