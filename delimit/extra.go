package delimit

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

// Extras are found only if the options enable them (Appendix F of 2002 has the
// abbreviated ones).

// abbreviated examines what is around the dot at Buf[i], for a reference that begins with
// one of the abbreviations.
func (s *searcher) abbreviated(i int, c *Candidate) answer {
	b := s.Buf[:s.End]
	lo := i
	for least := max(s.Floor, i-maxLabel); lo > least && roles[b[lo-1]].has(alnum); {
		lo--
	}
	if lo == i || labelled(b[lo:i]) == "" {
		return no
	}
	if lo > 0 {
		switch p := b[lo-1]; {
		case p >= 0x80 && isSpacedLetter(b[:lo]), roles[p].has(alnum), p == '_' && !opensEmphasis(b[:lo]), p == '@', p == '/', p == '%', p == '\\':
			return no
		case roles[p].has(inScheme) && lo > 1 && (b[lo-2] >= 0x80 || roles[b[lo-2]].has(inScheme)): // + - .
			return no
		}
	}
	if i+1 == len(b) {
		return atEnd(s.Err != nil)
	}
	if b[i+1] < 0x80 && !roles[b[i+1]].has(alnum) {
		return no
	}
	s.bracketed = bracketedText{}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	return s.bare(lo, lo, lo, scanState{Component: inAuthority}, usual, c)
}

// defangedColon examines what is around the colon at Buf[i], for a scheme whose colon or slashes are
// defanged, as in http[:]//a, http[://]a or http:[/][/]a. A defanged scheme in front of an ordinary
// colon needs no special case: it is a scheme like any other.
func (s *searcher) defangedColon(i int, c *Candidate) answer {
	b := s.Buf[:s.End]
	lo, body := i, i+1
	switch {
	case i > 2 && i-1 > s.Floor && (b[i-1] == '[' || b[i-1] == '('):
		n, short := defangedSpelling(b[i-1:])
		if n == 0 {
			if short {
				return atEnd(s.Err != nil)
			}
			return no
		}
		lo, body = i-1, i-1+n
	case i+1 < len(b) && b[i+1] != '[':
		return no
	}
	if body-lo <= len("[:]") {
		for range 2 { // each slash
			n, v := s.defangedSlash(body)
			if v != yes {
				return v
			}
			body += n
		}
	}
	colon := lo
	if lo, _, _ = schemeBefore(&s.window, colon); colon-lo < 2 {
		return no
	}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	return s.bare(lo, body, lo, scanState{Component: inAuthority}, usual, c)
}

// defangedSlash returns the length of the slash at Buf[i]: plain, escaped or in brackets.
func (s *searcher) defangedSlash(i int) (n int, v answer) {
	b := s.Buf[:s.End]
	if i == len(b) {
		return 0, atEnd(s.Err != nil)
	}
	if b[i] != '[' {
		n, _, v = slashAt(b, i, s.Err != nil)
		return n, v
	}
	switch n, short := defangedSpelling(b[i:]); {
	case short && s.Err == nil:
		return 0, more
	case n > 0 && original(b[i:i+n]) == "/":
		return n, yes
	}
	return 0, no
}

// References without a scheme, by the name of their host.

// abbreviations are labels such as www. A host that begins with one of them may be a reference
// without a scheme. Each label implies the scheme beside it.
var abbreviations = [...]struct{ label, scheme string }{
	{"www", "http://"},
	{"web", "http://"},
	{"ftp", "ftp://"},
	{"gopher", "gopher://"},
}

// maxLabel is the length of the longest abbreviation and a digit.
const maxLabel = len("gopher") + 1

// labelled returns the scheme that the label t implies, or "". A digit may follow the
// label, as in www2.
func labelled(t []byte) string {
	if n := len(t); n > 1 && roles[t[n-1]].has(digit) {
		t = t[:n-1]
	}
	for _, a := range abbreviations {
		if foldEqual(t, a.label) {
			return a.scheme
		}
	}
	return ""
}

