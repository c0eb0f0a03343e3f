package delimit

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// The fast path. Most references are http, https, ftp or mailto and stand on one
// line as
//
//	"http://a/b"   <http://a/b>   <URL:http://a/b>   http://a/b.   (http://a/b)
//
// in a wrapper that holds nothing else, or bare behind what opens none, with no byte
// in them that has to be understood. Of these it makes what atColon makes, for a
// fifth of the price: the eight bytes around the colon say which scheme it is, the
// byte before them says the form, and one walk (scanuntil.go) finds the end and gathers
// what the bytes before it ask for. A wrapper that goes on over lines costs little
// more (fastpath_broken.go), nor does an opener that the next line shows to be none,
// or one reference right behind another.
//
// All else is left to atColon, and nothing has changed then but line numbers, which
// only move on: bytes beyond ASCII, backslashes, white space on one line, brackets
// within brackets, a host that begins with a mark, what is not complete yet. The
// tests hold the two ways against each other.
//
// From the same colon no walk goes further than atColon's own would, which is linear,
// and there are three at most: in the wrapper, bare, and atColon's.

// nextFast goes on to the next colon in the piece that was searched last, and
// reports whether a reference as plain as can be stands around it. If so, all is as
// search leaves it; if not, search begins at that colon, or behind the piece. The
// options must leave this way open, as swift says. Where references are dense, all but
// the first of a piece are found here, and nobody asks what else a colon may be.
func (s *Scanner) nextFast(c *Candidate) bool {
	p := &s.piece
	for ; p.next < p.n; p.next++ { // each block is left once
		block := p.from + int(p.at[p.next])
		for m := p.masks[p.next]; m != 0; m &= m - 1 {
			at := block + bits.TrailingZeros64(m)
			if at < s.look {
				continue
			}
			p.masks[p.next] = m
			if at+2 >= s.end || s.buf[at+1] != '/' || !s.fastPath(at, c) {
				return false
			}
			s.floor = s.look
			return true
		}
	}
	return false
}

// fastPath looks around the colon at buf[i], as atColon does, and reports whether it
// found a reference as plain as can be. If so, it has filled in c and set look
// behind it. The options must leave this way open, as plain says.
func (s *Scanner) fastPath(i int, c *Candidate) bool {
	b := s.buf[:s.end]
	lo, body := fastScheme(b, i)
	if body == 0 {
		return s.fastPrefixed(i, c)
	}
	if lo <= s.floor {
		return lo == s.floor && lo > 0 && s.fastAdjacent(lo, body, c)
	}
	switch fronts[b[lo-1]] {
	case frontOpener:
		if v := s.fastWrapped(lo-1, lo, body, c); v != no {
			return v == yes
		}
	case frontMark:
		if lo-1 <= s.floor || roles[b[lo-2]].has(inScheme) {
			return false
		}
	case frontQuoted:
		if b[lo-1] == ':' && s.wrapping(lo) < lo {
			return false
		}
		if _, form := s.opener(lo); form != Bare {
			return false
		}
	case frontUnclear:
		return false
	}
	return s.fastBare(lo, lo, body, c)
}

// fastAdjacent is fastPath for a reference that begins right where the last one
// ended: what stands before it opens nothing any more. It may yet have a partner.
func (s *Scanner) fastAdjacent(lo, body int, c *Candidate) bool {
	if p := s.buf[lo-1]; p == '\'' || p >= 0x80 {
		return false
	}
	return s.fastBare(lo, lo, body, c)
}

// fastPrefixed is fastPath for the colon of "URL:", right behind an opener.
func (s *Scanner) fastPrefixed(i int, c *Candidate) bool {
	b := s.buf[:s.end]
	lo, at := i-len("URL"), i+1
	if lo <= s.floor || fronts[b[lo-1]] != frontOpener || !isPrefix(b[lo:i]) || i+len("?https://") > len(b) {
		return false
	}
	n := len("http") // of the scheme, if it is one of the four
	switch lower(b[at]) {
	case 'h':
		if b[at+n] != ':' {
			n = len("https")
		}
	case 'f':
		n = len("ftp")
	case 'm':
		n = len("mailto")
	}
	from, body := fastScheme(b, at+n)
	if body == 0 || from != at {
		return false
	}
	v := s.fastWrapped(lo-1, at, body, c)
	if v == yes || v == no && s.fastBare(lo, at, body, c) {
		c.Prefixed = true
		return true
	}
	return false
}

