package delimit

import "bytes"

// Wrappers over several lines on the fast path. What enclose and join do in two
// walks, for all that a wrapper may hold, is done here in one, for lines that hold
// nothing but their quote prefix and a piece of the reference:
//
//	<http://a/b/         > "http://a/b/
//	   c/d>              > c/d"
//
// It walks no further than enclose would, and looks at each byte once; a quote prefix is
// bounded by headLen.

// fastBroken goes on where fastWrapped has come to the first line break,
// buf[end], and returns the same. met is what the bytes before it ask for.
func (s *Scanner) fastBroken(form Form, o, lo, body, end int, met ask, c *Candidate) verdict {
	b := s.buf[:min(s.end, lo+s.opts.MaxLen+1)]
	if next := end + 1; next < len(b) && (b[next] == '<' || b[next] == '\n') {
		return no // whatever the quote prefix
	}
	var m quotePrefix
	if o == 0 || b[o-1] != '\n' {
		m = quotePrefixOf(s.lineHead(o))
	}
	closer := closerOf[form]
	text := s.text[:0]
	from, to, breaks, hyphens := lo, end+1, 0, 0
lines:
	for b[end] != closer { // each turn goes on behind the break at buf[end]
		if b[end] != '\n' {
			return unlessOpener(b[end])
		}
		text = append(text, b[from:end]...)
		if from = end; m.n == 0 && !m.deep {
			k, size, n := shortLines(text[len(text):cap(text)], b[end:], s.opts.MaxBreaks-breaks)
			if k > 0 && b[end-1] == '-' {
				hyphens++
			}
			text, breaks = text[:len(text)+size], breaks+k
			end += n
			from = end
		}
		next := end + 1
		if next == len(b) {
			return more
		}
		if m.n > 0 || m.deep || !roles[b[next]].has(alnum) {
			n, ok, short := m.strip(b[next:], false)
			switch {
			case short:
				return more
			case !ok:
				return no // a line of another depth
			}
			next += n
			switch d := b[next]; {
			case d == closer: // the white space before it is no part of the reference
				to = next + 1
				break lines
			case d == '\n' || d == '\r':
				return no // a blank line
			case roles[d].has(halts):
				return unlessOpener(d)
			}
		}
		if breaks++; breaks > s.opts.MaxBreaks {
			return no
		}
		last := b[end-1]
		if last == '-' {
			hyphens++
		}
		if startsAdjacent(b[next:]) && bytes.IndexByte(joints, last) < 0 {
			return no // another reference
		}
		var asked ask
		if end, asked = scanUntil(b, next, stopWrapped); end >= len(b) {
			return more
		}
		from, to, met = next, end+1, met|asked
	}
	raw := b[lo:end]
	if breaks == 0 {
		text = raw
	} else {
		text = append(text, b[from:end]...)
	}
	if !fastHost(text, body-lo, len(text), met) {
		return more
	}
	s.fastFill(c, form, o, lo, end, to, met)
	c.Text, c.Ref = text, text
	c.Breaks, c.hyphens, c.quoted, c.json = breaks, hyphens, m, form == Quote
	if hyphens > 0 {
		c.Others |= NoHyphen
	}
	if met&askEntity != 0 && bytes.Contains(text, ampEntity) { // a break may part it
		c.Others |= Entity
	}
	return yes
}

// shortLines copies lines of at most shortLine letters and digits to dst, up to a line
// break behind each; b begins with the one before them. It returns how many they are,
// most at most, their size without breaks, and with them. To walk through each and
// ask for its quote prefix would cost far more than they are worth.
func shortLines(dst, b []byte, most int) (lines, size, n int) {
	for lines < most {
		i, k := n+1, size
		for i < len(b) && i <= n+shortLine && k < len(dst) && roles[b[i]].has(alnum) {
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

// unlessOpener is the verdict on a wrapper in which d asks for a look: an opener says
// that it is none.
func unlessOpener(d byte) verdict {
	if d == '<' {
		return no
	}
	return more
}