// abbreviates returns the scheme to put in front of t, if t begins with a host of at
// least three labels, the first of which is an abbreviation. Otherwise scheme is "". n
// is how many bytes were examined.
func abbreviates(t []byte) (scheme string, n int) {
	i := bytes.IndexByte(t, '.')
	if i < 0 || i > maxLabel {
		return "", max(0, i)
	}
	if scheme = labelled(t[:i]); scheme == "" {
		return "", i
	}
	labels, size := 1, 0 // complete labels, and the size of the next one
	for n = i + 1; n < len(t); n++ {
		c := t[n]
		if c == '.' && size > 0 {
			labels++
			size = 0
			continue
		}
		if c < 0x80 && !roles[c].has(alnum) && c != '-' && (c != '_' || size == 0) {
			break
		}
		if size++; labels == 2 { // the third label
			return scheme, n
		}
	}
	return "", n
}

// isSpacedLetter reports whether b ends with a letter, digit or mark beyond ASCII, of a script with
// spaces between words. What joins or varies the symbol in front of it is none.
func isSpacedLetter(b []byte) bool {
	r, n := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	if r == zeroWidthJoiner || r == textStyle || r == emojiStyle {
		b = b[:len(b)-n]
		r, _ = utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	}
	return effectOf(r) == letter
}

const (
	zeroWidthJoiner = '\u200D'
	textStyle       = '\uFE0E' // variation selectors of symbols
	emojiStyle      = '\uFE0F'
)

// opensEmphasis reports whether b ends with a run of '_' that no word is in front of.
func opensEmphasis(b []byte) bool {
	front := bytes.TrimRight(b[max(0, len(b)-maxEmphasis):], "_")
	if len(front) == 0 {
		return len(b) < maxEmphasis
	}
	p := front[len(front)-1]
	return p < utf8.RuneSelf && !roles[p].has(alnum) && bytes.IndexByte([]byte(`@/%\.+-`), p) < 0
}

// maxEmphasis is more than the longest run of marks in front of a name that is looked at.
const maxEmphasis = 8

// Defanged spellings, as in hxxp://evil[.]example: they keep readers from following a reference.

// spellings are the defanged spellings of characters. Half a bracket is one too, but only between two
// letters or digits: see [defangedSlow] and [halfBracket].
var spellings = [...]struct{ as, is string }{
	{"[.]", "."}, {"(.)", "."}, {"{.}", "."}, {"[dot]", "."}, {"(dot)", "."}, {"{dot}", "."},
	{"[:]", ":"}, {"(:)", ":"}, {"[://]", "://"}, {"[/]", "/"}, {"[@]", "@"}, {"[at]", "@"}, {"(at)", "@"},
	{`\.`, "."},
}

// starts has the bytes that may be first in a defanged spelling, and those that may be second.
var starts = func() (t [2][256]bool) {
	for _, f := range spellings {
		t[0][f.as[0]], t[1][f.as[1]] = true, true
		if c := f.as[1]; roles[c].has(alpha) {
			t[1][c-('a'-'A')] = true
		}
	}
	return t
}()

// defangedSpelling returns the length of the defanged spelling that b begins with, or 0. b is not empty.
// short reports whether all of b could be the beginning of such a spelling.
func defangedSpelling(b []byte) (n int, short bool) {
	if !starts[0][b[0]] || len(b) > 1 && !starts[1][b[1]] {
		return 0, false
	}
	return defangedSlow(b)
}

// defangedSlow is the rest of defangedSpelling, for bytes with which a defanged spelling may begin.
func defangedSlow(b []byte) (n int, short bool) {
	if len(b) > 2 && b[0] == '[' && b[1] == '.' && roles[b[2]].has(alnum) { // evil[.example
		return len("[."), false
	}
	for _, f := range spellings {
		k := min(len(b), len(f.as))
		switch {
		case b[0] != f.as[0] || !foldEqual(b[:k], f.as[:k]):
		case k < len(f.as):
			short = true
		default:
			return k, false
		}
	}
	return 0, short
}

