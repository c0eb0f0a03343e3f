package delimit

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// The layers of the scanner are matcher, fastMatcher (fastpath.go) and searcher (search.go). Each has the
// one before it as a field.

// A matcher finds the candidate at a colon, or at another trigger.
type matcher struct {
	opts Options
	window
	endFinder

	skipping      bool     // a bare run that is too long is being skipped
	skipped       [2]int64 // number of these runs, and of their bytes
	messageIDLine int64    // line of the last Message-ID; see extra.go

	// For each pair of quotation marks, the index in Buf up to which there is no
	// closing mark.
	unpaired [len(pairs)]int

	bracketed bracketedText // content of the brackets around the current reference, if that is more than the reference
	cut       []byte        // buffer for text in front of a space
	elsewhere otherEnds     // of the current bare reference
}

// counts reports whether text counts as a reference. text is the content of a wrapper that mark
// opens, or bare if mark is 0. ref is text in absolute form: text itself if by is 0, otherwise what
// the extra in by makes of text.
func (s *matcher) counts(text []byte, set schemeSet, mark byte, e *enclosure) (ref []byte, by Extra, ok bool) {
	if s.opts.Extras&Defanged != 0 {
		if s.Ref, ok = refang(s.Ref[:0], text); ok {
			if _, ok = s.Rules.begins(s.Ref, set); ok {
				return s.Ref, Defanged, true
			}
		}
		switch n, also, v := defangedName(text, true); {
		case v != yes:
		case also == Abbreviated:
			s.Ref, _ = refang(append(s.Ref[:0], "http://"...), text)
			return s.Ref, Defanged | also, true
		case n == len(text):
			s.Ref, _ = refang(append(s.Ref[:0], "mailto:"...), text)
			return s.Ref, Defanged | also, true
		}
	}
	if set == usual {
		switch mark {
		case '<':
			set = angled
		case '"':
			set = quoted
		}
	}
	// White space restricts what a prefix allows: <URL: see the page> has no reference,
	// and no scheme extends over several words.
	if set == any && e.Gaps > 0 {
		set = angled // even after a prefix, a sentence is not a scheme
	}
	if _, ok = s.Rules.begins(text, set); ok {
		return text, 0, true
	}
	if s.opts.Extras&Abbreviated != 0 {
		if scheme, _ := abbreviates(text); scheme != "" {
			s.Ref = append(append(s.Ref[:0], scheme...), text...)
			return s.Ref, Abbreviated, true
		}
	}
	if set == any && mark == '<' && (isRelative(text) || s.opts.Article && e.Gaps == 0 && isMessageID(text)) {
		return text, 0, true
	}
	return nil, 0, false
}

// spanOf returns the span of Buf[lo:hi].
func spanOf(w *window, lo, hi int) Span {
	return Span{w.Base + int64(lo), w.Base + int64(hi)}
}

// A bracketedText is the content of brackets that hold a reference and more. It is Buf[lo:hi],
// without the white space at its ends. The zero value is none.
type bracketedText struct {
	lo, hi int
	quoted quotePrefix // of the line that opened it
}

// Most colons belong to "scheme://". The others belong to prefixes or to schemes that prose uses
// without slashes, or are the last byte of a line within a wrapper. The search back is bounded by
// maxScheme and by the end of the last candidate, so that no two candidates overlap.

// atColon examines what is around the colon at Buf[i]. If it returns yes, c is set, and
// SearchFrom is after the candidate. If it returns no, the colon is text or is in a run that is
// too long; in the second case skipping is set.
func (s *matcher) atColon(i int, c *Candidate) answer {
	b := s.Buf[:s.End]
	if b[i] != ':' {
		return s.written(i, c)
	}
	if i+1 == len(b) {
		return atEnd(s.Err != nil)
	}
	lo, run, clipped := schemeBefore(&s.window, i)
	next := b[i+1]
	if lo == i {
		if next == '/' && roles[b[max(i-1, 0)]].has(white) {
			return s.broken(i, i, c)
		}
		return no
	}
	slashed := false
	width := 0 // of the slashes
	if next == '/' || next == '\\' || next == '&' {
		n, _, v := slashesAt(b, i+1, s.Err != nil)
		if v == more {
			return more
		}
		slashed, width = v == yes, n
	}
	scheme := b[lo:i]
	switch {
	case isPrefix(scheme) && (!wordBefore(b[:lo]) || lo == run && colourBefore(&s.window, lo)):
		if slashed { // "URL://http://a/" occurs too
			k := i + 1 + width
			if k+schemeEnd(b[k:])+3 > len(b) && s.Err == nil {
				return more
			}
			if startsAdjacent(b[k:]) {
				i += width
			}
		}
		return s.prefixed(lo, i, c)
	case slashed:
		return s.beforeSlashes(lo, i, run, clipped, c)
	case clipped:
		return no
	case (next == '/' || next == '\\' && i+2 < len(b) && b[i+2] == '/') && wordEnd(scheme, "file"): // "\/" in JSON
		return s.reference(i-len("file"), i, usual, c)
	case roles[next].has(white) || next == '\\':
		return s.split(lo, i, c)
	}
	if at := s.Rules.opaqueIn(b, lo, i); at >= 0 {
		if next == '/' { // bare: two words with a slash between them, news:/mail:
			return s.split(at, i, c)
		}
		return s.reference(at, i, usual, c)
	}
	if i-lo > 2 && foldEqual(b[lo:lo+2], "x-") {
		if o, mark := opener(&s.window, outermost(&s.window, lo)); mark == '<' {
			return s.wrapped(o, o+1, angled, '<', c)
		}
	}
	if next == '/' {
		return s.split(lo, i, c)
	}
	return no
}

