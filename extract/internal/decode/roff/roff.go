package roff

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A Decoder is a [decode.Decoder] from roff to text, as the package comment describes.
type Decoder struct {
	// Sink is called with each reference in a macro. All text in front of the macro was
	// returned by earlier Reads. If Sink is nil, the references are dropped.
	Sink func(decode.Attr) error

	pos         int64 // offset of src[0] in the input
	inLine      bool  // src[0] does not begin a line
	pendingAttr decode.Attr
	value       []byte
}

// Reset implements [decode.Decoder].
func (d *Decoder) Reset() { *d = Decoder{Sink: d.Sink, value: d.value[:0]} }

// Decode implements [decode.Decoder]. It iterates over escapes that are removed.
func (d *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if d.pendingAttr.Value != nil {
		a := d.pendingAttr
		d.pendingAttr.Value = nil
		if err := d.Sink(a); err != nil {
			return decode.Conversion{}, err
		}
	}
	conv, err := d.decode(dst, src, atEOF)
	d.pos += int64(conv.In)
	return conv, err
}

// decode returns one Conversion: of a macro, a run of plain bytes, or an escape with a text.
// Each iteration of its loop removes one escape without a text, or returns.
func (d *Decoder) decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	for lead := 0; ; { // lead is the length of the escapes removed
		s := src[lead:]
		if !d.inLine {
			n, more := d.macro(s, d.pos+int64(lead), atEOF)
			if more {
				return decode.Conversion{In: lead}, nil
			}
			d.inLine = len(s) > 0
			if n > 0 {
				return decode.Conversion{In: lead + n}, decode.ErrPause
			}
		}
		if n := d.plain(dst, s); n > 0 || len(s) == 0 {
			return decode.Conversion{In: lead + n, Out: n, InUnit: 1, OutUnit: 1}, nil
		}
		n, text, more := escape(s, atEOF)
		switch {
		case more:
			return decode.Conversion{In: lead}, nil
		case text == "":
			lead += n
		default:
			return decode.Conversion{In: lead + n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(len(text))}, nil
		}
	}
}

// plain copies src to dst up to an escape, or up to the beginning of a line with a macro.
func (d *Decoder) plain(dst, src []byte) (n int) {
	most := min(len(dst), len(src))
	for n < most {
		n += octet.CopyToEither(dst[n:most], src[n:most], [2]byte{'\\', '\n'})
		if n == most || src[n] == '\\' {
			return n
		}
		dst[n] = '\n'
		if n++; n == len(src) || src[n] == '.' || src[n] == '\'' {
			d.inLine = false
			return n
		}
	}
	return n
}

// maxIndent is the most blanks that are examined between the dot and the name of a macro.
const maxIndent = 16

// macro examines the beginning of a line; at is the offset of the line. If a macro with a reference
// is there, macro keeps the reference and returns the length of what is not text: up to the end of
// the argument.
func (d *Decoder) macro(s []byte, at int64, atEOF bool) (n int, more bool) {
	if len(s) == 0 {
		return 0, !atEOF
	}
	if s[0] != '.' && s[0] != '\'' || d.Sink == nil {
		return 0, false
	}
	i := 1
	for i < len(s) && i < maxIndent && octet.IsBlank(s[i]) {
		i++
	}
	if i+3 > len(s) {
		return 0, !atEOF
	}
	name := macroOf(s[i : i+2])
	if name == "" || !octet.IsBlank(s[i+2]) {
		return 0, false
	}
	line := s[:min(len(s), decode.MaxAhead)]
	if k := bytes.IndexByte(line, '\n'); k >= 0 {
		line = line[:k]
	} else if len(line) < decode.MaxAhead && !atEOF {
		return 0, true
	} else if len(line) == decode.MaxAhead {
		return 0, false
	}
	lo, hi, end := argument(line, i+3)
	d.value = appendText(d.value[:0], line[lo:hi])
	if len(d.value) == 0 || name[0] == 'M' && !(len(d.value) > 7 && bytes.EqualFold(d.value[:7], []byte("mailto:"))) {
		return 0, false
	}
	d.pendingAttr = decode.Attr{Name: name, Value: d.value, Start: at + int64(lo), End: at + int64(hi)}
	return end, false
}