// fastWrapped makes a candidate of what the opener at buf[o] encloses: a
// reference from buf[lo] on, whose scheme and slashes end before buf[body]. With no,
// the opener opens nothing; with more, that is for atColon to see.
func (s *Scanner) fastWrapped(o, lo, body int, c *Candidate) verdict {
	form := Angle
	if s.buf[o] == '"' {
		form = Quote
	}
	b := s.buf[:min(s.end, lo+s.opts.MaxLen+1)]
	end, met := scanUntil(b, body, stopWrapped)
	if end >= len(b) {
		return more
	}
	switch b[end] {
	case closerOf[form]:
		if !fastHost(b, body, end, met) || b[end-1] == ']' && form == Angle {
			return more
		}
		s.fastFill(c, form, o, lo, end, end+1, met)
		return yes
	case '\n':
		return s.fastBroken(form, o, lo, body, end, met, c)
	}
	return unlessOpener(b[end])
}

// fastBare makes a candidate of the bare reference from buf[lo] on, whose scheme
// and slashes end before buf[body]. outer is where its prefix begins, or lo.
func (s *Scanner) fastBare(outer, lo, body int, c *Candidate) bool {
	until := stopBare
	if s.buf[outer-1] == '(' {
		until = stopNested
	}
	b := s.buf[:min(s.end, lo+s.opts.MaxLen+1)]
	if body >= len(b) || !roles[b[body]].has(alnum) {
		return false
	}
	end, met := body, ask(0)
walk:
	for { // each turn begins behind the last
		n, m := scanUntil(b, end, until)
		end, met = n, met|m
		if end+1 >= len(b) {
			return false
		}
		switch next := b[end+1]; b[end] {
		case ':': // a port, or another reference
			if next == '\\' {
				return false
			}
			if next == '/' {
				if !fastHost(b, body, end, met) { // a run of these is walked once
					return false
				}
				n, v := adjacent(b, end, body, false)
				switch v {
				case no:
					end += n
					break walk
				case more:
					return false
				}
			}
			end++
			continue
		case '&': // an entity may end it
			if n := ampersands(b[end:]); n > 0 {
				met |= askEntity
				end += n
				continue
			}
			if k := lower(next); k == 'l' || k == 'g' || k == 'q' || k == 'n' || k == '#' {
				return false
			}
			met |= askEntity
			end++
			continue
		case '\'': // a string of a program may end
			if endsString(next) {
				break walk
			}
			end++
			continue
		case '(', '[', '{', '\\':
			return false
		}
		break
	}
	if b[end] >= 0x80 {
		return false
	}
	ref := end
	if last := b[end-1]; !roles[last].has(alnum) && last != '/' || b[end-2] == '%' {
		ref = trim(b, lo, end, outer)
	}
	if !fastHost(b, body, ref, met) {
		return false
	}
	s.fastFill(c, Bare, outer, lo, ref, ref, met)
	c.Tail = s.buf[ref:end]
	if ref < end {
		c.Others |= WithTail
	}
	return true
}

// ampersands returns the length of the entities "&amp;" that t begins with: many
// where a text was escaped more than once.
func ampersands(t []byte) (n int) {
	for n+8 <= len(t) && binary.LittleEndian.Uint64(t[n:])<<24 == amp { // an entity each time
		n += len("&amp;")
	}
	return n
}

// fastHost reports whether what the reference is about, b[body:end], begins with
// a letter or digit, and has a host if it is an authority, or else what mailto needs; met is
// what it asks for.
func fastHost(b []byte, body, end int, met ask) bool {
	if body >= end || !roles[b[body]].has(alnum) {
		return false
	}
	if b[body-1] == ':' {
		return needMail.met(b[body:end], true)
	}
	return met&askHost == 0 || hasHost(b[body:end])
}

// fastFill makes c the candidate of the form given whose reference is buf[lo:end],
// and buf[from:to] with its wrapper, and sets look behind it; met is what it asks for.
func (s *Scanner) fastFill(c *Candidate, form Form, from, lo, end, to int, met ask) {
	*c = Candidate{}
	t := s.buf[lo:end]
	c.Text, c.Ref, c.Raw = t, t, t
	c.Inner, c.Outer = s.span(lo, end), s.span(from, to)
	c.Line, c.Column = s.lineOf(lo)
	c.Form = form
	if met&askEntity != 0 && bytes.IndexByte(t, ';') >= 0 && bytes.Contains(t, ampEntity) {
		c.Others = Entity
	}
	s.look = to
}
