package delimit

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/extras"
	"github.com/urlsift/urlsift/delimit/internal/front"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// Plan: reference searches for an opener in front of a scheme and tries to read a
// wrapper from there. If there is no wrapper, the opener is text, and the reference is
// bare (rule 13). Both cases end in the same three steps: the text is joined or
// trimmed; counts decides whether it counts as a reference; the Candidate is set, with
// slices of the window or of the buffers.
//
// The scanner does not change before the answer is Yes, except for counts of lines and
// what it has stored about brackets and quotation marks. So after the answer More, the
// same colon can be examined again.

// reference finds the form and the end of the reference whose scheme begins at Buf[lo]
// and ends at the colon Buf[colon].
func (s *matcher) reference(lo, colon int, set schemes.SchemeSet, c *Candidate) lex.Answer {
	s.bracketed = bracketedText{}
	scheme := lo
	lo = front.Outermost(&s.Window, lo)
	if o, mark := front.Opener(&s.Window, lo); mark != 0 {
		if v := s.wrapped(o, o+1, set, mark, c); v != lex.No {
			return v
		}
	}
	from, w := bare.BodyOf(s.Buf[:s.End], colon)
	w.Scheme = scheme
	return s.bare(lo, from, lo, w, set, c)
}

// wrapped makes a candidate of the content of a wrapper. Its opener is Buf[o], and the content
// is read from Buf[k] on. If set is schemes.Any, there is a prefix in front of Buf[k], and in
// angle brackets the reference may be relative.
func (s *matcher) wrapped(o, k int, set schemes.SchemeSet, mark byte, c *Candidate) lex.Answer {
	most := s.opts.MaxLen + 2*lex.MaxLead
	hi := min(s.End, k+most)
	atEOF := s.Err != nil && hi == s.End
	// Nine of ten wrappers contain only a reference, on one line. For these the quote
	// prefix of the opener's line is not needed.
	var (
		m wrap.QuotePrefix
		e wrap.Enclosure
		v = lex.Yes
	)
	n := wrap.UntilHalt(s.Buf[k:hi])
	switch {
	case k+n < hi && s.Buf[k+n] == '<': // no wrapper may contain "<", so wrap.Enclose would return no
		return lex.No
	case n > 0 && k+n < hi && s.Buf[k+n] == wrap.CloserOf(mark):
		e = wrap.Enclosure{End: n, After: n + 1}
	default:
		m = wrap.QuotePrefixOf(s.LineHead(o))
		e, v = wrap.Enclose(s.Buf[k:hi], mark, &m, s.opts.MaxBreaks, atEOF)
	}
	if v == lex.More && hi == k+most {
		v = lex.No
	}
	if v == lex.Yes && mark == '<' && e.End > e.Start && s.Buf[k+e.End-1] == ']' {
		e = s.unlabelled(s.Buf[k:hi], e, &m, set)
	}
	if v != lex.Yes || e.End-e.Start > s.opts.MaxLen || e.End == e.Start {
		if v == lex.More {
			return lex.More
		}
		return lex.No
	}
	if e.Gaps > wrap.MaxGaps {
		s.bracketed = bracketedText{k + e.Start, k + e.End, m}
		return lex.No
	}
	raw := s.Buf[k+e.Start : k+e.End]
	text := raw
	if e.Joined {
		s.Text = wrap.Join(s.Text[:0], raw, &m, wrap.Joiner{JSON: e.JSON})
		text = s.Text
	}
	ref, by, ok := s.counts(text, set, mark, &e)
	if !ok {
		return lex.No
	}
	line, column := s.LineOf(k + e.Start)
	*c = Candidate{
		Text: text, Ref: ref, Raw: raw, By: by,
		Inner: spanOf(&s.Window, k+e.Start, k+e.End), Outer: spanOf(&s.Window, o, k+e.After),
		Line: line, Column: column, Breaks: e.Breaks, Form: formOf(mark),
		otherReadings: otherReadings{quoted: m, hyphens: e.Hyphens, json: e.JSON},
	}
	c.Others = s.others(c, &e)
	s.SearchFrom = k + e.After
	return lex.Yes
}