// beforeSlashes examines the scheme Buf[lo:i], which a colon and slashes follow. If that scheme is
// not registered, its last letters may be http, https or ftp, directly after a word. A scheme that
// white space breaks in two looks unregistered too, until its first part is found. run and clipped
// are results of schemeBefore.
func (s *matcher) beforeSlashes(lo, i, run int, clipped bool, c *Candidate) answer {
	b, at := s.Buf[:i], lo
	if !registered(b[lo:]) {
		if g := schemeAfterWord(b, run); g > lo && wordEndsBefore(b[:g]) {
			at = g
		} else if v := s.broken(lo, i, c); v != no {
			return v
		}
	}
	if i-at < 2 || clipped && at == lo {
		return no
	}
	return s.reference(at, i, usual, c)
}

// written examines what is around the written colon at Buf[i]: a registered scheme, and slashes or a mail
// address.
func (s *matcher) written(i int, c *Candidate) answer {
	b, atEOF := s.Buf[:s.End], s.Err != nil
	n, colon, v := colonAt(b, i, atEOF)
	if v != yes {
		return v
	}
	lo, run, clipped := schemeBefore(&s.window, i)
	if clipped || i-lo < 2 {
		return no
	}
	body := i + n
	w := scanState{Escaped: true}
	slashes, entities, v := slashesAt(b, body, atEOF)
	switch {
	case v == more:
		return more
	case v == yes:
		body += slashes
		w.Component = inAuthority
		if !registered(b[lo:i]) {
			lo = schemeAfterWord(b[:i], run)
		}
	case wordEnd(b[lo:i], "mailto"):
		reach := b[body:min(len(b), body+maxLocal+maxEscape)]
		if bytes.IndexByte(reach, '@') < 0 && !bytes.Contains(reach, []byte("&#64;")) && !bytes.Contains(reach, []byte("\\u0040")) {
			return atEnd(atEOF || len(reach) == maxLocal+maxEscape)
		}
		lo = i - len("mailto")
	default:
		return no
	}
	if lo < 0 {
		return no
	}
	w.entities, w.Scheme = colon || entities, lo
	s.bracketed = bracketedText{}
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, usual, mark, c); v != no {
			return v
		}
	}
	return s.bare(lo, body, lo, w, usual, c)
}

// wordEndsBefore reports whether b ends with text that may precede http, https or ftp
// without being part of the scheme: a word, the end of a sentence, or a line of dashes.
// A single "+" or "-" in front of http is part of a scheme, as in git+https.
func wordEndsBefore(b []byte) bool {
	n := len(b)
	c := b[n-1]
	return roles[c].has(alnum) || c == '.' || n > 1 && (b[n-2] == '+' || b[n-2] == '-' || b[n-2] == '.')
}

// wordEnd reports whether scheme is word, or ends with it after + - or a dot.
func wordEnd(scheme []byte, word string) bool {
	k := len(scheme) - len(word)
	return foldSuffix(scheme, word) && (k == 0 || !roles[scheme[k-1]].has(alnum))
}

// split examines a scheme whose colon is followed by white space, a backslash or a single
// slash. Such a scheme begins a reference only in a wrapper, where a line break between the
// parts is removed.
func (s *matcher) split(lo, i int, c *Candidate) answer {
	if o, mark := opener(&s.window, lo); mark != 0 {
		return s.wrapped(o, o+1, usual, mark, c)
	}
	return no
}

// broken examines a scheme that white space breaks in two in a wrapper, as in
// "<ht\ntp://a/>". Its second part, which may be empty, is Buf[lo:i].
func (s *matcher) broken(lo, i int, c *Candidate) answer {
	least := max(s.Floor, lo-maxLead)
	k := lo
	for k > least && roles[s.Buf[k-1]].has(white) {
		k--
	}
	if k == lo {
		return no
	}
	j := k
	for j > least && roles[s.Buf[j-1]].has(inScheme) {
		j--
	}
	if j == k || (k-j)+(i-lo) > maxScheme {
		return no
	}
	o, mark := opener(&s.window, j)
	if mark == 0 {
		return no
	}
	var whole [maxScheme]byte
	n := copy(whole[:], s.Buf[j:k])
	n += copy(whole[n:], s.Buf[lo:i])
	if !registered(whole[:n]) {
		return no
	}
	return s.wrapped(o, o+1, usual, mark, c)
}

// prefixed examines what follows the prefix "URL:" or "URI:" (rule 5) from Buf[lo] to Buf[i].
func (s *matcher) prefixed(lo, i int, c *Candidate) answer {
	b := s.Buf[:s.End]
	s.bracketed = bracketedText{}
	if o, mark := opener(&s.window, lo); mark != 0 && leads(&s.window, o, lo) {
		if v := s.wrapped(o, i+1, any, mark, c); v != no {
			if v == yes {
				c.Prefixed = true
			}
			return v
		}
	}
	at := i + 1
	for at < len(b) && at-i <= maxLead {
		n := spaceAt(b[at:])
		if n == 0 || b[at] == '\n' || b[at] == '\r' {
			break
		}
		at += n
	}
	if at == len(b) || !utf8.FullRune(b[at:]) {
		return atEnd(s.Err != nil)
	}
	// After a prefix any scheme counts. So if only scheme characters follow up to the
	// next colon, the reference is found at that colon.
	j := at
	for j < len(b) && j-at <= maxScheme && roles[b[j]].has(inScheme) {
		j++
	}
	if j == len(b) {
		return atEnd(s.Err != nil)
	}
	if b[j] != ':' || j-at < 2 || !roles[b[at]].has(alpha) || isPrefix(b[at:j]) {
		return no
	}
	from, w := bodyOf(b, j)
	v := s.bare(at, from, lo, w, any, c)
	if v == yes {
		c.Prefixed = true
	}
	return v
}

