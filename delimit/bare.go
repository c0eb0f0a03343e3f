package delimit

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plan: a bare reference is found in two steps. endOfBare scans from its colon to its end
// (rules 6, 11, 12, 14), with a small stack of brackets. trim then searches back from the end
// over the punctuation of the sentence (rule 7). Both are linear. A scan without a result
// costs little, because it stops early (below) or continues where an earlier
// scan stopped (nests).

// endOfBare returns the end of the bare reference whose scheme begins at b[start]. The scan begins
// at the body of the reference, b[body], with the state w. before is the byte in front of the
// reference: if before is an opening bracket, the reference ends at the partner of before. b is cut
// after MaxLen bytes. The result undo says that the reference has escapes.
//
// The answer is more if b ends inside the reference and atEOF is not set, no if step
// ended the reference, otherwise yes. If there is no reference, end is -1.
//
// A scan may continue where an earlier one stopped (nests), unless the parameter once is true. It
// must be true if atEOF is true although more text follows.
func (s *endFinder) endOfBare(b []byte, start, body int, w scanState, before byte, atEOF, once bool) (end int, undo bool, v answer) {
	w.nest = s.Nests.Spare
	w.nest.Depth, w.nest.lost = 0, false
	w.plain = before != '(' && !s.Defanged
	i, back, v := s.scan(b, start, body, &w, before, atEOF, once)
	switch end = i - back; {
	case i < 0: // there is no reference
		w.nest.Depth = 0
	case v != more && w.nest.Depth > 0: // an open bracket ends the reference
		end = w.nest.brackets[0].at
	}
	if !once {
		s.Nests.keep(&w, i, before)
	}
	return end, w.Escaped, v
}

// scan is the loop of endOfBare, and returns the answer of endOfBare. It stops at b[i]. If no
// bracket is open, the reference ends at b[i-back]. If there is no reference, i is -1. Most bytes
// take the first branch of the loop; rare ones are in functions of their own. scan is long because
// it is one loop, whose branches end it with different results.
func (s *endFinder) scan(b []byte, start, body int, w *scanState, before byte, atEOF, once bool) (i, back int, v answer) {
	// Brackets inside do not close the bracket in front of the reference:
	// (http://a/b_(c)) ends at the last one.
	partner := partnerOf(before)
	// A comma separates an abbreviated host from the next one.
	listed := start == body && w.Component == inAuthority
	for i = body; i < len(b); {
		c := b[i]
		r := roles[c]
		if r&(ends|special) == 0 {
			if listed && (c == ',' || c == ';') {
				return i, 0, yes
			}
			i++
			continue
		}
		if r.has(ends) {
			if c == 0x1B {
				n, v := colourInside(b, i, atEOF)
				if v == yes {
					w.Escaped = true
					i += n
					continue
				}
				return i, 0, v.orEnd()
			}
			return i, 0, yes
		}
		if w.passes(b, i) {
			i++
			continue
		}
		open := w.open
		if partner != 0 {
			if c == before {
				open++
			} else if c == partner {
				if open--; open < 0 {
					return i, 0, yes
				}
			}
		}
		n, v := s.step(b, i, start, body, w, atEOF)
		switch v {
		case more:
			return i, 0, more
		case no:
			return i, -n, no
		}
		w.count(i, open)
		// In a reference that counts only in its refanged form, a defanged slash also
		// ends the authority.
		slash := n > 1 && w.Component == inAuthority && bytes.IndexByte(b[i:i+n], '/') >= 0
		if w.Component != inAuthority || slash && w.Refanged {
			if listed = false; w.authority == 0 {
				w.authority = i
			}
			if w.Host != noHost && s.hostless(b, body, w.authority, w) {
				return -1, 0, no
			}
		} else if slash {
			listed = false
		}
		i += n
		if (c == '{' || c == '[') && !once {
			i = s.Nests.resume(w, i, before)
		}
	}
	if atEOF {
		return i, 0, yes
	}
	return i, 0, more
}

// passes reports whether the special byte b[i] has no effect, so that step is not needed:
// a colon without a slash after it, a slash in the path, an ampersand that begins no
// entity, an apostrophe that ends no string of a program, a parenthesis if w.plain is set.
func (w *scanState) passes(b []byte, i int) bool {
	switch b[i] {
	case '(', ')':
		return w.plain
	case '/':
		return w.Component != inAuthority
	case ':':
		return i+1 < len(b) && b[i+1] != '/' && b[i+1] != '\\'
	case '&':
		return i+1 < len(b) && !mayBeEntity(b, i)
	case '\'':
		return i+1 < len(b) && !endsString(b[i+1])
	}
	return false
}

