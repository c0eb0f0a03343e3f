package delimit

import (
	"bytes"
	"iter"

	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// This file makes the other readings (rules 9 to 11). A candidate stores a bit for each
// other reading, the raw bytes and the quote prefix. Only on request is the text of a
// reading made, by joining the raw bytes in another way. So a caller that needs no
// readings does not pay for them.

// maxHyphens is how many hyphens in front of line breaks may be dropped in a reading.
// Three hyphens give eight texts, including the primary one.
const maxHyphens = 3

// others returns what the text of c allows beside the primary reading.
func (s *matcher) others(c *Candidate, e *wrap.Enclosure) Reading {
	var r Reading
	if e.Hyphens > 0 {
		r |= NoHyphen
	}
	if e.Gaps > 0 {
		r |= SpaceEscaped
		s.cut = c.join(s.cut[:0], wrap.Joiner{Cut: true}) // the part in front of the first space
		if _, ok := s.Rules.Begins(s.cut, schemes.Angled); ok {
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

// Readings returns the readings in c.Others: the bit of each and its text. [NoHyphen]
// gives up to seven texts, one for each choice of hyphens to drop; every other bit
// gives one. A text is written to buf[:0], or to new memory if buf is too small, and is
// valid until the next iteration. c keeps no reference to it. The slices of c must
// still be valid.
func (c *Candidate) Readings(buf []byte) iter.Seq2[Reading, []byte] {
	return func(yield func(Reading, []byte) bool) {
		for r := NoHyphen; r <= AtComma; r <<= 1 {
			if c.Others&r == 0 {
				continue
			}
			if r != NoHyphen {
				buf = c.AppendReading(buf[:0], r)
				if !yield(r, buf) {
					return
				}
				continue
			}
			if len(c.next) > 0 { // bare: there is only one hyphen
				buf = c.AppendReading(buf[:0], r)
				if !yield(r, buf) {
					return
				}
				continue
			}
			n := min(c.hyphens, maxHyphens)
			for drop := uint8(1); drop < 1<<n; drop++ {
				buf = c.join(buf[:0], wrap.Joiner{Drop: drop})
				if !yield(r, buf) {
					return
				}
			}
		}
	}
}

// AppendReading appends to dst the text of c in the reading r, one bit of c.Others, and
// returns the extended slice. [NoHyphen] drops every doubtful hyphen; for all choices
// see [Candidate.Readings]. If r is not in c.Others, dst is returned unchanged.
func (c *Candidate) AppendReading(dst []byte, r Reading) []byte {
	switch r & c.Others {
	case NoHyphen:
		if len(c.next) > 0 {
			return append(append(dst, c.Text[:len(c.Text)-1]...), c.next...)
		}
		return c.join(dst, wrap.Joiner{Drop: 1<<maxHyphens - 1})
	case SpaceEscaped:
		return appendEscaped(c.join(dst, wrap.Joiner{Escape: true}), len(dst))
	case CutAtSpace:
		return c.join(dst, wrap.Joiner{Cut: true})
	case Entity:
		for t := c.Text; ; { // one entity in each iteration
			i := bytes.Index(t, ampEntity)
			if i < 0 {
				return append(dst, t...)
			}
			dst = append(dst, t[:i+1]...)
			t = t[i+len(ampEntity):]
		}
	case Rejoined:
		if len(c.bracketed) > 0 {
			return c.join(dst, wrap.Joiner{})
		}
		return append(append(dst, c.Text...), c.next...)
	case AtComma:
		return append(dst, c.Text[:bytes.IndexByte(c.Text, ',')]...)
	case WithTail:
		return append(append(dst, c.Text...), c.Tail...)
	}
	return dst
}

// AppendSpaced appends to dst the text of c in the reading [SpaceEscaped], with nothing
// escaped but white space, and returns the extended slice. It is for callers that escape the
// rest by a grammar: [Candidate.AppendReading] escapes the octets of UTF-8, and in the
// document of 1993 an escape is an ISO Latin 1 code. If c has no such reading, dst is returned
// unchanged.
func (c *Candidate) AppendSpaced(dst []byte) []byte {
	if c.Others&SpaceEscaped == 0 {
		return dst
	}
	return c.join(dst, wrap.Joiner{Escape: true})
}

// join appends a reading of c, which it makes from the raw bytes, to dst.
func (c *Candidate) join(dst []byte, how wrap.Joiner) []byte {
	how.JSON = c.json
	raw := c.Raw
	if len(c.bracketed) > 0 {
		raw = c.bracketed
	}
	return wrap.Join(dst, raw, &c.quoted, how)
}
