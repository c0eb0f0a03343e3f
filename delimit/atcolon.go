package delimit

import (
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/front"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// This file examines what is around a colon. Most colons that it examines belong to
// "scheme://". The others belong to prefixes or to schemes that prose uses without slashes,
// or are the last byte of a line within a wrapper. The search back is bounded by
// lex.MaxScheme and by the end of the last candidate, so that no two candidates overlap. The
// search forward is in internal/wrap and internal/bare.

// atColon examines what is around the colon at Buf[i]. If it returns lex.Yes, c is set, and
// SearchFrom is after the candidate. If it returns lex.No, the colon is text or is in a run that is
// too long; in the second case skipping is set.
func (s *matcher) atColon(i int, c *Candidate) lex.Answer {
	b := s.Buf[:s.End]
	if i+1 == len(b) {
		return lex.AtEnd(s.Err != nil)
	}
	lo, run, clipped := front.SchemeBefore(&s.Window, i)
	next := b[i+1]
	if lo == i {
		if next == '/' && lex.Roles[b[max(i-1, 0)]].Has(lex.White) {
			return s.broken(i, i, c)
		}
		return lex.No
	}
	slashed := false
	if next == '/' || next == '\\' {
		var v lex.Answer
		if slashed, v = front.SlashesAt(&s.Window, i+1); v != lex.Yes {
			return v
		}
	}
	scheme := b[lo:i]
	switch {
	case lex.IsPrefix(scheme) && (!lex.WordBefore(b[:lo]) || lo == run && front.ColourBefore(&s.Window, lo)):
		if slashed { // "URL://http://a/" occurs too
			k := i + 3 + lex.SchemeEnd(b[i+3:])
			if k+3 > len(b) && s.Err == nil {
				return lex.More
			}
			if schemes.StartsAdjacent(b[i+3:]) {
				i += 2
			}
		}
		return s.prefixed(lo, i, c)
	case slashed:
		return s.beforeSlashes(lo, i, run, clipped, c)
	case clipped:
		return lex.No
	case (next == '/' || next == '\\' && i+2 < len(b) && b[i+2] == '/') && wordEnd(scheme, "file"): // "\/" in JSON
		return s.reference(i-len("file"), i, schemes.Usual, c)
	case lex.Roles[next].Has(lex.White) || next == '\\':
		return s.split(lo, i, c)
	}
	if at := s.Rules.OpaqueIn(b, lo, i); at >= 0 {
		if next == '/' { // bare: two words with a slash between them, news:/mail:
			return s.split(at, i, c)
		}
		return s.reference(at, i, schemes.Usual, c)
	}
	if i-lo > 2 && lex.FoldEqual(b[lo:lo+2], "x-") {
		if o, mark := front.Opener(&s.Window, front.Outermost(&s.Window, lo)); mark == '<' {
			return s.wrapped(o, o+1, schemes.Angled, '<', c)
		}
	}
	if next == '/' {
		return s.split(lo, i, c)
	}
	return lex.No
}

// beforeSlashes examines the scheme Buf[lo:i], which a colon and slashes follow. If that scheme is
// not registered, its last letters may be http, https or ftp, directly after a word. A scheme that
// white space breaks in two looks unregistered too, until its first part is found. run and clipped
// are results of front.SchemeBefore.
func (s *matcher) beforeSlashes(lo, i, run int, clipped bool, c *Candidate) lex.Answer {
	b, at := s.Buf[:i], lo
	if !schemes.Registered(b[lo:]) {
		if g := schemes.SchemeAfterWord(b, run); g > lo && wordEndsBefore(b[:g]) {
			at = g
		} else if v := s.broken(lo, i, c); v != lex.No {
			return v
		}
	}
	if i-at < 2 || clipped && at == lo {
		return lex.No
	}
	return s.reference(at, i, schemes.Usual, c)
}

// wordEndsBefore reports whether b ends with text that may precede http, https or ftp
// without being part of the scheme: a word, the end of a sentence, or a line of dashes.
// A single "+" or "-" in front of http is part of a scheme, as in git+https.
func wordEndsBefore(b []byte) bool {
	n := len(b)
	c := b[n-1]
	return lex.Roles[c].Has(lex.Alnum) || c == '.' || n > 1 && (b[n-2] == '+' || b[n-2] == '-' || b[n-2] == '.')
}

// wordEnd reports whether scheme is word, or ends with it after + - or a dot.
func wordEnd(scheme []byte, word string) bool {
	k := len(scheme) - len(word)
	return lex.FoldSuffix(scheme, word) && (k == 0 || !lex.Roles[scheme[k-1]].Has(lex.Alnum))
}

// split examines a scheme whose colon is followed by white space, a backslash or a single
// slash. Such a scheme begins a reference only in a wrapper, where a line break between the
// parts is removed.
func (s *matcher) split(lo, i int, c *Candidate) lex.Answer {
	if o, mark := front.Opener(&s.Window, lo); mark != 0 {
		return s.wrapped(o, o+1, schemes.Usual, mark, c)
	}
	return lex.No
}

// broken examines a scheme that white space breaks in two in a wrapper, as in
// "<ht\ntp://a/>". Its second part, which may be empty, is Buf[lo:i].
func (s *matcher) broken(lo, i int, c *Candidate) lex.Answer {
	least := max(s.Floor, lo-lex.MaxLead)
	k := lo
	for k > least && lex.Roles[s.Buf[k-1]].Has(lex.White) {
		k--
	}
	if k == lo {
		return lex.No
	}
	j := k
	for j > least && lex.Roles[s.Buf[j-1]].Has(lex.InScheme) {
		j--
	}
	if j == k || (k-j)+(i-lo) > lex.MaxScheme {
		return lex.No
	}
	o, mark := front.Opener(&s.Window, j)
	if mark == 0 {
		return lex.No
	}
	var whole [lex.MaxScheme]byte
	n := copy(whole[:], s.Buf[j:k])
	n += copy(whole[n:], s.Buf[lo:i])
	if !schemes.Registered(whole[:n]) {
		return lex.No
	}
	return s.wrapped(o, o+1, schemes.Usual, mark, c)
}

// prefixed examines what follows the prefix "URL:" or "URI:" (rule 5) from Buf[lo] to Buf[i].
func (s *matcher) prefixed(lo, i int, c *Candidate) lex.Answer {
	b := s.Buf[:s.End]
	s.bracketed = bracketedText{}
	if o, mark := front.Opener(&s.Window, lo); mark != 0 && front.Leads(&s.Window, o, lo) {
		if v := s.wrapped(o, i+1, schemes.Any, mark, c); v != lex.No {
			if v == lex.Yes {
				c.Prefixed = true
			}
			return v
		}
	}
	at := i + 1
	for at < len(b) && at-i <= lex.MaxLead {
		n := lex.SpaceAt(b[at:])
		if n == 0 || b[at] == '\n' || b[at] == '\r' {
			break
		}
		at += n
	}
	if at == len(b) || !utf8.FullRune(b[at:]) {
		return lex.AtEnd(s.Err != nil)
	}
	// After a prefix any scheme counts. So if only scheme characters follow up to the
	// next colon, the reference is found at that colon.
	j := at
	for j < len(b) && j-at <= lex.MaxScheme && lex.Roles[b[j]].Has(lex.InScheme) {
		j++
	}
	if j == len(b) {
		return lex.AtEnd(s.Err != nil)
	}
	if b[j] != ':' || j-at < 2 || !lex.Roles[b[at]].Has(lex.Alpha) || lex.IsPrefix(b[at:j]) {
		return lex.No
	}
	from, w := bare.BodyOf(b, j)
	v := s.bare(at, from, lo, w, schemes.Any, c)
	if v == lex.Yes {
		c.Prefixed = true
	}
	return v
}