// Plan: reference searches for an opener in front of a scheme and tries to read a
// wrapper from there. If there is no wrapper, the opener is text, and the reference is
// bare (rule 13). Both cases end in the same three steps: the text is joined or
// trimmed; counts decides whether it counts as a reference; the Candidate is set, with
// slices of the window or of the buffers.
//
// The scanner does not change before the answer is yes, except for counts of lines and
// what it has stored about brackets and quotation marks. So after the answer more, the
// same colon can be examined again.

// reference finds the form and the end of the reference whose scheme begins at Buf[lo]
// and ends at the colon Buf[colon].
func (s *matcher) reference(lo, colon int, set schemeSet, c *Candidate) answer {
	s.bracketed = bracketedText{}
	scheme := lo
	lo = outermost(&s.window, lo)
	if o, mark := opener(&s.window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, set, mark, c); v != no {
			return v
		}
	}
	from, w := bodyOf(s.Buf[:s.End], colon)
	w.Scheme = scheme
	return s.bare(lo, from, lo, w, set, c)
}

// wrapped makes a candidate of the content of a wrapper. Its opener is Buf[o], and the content
// is read from Buf[k] on. If set is any, there is a prefix in front of Buf[k], and in
// angle brackets the reference may be relative.
func (s *matcher) wrapped(o, k int, set schemeSet, mark byte, c *Candidate) answer {
	most := s.opts.MaxLen + 2*maxLead
	hi := min(s.End, k+most)
	atEOF := s.Err != nil && hi == s.End
	// Nine of ten wrappers contain only a reference, on one line. For these the quote
	// prefix of the opener's line is not needed.
	var (
		m quotePrefix
		e enclosure
		v = yes
	)
	n := untilHalt(s.Buf[k:hi])
	switch {
	case k+n < hi && s.Buf[k+n] == '<': // no wrapper may contain "<", so enclose would return no
		return no
	case n > 0 && k+n < hi && s.Buf[k+n] == closerOf(mark):
		e = enclosure{End: n, After: n + 1}
	default:
		m = quotePrefixOf(s.lineHead(o))
		e, v = enclose(s.Buf[k:hi], mark, &m, s.opts.MaxBreaks, atEOF)
	}
	if v == more && hi == k+most {
		v = no
	}
	if v == yes && mark == '<' && e.End > e.Start && s.Buf[k+e.End-1] == ']' {
		e = s.unlabelled(s.Buf[k:hi], e, &m, set)
	}
	if v != yes || e.End-e.Start > s.opts.MaxLen || e.End == e.Start {
		if v == more {
			return more
		}
		return no
	}
	e.Spaced = e.Gaps > 0 && (mark == '"' || bytes.HasSuffix(s.Buf[:o], linkMark)) // in quotation marks, only a drive may have gaps
	if e.Gaps > maxGaps && !e.Spaced {
		s.bracketed = bracketedText{k + e.Start, k + e.End, m}
		return no
	}
	raw := s.Buf[k+e.Start : k+e.End]
	text := raw
	if e.Joined {
		s.Text = join(s.Text[:0], raw, &m, joiner{JSON: e.JSON, Escape: e.Spaced})
		text = s.Text
	}
	ref, by, ok := s.counts(text, set, mark, &e)
	if !ok {
		return no
	}
	if e.Joined && e.JSON {
		by |= undoneIn(raw)
	}
	line, column := s.lineOf(k + e.Start)
	*c = Candidate{
		Text: text, Ref: ref, Raw: raw, By: by,
		Inner: spanOf(&s.window, k+e.Start, k+e.End), Outer: spanOf(&s.window, o, k+e.After),
		Line: line, Column: column, Breaks: e.Breaks, Form: formOf(mark),
		otherReadings: otherReadings{quoted: m, hyphens: e.Hyphens, json: e.JSON},
	}
	c.Others = s.others(c, &e)
	s.SearchFrom = k + e.After
	return yes
}

// linkMark is what stands in front of the target of a link in Markdown (rule 10).
var linkMark = []byte("](")

// bare makes a candidate of the bare reference that begins at Buf[lo]. The scan of its body
// starts at Buf[body], with the state w. outer is where the prefix of the reference begins, or lo
// if there is no prefix.
func (s *matcher) bare(lo, body, outer int, w scanState, set schemeSet, c *Candidate) answer {
	limit := lo + s.opts.MaxLen + 1
	b := s.Buf[:min(s.End, limit)]
	cut := len(b) == limit
	atEOF := s.Err == io.EOF && !cut // text before an error is not complete
	scheme := max(lo, w.Scheme)
	if whole := cut || atEOF; body == lo && !w.named && s.unnamed(b[lo:], whole) || s.failsNeed(b, scheme, body, &w, set, whole) {
		return no
	}
	s.elsewhere.why = 0
	switch end, v := s.paired(b, outer, lo, atEOF); {
	case v == yes:
		if v := s.finish(lo, end, end, outer, false, set, c); v != no {
			return v
		}
	case v == more && (!cut || end < len(b)): // the last character of the window is incomplete
		return more
	}
	// The byte in front decides where the reference may end: a bracket at its partner, a
	// mark of emphasis at the same mark.
	var before byte
	if outer > 0 {
		before = b[outer-1]
	}
	w.Host, w.Refanged = s.hostCheckAt(b, scheme, body, &w)
	start := w
	end, json, v := s.endOfBare(b, scheme, body, w, before, atEOF, false)
	if end < 0 {
		return no
	}
	if v == more {
		if cut {
			s.skipping = true
			s.skipped[0]++
			s.skipped[1] += int64(limit - lo)
			s.SearchFrom = limit
			return no
		}
		return more
	}
	if w.Component == inAuthority && end < len(b) && !bytes.ContainsAny(b[body:end], "/?#") {
		switch v := s.inHalf(b, scheme, body, end, atEOF || cut); v {
		case yes:
			return no // a part of a host would be a wrong result
		case more:
			return more
		}
	}
	if end < len(b) && b[end] >= utf8.RuneSelf && roles[b[end-1]].has(alnum) || end < len(b) && b[end] >= utf8.RuneSelf && start.Component == inAuthority && !bytes.ContainsAny(b[body:end], "/?#") {
		if end, json, v = s.unspaced(b, outer, scheme, body, end, start, json, before, atEOF, cut); v == more {
			return more
		}
	}
	if end < len(b) && b[end] == '[' && bracketOutside(b[scheme:end+1]) == end-scheme { // a[Title]
		start.grouped = true
		longer, _, v := s.endOfBare(b, scheme, body, start, before, atEOF || cut, true)
		if v == more && !cut {
			return more
		}
		if longer > end {
			s.elsewhere.add(Bracket, trim(b, scheme, longer, outer))
		}
	}
	ref := trim(b, lo, end, outer)
	stop, why, v := s.cutShort(b, lo, scheme, body, ref, end, outer, before, atEOF || cut)
	if v == more {
		return more
	}
	if why != 0 {
		s.elsewhere.add(why, ref)
	}
	if outer > 0 && isCellMark(b[outer-1]) && stop == end && (end == len(b) || isCellMark(b[end])) {
		ref = end // a cell that is one reference keeps its marks
	} else if stop < end {
		ref = trim(b, lo, stop, outer)
	}
	if v = s.finish(lo, ref, stop, outer, json, set, c); v == yes {
		s.endElsewhere(c, lo, ref, json)
	}
	return v
}

