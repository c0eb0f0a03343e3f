package redact

import "strings"

// A glyph is a character of the view.
type glyph struct {
	start  int32  // offset of its spelling in the text; it ends where the next glyph begins
	char   byte   // for other than ASCII, a byte of its UTF-8, or notASCII
	levels levels // the levels undone to get it; if parts of its spelling differ, the largest of them
	least  levels // the levels that all parts of its spelling have
}

// notASCII represents an escaped character outside ASCII. Like any byte that is not
// ASCII, it delimits nothing.
const notASCII = 0xFF

// isWord reports whether c is a letter or a digit.
func isWord(c byte) bool { return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z' }

// A glyphView is the view of a text in one round, and the rules by which its characters end a
// reference.
type glyphView struct {
	single bool    // the text is one reference, whatever characters it has
	glyphs []glyph // the view
}

// An escape is the text that some glyphs represent.
type escape struct {
	text  [3]byte
	size  int
	kind  escaping
	ended bool // white space follows that may be part of the escape
}

// one returns the escape that represents one character or one byte.
func one(c byte, k escaping) escape { return escape{text: [3]byte{c}, size: 1, kind: k} }

// means reports whether c matters here: as a delimiter, or as the beginning of an escape.
// Spellings that look like ordinary text are undone only if they represent such a
// character.
func means(c byte) bool { return strings.IndexByte(`:/@\%&#?=+;[]{}`, c) >= 0 }

// begins reports whether glyphs begins with text, ignoring case. text is in lower case.
func begins(glyphs []glyph, text string) bool {
	if len(glyphs) < len(text) {
		return false
	}
	for i := range len(text) {
		if lower(glyphs[i].char) != text[i] {
			return false
		}
	}
	return true
}

// digit returns the value of a hexadecimal digit, or 16.
func digit(c byte) int {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return 16
}

// lower returns an ASCII letter in lower case, and every other byte unchanged.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// spells reports whether view is name, ignoring case.
func spells(view []glyph, name string) bool { return len(view) == len(name) && begins(view, name) }

// isBreak reports whether c is white space that browsers remove from a reference.
func isBreak(c byte) bool { return c == '\n' || c == '\r' || c == '\t' }

// maxPasses is how many levels of escapes are decoded. A text with more is replaced
// completely.
const maxPasses = 10

// view makes r.view from text. It returns false if escapes are left after the last pass.
func (r *glyphView) view(text []byte) bool {
	r.glyphs = r.glyphs[:0]
	for i, c := range text {
		r.glyphs = append(r.glyphs, glyph{start: int32(i), char: c})
	}
	for range maxPasses {
		if !r.undo() {
			return true
		}
	}
	return !r.undo()
}

// undo undoes one level of escapes in place: an escape is never shorter than its text. It reports
// whether there was any escape. Each glyph is visited a bounded number of times, except the digits
// of a numeric entity, which belong to one entity only.
func (r *glyphView) undo() (changed bool) {
	in, n := r.glyphs, 0
	for i := 0; i < len(in); {
		g := in[i]
		size := 0
		if isLead[g.char] {
			var e escape
			e, size = escapeAt(in[i:])
			if size > 0 {
				before := byte(0)
				if n > 0 {
					before = in[n-1].char
				}
				g = merged(in[i:i+size], e)
				n = put(in, n, g, e, before)
				if e.ended { // may be a line end, which browsers remove
					in[i+size].char, in[i+size].levels, in[i+size].least = '\n', g.levels, g.least
				}
				changed = true
			}
		}
		if size == 0 {
			in[n] = g
			n, size = n+1, 1
		}
		i += size
	}
	r.glyphs = in[:n]
	return changed
}

// put writes the text of e into view at n and returns the new length. g has its start and
// levels. before is the character in front.
//
// After a ':' or a slash, a backslash may act as a slash: browsers read http:\u0040 as
// http://u0040. So there, put keeps the backslash of an escape such as "\u0040" in front of the
// character that it represents.
func put(view []glyph, n int, g glyph, e escape, before byte) int {
	if e.kind == backslash && e.text[0] != '/' && e.text[0] != '\\' && (before == ':' || before == '/' || before == '\\') {
		view[n] = g
		view[n].char = '\\'
		n++
	}
	for i := range e.size {
		view[n] = g
		view[n].char = e.text[i]
		n++
	}
	return n
}

// merged returns the glyph for the escape e that is spelled as glyphs, without its character.
// Some programs escape only the characters of a spelling that a URL must not have: "&#47;"
// becomes "&%2347;", a backslash "%5C", and a wide colon "%EF%BC%9A". So the characters of one
// spelling may have different levels. The level of such a percent escape is left out of the
// field least.
func merged(glyphs []glyph, e escape) glyph {
	g := glyph{start: glyphs[0].start, levels: glyphs[0].levels, least: glyphs[0].least}
	for i := range glyphs[1:] {
		s := &glyphs[1+i]
		if s.levels.size() > g.levels.size() {
			g.levels = s.levels
		}
		if !isWord(s.char) {
			g.least = g.least.common(s.least)
		}
	}
	g.levels = g.levels.under(e.kind)
	if e.kind != percent || e.text[0] < 0x80 && strings.IndexByte(`\[]{}`, e.text[0]) < 0 {
		g.least = g.least.under(e.kind)
	}
	return g
}

// An authority begins after two slashes; after the ':' of a scheme and one slash; after the
// ':' of a scheme that needs no slash in browsers; or with a host that needs no scheme.
// levels are the escapes that all its slashes have; they decide what may end the authority.
type authority struct {
	from    int // the first glyph of the authority
	levels  levels
	colon   bool // the ':' of a scheme is in front
	network bool // a reference may begin with the slashes: they do not continue a path
	named   bool // the host shows that a reference begins here: www.example.org
	slashes int
	scheme  int // the glyph of the ':', if colon is set
}

// A search finds the passwords of a text in one round.
type search struct {
	glyphView
	spans []span // the passwords in the text, in order
	ends  []end  // of the authorities in the view, by their levels
}

// A span is text[lo:hi].
type span struct{ lo, hi int }

// find sets s.spans to the passwords in a text of that length, whose view is s.glyphs. It
// returns false if there are too many ends.
func (s *search) find(length int) bool {
	s.spans, s.ends = s.spans[:0], s.ends[:0]
	view := s.glyphs
	var a authority
	colon := -1 // the first ':' at or after i, if it was searched that far
	for i := 0; i < len(view); {
		g := view[i]
		switch {
		case g.char == '/' || g.char == '\\':
			a.network = i == 0 || !inPath(view[i-1].char) && (a.slashes == 0 || a.network || s.isPassed(view[i-1].char) || g.levels != view[i-1].levels)
			a.join(g, a.slashes == 0)
			a.slashes++
			i++
			continue
		case s.isPassed(g.char) && (a.colon || a.slashes > 0): // browsers remove some of these characters
			i++
			continue
		}
		if (a.slashes < 2 || !a.colon && !a.network) && s.abbreviated(i) {
			a = authority{named: true}
		}
		if a.from = i; a.named || a.slashes > 1 || a.colon && (a.slashes == 1 || g.char != ' ' && lenient(view[:a.scheme])) {
			if len(s.ends) > maxEnds {
				return false
			}
			if colon < i {
				colon = next(view, i, ':')
			}
			if to := s.hide(a, colon, length); to > i {
				i, a = to, authority{}
				continue
			}
		}
		a = authority{}
		if g.char == ':' && i > 0 && endsScheme(view[i-1].char) {
			a = authority{colon: true, scheme: i}
			a.join(g, true) // counts only if there are no slashes
		}
		i++
	}
	return len(s.ends) <= maxEnds
}

// join adds to a the levels of g, a slash or the colon in front of the authority. A backslash has
// no levels here, because it is often the only escaped character: a URL must not contain it.
func (a *authority) join(g glyph, first bool) {
	switch {
	case g.char == '\\':
		a.levels = 0
	case first:
		a.levels = g.least
	default:
		a.levels = a.levels.common(g.least)
	}
}

// hide adds the passwords of a to s.spans. colon is the first ':' of the view from a.from
// on. It returns the glyph at which the search continues: a.from if there is no password.
func (s *search) hide(a authority, colon, length int) (to int) {
	view := s.glyphs
	e := s.endOf(a)
	at := -1
	if e.at >= a.from {
		at = e.at
	}
	// A raw '&' or a quote ends an escaped authority if the account is complete in front
	// of it. Otherwise the rest of an escaped account may follow.
	if e.softAt > colon {
		at = max(e.softAt, e.deepAt)
	}
	to = a.from
	rest := a.from // a host and a port may begin here
	if at >= 0 {
		rest = at + 1
		if colon+1 < at {
			s.add(colon+1, at, length)
			to = at
		}
	}
	if !a.mayHavePort(view) {
		return to
	}
	if a.colon && at > a.from && a.scheme >= 3 && spells(view[a.scheme-3:a.scheme], "ssh") {
		return to // ssh://git@host:path
	}
	stop := e.hard
	if e.soft > rest {
		stop = e.soft
	}
	if rest < e.clear {
		return to
	}
	lo, hi := s.noPort(rest, stop)
	if lo < hi {
		s.add(lo, hi, length)
		return hi
	}
	e.clear = hi
	return to
}

// mayHavePort reports whether a port, or something that looks like one, follows the host
// of a. After the slashes of a path, as in dir//a:b, a colon is part of a name.
func (a *authority) mayHavePort(view []glyph) bool {
	switch {
	case a.named:
		return true
	case a.slashes > 1:
		return a.colon || a.network
	}
	return a.colon && lenient(view[:a.scheme])
}

// add adds the span of the glyphs lo to hi.
func (s *search) add(lo, hi, length int) {
	p := span{int(s.glyphs[lo].start), length}
	if hi < len(s.glyphs) {
		p.hi = int(s.glyphs[hi].start)
	}
	// Glyphs of one escape begin at the same offset: [://] has three.
	if n := len(s.spans); n > 0 {
		p.lo = max(p.lo, s.spans[n-1].hi)
	}
	if p.lo < p.hi {
		s.spans = append(s.spans, p)
	}
}

// maxEnds is the largest number of ends. A text with more is replaced completely.
const maxEnds = 64

// endOf returns the end of a. It scans only what no other authority with the same levels
// has scanned.
func (s *search) endOf(a authority) *end {
	for i := range s.ends { // at most maxEnds
		if e := &s.ends[i]; e.levels == a.levels {
			if e.hard < a.from {
				*e = s.newEnd(a.from, a.levels)
			} else if e.soft < a.from {
				s.soften(e, a.from)
			}
			return e
		}
	}
	s.ends = append(s.ends, s.newEnd(a.from, a.levels))
	return &s.ends[len(s.ends)-1]
}

// next returns the index of the first c in view at or after from, or len(view).
func next(view []glyph, from int, c byte) int {
	for i := from; i < len(view); i++ {
		if view[i].char == c {
			return i
		}
	}
	return len(view)
}

// A reference begins at a scheme, or at a host for which no scheme is needed.

// schemes are those after which browsers expect an authority even without slashes, and
// their defanged spellings (hxxp).
var schemes = [...]string{
	"http", "https", "ftp", "ws", "wss",
	"hxxp", "hxxps", "hxtp", "hxtps", "htxp", "htxps", "hxp", "hxps", "fxp", "fxps", "fxtp",
}

// lenient reports whether view ends with one of schemes, as a whole word.
func lenient(view []glyph) bool {
	for _, name := range schemes {
		n := len(view) - len(name)
		if n >= 0 && spells(view[n:], name) && (n == 0 || !endsScheme(view[n-1].char) && view[n-1].char != '-' && view[n-1].char != '.' && view[n-1].char != '+') {
			return true
		}
	}
	return false
}

// endsScheme reports whether c may be the last character of a scheme, or of an escape in
// it.
func endsScheme(c byte) bool {
	return isWord(c) || c == '*'
}

// labels are first labels of hosts that mark a reference without a scheme. A digit may
// follow.
var labels = [...]string{"www", "web", "ftp", "gopher"}

// abbreviated reports whether a reference without a scheme, such as www.example.org, begins at
// r.glyphs[i]. Such a reference cannot begin within another one.
func (r *glyphView) abbreviated(i int) bool {
	view := r.glyphs
	if i > 0 && (r.single || endsHost(view[i-1].char)) {
		return false
	}
	for _, name := range labels {
		if !begins(view[i:], name) {
			continue
		}
		n := i + len(name)
		if n < len(view) && '0' <= view[n].char && view[n].char <= '9' {
			n++
		}
		return n < len(view) && view[n].char == '.'
	}
	return false
}

// labelEnds reports whether text may end in one of labels.
func labelEnds(text []byte) bool {
	n := len(text)
	if n > 0 && '0' <= text[n-1] && text[n-1] <= '9' {
		n--
	}
	if n == 0 {
		return false
	}
	switch lower(text[n-1]) {
	case 'w', 'b', 'p', 'r':
		return true
	}
	return false
}

// endsHost reports whether c cannot be directly in front of a host name. After '@', the
// host belongs to what is in front of the '@'.
func endsHost(c byte) bool {
	switch c {
	case '-', '+', '.', '_', '@', '%':
		return true
	}
	return isWord(c)
}

// inPath reports whether slashes after c continue a path.
func inPath(c byte) bool {
	switch c {
	case '-', '.', '_', '~':
		return true
	}
	return isWord(c) || c >= notASCII
}

// An end stores where authorities of the same levels end, so that overlapping authorities
// are not scanned again. Each end scans the view once.
type end struct {
	levels levels
	hard   int // the first glyph that ends such authorities
	soft   int // the first glyph that may end an escaped one, at most hard
	at     int // the last '@' in front of hard, or -1
	deepAt int // the last '@' in front of hard that is escaped, or -1
	softAt int // the last '@' in front of soft, or -1
	clear  int // up to this glyph, no port may be the beginning of a password
}

// newEnd scans an authority that begins at from and has those levels up to its end.
func (r *glyphView) newEnd(from int, of levels) end {
	e := end{levels: of, hard: len(r.glyphs), at: -1, deepAt: -1}
	for i := from; i < len(r.glyphs); i++ {
		g := r.glyphs[i]
		switch g.char {
		case '/', '?', '#':
			if g.levels.within(of) {
				e.hard = i
				r.soften(&e, from)
				return e
			}
		case '@':
			if !r.isAt(i, of) {
				continue
			}
			e.at = i
			if g.levels != 0 {
				e.deepAt = i
			}
		}
	}
	r.soften(&e, from)
	return e
}

// soften finds the soft end of e at or after from. In an escaped authority, the soft end is the
// first gap or separator of query parameters. Otherwise, or without these, the soft end is the hard
// end.
func (r *glyphView) soften(e *end, from int) {
	e.softAt = -1
	for e.soft = from; e.soft < e.hard; e.soft++ {
		g := r.glyphs[e.soft]
		if g.char == '@' && r.isAt(e.soft, e.levels) {
			e.softAt = e.soft
		}
		if e.levels != 0 && (g.char == '&' && isParameter(r.glyphs[e.soft:]) || r.isGap(g)) {
			return
		}
	}
}

// isAt reports whether the '@' at r.glyphs[i] may end an account of an authority with those
// levels. "=40" may also begin the value of a parameter (?width=400). So it counts as '@' only
// if the slashes are quoted-printable too.
func (r *glyphView) isAt(i int, of levels) bool {
	return !r.glyphs[i].levels.has(quoted) || of.has(quoted)
}

// isParameter reports whether view begins with a raw '&', a parameter name and '='.
func isParameter(view []glyph) bool {
	if view[0].levels != 0 {
		return false
	}
	const longest = 40
	for i := 1; i < min(len(view), longest); i++ {
		switch c := view[i].char; {
		case c == '=':
			return i > 1
		case !isWord(c) && c != '_' && c != '-' && c != '.':
			return false
		}
	}
	return false
}

// noPort examines the port in r.glyphs[from:stop], which begins with a host. If the port has a
// letter, noPort returns the bounds of this text: it may be the beginning of a password that is cut
// at a line end, as in http://u:pa. Text of digits and signs is a port followed by the punctuation
// of a sentence. An IPv6 address without brackets has no port. If there is no password, lo and hi
// are the end of the host and its port.
func (r *glyphView) noPort(from, stop int) (lo, hi int) {
	view := r.glyphs
	hi = from
	for hi < stop && !r.isGap(view[hi]) {
		hi++
	}
	for hi > from && view[hi-1].char == ':' { // the ':' of a scheme: what follows it is examined next
		hi--
	}
	lo = from + literal(view[from:hi])
	for lo < hi && view[lo].char != ':' {
		lo++
	}
	lo++
	letter, colons, address := false, 0, true
	for i := from; i < hi; i++ {
		c := view[i].char
		if c == ':' {
			colons++
		}
		address = address && (c == ':' || digit(c) < 16)
		letter = letter || i >= lo && (c >= notASCII || c == '%' || 'a' <= lower(c) && lower(c) <= 'z')
	}
	if !letter || address && colons > 1 {
		return hi, hi
	}
	return lo, hi
}

// literal returns the length of the IPv6 address in brackets at the beginning of view, or
// 0.
func literal(view []glyph) int {
	if len(view) == 0 || view[0].char != '[' {
		return 0
	}
	zone := false
	for i, g := range view[1:] {
		switch {
		case g.char == ']':
			return i + 2
		case g.char == '%':
			zone = true // the name of a zone may have any letters
		case digit(g.char) > 15 && g.char != ':' && g.char != '.' && !zone:
			return 0
		}
	}
	return 0
}

// isGap reports whether g ends a reference in ordinary text. In a text that is one
// reference there are no gaps.
func (r *glyphView) isGap(g glyph) bool {
	if r.single {
		return false
	}
	switch g.char {
	case ' ', '\t', '\r', '\n', '"', '<', '>':
		return g.levels == 0
	}
	return false
}

// isPassed reports whether c may be between the slashes of a reference: a control
// character or, if spaces do not end the reference, a space.
func (r *glyphView) isPassed(c byte) bool { return c < ' ' || c == 0x7F || c == ' ' && r.single }