// step returns the effect of the special byte b[i]. If the answer is yes, the reference continues
// at b[i+n]. If it is no, the reference ends at b[i+n], and n is 0 or less. step is long because
// it is one switch, with a case for each special byte.
func (s *endFinder) step(b []byte, i, start, body int, w *scanState, atEOF bool) (n int, v answer) {
	if s.Defanged {
		if n, short := defangedSpelling(b[i:]); n > 0 {
			return n, yes
		} else if short && !atEOF {
			return 0, more
		}
		if b[i] == ']' && b[i-1] == '.' && w.Component == inAuthority {
			if i+1 == len(b) && !atEOF {
				return 0, more
			}
			if halfBracket(b, i) {
				return 1, yes
			}
		}
	}
	switch c := b[i]; c {
	case '/':
		if w.Component == inAuthority {
			w.Component = inPath
		}
	case '?':
		if w.Component < inQuery {
			w.Component = inQuery
		}
	case '#':
		if w.nest.closer() == ']' {
			return 0, no // this ends the query and the bracket around it
		}
		w.Component = inFragment
	case '[', '{':
		return s.opens(b, i, start, body, w, atEOF)
	case '\'':
		if i+1 == len(b) && !atEOF {
			return 0, more
		}
		if i+1 < len(b) && endsString(b[i+1]) {
			return 0, no
		}
	case ']', '}':
		return w.nest.pop(c)
	case '|': // tables separate their cells with it
		if w.Component == inQuery {
			if v := barInQuery(b, i, atEOF); v != no {
				return 1, v
			}
		}
		if !driveLetter(b[start:i]) {
			return 0, no
		}
		w.nest.forget() // the text in front of the bar decides, and a later scan begins after a part of that text
	case '\\':
		e, v := backslashAt(b, i, atEOF)
		if v == no {
			switch {
			case inDrive(b[start:i]):
				if i+1 == len(b) && !atEOF {
					return 0, more
				}
				if i+1 < len(b) && bytes.IndexByte([]byte("\"'<>`"), b[i+1]) >= 0 { // an escape in the text of a program
					return 0, no
				}
				e, v = escape{n: 1, r: '/'}, yes
				w.nest.forget()
			case w.Component != inAuthority:
				if e, v = markAt(b, body, i, atEOF); v == yes && e.r == '[' && w.Component != inQuery {
					v = no
				}
				if v == yes && openerOf(b[i+1]) != 0 {
					w.nest.forget() // its opener may be in front of the bracket that is open
				}
			}
		}
		return w.undoes(e, v)
	case '^':
		if i+1 == len(b) {
			if !atEOF {
				return 0, more
			}
			break
		}
		switch b[i+1] {
		case 'G': // a control, written out, unless a letter follows and no other control is on the line
			if i+2 == len(b) && !atEOF {
				return 0, more
			}
			if i+2 < len(b) && roles[b[i+2]].has(alnum) && !bytes.Contains(earlierOnLine(b, start), []byte("^[")) {
				break
			}
			return 0, no
		case '[':
			return 0, no
		case '&':
			if e, v := markAt(b, body, i, atEOF); v != no {
				return w.undoes(e, v)
			}
		}
	case '&':
		e, v := entityAt(b, i, atEOF)
		switch {
		case v == more:
			return 0, more
		case v == no:
		case e.r == '&' && !w.entities:
			if e, v = entityNamed(b, i+e.n, atEOF); v == more || v == yes && endsReference(e.r) {
				return 0, v.and(false)
			}
		case e.r == nothing:
			if v = goesOnAt(b, i+e.n, atEOF); v != yes {
				return 0, v
			}
			return w.undoes(e, yes)
		case endsReference(e.r):
			return 0, no
		case w.entities:
			return w.undoes(e, yes)
		}
	case ':':
		return adjacent(b, i, body, atEOF)
	}
	if b[i] < utf8.RuneSelf {
		return 1, yes
	}
	return s.character(b, i, body, w, atEOF)
}

// character is step for a character beyond ASCII. start is where the scheme begins, and body where
// the authority or path does.
func (s *endFinder) character(b []byte, i, body int, w *scanState, atEOF bool) (n int, v answer) {
	if !atEOF && !utf8.FullRune(b[i:]) {
		return 0, more
	}
	r, n := utf8.DecodeRune(b[i:])
	switch m := s.effects.of(r); {
	case r == 0xAD: // it is nothing in a reference that goes on
		if v = goesOnAt(b, i+n, atEOF); v != yes {
			return 0, v
		}
		w.Escaped = true
	case r == utf8.RuneError && n == 1 && w.Component != inAuthority && isLoneOctet(b[i-1], b[i]): // of another charset (rule 39)
		if i+1 == len(b) {
			return 0, atEnd(atEOF)
		}
		if !besideOctet(b[i+1]) {
			return 0, no
		}
		if v = inText(b, i+1, atEOF); v != yes {
			return 0, v
		}
	case m == endsIt:
		if !w.whole || !isIDNADot(r) || w.Component != inAuthority || !isOfWordBefore(b[:i]) {
			return 0, no
		}
		if v = partAt(b[i+n:], atEOF); v != yes {
			return 0, v
		}
	case m == symbol && w.Component == inAuthority, m == unspacedLetter && roles[b[i-1]].has(alnum):
		if w.Component == inAuthority {
			v = labelGoesOn(b, i, body, atEOF)
		}
		if v != yes && !(w.whole && v == no) {
			return 0, v
		}
	case m == wordJoiner:
		if v = joins(b, i, n, r, w.Component == inAuthority, atEOF); v != yes {
			return 0, v
		}
	case m == tilde:
		if b[i-1] != '/' {
			return 0, no
		}
		if v = wordAt(b[i+n:], atEOF); v != yes {
			return 0, v
		}
		w.Escaped = true
	}
	return n, yes
}

// barInQuery decides whether the bar b[i] belongs to the value of a field (rule 37): up to the next "&"
// there are only letters, digits and some marks, and another field follows.
func barInQuery(b []byte, i int, atEOF bool) answer {
	k := i + 1
	for k < len(b) && k-i <= maxGroup && (roles[b[k]].has(alnum) || bytes.IndexByte([]byte("._-+%,|"), b[k]) >= 0) { // bounded
		k++
	}
	if k == len(b) {
		return atEnd(atEOF)
	}
	if b[k] != '&' {
		return no
	}
	k++
	for from := k; k < len(b) && k-from <= maxScheme && (roles[b[k]].has(alnum) || bytes.IndexByte([]byte("._-"), b[k]) >= 0); { // bounded
		k++
	}
	if k == len(b) {
		return atEnd(atEOF)
	}
	if b[k] == '=' && b[k-1] != '&' {
		return yes
	}
	return no
}

