package delimit

import (
	"bytes"
	"unicode/utf8"
)

// The opener of a wrapper is searched backwards from the reference.

// opener returns the opener in front of buf[lo], ignoring white space between, and the
// form that it opens; Bare if there is none. It examines maxLead bytes.
func (s *Scanner) opener(lo int) (o int, form Form) {
	least := max(s.floor, lo-maxLead-1)
	k := s.beforeSpace(lo, least)
	if k == least {
		return 0, Bare
	}
	switch s.buf[k-1] {
	case '<', '"':
		if o, form = s.openerAt(k-1, k == lo); form != Bare {
			return o, form
		}
	case '>', '|', ':': // a quote prefix ends with one of these
		return s.openerAbove(lo, least)
	}
	return 0, Bare
}

// beforeSpace skips white space backwards from buf[k], at most to buf[least], and returns
// where it begins.
func (s *Scanner) beforeSpace(k, least int) int { return spaceBefore(s.buf, k, least) }

// spaceBefore is beforeSpace in b.
func spaceBefore(b []byte, k, least int) int {
	for k > least { // one byte in each iteration
		if c := b[k-1]; c < utf8.RuneSelf {
			if !roles[c].has(white) {
				break
			}
			k--
			continue
		}
		r, n := utf8.DecodeLastRune(b[max(least, k-utf8.UTFMax):k])
		if !isSpace(r) {
			break
		}
		k -= n
	}
	return k
}

// openerAt returns what buf[o] opens. direct says that no white space follows it. A
// quotation mark in front of white space opens something only after white space or an
// opening bracket; after a word it closes something.
func (s *Scanner) openerAt(o int, direct bool) (int, Form) {
	switch s.buf[o] {
	case '<':
		return o, Angle
	case '"':
		if direct || o == 0 {
			return o, Quote
		}
		if c := s.buf[o-1]; roles[c].has(white) || c == '<' || partnerOf(c) != 0 {
			return o, Quote
		}
	}
	return 0, Bare
}

// openerAbove searches an opener at the end of the line above, if only the quote prefix
// of the opener's line is in front of buf[lo].
func (s *Scanner) openerAbove(lo, least int) (o int, form Form) {
	// Usually there is no line break, and a forward search finds that faster.
	if bytes.IndexByte(s.buf[least:lo], '\n') < 0 {
		return 0, Bare
	}
	k := least + bytes.LastIndexByte(s.buf[least:lo], '\n') + 1
	if k == lo {
		return 0, Bare
	}
	above := s.beforeSpace(k, least)
	if above == least {
		return 0, Bare
	}
	if o, form = s.openerAt(above-1, false); form == Bare {
		return 0, Bare
	}
	m := quotePrefixOf(s.lineHead(o))
	if n, ok, _ := m.strip(s.buf[k:lo], true); !ok || k+n != lo {
		return 0, Bare
	}
	return o, form
}