// macroOf returns the name of a macro whose argument is a reference, or "".
func macroOf(name []byte) string {
	for _, m := range [...]string{"UR", "MT", "Lk", "Mt"} {
		if string(name) == m {
			return m
		}
	}
	return ""
}

// argument returns the bounds of the first argument of a macro in line, from i on, and
// its end including quotation marks.
func argument(line []byte, i int) (lo, hi, end int) {
	for i < len(line) && (octet.IsBlank(line[i]) || line[i] == '\r') {
		i++
	}
	quoted := i < len(line) && line[i] == '"'
	if quoted {
		i++
	}
	for lo = i; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && line[i+1] != '"':
			i++
		case c == '\\', quoted && c == '"', !quoted && (octet.IsBlank(c) || c == '\r'):
			if quoted && c == '"' {
				return lo, i, i + 1
			}
			return lo, i, i
		}
	}
	i = min(i, len(line))
	return lo, i, i
}

// appendText appends raw with its escapes decoded. raw is complete.
func appendText(dst, raw []byte) []byte {
	for len(raw) > 0 {
		k := bytes.IndexByte(raw, '\\')
		if k < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:k]...)
		n, text, _ := escape(raw[k:], true)
		dst = append(dst, text...)
		raw = raw[k+n:]
	}
	return dst
}

// The escapes of groff(7). What follows the backslash is one of three kinds: one character; one
// character and a name, which has one character, two after "(", or any number in brackets; or
// one character and an argument between two equal marks.

// maxEscape is how many bytes of an escape are examined.
const maxEscape = 250

// nothing has the one-character escapes that are removed. A line that ends with a
// backslash continues on the next line.
const nothing = "&:%/,)|^{}!?cdurzp\n"