// inHalf decides whether the host b[body:end] is only the beginning of a defanged one that is not
// understood, or not to be (rule 41): a spelling of a dot follows, or letters in brackets with more of a
// name after them. If it is defanged itself, or has no dot, blanks around a dot are such a spelling, too.
func (s *matcher) inHalf(b []byte, scheme, body, end int, atEOF bool) answer {
	defanged := s.opts.Extras&Defanged != 0
	rest := b[end:]
	n, short := defangedSpelling(rest)
	switch {
	case !defanged && n > 0:
		return yes
	case short && !atEOF:
		return more
	case !defanged:
		return no
	}
	shut := partnerOf(rest[0])
	if rest[0] == '<' {
		shut = '>'
	}
	if shut != 0 {
		switch mark := len(rest) > 1 && bytes.IndexByte([]byte(",.;:"), rest[1]) >= 0; { // evil[,]example
		case len(rest) == 1, mark && len(rest) < len("[,]x"):
			return atEnd(atEOF)
		case mark && rest[2] == shut && roles[rest[3]].has(alnum):
			return yes
		}
		if shut == '>' { // a tag
			return no
		}
		k := 1
		for k < len(rest) && k <= len("colon") && roles[rest[k]].has(alpha) {
			k++
		}
		switch {
		case k+1 >= len(rest):
			return atEnd(atEOF)
		case k > 1 && rest[k] == shut && roles[rest[k+1]].has(alnum):
			return yes
		}
		return no
	}
	k := 0
	for k < len(rest) && k < maxLead && roles[rest[k]].has(blank) {
		k++
	}
	if k == len(rest) {
		return atEnd(atEOF)
	}
	_, spelled := refang(s.Ref[:0], b[scheme:end])
	if k == 0 || rest[k] != '.' && rest[k] != '[' && rest[k] != '(' || !spelled && bytes.IndexByte(b[body:end], '.') >= 0 {
		return no
	}
	n, short = 1, false
	if rest[k] != '.' {
		if n, short = defangedSpelling(rest[k:]); short && !atEOF {
			return more
		}
	}
	k += n
	for k < len(rest) && k < maxLead && roles[rest[k]].has(blank) {
		k++
	}
	if k == len(rest) {
		return atEnd(atEOF)
	}
	return yes.and(n > 0 && roles[rest[k]].has(alnum))
}

// unspaced decides about the character beyond ASCII at which the scan has ended, at b[end]: whether
// the reference goes on there, because its frame does (rule 25). It stores the other reading.
func (s *matcher) unspaced(b []byte, outer, scheme, body, end int, w scanState, json bool, before byte, atEOF, cut bool) (int, bool, answer) {
	r, _ := utf8.DecodeRune(b[end:])
	host := w.Component == inAuthority && !bytes.ContainsAny(b[body:end], "/?#")
	if m := effectOf(r); m != unspacedLetter && !(host && (m == symbol || isIDNADot(r))) {
		return end, json, yes
	}
	w.whole = true
	longer, also, v := s.endOfBare(b, scheme, body, w, before, atEOF || cut, true)
	switch {
	case v == more && !cut:
		return 0, false, more
	case longer <= end:
		return end, json, yes
	case host:
		why := InHost
		if isIDNADot(r) {
			why = IDNADot
		}
		s.elsewhere.add(why, trim(b, scheme, longer, outer))
		return end, json, yes
	}
	switch framed(b, outer, longer, atEOF || cut) {
	case more:
		return 0, false, more
	case yes:
		s.elsewhere.add(Script, trim(b, scheme, end, outer))
		return longer, also, yes
	}
	s.elsewhere.add(Script, trim(b, scheme, longer, outer))
	return end, json, yes
}