// undoes is step for the escape e.
func (w *scanState) undoes(e escape, v answer) (int, answer) {
	if v != yes || endsReference(e.r) {
		return 0, v.and(false)
	}
	w.Escaped = true
	switch {
	case e.r == '/' && w.Component == inAuthority:
		w.Component = inPath
	case e.r == '?' && w.Component < inQuery:
		w.Component = inQuery
	case e.r == '#':
		w.Component = inFragment
	}
	return e.n, yes
}

// colourInside returns the length of the colour sequences at b[i], if more of the reference follows
// them directly (rule 32).
func colourInside(b []byte, i int, atEOF bool) (n int, v answer) {
	n, v = sgrAt(b[i:], atEOF)
	if v != yes {
		return 0, v
	}
	if i+n == len(b) {
		return 0, atEnd(atEOF)
	}
	if k := i + n; b[k] == '.' || b[k] == ':' || b[k] == ',' {
		if v := wordAt(b[k+1:], atEOF); v != yes {
			return 0, v
		}
	} else if v := goesOnAt(b, k, atEOF); v != yes {
		return 0, v
	}
	return n, yes
}

// isLoneOctet reports whether c, a byte that is no UTF-8, may be a letter of Latin 1 after the byte
// before.
func isLoneOctet(before, c byte) bool {
	return c >= 0xC0 && c != 0xD7 && c != 0xF7 && besideOctet(before)
}

// maxRun is how far behind an octet inText looks.
const maxRun = 64

// inText decides whether the run of bytes from b[i] on is of a text: up to white space or a delimiter, it
// has neither control characters nor octets that are no letters. Data that is not text has references, too,
// with an octet directly behind them.
func inText(b []byte, i int, atEOF bool) answer {
	for k := i; k < len(b); {
		switch c := b[k]; {
		case k-i > maxRun, roles[c].has(white), c > ' ' && c < 0x7F && roles[c].has(ends):
			return yes
		case c < ' ' || c == 0x7F:
			return no
		case c >= utf8.RuneSelf:
			if !atEOF && (!utf8.FullRune(b[k:]) || k+1 == len(b)) {
				return more
			}
			r, n := utf8.DecodeRune(b[k:])
			if r == utf8.RuneError && n == 1 && !(isLoneOctet(b[k-1], c) && k+1 < len(b) && besideOctet(b[k+1])) {
				return no
			}
			k += n
			continue
		}
		k++
	}
	if !atEOF {
		return more
	}
	return yes
}

// besideOctet reports whether c may be beside a letter of Latin 1.
func besideOctet(c byte) bool {
	return roles[c].has(alnum) || c == '/' || c == '_' || c == '-' || c == '='
}

// labelGoesOn decides whether the symbol or letter b[i] in the authority, which begins at b[body],
// belongs to the host (rule 24): it is in the first label, or its run begins directly after a dot;
// and a dot with a letter or digit follows in the same authority.
func labelGoesOn(b []byte, i, body int, atEOF bool) answer {
	host := body + bytes.LastIndexByte(b[body:i], '@') + 1
	run := i
	for run > host && b[run-1] >= utf8.RuneSelf { // the run of characters beyond ASCII
		run--
	}
	if bytes.IndexByte(b[host:i], '.') >= 0 && b[run-1] != '.' {
		return no
	}
	for k := i; k < len(b); {
		switch c := b[k]; {
		case c >= utf8.RuneSelf:
			if !atEOF && !utf8.FullRune(b[k:]) {
				return more
			}
			n := spaceAt(b[k:])
			if n > 0 {
				return no
			}
			_, n = utf8.DecodeRune(b[k:])
			k += n
			continue
		case c == '.':
			switch v := wordAt(b[k+1:], atEOF); v {
			case yes, more:
				return v
			}
		case c == '/' || c == ':' || c == '?' || c == '#' || roles[c].has(ends):
			return no
		}
		k++
	}
	return atEnd(atEOF)
}

// joins decides whether the joiner r, the n bytes at b[i], is between letters or digits that may
// stand in one word, and in a host between letters (rule 26). A second reference is not such a word.
func joins(b []byte, i, n int, r rune, inHost, atEOF bool) answer {
	left, _ := utf8.DecodeLastRune(b[max(0, i-utf8.UTFMax):i])
	if !isOfWord(left) || inHost && !(mayJoinInHost(r) && unicode.IsLetter(left)) {
		return no
	}
	rest := b[i+n:]
	if v := wordAt(rest, atEOF); v != yes {
		return v
	}
	right, _ := utf8.DecodeRune(rest)
	if !inOneWord(left, right) || inHost && !unicode.IsLetter(right) {
		return no
	}
	return partAt(rest, atEOF)
}

// partAt decides whether b begins with a letter, a digit or a mark, but not with another reference.
func partAt(b []byte, atEOF bool) answer {
	if v := wordAt(b, atEOF); v != yes {
		return v
	}
	if k := schemeEnd(b); k+len("://") > len(b) && !atEOF {
		return more
	}
	return yes.and(!startsAdjacent(b))
}

// isOfWordBefore reports whether b ends with a letter, digit or mark.
func isOfWordBefore(b []byte) bool {
	r, _ := utf8.DecodeLastRune(b[max(0, len(b)-utf8.UTFMax):])
	return isOfWord(r)
}

// wordAt decides whether b begins with a letter, a digit or a mark.
func wordAt(b []byte, atEOF bool) answer {
	if len(b) == 0 || !utf8.FullRune(b) && !atEOF {
		return atEnd(atEOF)
	}
	if r, _ := utf8.DecodeRune(b); isOfWord(r) {
		return yes
	}
	return no
}