// characters maps one-character escapes to the character they represent.
var characters = map[byte]string{'e': `\`, 'E': `\`, '~': " ", '0': " ", 'a': " ", 't': "\t", '"': " ", '#': " "}

// escape returns the length of the escape at the beginning of s, and its text. more means
// that s is too short to decide. If there is no escape, the text is the backslash.
func escape(s []byte, atEOF bool) (n int, text string, more bool) {
	if len(s) == 1 {
		return 1, `\`, !atEOF
	}
	switch c := s[1]; {
	case bytes.IndexByte([]byte(nothing), c) >= 0:
		return 2, "", false
	case c == '\r' && len(s) == 2 && !atEOF:
		return 0, "", true
	case c == '\r' && len(s) > 2 && s[2] == '\n':
		return 3, "", false
	case c == '(', c == '[':
		n, name, more := nameOf(s, 1, atEOF)
		return n, glyph(name), more
	case bytes.IndexByte([]byte("fFmMgkVY"), c) >= 0:
		n, _, more = nameOf(s, 2, atEOF)
		return n, "", more
	case c == '*', c == 'n':
		n, name, more := nameOf(s, 2, atEOF)
		return n, stringOf(name, c == '*'), more
	case c == 's':
		n, more = sizeOf(s, atEOF)
		return n, "", more
	case bytes.IndexByte([]byte("hvwxlLDbAHSRoBNC"), c) >= 0:
		return between(s, atEOF)
	case c == 'X', c == 'Z':
		return 2, " ", false // what follows may be a reference
	default:
		if t := characters[c]; t != "" {
			return 2, t, false
		}
		if c >= utf8.RuneSelf || c < ' ' { // the backslash escapes nothing
			return 1, `\`, false
		}
		return 2, printed[c : c+1], false
	}
}

// printed has each byte of ASCII at the index of its value.
var printed = func() string {
	var b [utf8.RuneSelf]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()

// nameOf returns the name at s[i] (of a font, a glyph and the like: x, (xx or [any]) and
// the length of s up to its end.
func nameOf(s []byte, i int, atEOF bool) (n int, name []byte, more bool) {
	if i < len(s) && (s[i] == '+' || s[i] == '-') && s[1] == 'n' {
		i++
	}
	if i >= len(s) {
		return len(s), nil, !atEOF
	}
	switch s[i] {
	case '(':
		first, more := character(s, i+1, atEOF)
		if more {
			return len(s), nil, true
		}
		second, more := character(s, i+1+first, atEOF)
		if more || second == 0 {
			return len(s), nil, more
		}
		end := i + 1 + first + second
		return end, s[i+1 : end], false
	case '[':
		k := bytes.IndexByte(s[:min(len(s), maxEscape)], ']')
		nl := bytes.IndexByte(s[:min(len(s), maxEscape)], '\n')
		switch {
		case k >= 0 && (nl < 0 || k < nl):
			return k + 1, s[i+1 : k], false
		case nl < 0 && len(s) < maxEscape && !atEOF:
			return 0, nil, true
		}
		return i + 1, nil, false // not closed
	case '\n':
		return i, nil, false
	}
	size, more := character(s, i, atEOF)
	return i + size, s[i : i+size], more
}

// character returns the length of the character at s[i], 0 at the end of the input. more
// means that s may end within the character.
func character(s []byte, i int, atEOF bool) (size int, more bool) {
	if !atEOF && !utf8.FullRune(s[i:]) {
		return 0, true
	}
	_, size = utf8.DecodeRune(s[i:])
	return size, false
}

// sizeOf returns the length of "\s" and a size: one or two digits, with a sign, or in
// brackets.
func sizeOf(s []byte, atEOF bool) (n int, more bool) {
	i := 2
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	switch {
	case i >= len(s):
		return len(s), !atEOF
	case s[i] == '(' || s[i] == '[':
		n, _, more = nameOf(s, i, atEOF)
		return n, more
	case s[i] == '\'':
		n, _, more := between(s, atEOF)
		return n, more
	case !octet.IsDigit(s[i]):
		return i, false
	case s[i] >= '1' && s[i] <= '3': // a two-digit size
		if i+1 == len(s) {
			return i + 1, !atEOF
		}
		if octet.IsDigit(s[i+1]) {
			return i + 2, false
		}
	}
	return i + 1, false
}

// between returns the length and the text of an escape whose argument is between two
// equal marks; a sign may be in front of the first mark. The text is the character with
// that number or name, otherwise empty.
func between(s []byte, atEOF bool) (n int, text string, more bool) {
	i := 2
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if i >= len(s) {
		return len(s), "", !atEOF
	}
	size, more := character(s, i, atEOF)
	if more {
		return 0, "", true
	}
	mark := s[i : i+size]
	arg := s[i+size : max(i+size, min(len(s), maxEscape))]
	k := bytes.Index(arg, mark)
	if nl := bytes.IndexByte(arg, '\n'); nl >= 0 && (k < 0 || nl < k) {
		return 2, "", false
	}
	if k < 0 {
		if len(s) < maxEscape && !atEOF {
			return 0, "", true
		}
		return 2, "", false
	}
	arg = arg[:k]
	switch s[1] {
	case 'N':
		if r, err := strconv.ParseUint(string(arg), 10, 20); err == nil && r > 0 {
			text = string(rune(r))
		}
	case 'C':
		text = glyph(arg)
	}
	return i + size + k + size, text, false
}

// unknown replaces a glyph whose name is unknown. It ends a reference.
const unknown = "\ufffd"

// glyph returns the character with that name: uXXXX, or one of glyphs.
func glyph(name []byte) string {
	if t, ok := glyphs[string(name)]; ok {
		return t
	}
	if len(name) > 4 && name[0] == 'u' {
		if r, err := strconv.ParseUint(string(name[1:]), 16, 21); err == nil && utf8.ValidRune(rune(r)) && r >= ' ' {
			return string(rune(r))
		}
	}
	if len(name) == 1 && name[0] > ' ' && name[0] < utf8.RuneSelf {
		return string(name)
	}
	return unknown
}

// stringOf returns the text of a string that pod2man or man defines. Any other string,
// and any register, is a space.
func stringOf(name []byte, isString bool) string {
	if isString {
		switch string(name) {
		case `L"`, `R"`, "lq", "rq":
			return `"`
		case "Aq":
			return "'"
		case "--":
			return "-"
		}
	}
	return " "
}