// cutShort returns where the bare reference b[lo:end] ends by what stands in front of it and inside
// it: endings of words and colons in the host (rule 33), brackets and comments that were opened
// earlier on the line (rules 34 and 35), and fields that follow a comma (rule 37). body is where its
// authority or path begins, ref where it ends without its tail, outer where its prefix begins, and
// before is the byte there. The reading why has the other text. Each check is one pass over the reference.
func (s *matcher) cutShort(b []byte, lo, scheme, body, ref, end, outer int, before byte, atEOF bool) (at int, why Reading, v answer) {
	at = end
	if k := s.hostEnd(b, scheme, body, ref); k < ref {
		at, why = k, Possessive
	}
	if k := unpartnered(b[body:at]); k >= 0 && body+k < ref && before != '(' && isOpen(earlierOnLine(b, outer)) {
		at, why = body+k, Bracket
	}
	for _, m := range comments {
		if k := bytes.Index(b[body:min(at+1, len(b))], []byte(m.closer)); k >= 0 && body+k < at {
			k += body
			if bytes.HasSuffix(b[:outer], []byte(m.opener)) {
				at = k
				continue
			}
			if !opensComment(earlierOnLine(b, outer), m.opener) {
				continue
			}
			next := k + len(m.closer)
			if next == len(b) {
				if !atEOF {
					return 0, 0, more
				}
			} else if roles[b[next]].has(alnum) || b[next] == '/' || b[next] >= utf8.RuneSelf {
				continue
			}
			at = k
		}
	}
	for k := bytes.IndexByte(b[body:at], ','); k >= 0; {
		k += body + 1
		if n := fieldName(b[k:at]); n > 0 && startsAdjacent(b[k+n:at]) {
			at, why = k-1, PastComma
			break
		}
		next := bytes.IndexByte(b[k:at], ',')
		if next < 0 {
			break
		}
		k += next - body
	}
	if before == ',' && why == 0 {
		if k := bytes.IndexByte(b[body:at], ','); k >= 0 && fieldFollows(b[lo:at], body+k-lo, byteAt(b, at)) {
			at, why = body+k, PastComma
		}
	}
	return at, why, yes
}

// byteAt returns b[i], or 0 after its end.
func byteAt(b []byte, i int) byte {
	if i < len(b) {
		return b[i]
	}
	return 0
}

// fieldName returns the length of "name=" at the beginning of b, or 0.
func fieldName(b []byte) int {
	n := 0
	for n < len(b) && n < maxScheme && (roles[b[n]].has(alnum) || b[n] == '_' || b[n] == '-' || b[n] == '.') {
		n++
	}
	if n == 0 || n == len(b) || b[n] != '=' {
		return 0
	}
	return n + 1
}

// comments are the marks around comments of programs that may be part of a reference.
var comments = [...]struct{ opener, closer string }{{"/*", "*/"}, {"(*", "*)"}, {"{#", "#}"}}

// opensComment reports whether line has the opener of a comment, at its beginning or after white
// space or the end of a statement.
func opensComment(line []byte, opener string) bool {
	for k := len(line) - len(opener); k >= 0; k-- {
		if line[k] == opener[0] && line[k+1] == opener[1] && (k == 0 || roles[line[k-1]].has(white) || bytes.IndexByte([]byte(";{}"), line[k-1]) >= 0) {
			return true
		}
	}
	return false
}

// unpartnered returns the index of the first ")" in ref without a partner in ref, or -1. A bracket
// with a backslash in front of it is none.
func unpartnered(ref []byte) int {
	open := 0
	for i := bytes.IndexAny(ref, "()"); i >= 0 && i < len(ref); i++ {
		switch {
		case i > 0 && ref[i-1] == '\\':
		case ref[i] == '(':
			open++
		case ref[i] == ')':
			if open--; open < 0 {
				return i
			}
		}
	}
	return -1
}

// isOpen reports whether a "(" in line is not closed in it.
func isOpen(line []byte) bool {
	if bytes.IndexByte(line, '(') < 0 {
		return false
	}
	closed := 0
	for i := len(line) - 1; i >= 0; i-- {
		switch line[i] {
		case ')':
			closed++
		case '(':
			if closed--; closed < 0 {
				return true
			}
		}
	}
	return false
}

// hostEnd returns where the reference b[scheme:end] ends if its host or port has an ending of a word
// (rule 33): an apostrophe, unless a dot and a letter follow it in the host; a colon and letters. The
// rule is about http, https, ftp and hosts without a scheme.
func (s *matcher) hostEnd(b []byte, scheme, body, end int) int {
	if n := schemeEnd(b[scheme:body]); body > scheme && !isOneOf(b[scheme:scheme+n], []string{"http", "https", "ftp"}) || body == scheme && !s.abbreviates(b[scheme:end]) {
		return end
	}
	if end <= body {
		return end
	}
	host := b[body:end]
	if k := bytes.IndexAny(host, "/?#\\"); k >= 0 {
		host = host[:k]
	}
	from := bytes.LastIndexByte(host, '@') + 1
	for i := from; i < len(host); i++ {
		switch host[i] {
		case '\'':
			dot := bytes.IndexByte(host[i:], '.')
			if dot < 0 || i+dot+1 == len(host) || !isOfWordAt(host[i+dot+1:]) {
				return body + i
			}
		case ':':
			k := i + 1
			for k < len(host) && (roles[host[k]].has(alpha) || host[k] >= utf8.RuneSelf) {
				k++
			}
			if k > i+1 && body+k <= end && !bytes.ContainsAny(host[k:], "0123456789-_") && (body+len(host) == end) && len(bytes.TrimRight(host[k:], ".,;:!?')]}\"")) == 0 && !bytes.Equal(bytes.ToUpper(host[i+1:k]), host[i+1:k]) {
				return body + i
			}
		}
	}
	return end
}

// isOfWordAt reports whether b begins with a letter, digit or mark.
func isOfWordAt(b []byte) bool { return wordAt(b, true) == yes }

// abbreviates reports whether t is a reference without a scheme.
func (s *matcher) abbreviates(t []byte) bool {
	scheme, _ := abbreviates(t)
	return scheme != ""
}