// opens is step for the opening bracket b[i], '[' or '{'.
func (s *endFinder) opens(b []byte, i, start, body int, w *scanState, atEOF bool) (n int, v answer) {
	if b[i] == '{' {
		if i > body && b[i-1] == '$' { // ${name}, in the text of a program
			return -1, no
		}
		return w.nest.push('}', i, w.Component)
	}
	// A host may be in brackets. Elsewhere brackets are data in a query (?q[]=1); in a path or
	// fragment they may be a footnote or a label.
	if w.Component == inAuthority && (i == body || b[i-1] == '@') {
		return literal(b[i:], atEOF)
	}
	switch w.Component {
	case inPath:
		if b[i-1] == '@' && bytes.IndexByte(b[body:i], '/') < 0 { // mailto:a@[192.0.2.1]
			if n, v := addressLiteral(b[i:], atEOF); v != no {
				return n, v
			}
		}
		return s.group(b, i, start, body, w, atEOF)
	case inQuery:
		return w.nest.push(']', i, w.Component)
	case inFragment:
		return s.group(b, i, start, body, w, atEOF)
	}
	return 0, no
}

// group returns the length of the group in brackets at b[i], if it belongs to a path or fragment (rule 34):
// more of the reference follows it directly, or one of _ - . is in front of it. It is neither the end of
// a mark of BBCode, [/url], nor a footnote, [^1]. Groups may be in it.
func (s *endFinder) group(b []byte, i, start, body int, w *scanState, atEOF bool) (n int, v answer) {
	k, inner := i+1, 0
	for k < len(b) && k-i <= maxGroup && (b[k] != ']' || inner > 0) && !roles[b[k]].has(ends) && b[k] != '\\' { // bounded
		switch b[k] {
		case '[':
			inner++
		case ']':
			inner--
		}
		if b[k] < utf8.RuneSelf {
			k++
			continue
		}
		if !atEOF && !utf8.FullRune(b[k:]) {
			return 0, more
		}
		r, n := utf8.DecodeRune(b[k:])
		if m := effectOf(r); m == endsIt || m == tilde {
			return 0, no
		}
		k += n
	}
	switch {
	case k == len(b):
		return 0, atEnd(atEOF)
	case b[k] != ']' || inner > 0 || k == i+1 || b[i+1] == '/' || b[i+1] == '^' || bytes.Contains(b[i:k], []byte("://")):
		return 0, no
	case bytes.IndexByte([]byte("_-."), b[i-1]) >= 0:
		return k + 1 - i, yes
	}
	k++
	v = s.continues(b, k, start, body, w, atEOF)
	if v == no && k < len(b) && bytes.IndexByte([]byte(".,;:!'"), b[k]) >= 0 {
		if k+1 == len(b) {
			return 0, atEnd(atEOF)
		}
		if roles[b[k+1]].has(alnum) {
			v = s.continues(b, k+1, start, body, w, atEOF)
		}
	}
	if v != yes && !(w.grouped && v == no) {
		return 0, v
	}
	return k - i, yes
}

// continues decides whether the scan w would go on at b[i], behind a group in brackets, with a part of
// the reference that goesOnAt accepts: it is not the scheme of another reference, nor an escape that
// ends this one.
func (s *endFinder) continues(b []byte, i, start, body int, w *scanState, atEOF bool) (v answer) {
	if v = goesOnAt(b, i, atEOF); i == len(b) {
		return v
	}
	switch c := b[i]; {
	case roles[c].has(alpha):
		k := i + schemeEnd(b[i:])
		switch {
		case k < len(b) && roles[b[k]].has(ends):
			return v
		case k+len("://")*maxEscape > len(b) && !atEOF:
			return more
		}
		n := schemeLen(b[i:])
		return v.and(n < 2 || !registered(b[i:i+n]) || !hasSlashes(b[i+n:]) && !bytes.HasPrefix(b[i+n:], []byte(`:\/\/`)))
	case c == 0x1B:
		n, v := colourInside(b, i, atEOF)
		if v == yes {
			return s.continues(b, i+n, start, body, w, atEOF)
		}
		return v
	case c == '\\', c == '&', c >= utf8.RuneSelf && v != yes:
		then := *w
		n, v := s.step(b, i, start, body, &then, atEOF)
		if v == yes && c >= utf8.RuneSelf { // a soft hyphen
			return s.continues(b, i+n, start, body, w, atEOF)
		}
		return v
	}
	return v
}

// maxGroup is the length of the longest group in brackets that belongs to a path.
const maxGroup = 256

// literal returns the length of the host in brackets at the beginning of b, brackets included.
// It checks only that the bracket is closed; a grammar checks the content.
func literal(b []byte, atEOF bool) (n int, v answer) {
	for n = 1; n < len(b); n++ {
		switch c := b[n]; {
		case c == ']':
			return n + 1, yes
		case c >= 0x80 || roles[c].has(ends) || c == '/' || c == '?' || c == '#' || c == '\\' || c == '[':
			return 0, no
		}
	}
	return 0, atEnd(atEOF)
}

// addressLiteral is literal for an address of IPv4 or, with its tag, IPv6 in mail (RFC 5321, 4.1.3).
func addressLiteral(b []byte, atEOF bool) (n int, v answer) {
	n, v = literal(b, atEOF)
	if v != yes {
		return 0, v
	}
	in := b[1 : n-1]
	if len(in) > 0 && (isNumber(in) || bytes.IndexByte(in, ':') >= 0 && !bytes.ContainsAny(in, " @")) {
		return n, yes
	}
	return 0, no
}

// An endFinder finds the end of bare references.
type endFinder struct {
	Rules    rules
	Defanged bool  // with the extra Defanged
	Nests    nests // open brackets of earlier scans
	effects  effects

	Text []byte // buffer for joined text
	Ref  []byte // buffer for Ref
}

