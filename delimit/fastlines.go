package delimit

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/window"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// Wrappers over several lines on the fast path. For any content of a wrapper, wrap.Enclose and
// wrap.Join take two passes. For lines with only a quote prefix and a piece of the reference,
// one pass is enough:
//
//	<http://a/b/         > "http://a/b/
//	   c/d>              > c/d"
//
// Without this pass, a file that has only references on two lines takes 2.4 times as long,
// and RFCs 2 % longer (text output, processor time, one worker).
//
// The pass reads no further than wrap.Enclose would, and examines each byte once. A quote
// prefix is bounded by lex.HeadLen.

// fastLines continues where fastWrapped has reached the first line break, Buf[end]. Its answers
// mean the same as those of fastWrapped. checks are those that the bytes in front of Buf[end]
// require. The function is long because it is one loop over lines that keeps eight variables
// from line to line.
func (s *fastMatcher) fastLines(mark byte, o, lo, body, end int, checks window.Check, c *Candidate) lex.Answer {
	b := s.Buf[:min(s.End, lo+s.opts.MaxLen+1)]
	if next := end + 1; next < len(b) && (b[next] == '<' || b[next] == '\n') {
		return lex.No // another "<" or a blank line: no wrapper, whatever the quote prefix
	}
	var m wrap.QuotePrefix
	if o == 0 || b[o-1] != '\n' {
		m = wrap.QuotePrefixOf(s.LineHead(o))
	}
	closer := wrap.CloserOf(mark)
	text := s.Text[:0]
	from, to, breaks, hyphens := lo, end+1, 0, 0
	for b[end] != closer { // each iteration starts after the line break at Buf[end]
		if b[end] != '\n' {
			return unlessOpener(b[end])
		}
		text = append(text, b[from:end]...)
		if from = end; m.N == 0 && !m.Deep {
			k, size, n := shortLines(text[len(text):cap(text)], b[end:], s.opts.MaxBreaks-breaks)
			if k > 0 && b[end-1] == '-' {
				hyphens++
			}
			text, breaks = text[:len(text)+size], breaks+k
			end += n
			from = end
		}
		next, v := lineStart(b, end+1, closer, &m)
		if v != lex.Yes {
			return v
		}
		if b[next] == closer { // white space in front of it is not part of the reference
			to = next + 1
			break
		}
		if breaks++; breaks > s.opts.MaxBreaks {
			return lex.No
		}
		last := b[end-1]
		if last == '-' {
			hyphens++
		}
		if schemes.StartsAdjacent(b[next:]) && bytes.IndexByte(schemes.Continues, last) < 0 {
			return lex.No // another reference
		}
		var also window.Check
		if end, also = window.ScanUntil(b, next, window.StopWrapped); end >= len(b) {
			return lex.More
		}
		from, to, checks = next, end+1, checks|also
	}
	raw := b[lo:end]
	if breaks == 0 {
		text = raw
	} else {
		text = append(text, b[from:end]...)
	}
	if !fastHost(text, body-lo, len(text), checks) || text[len(text)-1] == ']' && mark == '<' {
		return lex.More
	}
	s.fastFill(c, formOf(mark), o, lo, end, to, checks)
	c.Breaks, c.hyphens, c.quoted, c.json = breaks, hyphens, m, mark == '"'
	c.fastText(text, checks)
	return lex.Yes
}

// fastText sets the text of c, without its line breaks. It adds the readings that a text on
// several lines can have.
func (c *Candidate) fastText(text []byte, checks window.Check) {
	c.Text, c.Ref = text, text
	if c.hyphens > 0 {
		c.Others |= NoHyphen
	}
	if checks&window.CheckEntity != 0 && bytes.Contains(text, ampEntity) { // checked here again, because a line break may have divided it
		c.Others |= Entity
	}
}

// lineStart returns where the reference continues in the line that begins at b[next]: after a
// quote prefix and blanks. The byte there may be closer.
func lineStart(b []byte, next int, closer byte, m *wrap.QuotePrefix) (at int, v lex.Answer) {
	if next == len(b) {
		return next, lex.More
	}
	if m.N == 0 && !m.Deep && lex.Roles[b[next]].Has(lex.Alnum) { // the usual line
		return next, lex.Yes
	}
	n, ok, short := m.Strip(b[next:], false)
	switch {
	case short:
		return next, lex.More
	case !ok:
		return next, lex.No // a line with another quote depth
	}
	next += n
	switch d := b[next]; {
	case d == closer:
	case d == '\n' || d == '\r':
		return next, lex.No // a blank line
	case lex.Roles[d].Has(lex.Halts):
		return next, unlessOpener(d)
	}
	return next, lex.Yes
}

// shortLines copies lines of at most wrap.ShortLine letters and digits to dst, up to a line
// with anything else. b begins with the line break in front of them. lines is the number of lines
// copied, which is never above most; size is the number of their bytes without line breaks, n the
// number with line breaks. For such lines shortLines is much faster than the general loop with its
// quote prefixes.
func shortLines(dst, b []byte, most int) (lines, size, n int) {
	for lines < most {
		i, k := n+1, size
		for i < len(b) && i <= n+wrap.ShortLine && k < len(dst) && lex.Roles[b[i]].Has(lex.Alnum) {
			dst[k] = b[i]
			i++
			k++
		}
		if i == n+1 || i >= len(b) || b[i] != '\n' {
			break
		}
		lines, size, n = lines+1, k, i
	}
	return lines, size, n
}

// unlessOpener returns the answer of the fast path for a wrapper that contains the special byte
// d. The answer is No if d is "<", because no wrapper contains a "<". Otherwise the answer is More:
// atColon must decide.
func unlessOpener(d byte) lex.Answer {
	if d == '<' {
		return lex.No
	}
	return lex.More
}

// fastHost reports whether the body of the reference, b[body:end], begins with a letter or
// digit, and has what the scheme needs: a host after "//", an address after mailto. checks are the
// checks that the bytes of the body require.
func fastHost(b []byte, body, end int, checks window.Check) bool {
	if body >= end || !lex.Roles[b[body]].Has(lex.Alnum) {
		return false
	}
	if b[body-1] == ':' {
		return schemes.NeedMail.MetBy(b[body:end], true)
	}
	return checks&window.CheckHost == 0 || schemes.HasHost(b[body:end])
}

// fastFill sets c to a candidate of the given form. The reference is Buf[lo:end]; with wrapper and
// prefix it is Buf[from:to]. It sets SearchFrom to the index after the wrapper. checks are the
// checks that the bytes of the reference require.
func (s *fastMatcher) fastFill(c *Candidate, form Form, from, lo, end, to int, checks window.Check) {
	*c = Candidate{}
	t := s.Buf[lo:end]
	c.Text, c.Ref, c.Raw = t, t, t
	c.Inner, c.Outer = spanOf(&s.Window, lo, end), spanOf(&s.Window, from, to)
	c.Line, c.Column = s.LineOf(lo)
	c.Form = form
	if checks&window.CheckEntity != 0 && bytes.IndexByte(t, ';') >= 0 && bytes.Contains(t, ampEntity) {
		c.Others = Entity
	}
	s.SearchFrom = to
}