// finish sets the fields of a bare candidate: Buf[lo:ref] is the reference, Buf[ref:end]
// its tail.
func (s *matcher) finish(lo, ref, end, outer int, json bool, set schemeSet, c *Candidate) answer {
	raw := s.Buf[lo:ref]
	text := raw
	var undone Extra
	if json {
		s.Text, undone = undo(s.Text[:0], raw, entitySlashes(raw))
		text = s.Text
	}
	var e enclosure
	is, by, ok := s.counts(text, set, 0, &e)
	if !ok {
		return no
	}
	by |= undone
	line, column := s.lineOf(lo)
	*c = Candidate{
		Text: text, Ref: is, Raw: raw, By: by, Tail: s.Buf[ref:end],
		Inner: spanOf(&s.window, lo, ref), Outer: spanOf(&s.window, outer, ref),
		Line: line, Column: column, Form: Bare,
	}
	if s.opts.Extras&Rejoin != 0 && ref == end {
		next, v := s.rejoin(lo, end)
		if v == more {
			return more
		}
		c.next = next
	}
	if p := &s.bracketed; lo == p.lo && end < p.hi && s.Buf[end] != '\n' && s.Buf[end] != '\r' && spaceAt(s.Buf[end:]) > 0 {
		c.bracketed, c.quoted = s.Buf[lo:p.hi], p.quoted
	}
	c.Others = s.others(c, &e)
	if i := bytes.IndexByte(text, ','); i > 0 {
		c.Others |= atComma(s.Rules, text, i, afterTail(&s.window, ref, end), set)
	}
	s.SearchFrom = ref
	return yes
}

// gluedStart returns where a scheme begins at the end of b, after one of the marks that join two
// references only perhaps (rule 36); otherwise 0.
func gluedStart(b []byte) int {
	k := len(b)
	for k > 0 && len(b)-k < maxScheme && roles[b[k-1]].has(alnum) {
		k--
	}
	if k > 0 && bytes.IndexByte([]byte("_-~@!"), b[k-1]) >= 0 && registered(b[k:]) {
		return k
	}
	return 0
}

// bracketOutside returns where the first "[" of the reference is if it is in the path behind an
// authority or in the fragment, otherwise -1.
func bracketOutside(raw []byte) int {
	at := bytes.IndexByte(raw, '[')
	if at < 0 {
		return -1
	}
	_, after, ok := bytes.Cut(raw[:at], []byte("://"))
	if !ok || bytes.IndexByte(after, '#') < 0 && (bytes.IndexByte(after, '/') < 0 || bytes.IndexByte(after, '?') >= 0) {
		return -1
	}
	return at
}

// entitySlashes reports whether the colon or the slashes after the scheme of raw are entities.
func entitySlashes(raw []byte) bool {
	if n := schemeLen(raw); n > 0 {
		_, entities, _ := slashesAt(raw, n+1, true)
		return entities
	}
	k := schemeEnd(raw)
	n, colon, _ := colonAt(raw, k, true)
	_, slashes, _ := slashesAt(raw, k+n, true)
	return colon || slashes
}

// endElsewhere adds to c the readings of the bare reference Buf[lo:ref] that end elsewhere. json says
// that it has escapes.
func (s *matcher) endElsewhere(c *Candidate, lo, ref int, json bool) {
	raw := s.Buf[lo:ref]
	w := &s.elsewhere
	bracket := bracketOutside(raw)
	for i := 0; i < len(raw); {
		ch := raw[i]
		n := 1
		switch {
		case ch == ':' && i > 0 && raw[min(i+1, len(raw)-1)] == '/':
			if at := gluedStart(raw[:i]); at > 0 {
				w.add(Glued, lo+at)
			}
		case ch == '\\' && !s.Defanged:
			if _, v := backslashAt(raw, i, true); v != yes && !inDrive(raw[:i]) {
				w.add(Backslash, lo+i)
			}
		case ch == '[' && i == bracket && raw[i-1] != '\\' && raw[i-1] != 0x1B:
			w.add(Bracket, lo+i)
		case ch == 0x1B:
			w.add(AtColour, lo+i)
		case ch >= utf8.RuneSelf:
			var r rune
			if r, n = utf8.DecodeRune(raw[i:]); isJoiner(r) && i > 0 {
				w.add(Joiner, lo+i)
			} else if isTilde(r) {
				c.Others |= RawTilde
			} else if r == utf8.RuneError && n == 1 {
				c.Others |= AtCharset
			}
		}
		i += n
	}
	most := 0
	for left := w.why; left != 0; left &= left - 1 {
		why := left & -left
		end := w.at[place(why)] - lo
		if _, ok := s.Rules.begins(s.Buf[lo:lo+max(0, end)], usual); ok && end != ref-lo {
			c.Others |= why
		}
		c.elsewhere.ends[place(why)] = int32(end)
		most = max(most, end)
	}
	if most > 0 {
		c.elsewhere.run, c.elsewhere.entities = s.Buf[lo:lo+most], json && entitySlashes(raw)
	}
}

// otherEnds are the readings of a bare reference that end elsewhere, and where in Buf they end.
type otherEnds struct {
	why Reading
	at  [elsewheres]int
}

// add adds the reading why, which ends at end. A second end of the same reading is left out.
func (w *otherEnds) add(why Reading, end int) {
	if w.why&why == 0 {
		w.why |= why
		w.at[place(why)] = end
	}
}

// paired searches for the closing mark of the typographic quotation mark or apostrophe
// directly in front of a reference. Text without white space between such a pair is the
// complete reference. If the answer is yes, end is the index of the closing mark.
//
// The end of a search is stored, so that the next mark of the same kind continues there.
// So all searches for one kind together take linear time.
func (s *matcher) paired(b []byte, outer, lo int, atEOF bool) (end int, v answer) {
	if outer == 0 || lo-outer > len("URL:") {
		return 0, no
	}
	c := rune(b[outer-1])
	if c >= utf8.RuneSelf {
		c, _ = utf8.DecodeLastRune(b[max(0, outer-utf8.UTFMax):outer])
	}
	k := pairOf(c)
	if k < 0 {
		return 0, no
	}
	i, v := closing(b, s.Buf[:s.End], max(lo, s.unpaired[k]), pairs[k].Closers, atEOF, s.Err == io.EOF)
	if v != more || !atEOF && len(b) < s.End {
		s.unpaired[k] = i
	}
	return i, v
}