// bodyOf returns where the body of a reference begins whose scheme ends at the colon
// b[colon]: after the colon, and after "//" if it is there. It also returns the state to
// scan from there.
func bodyOf(b []byte, colon int) (from int, w scanState) {
	switch {
	case len(b) > colon+2 && b[colon+1] == '/' && b[colon+2] == '/':
		return colon + 3, scanState{Component: inAuthority}
	}
	if n, entities, v := slashesAt(b, colon+1, true); v == yes {
		return colon + 1 + n, scanState{Component: inAuthority, Escaped: true, entities: entities}
	}
	return colon + 1, scanState{}
}

// maxNest is how deep brackets in a reference may nest. A deeper one ends it.
const maxNest = 16

// A scanState is the state of endOfBare.
type scanState struct {
	Component component
	Escaped   bool  // an escape was found: see undo
	entities  bool  // all entities are undone
	nest      *nest // the open brackets; set by endOfBare
	plain     bool  // parentheses have no special meaning
	named     bool  // it has no scheme, and its host is known to be one (rule 41)
	whole     bool  // no letter or symbol ends it for what is in front of it (rules 6 and 24)
	grouped   bool  // every group in brackets belongs to its path (rule 34)
	open      int32 // how many brackets like the one in front of the reference are open

	Host      hostCheck
	Refanged  bool // it counts only if it is refanged
	authority int  // end of the authority, once the scan has passed it
	Scheme    int  // where the scheme begins, if another scheme wraps the reference
}

// A component is the part of a reference in which a scan is.
type component uint8

const (
	inPath      component = iota // also what follows the colon, if there is no authority
	inAuthority                  // after "//", up to '/', '?' or '#'
	inQuery
	inFragment
)

// A hostCheck says whether a scan must check for a host.
type hostCheck uint8

const (
	noHost    hostCheck = iota // no host is needed, or it has been found
	hostAhead                  // a host must be in the authority, where the scan is
	hostInCut                  // there is a host only if the reference is cut at an open brace
)

// A bracket is an open bracket of a scan.
type bracket struct {
	at        int
	open      int32 // scanState.open directly after it
	least     int32 // the lowest scanState.open since then, while this bracket was the innermost
	component component
	closer    byte // the byte that closes it
}

// A nest has the open brackets of a scan, outermost first. If the scan has stopped, it
// also has the scan's state at its last byte, so that another scan can continue.
type nest struct {
	brackets [maxNest]bracket
	Depth    int
	lost     bool // no scan can continue from here

	stop      int // the byte at which the scan stopped
	open      int32
	component component
	Escaped   bool
}

// closer returns what closes the innermost bracket, or 0.
func (n *nest) closer() byte {
	if n.Depth == 0 {
		return 0
	}
	return n.brackets[n.Depth-1].closer
}

// push opens the bracket at i, which closer closes. Its results are those of step.
func (n *nest) push(closer byte, i int, p component) (int, answer) {
	if n.Depth == maxNest {
		return 0, no
	}
	n.brackets[n.Depth] = bracket{at: i, component: p, closer: closer}
	n.Depth++
	return 1, yes
}

// pop closes the innermost bracket, if closer closes it. Its results are those of step.
func (n *nest) pop(closer byte) (int, answer) {
	if n.closer() != closer {
		return 0, no
	}
	if n.Depth--; n.Depth > 0 {
		b := &n.brackets[n.Depth-1]
		b.least = min(b.least, n.brackets[n.Depth].least)
	}
	return 1, yes
}

// forget sets lost if a bracket is open: the content of the bracket then depends on the text in
// front of the bracket.
func (n *nest) forget() { n.lost = n.lost || n.Depth > 0 }

// count sets w.open to open: the number of open brackets, after the byte at i, that are like the
// bracket in front of the reference.
func (w *scanState) count(i int, open int32) {
	if n := w.nest; n.Depth > 0 {
		b := &n.brackets[n.Depth-1]
		if b.at == i {
			b.open, b.least = open, open
		}
		b.least = min(b.least, open)
	}
	w.open = open
}

// Plan: a bracket that is never closed ends a bare reference. But this is known only at
// the end of the run, or when maxNest brackets are open. If the text in front of the
// bracket is not a reference, as in {foo://&&{foo://&&, the scan from the next colon
// meets the same brackets. So the scanner stores where the last scan stopped, and which
// brackets were open there. A scan that opens one of these brackets continues where the last scan
// stopped:
//
//	{foo://&&{foo://&&{foo://&& … {foo://&&{foo://&&
//	         1        2             16     ^ stopped, with 16 brackets open
//	                  1 ........... 15     ^ continues, with 15
//
// The result is the same, because while a bracket is open, nothing in it depends on what
// is in front of it, except for
//
//   - the part of the reference that the bracket is in. It must be the same for both
//     scans, and not the authority, where a scan searches for a host;
//   - the partner of the bracket in front of the reference. So there is a nest for each
//     kind of that bracket. It counts how many brackets of that kind are open. For each open
//     bracket it keeps the lowest count since that bracket was opened;
//   - a drive letter, which the beginning of the reference decides, and an escaped bracket, whose
//     opener may be in front (forget);
//   - the depth: a scan that has more brackets open than the earlier one had there does
//     not continue from it.

// nests has the nests of the scans that stopped last: one for each kind of bracket in
// front of a reference, one for everything else, and a spare one.
type nests struct {
	kept  [4]*nest
	Spare *nest
}

// newNests returns nests that are all empty.
func newNests() nests {
	return nests{kept: [4]*nest{new(nest), new(nest), new(nest), new(nest)}, Spare: new(nest)}
}

// clear empties all nests.
func (ns *nests) clear() {
	for _, n := range ns.kept {
		n.Depth = 0
	}
}

// of returns the place of the nest for references that follow the byte before.
func (ns *nests) of(before byte) **nest {
	switch before {
	case '(':
		return &ns.kept[1]
	case '[':
		return &ns.kept[2]
	case '{':
		return &ns.kept[3]
	}
	return &ns.kept[0]
}