// bare makes a candidate of the bare reference that begins at Buf[lo]. The scan of its body
// starts at Buf[body], with the state w. outer is where the prefix of the reference begins, or lo
// if there is no prefix.
func (s *matcher) bare(lo, body, outer int, w bare.ScanState, set schemes.SchemeSet, c *Candidate) lex.Answer {
	limit := lo + s.opts.MaxLen + 1
	b := s.Buf[:min(s.End, limit)]
	cut := len(b) == limit
	atEOF := s.Err == io.EOF && !cut // text before an error is not complete
	scheme := max(lo, w.Scheme)
	if whole := cut || atEOF; body == lo && s.Unnamed(b[lo:], whole) || s.FailsNeed(b, scheme, body, &w, set, whole) {
		return lex.No
	}
	switch end, v := s.paired(b, outer, lo, atEOF); {
	case v == lex.Yes:
		if v := s.finish(lo, end, end, outer, false, set, c); v != lex.No {
			return v
		}
	case v == lex.More && (!cut || end < len(b)): // the last character of the window is incomplete
		return lex.More
	}
	// The byte in front decides where the reference may end: a bracket at its partner, a
	// mark of emphasis at the same mark.
	var before byte
	if outer > 0 {
		before = b[outer-1]
	}
	w.Host, w.Refanged = s.HostCheckAt(b, scheme, body, &w)
	end, json, v := s.EndOfBare(b, scheme, body, w, before, atEOF, false)
	if end < 0 {
		return lex.No
	}
	if v == lex.More {
		if cut {
			s.skipping = true
			s.skipped[0]++
			s.skipped[1] += int64(limit - lo)
			s.SearchFrom = limit
			return lex.No
		}
		return lex.More
	}
	if s.opts.Extras&Defanged == 0 && w.Component == bare.InAuthority && end < len(b) && !bytes.ContainsAny(b[body:end], "/?#") {
		n, short := extras.Defanged(b[end:])
		switch {
		case n > 0:
			return lex.No // a part of a host would be a wrong result
		case short && !atEOF && !cut:
			return lex.More
		}
	}
	return s.finish(lo, bare.Trim(b, lo, end, outer), end, outer, json, set, c)
}

// finish sets the fields of a bare candidate: Buf[lo:ref] is the reference, Buf[ref:end]
// its tail.
func (s *matcher) finish(lo, ref, end, outer int, json bool, set schemes.SchemeSet, c *Candidate) lex.Answer {
	raw := s.Buf[lo:ref]
	text := raw
	if json {
		s.Text = wrap.Join(s.Text[:0], raw, &wrap.QuotePrefix{}, wrap.Joiner{JSON: true})
		text = s.Text
	}
	var e wrap.Enclosure
	is, by, ok := s.counts(text, set, 0, &e)
	if !ok {
		return lex.No
	}
	line, column := s.LineOf(lo)
	*c = Candidate{
		Text: text, Ref: is, Raw: raw, By: by, Tail: s.Buf[ref:end],
		Inner: spanOf(&s.Window, lo, ref), Outer: spanOf(&s.Window, outer, ref),
		Line: line, Column: column, Form: Bare,
	}
	if s.opts.Extras&Rejoin != 0 && ref == end {
		next, v := s.rejoin(lo, end)
		if v == lex.More {
			return lex.More
		}
		c.next = next
	}
	if p := &s.bracketed; lo == p.lo && end < p.hi && s.Buf[end] != '\n' && s.Buf[end] != '\r' && lex.SpaceAt(s.Buf[end:]) > 0 {
		c.bracketed, c.quoted = s.Buf[lo:p.hi], p.quoted
	}
	c.Others = s.others(c, &e)
	if i := bytes.IndexByte(text, ','); i > 0 {
		c.Others |= atComma(s.Rules, text, i, afterTail(&s.Window, ref, end), set)
	}
	s.SearchFrom = ref
	return lex.Yes
}

// paired searches for the closing mark of the typographic quotation mark or apostrophe
// directly in front of a reference. Text without white space between such a pair is the
// complete reference. If the answer is lex.Yes, end is the index of the closing mark.
//
// The end of a search is stored, so that the next mark of the same kind continues there.
// So all searches for one kind together take linear time.
func (s *matcher) paired(b []byte, outer, lo int, atEOF bool) (end int, v lex.Answer) {
	if outer == 0 || lo-outer > len("URL:") {
		return 0, lex.No
	}
	c := rune(b[outer-1])
	if c >= utf8.RuneSelf {
		c, _ = utf8.DecodeLastRune(b[max(0, outer-utf8.UTFMax):outer])
	}
	k := lex.PairOf(c)
	if k < 0 {
		return 0, lex.No
	}
	i, v := closing(b, s.Buf[:s.End], max(lo, s.unpaired[k]), lex.Pairs[k].Closers, atEOF, s.Err == io.EOF)
	if v != lex.More || !atEOF && len(b) < s.End {
		s.unpaired[k] = i
	}
	return i, v
}

// closing searches b, from i on, for one of closers, and stops at a byte that ends a
// reference. end is where it stopped. The slice all is b with the bytes after it, because a limit
// may have cut b within a character. whole says that no more bytes follow that slice.
func closing(b, all []byte, i int, closers string, atEOF, whole bool) (end int, v lex.Answer) {
	for i < len(b) { // at least one byte in each iteration
		c := b[i]
		if c < utf8.RuneSelf {
			if c == '\'' && closers == "'" {
				if !whole && !utf8.FullRune(all[i+1:]) {
					return i, lex.More
				}
				if !lex.WordFollows(all[i+1:]) {
					return i, lex.Yes
				}
			} else if lex.Roles[c].Has(lex.Ends) && c != '`' || c == '\\' {
				return i, lex.No
			}
			i++
			continue
		}
		if !whole && !utf8.FullRune(all[i:]) {
			return i, lex.More
		}
		r, n := utf8.DecodeRune(all[i:])
		if lex.IsSpace(r) {
			return i, lex.No
		}
		for _, q := range closers {
			if r == q {
				return i, lex.Yes
			}
		}
		i += n
	}
	return i, lex.AtEnd(atEOF)
}