// closing searches b, from i on, for one of closers, and stops at a byte that ends a
// reference. end is where it stopped. The slice all is b with the bytes after it, because a limit
// may have cut b within a character. whole says that no more bytes follow that slice.
func closing(b, all []byte, i int, closers string, atEOF, whole bool) (end int, v answer) {
	for i < len(b) {
		c := b[i]
		if c < utf8.RuneSelf {
			if c == '\'' && closers == "'" {
				if !whole && !utf8.FullRune(all[i+1:]) {
					return i, more
				}
				if !wordFollows(all[i+1:]) {
					return i, yes
				}
			} else if roles[c].has(ends) && c != '`' || c == '\\' {
				return i, no
			}
			i++
			continue
		}
		if !whole && !utf8.FullRune(all[i:]) {
			return i, more
		}
		r, n := utf8.DecodeRune(all[i:])
		if isSpace(r) {
			return i, no
		}
		for _, q := range closers {
			if r == q {
				return i, yes
			}
		}
		i += n
	}
	return i, atEnd(atEOF)
}

// Labels in angle brackets (rule 19): the text that a program shows in place of the
// reference in front of it.
//
//	<https://a/b|see here>   Slack and similar programs
//	<https://a/b[see here]>  AsciiDoc
//
// A label after a bar ends at the next ">". A label in brackets is known only at the end of
// the wrapper: then a backward search finds the partner of its last bracket.

// unlabelled returns e, which was found in t, without the label in brackets at the end of the
// wrapper. If the wrapper ends with no such label, e is returned unchanged.
func (s *matcher) unlabelled(t []byte, e enclosure, m *quotePrefix, set schemeSet) enclosure {
	p := lastPartner(t[e.Start:e.End])
	if p <= 0 {
		return e
	}
	p += e.Start
	end := spaceBefore(t, p, e.Start)
	if end < p && bytes.IndexByte(t[end:p], '\n') >= 0 { // a soft hyphen or backslash in front of a line break is removed with it
		end = len(bytes.TrimSuffix(bytes.TrimSuffix(t[:end], softHyphen), []byte("\\")))
	}
	if e.Bar || end <= e.Start || bytes.IndexByte(sentenceMarks, t[end-1]) >= 0 || end == p && t[end-1] == '@' || inKey(t[e.Start:p], t[p:e.End]) {
		return e
	}
	if s.opts.Extras&Defanged != 0 {
		if n, _ := defangedSpelling(t[p:]); n > 0 {
			return e
		}
	}
	cut, _ := enclose(t[:p], '<', m, s.opts.MaxBreaks, true)
	cut.End, cut.After = end, e.After
	text := t[cut.Start:cut.End]
	if cut.Joined {
		s.Text = join(s.Text[:0], text, m, joiner{JSON: cut.JSON})
		text = s.Text
	}
	if _, _, ok := s.counts(text, set, '<', &cut); !ok {
		return e
	}
	return cut
}

// Other readings (rules 9 to 11): a candidate stores a bit for each other reading, the raw bytes
// and the quote prefix. Only on request is the text of a reading made, by joining the raw bytes in
// another way. So a caller that needs no readings does not pay for them.

// maxHyphens is how many hyphens in front of line breaks may be dropped in a reading.
// Three hyphens give eight texts, including the primary one.
const maxHyphens = 3

// others returns what the text of c allows beside the primary reading.
func (s *matcher) others(c *Candidate, e *enclosure) Reading {
	var r Reading
	if e.Hyphens > 0 {
		r |= NoHyphen
	}
	if e.Gaps > 0 {
		if !e.Spaced {
			r |= SpaceEscaped
		}
		s.cut = c.join(s.cut[:0], joiner{Cut: true}) // the part in front of the first space
		if _, ok := s.Rules.begins(s.cut, angled); ok {
			r |= CutAtSpace
		}
	}
	if bytes.Contains(c.Text, ampEntity) {
		r |= Entity
	}
	if len(c.Tail) > 0 {
		r |= WithTail
	}
	if len(c.next) > 0 {
		r |= Rejoined
		if c.Text[len(c.Text)-1] == '-' {
			r |= NoHyphen
		}
	}
	if len(c.bracketed) > 0 {
		r |= Rejoined | SpaceEscaped
	}
	return r
}

var ampEntity = []byte("&amp;")

// The reading AtComma (rule 16): in text that is no table, a comma may separate a reference
// from the next field of a record. It is offered if what follows the comma is no likely
// rest of a path or query:
//
//	http://a.example/x,2024-05-15     a date
//	http://a.example/x,200,512        a number
//	http://a.example/x,'y'            a quoted word
//	http://a.example/x,New York       a capitalised word and a blank
//	http://a.example/x,,y             nothing

// fieldFollows reports whether a field follows the first comma of t, a bare reference, at
// t[i]. next is the byte after t in the text, or 0.
func fieldFollows(t []byte, i int, next byte) bool {
	field := t[i+1:]
	end := bytes.IndexByte(field, ',')
	last := end < 0
	if !last {
		field = field[:end]
	}
	switch {
	case len(field) == 0:
		return !last
	case field[0] == '\'':
		return true
	case 'A' <= field[0] && field[0] <= 'Z':
		return last && roles[next].has(blank) && isWord(field)
	}
	return isNumber(field) || isDate(field)
}