// keep stores the open brackets of the scan w, which stopped at the byte stop, if there are any.
func (ns *nests) keep(w *scanState, stop int, before byte) {
	n := w.nest
	if n.lost {
		n.Depth = 0
	}
	if n.Depth == 0 {
		return
	}
	n.stop, n.open, n.component, n.Escaped = stop, w.open, w.Component, w.Escaped
	if n == ns.Spare {
		k := ns.of(before)
		*k, ns.Spare = n, *k
	}
}

// resume returns where the scan w, which has reached b[i], may continue. If an earlier
// scan had the innermost bracket of w open in the same state, w may continue where the
// earlier scan stopped; otherwise resume returns i.
func (ns *nests) resume(w *scanState, i int, before byte) int {
	n, old := w.nest, *ns.of(before)
	if n == old || n.Depth == 0 || n.lost {
		return i
	}
	own := n.Depth - 1
	last := n.brackets[own]
	k := own
	for k < old.Depth && old.brackets[k].at < last.at { // at most maxNest
		k++
	}
	if k >= old.Depth || old.brackets[k].at != last.at || old.brackets[k].component != last.component || last.component == inAuthority {
		return i
	}
	shift := last.open - old.brackets[k].open
	if shift != 0 {
		for _, b := range old.brackets[k:old.Depth] {
			if b.least+shift < 0 {
				return i // the partner of the bracket in front of the reference is between i and old.stop
			}
		}
	}
	old.Depth = own + copy(old.brackets[own:], old.brackets[k:old.Depth])
	copy(old.brackets[:own], n.brackets[:own])
	if shift != 0 {
		for j := own; j < old.Depth; j++ {
			old.brackets[j].open += shift
			old.brackets[j].least += shift
		}
	}
	w.nest, w.open, w.Component, w.Escaped = old, old.open+shift, old.component, w.Escaped || old.Escaped
	old.lost = false
	return old.stop
}

// Plan: text that looks like a bare reference but is none is rejected early. Otherwise a
// run such as http://?u=http://?u= would be scanned to its end from each of its colons, in
// quadratic time. So each reason for which rules.begins rejects a reference is
// checked as soon as the bytes that decide it are there. They are in front of the next
// colon, or within needLen:
//
//   - what must follow an opaque scheme, before the scan (failsNeed);
//   - the first labels of an abbreviated reference, before the scan (unnamed);
//   - a host, when the scan has reached the end of the authority (hostless).
//
// rules.begins makes the same checks. Here they are made for the longest text that the
// reference can have, so it does not matter where the reference would have ended. In one other
// case a long scan gives a short reference: a bracket that is never closed; see nests.
//
// Rejected text is not skipped, even if it is longer than MaxLen: the search continues
// after its colon.

// hostCheckAt returns what a scan from b[body] on must check for the reference at b[lo].
// refanged says that the reference counts only in its refanged form.
func (s *endFinder) hostCheckAt(b []byte, lo, body int, w *scanState) (check hostCheck, refanged bool) {
	if w.Component != inAuthority || body == lo || body >= len(b) {
		return noHost, false
	}
	n := schemeEnd(b[lo:body])
	h := traitsOf(b[lo : lo+n])
	if b[lo+n] == '[' || b[lo+n] == '(' {
		refanged = true
		for _, d := range defangedSchemes { // each of them stands for a scheme with a host
			if foldEqual(b[lo:lo+n], d.As) {
				h = hosts
			}
		}
	}
	if h&hosts != 0 {
		check = hostAhead
	}
	return check, refanged
}

// hostless reports whether the reference with the authority b[body:end] is rejected
// because it has no host. The scan w has left the authority. hostless is called once or twice
// for each authority.
func (s *endFinder) hostless(b []byte, body, end int, w *scanState) bool {
	switch {
	case w.Host == hostInCut:
		return w.nest.Depth == 0
	case s.hosted(b[body:end], w):
		w.Host = noHost
	case w.nest.Depth == 0 || !s.hosted(b[body:w.nest.brackets[0].at], w):
		return true
	default:
		w.Host = hostInCut
	}
	return false
}

// hosted reports whether the raw authority has a host in any of its readings.
func (s *endFinder) hosted(authority []byte, w *scanState) bool {
	if w.Escaped {
		s.Text, _ = undo(s.Text[:0], authority, w.entities)
		authority = s.Text
	}
	if s.Defanged {
		var ok bool
		if s.Ref, ok = refang(s.Ref[:0], authority); (ok || w.Refanged) && hasHost(s.Ref) {
			return true
		}
	}
	return !w.Refanged && hasHost(authority)
}

// failsNeed reports whether the text after the opaque scheme b[lo:body-1] certainly lacks what
// the scheme needs there. It examines needLen bytes, raw and decoded. whole says that no
// more bytes follow b. If it cannot decide yet, it returns false.
func (s *endFinder) failsNeed(b []byte, lo, body int, w *scanState, set schemeSet, whole bool) bool {
	if w.Component == inAuthority || set == any || body-lo <= 2 || len(b)-body < needLen || b[body-1] != ':' || b[body] == '/' {
		return false
	}
	h := traitsOf(b[lo : body-1])
	n, rest := h.need(), b[body:]
	if h&opaque == 0 || n.metBy(rest, set == usual) {
		return false
	}
	defanged := s.Defanged
	switch {
	case !hasEscape(rest[:needLen], defanged):
		return true
	case !whole && len(rest) < needLen*maxEscape:
		return false // escapes are longer than what they mean, so more bytes may be within needLen
	case defanged && bytes.HasPrefix(s.decodedStart(rest, 2, true), []byte("//")):
		return false // after "//" a letter or digit is enough
	case !n.mayBeEscaped(rest[:min(len(rest), needLen*maxEscape)], defanged):
		return true
	case n == needGroup || n == needAtOrDot: // each escape may be what they need, and decoding takes longer than a scan
		return false
	}
	bare := set == usual
	return !n.metBy(s.decodedStart(rest, needLen, false), bare) && !(defanged && n.metBy(s.decodedStart(rest, needLen, true), bare))
}