// glyphs has the names of groff_char(7) that occur near references.
var glyphs = map[string]string{
	"rs": `\`, "aq": "'", "dq": `"`, "ti": "~", "ha": "^", "ga": "`", "sl": "/", "at": "@", "sh": "#",
	"Do": "$", "or": "|", "ba": "|", "ul": "_", "lB": "[", "rB": "]", "lC": "{", "rC": "}",
	"bv": "|", "hy": "-", "mi": "-", "pl": "+", "eq": "=", "lq": "“", "rq": "”", "oq": "‘", "cq": "’",
	"Bq": "„", "bq": "‚", "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "em": "—", "en": "–", "bu": "•",
	"co": "©", "rg": "®", "tm": "™", "la": "⟨", "ra": "⟩", "<=": "≤", ">=": "≥", "!=": "≠", "->": "→",
	"<-": "←", "mu": "×", "+-": "±", "de": "°", "sc": "§", "ps": "¶", "ss": "ß", "ae": "æ", "AE": "Æ",
	"o/": "ø", "O/": "Ø", "oa": "å", "oA": "Å", ":a": "ä", ":o": "ö", ":u": "ü", ":A": "Ä", ":O": "Ö",
	":U": "Ü", ":e": "ë", ":i": "ï", "'a": "á", "'e": "é", "'i": "í", "'o": "ó", "'u": "ú", "'E": "É",
	"`a": "à", "`e": "è", "`i": "ì", "`o": "ò", "`u": "ù", "^a": "â", "^e": "ê", "^i": "î", "^o": "ô",
	"^u": "û", "~n": "ñ", "~a": "ã", "~o": "õ", ",c": "ç", ",C": "Ç", "aa": "´", "a^": "^", "a~": "~",
	"dg": "†", "dd": "‡", "*m": "μ", "/_": "∠", "fm": "′",
}

// Sniff reports whether head is the beginning of a manual page: its first line is a
// request, a macro or a comment of roff, and some line of head is a comment, .TH, .Dd or
// .SH. whole says that head is all there is. wait reports that more bytes may change the
// answer.
func Sniff(head []byte, whole bool) (is, wait bool) {
	head = bytes.TrimLeft(head, "\r\n")
	if len(head) == 0 {
		return false, !whole
	}
	if head[0] != '.' && head[0] != '\'' {
		return false, false
	}
	if len(head) > 1 && !isRequest(head[1:]) {
		return false, false
	}
	for len(head) > 0 {
		for _, m := range marks {
			if bytes.HasPrefix(head, []byte(m)) {
				return true, false
			}
		}
		k := bytes.IndexByte(head, '\n')
		if k < 0 {
			break
		}
		head = head[k+1:]
	}
	return false, !whole
}

// marks are beginnings of lines that occur only in roff.
var marks = []string{`.\"`, `'\"`, ".TH ", ".TH\t", ".Dd ", ".Dd\t", ".SH ", ".SH\t", ".SH\n", ".SH\r"}

// isRequest reports whether s, which follows a dot or apostrophe, is a request: blanks
// and a short name, or the beginning of a comment.
func isRequest(s []byte) bool {
	s = bytes.TrimLeft(s, " \t")
	if len(s) == 0 {
		return true
	}
	if s[0] == '\\' {
		return len(s) == 1 || s[1] == '"' || s[1] == '#'
	}
	n := 0
	for n < len(s) && ('a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	return n > 0 && n < 12 && (n == len(s) || bytes.IndexByte([]byte(" \t\r\n\\"), s[n]) >= 0)
}