// atComma returns AtComma if t, the text of a bare reference, may end at its first comma t[i],
// and 0 if not. after is what follows t in the text; it is empty if t has a tail.
func atComma(rules rules, t []byte, i int, after []byte, set schemeSet) Reading {
	var next byte
	if len(after) > 0 {
		next = after[0]
	}
	if fieldFollows(t, i, next) {
		if _, ok := rules.begins(t[:i], set); ok {
			return AtComma
		}
	}
	return 0
}

// isWord reports whether b consists of ASCII letters and bytes beyond ASCII.
func isWord(b []byte) bool {
	for _, c := range b {
		if !roles[c].has(alpha) && c < 0x80 {
			return false
		}
	}
	return true
}

// isNumber reports whether b is a number: perhaps a sign, and digits that may have dots between
// them.
func isNumber(b []byte) bool {
	if b[0] == '-' || b[0] == '+' {
		b = b[1:]
	}
	for _, c := range b {
		if !roles[c].has(digit) && c != '.' {
			return false
		}
	}
	return len(b) > 0 && roles[b[0]].has(digit) && roles[b[len(b)-1]].has(digit)
}

// isDate reports whether b is a date of three numbers, year first or last. A "T" and a time may
// follow the date.
func isDate(b []byte) bool {
	var sizes [3]int
	var mark byte
	n := 0
	for i, c := range b {
		switch {
		case roles[c].has(digit):
			sizes[n]++
			continue
		case n < 2 && sizes[n] > 0 && (c == '-' || c == '/' || c == '.') && (n == 0 || c == mark):
			mark = c
			n++
			continue
		}
		if c != 'T' || i+1 == len(b) || !roles[b[i+1]].has(digit) {
			return false
		}
		break
	}
	first, last := sizes[0], sizes[2]
	if first > last {
		first, last = last, first
	}
	return n == 2 && 1 <= first && first <= 2 && 1 <= sizes[1] && sizes[1] <= 2 && (last == 4 || last == 2 && sizes[2] == 2)
}

// afterTail returns what follows a reference that ends at Buf[ref] with a tail up to Buf[end]:
// nothing if there is a tail.
func afterTail(w *window, ref, end int) []byte {
	if ref < end {
		return nil
	}
	return w.Buf[end:w.End]
}

// The reading Rejoined: a bare reference that ends at the right edge of a line may
// continue on the next line. Unlike in a wrapper, nothing marks this. So the longer reference is
// never the primary text, and the reading is off by default. A hyphen at the end of a line of any
// length means that the reference may continue; then there is the reading NoHyphen, too (Appendix
// E).

const (
	// rejoinWidth is the smallest width, in bytes, of a line whose right edge may have
	// cut a bare reference.
	rejoinWidth = 60

	// rejoinReach is how far the reference may continue on the next line.
	rejoinReach = 1024
)

// rejoin returns the text with which the next line continues the bare reference Buf[lo:end]. The
// reference must end its line with a hyphen, or exactly at the right edge of a long line.
func (s *matcher) rejoin(lo, end int) (next []byte, v answer) {
	hi := min(s.End, end+rejoinReach)
	b := s.Buf[:hi]
	atEOF := s.Err != nil || hi == end+rejoinReach
	full := b[end-1] == '-' || s.Base+int64(end)-s.startOf(lo) >= rejoinWidth
	if end == len(b) || !full || b[end] != '\n' && b[end] != '\r' {
		return nil, no
	}
	at := end + lineBreak(b[end:])
	if at == len(b) {
		return nil, atEnd(atEOF)
	}
	m := quotePrefixOf(s.lineHead(lo))
	n, ok, short := m.strip(b[at:], atEOF)
	if short {
		return nil, more
	}
	at += n
	if !ok || at == len(b) || roles[b[at]].has(ends) || bytes.IndexByte(noStart, b[at]) >= 0 {
		return nil, no
	}
	stop, _, v := s.endOfBare(b, at, at, scanState{}, 0, atEOF, true)
	if v != yes {
		return nil, v
	}
	stop = trim(b, at, stop, at)
	next = b[at:stop]
	if n := schemeLen(next); n > 0 && hasSlashes(next[n:]) {
		return nil, no
	}
	// A word of letters continues the sentence, unless the reference ends with a
	// character that requires more.
	if bytes.IndexByte(asksMore, b[end-1]) < 0 && !hasMarks(next) {
		return nil, no
	}
	return next, yes
}

// readsBack reports whether t is read as ref. t is the text that was written after the
// opening bracket and a prefix. readsBack writes to the spare room of t.
func (s *matcher) readsBack(t, ref []byte, set schemeSet, o *WrapOptions) bool {
	m := quotePrefixOf([]byte(o.Quote))
	e, v := enclose(t, '<', &m, s.opts.MaxBreaks, true)
	if v == yes {
		e = s.unlabelled(t, e, &m, set)
	}
	if v != yes || e.After != len(t) || e.Gaps > 0 || e.End-e.Start > s.opts.MaxLen {
		return false
	}
	if e.Joined || e.JSON {
		t = join(t, t[e.Start:e.End], &m, joiner{JSON: e.JSON})[len(t):]
	} else {
		t = t[e.Start:e.End]
	}
	if !bytes.Equal(t, ref) {
		return false
	}
	_, _, ok := s.counts(ref, set, '<', &e)
	return ok
}

var (
	noStart  = []byte("()[]{}*'|\\")
	asksMore = []byte("/-_=&?%+#~")
)

// hasMarks reports whether t has a digit or another character that words do not have.
func hasMarks(t []byte) bool {
	for _, c := range t {
		if roles[c].has(digit) || bytes.IndexByte(wordless, c) >= 0 {
			return true
		}
	}
	return false
}

var wordless = []byte("/._=&%?#~+")