// decodedStart returns the beginning of b with its escapes of JSON decoded and, if defanged is
// set, its defanged spellings. It stops when it has at least limit bytes, or at a byte that ends
// every reference. The result is in a buffer that the next call overwrites.
func (s *endFinder) decodedStart(b []byte, limit int, defanged bool) []byte {
	s.Text = s.Text[:0]
	for i := 0; i < len(b) && len(s.Text) < limit && !roles[b[i]].has(ends); {
		if !defanged {
			if n := min(untilHalt(b[i:]), limit-len(s.Text)); n > 0 {
				s.Text = append(s.Text, b[i:i+n]...)
				i += n
				continue
			}
		} else {
			if n, _ := defangedSpelling(b[i:]); n > 0 {
				s.Text = append(s.Text, original(b[i:i+n])...)
				i += n
				continue
			}
		}
		if b[i] == '\\' {
			if e, v := backslashAt(b, i, true); v == yes {
				s.Text = e.appendTo(s.Text)
				i += e.n
				continue
			}
		}
		s.Text = append(s.Text, b[i])
		i++
	}
	return s.Text
}

// unnamed reports whether t, which begins with an abbreviation, is certainly neither a host of
// three labels nor a reference with a scheme. It examines the first three labels of t. whole says
// that no more bytes follow t.
func (s *endFinder) unnamed(t []byte, whole bool) bool {
	scheme, n := abbreviates(t)
	if scheme != "" || n == len(t) {
		return false
	}
	if n = schemeEnd(t); len(t)-n < len("://")*maxEscape {
		return false
	}
	defanged := s.Defanged
	if hasEscape(t[n:n+2], defanged) {
		if !whole && len(t) < 2*maxScheme*maxEscape {
			return false
		}
		t = s.decodedStart(t, 2*maxScheme, defanged)
		n = schemeEnd(t)
	}
	return n > maxScheme || n >= len(t) || t[n] != ':' || !hasSlashes(t[n:]) && !s.Rules.knows(t[:n], traitsOf(t[:n]))
}

// Which punctuation at the end of a bare reference belongs to the sentence (rule 7). The
// documents have no rule, since all of these characters are legal in a URL. Sentences end
// with them, so they are treated as part of the sentence. The reading WithTail has them.

// trim returns where the reference b[start:end] ends without the punctuation of the
// sentence (rule 7). b[before:start] is the prefix of the reference, or empty: the marks in front
// of b[before] may be repeated at the end. One pass goes forwards over the brackets, one backwards
// over the tail.
func trim(b []byte, start, end, before int) int {
	partnered, whole := lastPartnered(b[start:end])+start, end
	least := max(0, before-maxDoubles)
	marks := before
	for marks > least && bytes.IndexByte(doubles, b[marks-1]) >= 0 && (marks == before || isEmphasis(b[marks-1])) {
		marks--
		if !isEmphasis(b[marks]) {
			break
		}
	}
	if inWord(b[:marks]) { // url=http://a/?q= : the mark belongs to the name in front of it
		marks = before
	}
	if end < len(b) && b[end] == '>' && end-start > len("--") && b[end-1] == '-' && b[end-2] == '-' {
		end -= len("--") // a comment of HTML ends here
	} else if end < len(b) && b[end] == '>' && end-start > 1 && (b[end-1] == '-' || b[end-1] == '=') {
		end-- // an arrow begins here
	}
	for end > start { // each iteration removes a byte, or ends the loop
		if k := withoutMark(b, start, end, whole); k < end {
			end = k
			continue
		}
		switch c := b[end-1]; c {
		case '.', ',', ':', '!', '?', '\'':
			end--
			continue
		case ';':
			if end--; end-start >= len("&amp") && string(b[end-len("&amp"):end]) == "&amp" { // the usual case
				end -= len("&amp")
				continue
			}
			for _, name := range tailEntities {
				if foldSuffix(b[start:end], name) {
					end -= len(name)
					break
				}
			}
			continue
		case ')':
			if end-1 > partnered {
				if end--; bytes.HasSuffix(b[start:end], []byte(":-")) || bytes.HasSuffix(b[start:end], []byte(";-")) {
					end -= len(":-") // a smiley
				}
				continue
			}
		case '(': // a phrase in brackets begins
			end--
			continue
		case '&':
			if endsAtBlank(b, start, end, whole) {
				end--
				continue
			}
		case '%':
			end--
			continue
		case '\\', '^': // the mark that was escaped is text, and so is the escape
			if end < whole && (c == '\\' || b[end] == '&') && strings.IndexByte(escapable, b[end]) >= 0 && !inDrive(b[start:end]) {
				end--
				continue
			}
		default:
			if bytes.IndexByte(b[marks:before], c) >= 0 {
				end--
				continue
			}
			if k := withoutColour(b, start, end); k < end {
				end = k
				continue
			}
			if isEmphasis(c) {
				n := 1
				for end-n > start && b[end-n-1] == c {
					n++
				}
				if openedEarlier(earlierOnLine(b, before), c, n) {
					end -= n
					continue
				}
			}
			if c >= utf8.RuneSelf {
				if bytes.HasSuffix(b[start:end], softHyphen) {
					end -= len(softHyphen)
					continue
				}
				if k := withoutSymbols(b, start, end, before); k < end {
					end = k
					continue
				}
				if k := withoutParticle(b, start, end); k < end {
					end = k
					continue
				}
			}
			if end-start > 2 && b[end-2] == '%' && isHex(c) && !isVerb(c) { // half an escape
				end -= 2
				continue
			}
		}
		break
	}
	return end
}