// halfBracket reports whether b[i] is the "]" of a dot with half a bracket: evil.]example.
func halfBracket(b []byte, i int) bool {
	return b[i] == ']' && i > 0 && b[i-1] == '.' && i+1 < len(b) && roles[b[i+1]].has(alnum)
}

// original returns the text that the defanged spelling b stands for.
func original(b []byte) string {
	for _, f := range spellings {
		if foldEqual(b, f.as) {
			return f.is
		}
	}
	return "."
}

// defangedSchemes are the defanged spellings of schemes.
var defangedSchemes = [...]struct{ As, is string }{
	{"hxxp", "http"}, {"hxxps", "https"}, {"hxtp", "http"}, {"hxtps", "https"}, {"htxp", "http"}, {"htxps", "https"},
	{"hxp", "http"}, {"hxps", "https"}, {"fxp", "ftp"}, {"fxps", "ftps"}, {"fxtp", "ftp"}, {"sfxp", "sftp"},
}

// refang appends text to dst, with the original of each defanged spelling. If text has no such
// spelling, ok is false, and out has text unchanged.
func refang(dst, text []byte) (out []byte, ok bool) {
	i := 0
	if n := schemeEnd(text); n > 0 {
		for _, d := range defangedSchemes {
			if foldEqual(text[:n], d.As) && n < len(text) && (text[n] == ':' || text[n] == '[' || text[n] == '(') {
				dst = append(dst, d.is...)
				i, ok = n, true
			}
		}
	}
	for i < len(text) {
		if n, _ := defangedSpelling(text[i:]); n > 0 {
			dst = append(dst, original(text[i:i+n])...)
			i += n
			ok = true
			continue
		}
		if halfBracket(text, i) {
			i++
			ok = true
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	return dst, ok
}

// defangedName examines t for a host or an address at its beginning without a scheme, in which a dot or the
// "@" is in brackets (rule 41): evil[.]example, 192[.]0[.]2[.]1, joe[at]evil[.]example. end is where it
// ends. also is Abbreviated for a host, Address for an address.
func defangedName(t []byte, atEOF bool) (end int, also Extra, v answer) {
	var name [maxLocal + 1 + maxDomain]byte // as it is meant
	n, at, spelled := 0, -1, false
	i := 0
	for n < len(name) {
		if i == len(t) {
			if !atEOF {
				return 0, 0, more
			}
			break
		}
		c, k := t[i], 1
		switch {
		case roles[c].has(alnum), c == '-', c == '_':
		case c == '.' && i+1 == len(t) && !atEOF:
			return 0, 0, more
		case c == '.' && i+1 < len(t) && (roles[t[i+1]].has(alnum) || t[i+1] >= utf8.RuneSelf || t[i+1] == '-'):
		case c == '@':
		case halfBracket(t, i):
			i++
			continue
		case c >= utf8.RuneSelf:
			if !atEOF && !utf8.FullRune(t[i:]) {
				return 0, 0, more
			}
			r, size := utf8.DecodeRune(t[i:])
			if !isOfWord(r) || effectOf(r) == unspacedLetter && i > 0 && roles[t[i-1]].has(alnum) {
				c, k = 0, 0
				break
			}
			n += copy(name[n:], t[i:i+size])
			i += size
			continue
		default:
			size, short := defangedSpelling(t[i:])
			if short && !atEOF {
				return 0, 0, more
			}
			is := ""
			if size > 0 && t[i] != '\\' {
				is = original(t[i : i+size])
			}
			if size > 0 && i+size == len(t) && !atEOF {
				return 0, 0, more
			}
			if is != "." && is != "@" || i+size == len(t) || !roles[t[i+size]].has(alnum) && t[i+size] < utf8.RuneSelf { // perhaps the end of a sentence
				k = 0
				break
			}
			c, k, spelled = is[0], size, true
		}
		if k == 0 || c == '@' && at >= 0 {
			break
		}
		if c == '@' {
			at = n
		}
		name[n] = c
		n++
		i += k
	}
	host := name[at+1 : n]
	if !spelled || at == 0 || n == len(name) || len(host) == 0 || host[len(host)-1] == '-' || !isDomain(host) && !isDotted(host) {
		return 0, 0, no
	}
	if at > 0 {
		return i, Address, yes
	}
	return i, Abbreviated, yes
}

// isDotted reports whether host is an IPv4 address.
func isDotted(host []byte) bool {
	parts, value, digits := 1, 0, 0
	for _, c := range host {
		switch {
		case c == '.' && digits > 0:
			parts++
			value, digits = 0, 0
		case roles[c].has(digit) && digits < 3:
			value = 10*value + int(c-'0')
			if digits++; value > 255 {
				return false
			}
		default:
			return false
		}
	}
	return parts == 4 && digits > 0
}

// defanged examines what is around the bracket at Buf[i], for a name without a scheme.
func (s *searcher) defanged(i int, c *Candidate) answer {
	b := s.Buf[:s.End]
	switch n, short := defangedSpelling(b[i:]); {
	case short && s.Err == nil:
		return more
	case n == 0 || original(b[i:i+n]) != "." && original(b[i:i+n]) != "@":
		return no
	}
	lo := i
	for least := max(s.Floor, i-maxLocal-maxDomain); lo > least && (roles[b[lo-1]].has(alnum) || b[lo-1] >= utf8.RuneSelf || bytes.IndexByte([]byte("-_.@"), b[lo-1]) >= 0); {
		lo--
	}
	for lo < i && (b[lo] == '-' || b[lo] == '_' || b[lo] == '.') {
		lo++
	}
	for lo < i && b[lo] >= utf8.RuneSelf { // marks, and letters without spaces, in front of the name
		r, n := utf8.DecodeRune(b[lo:i])
		if isOfWord(r) && effectOf(r) != unspacedLetter {
			break
		}
		lo += n
	}
	if lo == i || b[lo] == '@' || lo > 0 && bytes.IndexByte([]byte(`/\%])}`), b[lo-1]) >= 0 {
		return no
	}
	if followsScheme(b[:lo], b[lo:]) {
		return no
	}
	end, also, v := defangedName(b[lo:], s.Err == io.EOF)
	if v != yes {
		return v
	}
	s.bracketed = bracketedText{}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	if also == Address || lo+end < len(b) && bytes.IndexByte([]byte("!$&'()*+,;="), b[lo+end]) >= 0 { // no name has these
		s.elsewhere.why = 0
		return s.finish(lo, lo+end, lo+end, lo, false, usual, c)
	}
	return s.bare(lo, lo, lo, scanState{Component: inAuthority, named: true}, usual, c)
}

// followsScheme reports whether the name without a scheme, behind front, has one after all that is not
// understood: https:__a[.]b, hxxp__a[.]b, https:// a[.]b.
func followsScheme(front, name []byte) bool {
	if k := bytes.Index(name[:min(len(name), len("https__"))], []byte("__")); k > 0 && isOneOf(name[:k], []string{"http", "https", "hxxp", "hxxps", "ftp", "fxp"}) {
		return true
	}
	front = front[max(0, len(front)-maxEmphasis):]
	text := bytes.TrimRight(front, "_")
	if len(text) < len(front) {
		return bytes.HasSuffix(text, []byte(":"))
	}
	text = bytes.TrimRight(front, " \t")
	return len(text) < len(front) && bytes.HasSuffix(text, []byte("://"))
}

// Plan: the "@" is the trigger. The local part is found backwards from it, the domain
// forwards, each within the length that mail allows. Then the context decides whether the
// address is a Message-ID.

// The addresses here are mail addresses without "mailto:". A Message-ID looks like an
// address, but is none. It is recognised by its header field, by the word in front of it,
// or in angle brackets by its form.

const (
	maxLocal  = 64  // bytes of a local part: RFC 5321, 4.5.3.1.1
	maxDomain = 255 // bytes of a domain: RFC 5321, 4.5.3.1.2
	maxKey    = 16  // bytes of the longest of addressKeys, with "=" and a quotation mark
)

// addressKeys are names that programs write in front of "=" and an address. Other text with "=" may be a
// local part: mailing lists write bounce-joe=example.org@list.example.
var addressKeys = [...]string{
	"smtp.mailfrom", "smtp.helo", "header.from", "header.i", "header.d", "envelope-from", "sasl_username",
	"email", "user", "username", "from", "to", "cc", "rcpt", "uid", "mail", "login",
}

// addressAt returns the bounds of the address around the "@" at Buf[i]. stop is the byte that
// follows it, or 0 at the end of the text.
func (s *searcher) addressAt(i int) (lo, hi int, stop byte, v answer) {
	b := s.Buf[:s.End]
	if lo = s.localPart(i); lo == i || i-lo > maxLocal || lo > 0 && (b[lo-1] == '/' || b[lo-1] == '@' || b[lo-1] >= utf8.RuneSelf && isSpacedLetter(b[:lo]) || bytes.HasSuffix(b[:lo], []byte(`".`))) ||
		b[i-1] == '.' || bytes.Contains(b[lo:i], dotDot) || !isOfOneKind(b[lo:i]) {
		return lo, i, 0, no
	}
	hi, v = domainAt(b, i+1, s.Err == io.EOF)
	if v != yes {
		return lo, hi, 0, v
	}
	switch {
	case hi < len(b):
		stop = b[hi]
	case s.Err == nil: // behind an address in brackets
		return lo, hi, 0, more
	}
	switch {
	case stop == ':':
		if hi+1 == len(b) {
			if s.Err == nil {
				return lo, hi, stop, more
			}
		} else if !roles[b[hi+1]].has(ends) && bytes.IndexByte([]byte(")]}'.,;!?"), b[hi+1]) < 0 {
			return lo, hi, stop, no // host:path, as scp writes it
		}
	case stop == '_':
		marks := len(b[lo:i]) - len(bytes.TrimLeft(b[lo:i], "_"))
		behind := b[hi:min(len(b), hi+marks+1)]
		switch run := len(behind) - len(bytes.TrimLeft(behind, "_")); {
		case run == len(behind) && run <= marks && s.Err == nil:
			return lo, hi, stop, more
		case run != marks || lo+marks == i || run < len(behind) && (roles[behind[run]].has(alnum) || behind[run] >= utf8.RuneSelf):
			return lo, hi, stop, no
		}
		lo += marks // emphasis
	case stop == '@', stop == '-':
		return lo, hi, stop, no
	}
	return lo, hi, stop, yes
}

// isOfOneKind reports whether the letters of a local part are all of the Latin script, or none is ASCII. If
// other letters are glued to ASCII, a word is in front of the address.
func isOfOneKind(local []byte) bool {
	ascii, others := false, false
	for len(local) > 0 {
		r, n := utf8.DecodeRune(local)
		switch {
		case r < utf8.RuneSelf:
			ascii = ascii || roles[r].has(alpha)
		case !unicode.Is(unicode.Latin, r) && !unicode.Is(unicode.Mn, r):
			others = true
		}
		local = local[n:]
	}
	return !ascii || !others
}

// localPart returns where the local part of an address begins whose "@" is Buf[i].
func (s *searcher) localPart(i int) int {
	b := s.Buf[:i]
	lo := i
	for least := max(s.Floor, i-maxLocal-maxKey-1); lo > least; {
		if isLocal(b[lo-1]) {
			lo--
			continue
		}
		r, n := utf8.DecodeLastRune(b[least:lo])
		if r < utf8.RuneSelf || effectOf(r) != letter {
			break
		}
		lo -= n
	}
	for k := i - 1; k > lo; k-- { // behind the last known key
		if b[k] != '=' {
			continue
		}
		key := k
		for key > lo && (roles[b[key-1]].has(alnum) || bytes.IndexByte([]byte("._-"), b[key-1]) >= 0) {
			key--
		}
		if isOneOf(b[key:k], addressKeys[:]) {
			lo = k + 1
			break
		}
	}
	for k := lo; k+2 < i; k++ { // behind the last escape of what is in no local part
		if v, ok := unescaped(b[k:]); ok && !isLocal(v) && v < utf8.RuneSelf && v != '@' {
			lo = k + len("%20")
		}
	}
	for lo < i && !roles[b[lo]].has(alnum) && b[lo] != '_' { // marks, also of a symbol in front
		if v, ok := unescaped(b[lo:]); ok {
			switch {
			case v == '@':
				return i
			case roles[v].has(alnum) || v >= utf8.RuneSelf:
				return lo
			}
			lo += len("%20")
			continue
		}
		r, n := utf8.DecodeRune(b[lo:])
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			break
		}
		lo += n
	}
	return lo
}

// isEscape reports whether the '%' at t[k] begins an escape of a character of a local part, as in joe%2Bx. One
// of a byte beyond ASCII has another beside it.
func isEscape(t []byte, k int) bool {
	v, ok := unescaped(t[k:])
	if !ok || v < utf8.RuneSelf {
		return ok && isLocal(v)
	}
	const n = len("%20")
	for _, beside := range [...]int{k - n, k + n} {
		if beside >= 0 && beside < len(t) {
			if v, ok := unescaped(t[beside:]); ok && v >= utf8.RuneSelf {
				return true
			}
		}
	}
	return false
}

// unescaped returns the byte whose escape b begins with.
func unescaped(b []byte) (v byte, ok bool) {
	if b[0] != '%' {
		return 0, false
	}
	r, is := hexAt(b, 1, 2, true)
	return byte(r), is == yes
}

// domainAt returns where the domain of an address ends that begins at b[i]: a name, or an address in
// brackets. After an ASCII letter or digit, a letter of a script without spaces ends it, and so does a
// Korean particle.
func domainAt(b []byte, i int, atEOF bool) (hi int, v answer) {
	if i < len(b) && b[i] == '[' {
		n, v := addressLiteral(b[i:], atEOF)
		return i + n, v
	}
	for hi = i; ; {
		switch {
		case hi == len(b) && !atEOF:
			return hi, more
		case hi == len(b) || hi-i > maxDomain:
		case roles[b[hi]].has(alnum) || b[hi] == '-' || b[hi] == '.':
			hi++
			continue
		case b[hi] >= utf8.RuneSelf:
			if !atEOF && !utf8.FullRune(b[hi:]) {
				return hi, more
			}
			r, n := utf8.DecodeRune(b[hi:])
			if isOfWord(r) && !(effectOf(r) == unspacedLetter && roles[b[hi-1]].has(alnum)) {
				hi += n
				continue
			}
		}
		break
	}
	for hi > i && b[hi-1] == '.' {
		hi--
	}
	if hi == i || b[hi-1] == '-' {
		return hi, no
	}
	hi = withoutParticle(b, i, hi)
	if !isDomain(b[i:hi]) {
		return hi, no
	}
	return hi, yes
}

// address examines what is around the "@" at Buf[i]. If it returns yes, c is a mail address,
// and SearchFrom is after it.
func (s *searcher) address(i int, c *Candidate) answer {
	lo, hi, stop, v := s.addressAt(i)
	if v != yes {
		return v
	}
	b, form := s.Buf[:s.End], Bare
	if lo > 0 && b[lo-1] == '<' && stop == '>' {
		form = Angle
	}
	line, column := s.place(lo)
	if s.isMessageID(lo, i, line, form) {
		return no
	}
	s.Ref = append(s.Ref[:0], "mailto:"...)
	for k := lo; k < hi; k++ {
		if s.Ref = append(s.Ref, b[k]); b[k] == '%' {
			if !isEscape(b[lo:hi], k-lo) { // user%host of old gateways
				s.Ref = append(s.Ref, "25"...)
			}
		}
	}
	*c = Candidate{
		Text: b[lo:hi], Ref: s.Ref, Raw: b[lo:hi],
		Inner: spanOf(&s.window, lo, hi), Outer: spanOf(&s.window, lo, hi),
		Line: line, Column: column, Form: form, By: Address,
	}
	if s.opts.NoLines {
		c.Line, c.Column = 0, 0
	}
	if form == Angle {
		c.Outer = spanOf(&s.window, lo-1, hi+1)
	}
	s.SearchFrom = hi
	return yes
}

// isLocal reports whether c may be in the local part of a common address. RFC 5322 allows
// more; characters that must be escaped in mailto are left out, except for '%'.
func isLocal(c byte) bool {
	return roles[c].has(alnum) || bytes.IndexByte(localMarks, c) >= 0
}

var localMarks = []byte("._+-='~*!$&%")

// isDomain reports whether d has at least two labels, none of them empty. The last one must
// consist of two or more letters, or begin with "xn--".
func isDomain(d []byte) bool {
	i := bytes.LastIndexByte(d, '.')
	if i <= 0 || bytes.Contains(d, dotDot) || d[0] == '.' || len(d)-i-1 < 2 {
		return false
	}
	for _, c := range d[i+1:] {
		if !roles[c].has(alpha) && c < utf8.RuneSelf {
			return len(d)-i > 5 && foldEqual(d[i+1:i+5], "xn--")
		}
	}
	return true
}

var dotDot = []byte("..")

// idFields are the header fields that hold Message-IDs.
var idFields = [...]string{
	"message-id", "in-reply-to", "references", "resent-message-id", "content-id", "supersedes",
	"also-control", "article-id", "x-message-id", "original-message-id", "see-also", "replaces", "obsoletes",
}

// idWords are words that, in front of "<", announce a Message-ID.
var idWords = [...]string{"message", "article", "message-id", "msgid", "msg-id", "id", "posting", "news", "mid", "references"}

// isMessageID reports whether an address is a Message-ID. Its "@" is at Buf[i], and its
// local part begins at Buf[lo], in the given line.
func (s *searcher) isMessageID(lo, i int, line int64, form Form) bool {
	head := s.lineHead(lo)
	m := quotePrefixOf(head)
	if n, ok, _ := m.strip(head, true); ok {
		head = head[n:]
	}
	field := bytes.IndexByte(head, ':')
	switch {
	case field > 0 && isOneOf(head[:field], idFields[:]),

		s.messageIDLine > 0 && s.messageIDLine+1 >= line && folded(s.lineHead(lo)):
		s.messageIDLine = line
		return true
	}
	if form != Angle {
		return false
	}
	word := bytes.TrimRight(head[:max(0, len(head)-1)], " \t:")
	if k := bytes.LastIndexAny(word, " \t("); k >= 0 {
		word = word[k+1:]
	}
	return isOneOf(word, idWords[:]) || generated(s.Buf[lo:i])
}

// folded reports whether a line that begins with head continues the field above it.
func folded(head []byte) bool { return len(head) > 0 && roles[head[0]].has(blank) }

// generated reports whether a local part was probably made by a program.
func generated(local []byte) bool {
	digits := 0
	for _, c := range local {
		if roles[c].has(digit) {
			digits++
		}
	}
	return digits >= 6 || bytes.IndexByte(local, '$') >= 0 || roles[local[0]].has(digit) && digits >= 3
}

// isOneOf reports whether word, in any case, is in list.
func isOneOf(word []byte, list []string) bool {
	for _, w := range list {
		if foldEqual(word, w) {
			return true
		}
	}
	return false
}