// withoutMark returns where b[start:end] ends without the escape \uXXXX or \\uXXXX at its end, if that is a mark of
// the sentence. The reference without its tail taken off ends at b[whole].
func withoutMark(b []byte, start, end, whole int) int {
	k := end - len(`\u0000`)
	if k <= start || b[k] != '\\' {
		return end
	}
	for k-1 > start && b[k-1] == '\\' { // bounded by the run of backslashes
		k--
	}
	switch e, _ := backslashAt(b[:end], k, true); e.r {
	case '.', ',', ';', ':', '!', '?', '\'':
		return k
	case '&':
		if endsAtBlank(b, start, k, whole) {
			return k
		}
	}
	return end
}

// endsAtBlank reports whether an "&" at the end of b[start:end] is text (rule 37): there is no query, and
// a blank follows.
func endsAtBlank(b []byte, start, end, whole int) bool {
	return whole < len(b) && roles[b[whole]].has(blank) && bytes.IndexByte(b[start:end], '?') < 0
}

// withoutSymbols returns where b[start:end] ends without the run of symbols at its end (rule 31). The
// run stays unless a letter or digit is in front of it, or the same symbol is in front of b[before].
func withoutSymbols(b []byte, start, end, before int) int {
	k, first := end, rune(0)
	for k > start {
		r, n := utf8.DecodeLastRune(b[start:k])
		if !isFinalSymbol(r) {
			break
		}
		k, first = k-n, r
	}
	if k == end || k == start {
		return end
	}
	left, _ := utf8.DecodeLastRune(bytes.TrimSuffix(b[start:k], softHyphen))
	opener, _ := utf8.DecodeLastRune(b[max(0, before-utf8.UTFMax):before])
	if isOfWord(left) || first == opener {
		return k
	}
	return end
}

// withoutColour returns where b[start:end] ends without the colour sequence at its end.
func withoutColour(b []byte, start, end int) int {
	if c := b[end-1]; c != 'm' && c != 'K' {
		return end
	}
	k := end - 1
	for k > start && (roles[b[k-1]].has(digit) || b[k-1] == ';' || b[k-1] == ':') {
		k--
	}
	if k-2 >= start && b[k-1] == '[' && b[k-2] == 0x1B {
		return k - 2
	}
	return end
}

// lineReach is how far back on its line what stands in front of a reference matters.
const lineReach = 1024

// earlierOnLine returns what is in front of b[at] on its line, or the last lineReach bytes of it.
func earlierOnLine(b []byte, at int) []byte {
	b = b[max(0, at-lineReach):at]
	if bytes.IndexByte(b, '\n') < 0 { // in long lines this is much faster
		return b
	}
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// openedEarlier reports whether line, which is in front of a reference, has n marks of emphasis c that
// open a phrase and are not closed (rule 27). Marks open a phrase after white space, the beginning
// of the line or an opening mark, and in front of something else than a blank.
func openedEarlier(line []byte, c byte, n int) (open bool) {
	for i := bytes.IndexByte(line, c); i >= 0 && i < len(line); { // a byte, or a run of marks, in each iteration
		if line[i] != c {
			i++
			continue
		}
		from := i
		for i < len(line) && line[i] == c {
			i++
		}
		if i-from != n {
			continue
		}
		blankBefore := from == 0 || roles[line[from-1]].has(white)
		blankAfter := i == len(line) || roles[line[i]].has(white)
		switch {
		case open && !blankBefore:
			open = false
		case !open && !blankAfter && (blankBefore || bytes.IndexByte(openingMarks, line[from-1]) >= 0):
			open = !(c == '_' && from >= len(".. ") && len(bytes.TrimLeft(line[:from], " \t")) == len(".. ") && bytes.HasSuffix(line[:from], []byte(".. "))) // a target of reStructuredText
		}
	}
	return open
}

// openingMarks are the marks after which emphasis may begin.
var openingMarks = []byte("([{<\"'*_~>")

// particles are Korean particles that follow a word directly (rule 33).
var particles = [...]string{"에서", "으로", "을", "를", "이", "가", "은", "는", "에", "로", "와", "과", "의", "도"}

// withoutParticle returns where b[start:end] ends without the particle after an ASCII letter or digit
// at its end.
func withoutParticle(b []byte, start, end int) int {
	for _, p := range particles {
		k := end - len(p)
		if k > start && roles[b[k-1]].has(alnum) && string(b[k:end]) == p {
			return k
		}
	}
	return end
}

// maxDoubles is how many marks in front of a reference are examined.
const maxDoubles = 4

// doubles are the marks that are removed at the end if the same mark is in front:
// emphasis, tables, rules.
var doubles = []byte("*_~|-=")

// isEmphasis reports whether c is a mark of emphasis. Such marks may be nested: *_x_*.
func isEmphasis(c byte) bool { return c == '*' || c == '_' || c == '~' }

// tailEntities are entities, without ";", that do not belong to a reference at its end.
var tailEntities = [...]string{"&amp", "&apos", "&#39", "&#x27"}

// lastPartnered returns the index of the last ")" in ref whose opening partner is in ref,
// or -1. No ")" after that index has a partner.
func lastPartnered(ref []byte) int {
	last, open := -1, 0
	for i := bytes.IndexByte(ref, '('); i >= 0 && i < len(ref); i++ {
		switch ref[i] {
		case '(':
			open++
		case ')':
			if open > 0 {
				open--
				last = i
			}
		}
	}
	return last
}

// isVerb reports whether "%" and c are probably a verb of a format string (%d) and not half of
// an escape. Programs that escape usually write capital letters.
func isVerb(c byte) bool { return 'a' <= c && c <= 'f' }
