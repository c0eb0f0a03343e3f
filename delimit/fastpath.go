package delimit

import (
	"encoding/binary"
	"math/bits"

	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/front"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/window"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// The fast path. Most references are http, https, ftp or mailto, are on one line, and
// look like these:
//
//	"http://a/b"   <http://a/b>   <URL:http://a/b>   http://a/b.   (http://a/b)
//
// They are in a wrapper that contains nothing else, or bare after a byte that opens no
// wrapper, and have no byte that needs special treatment. For these the fast path makes
// the same candidate as atColon, for a fifth of the cost. The eight bytes around the
// colon decide the scheme, and the byte in front of them the form. One loop (scanuntil.go)
// finds the end, and which checks the bytes before the end require. Two other cases cost
// little more: a wrapper over several lines (fastlines.go), and an opener without a wrapper, if
// the next line shows that.
//
// Everything else is left to atColon: bytes beyond ASCII, backslashes, white space on one
// line, nested brackets, a host that begins with a mark, incomplete text. The fast path
// has then changed nothing except line counts, which only advance. Tests compare the two.
//
// Without the fast path, access logs take 1.6 times as long, news 5 % longer, and RFCs, which
// have few references, as long as with it (text output, processor time, one worker).
//
// At most three loops read the text after a colon: for a wrapper, for a bare reference, and
// in atColon. None reads further than the one in atColon, which takes linear time.

// nextFast advances to the next colon of the current piece, and reports whether a simple
// reference is around it. If so, the state is as after search. If not, search continues
// at that colon, or after the piece. It may only be called if onlyColons is set. If references
// are dense, it finds all but the first of each piece, without the other checks for a
// colon.
func (s *fastMatcher) nextFast(c *Candidate) bool {
	p := &s.Piece
	for ; p.Next < p.N; p.Next++ { // each block is finished once
		block := p.From + int(p.At[p.Next])
		for m := p.Masks[p.Next]; m != 0; m &= m - 1 {
			at := block + bits.TrailingZeros64(m)
			if at < s.SearchFrom {
				continue
			}
			p.Masks[p.Next] = m
			if at+2 >= s.End || s.Buf[at+1] != '/' || !s.fastPath(at, c) {
				return false
			}
			s.Floor = s.SearchFrom
			return true
		}
	}
	return false
}

// fastPath examines what is around the colon at Buf[i], like atColon, and reports whether
// it has found a simple reference. If so, it has set c, and SearchFrom is after it. It may only
// be called if plain is set.
func (s *fastMatcher) fastPath(i int, c *Candidate) bool {
	b := s.Buf[:s.End]
	lo, body := front.UsualScheme(b, i)
	if body == 0 {
		return s.fastPrefixed(i, c)
	}
	if lo <= s.Floor {
		return false
	}
	switch front.Classes[b[lo-1]] {
	case front.Opens:
		if v := s.fastWrapped(lo-1, lo, body, c); v != lex.No {
			return v == lex.Yes
		}
	case front.InScheme:
		if lo-1 <= s.Floor || lex.Roles[b[lo-2]].Has(lex.InScheme) {
			return false
		}
	case front.MayBeQuoted:
		if b[lo-1] == ':' && front.Outermost(&s.Window, lo) < lo {
			return false
		}
		if _, mark := front.Opener(&s.Window, lo); mark != 0 {
			return false
		}
	case front.Unclear:
		return false
	}
	return s.fastBare(lo, lo, body, c)
}

// fastPrefixed is fastPath for the colon of "URL:" directly after an opener.
func (s *fastMatcher) fastPrefixed(i int, c *Candidate) bool {
	b := s.Buf[:s.End]
	lo, at := i-len("URL"), i+1
	if lo <= s.Floor || front.Classes[b[lo-1]] != front.Opens || !lex.IsPrefix(b[lo:i]) || i+len("?https://") > len(b) {
		return false
	}
	n := len("http") // length of the scheme, if it is one of the four
	switch lex.Lower(b[at]) {
	case 'h':
		if b[at+n] != ':' {
			n = len("https")
		}
	case 'f':
		n = len("ftp")
	case 'm':
		n = len("mailto")
	}
	from, body := front.UsualScheme(b, at+n)
	if body == 0 || from != at {
		return false
	}
	v := s.fastWrapped(lo-1, at, body, c)
	if v == lex.Yes || v == lex.No && s.fastBare(lo, at, body, c) {
		c.Prefixed = true
		return true
	}
	return false
}

// fastWrapped makes a candidate of the content of the opener at Buf[o]: a reference from
// Buf[lo] on, whose scheme and slashes end in front of Buf[body]. The answer No means that
// Buf[o] opens no wrapper, and More that atColon must decide.
func (s *fastMatcher) fastWrapped(o, lo, body int, c *Candidate) lex.Answer {
	mark := s.Buf[o]
	b := s.Buf[:min(s.End, lo+s.opts.MaxLen+1)]
	end, checks := window.ScanUntil(b, body, window.StopWrapped)
	if end >= len(b) {
		return lex.More
	}
	switch b[end] {
	case wrap.CloserOf(mark):
		if !fastHost(b, body, end, checks) || b[end-1] == ']' && mark == '<' {
			return lex.More
		}
		s.fastFill(c, formOf(mark), o, lo, end, end+1, checks)
		return lex.Yes
	case '\n':
		return s.fastLines(mark, o, lo, body, end, checks, c)
	}
	return unlessOpener(b[end])
}

// fastBare makes a candidate of the bare reference from Buf[lo] on, whose scheme and
// slashes end in front of Buf[body]. outer is where the prefix of the reference begins, or lo if
// there is no prefix.
func (s *fastMatcher) fastBare(outer, lo, body int, c *Candidate) bool {
	until := window.StopBare
	if s.Buf[outer-1] == '(' {
		until = window.StopNested
	}
	b := s.Buf[:min(s.End, lo+s.opts.MaxLen+1)]
	if body >= len(b) || !lex.Roles[b[body]].Has(lex.Alnum) {
		return false
	}
	if b[body-1] == ':' && !schemes.NeedMail.MetBy(b[body:], true) { // otherwise each colon of a run would scan all of the run
		return false
	}
	end, comma, checks, ok := fastEnd(b, body, until)
	if !ok {
		return false
	}
	ref := end
	if last := b[end-1]; !lex.Roles[last].Has(lex.Alnum) && last != '/' || b[end-2] == '%' {
		ref = bare.Trim(b, lo, end, outer)
	}
	if !fastHost(b, body, ref, checks) {
		return false
	}
	s.fastFill(c, Bare, outer, lo, ref, ref, checks)
	c.Tail = s.Buf[ref:end]
	if ref < end {
		c.Others |= WithTail
	}
	if comma > 0 && comma < ref {
		c.Others |= atComma(s.Rules, c.Text, comma-lo, afterTail(&s.Window, ref, end), schemes.Usual)
	}
	return true
}

// fastEnd searches for the end of a bare reference whose body begins at b[body]. end is
// after its tail, comma is the index of its first comma, or 0, and checks are those that the bytes
// of the reference require. ok is false if the fast path cannot decide. Each iteration begins where
// the previous one ended.
func fastEnd(b []byte, body int, until window.Stop) (end, comma int, checks window.Check, ok bool) {
	for end = body; ; end++ {
		n, m := window.ScanUntil(b, end, until)
		end, checks = n, checks|m
		if end+1 >= len(b) {
			return end, comma, checks, false
		}
		switch next := b[end+1]; b[end] {
		case ':': // a port, or another reference
			if next == '\\' {
				return end, comma, checks, false
			}
			if next == '/' {
				if !fastHost(b, body, end, checks) { // without this, a run of schemes would be scanned from each of its colons
					return end, comma, checks, false
				}
				if n, v := schemes.Adjacent(b, end, body, false); v != lex.Yes {
					return end + n, comma, checks, v == lex.No && b[end+n] < 0x80
				}
			}
		case '&': // an entity may end it
			checks |= window.CheckEntity
			if n := ampersands(b[end:]); n > 0 {
				end += n - 1
			} else if lex.StartsEntity(next) {
				return end, comma, checks, false
			}
		case ',':
			if comma == 0 {
				comma = end
			}
		case '\'': // a string of a program may end
			if lex.EndsString(next) {
				return end, comma, checks, true
			}
		case '(', '[', '{', '\\':
			return end, comma, checks, false
		default:
			return end, comma, checks, b[end] < 0x80
		}
	}
}

// ampersands returns the length in bytes of the entities "&amp;" that t begins with, one
// directly after another. If t ends shortly after the last of them, that entity may be left out.
func ampersands(t []byte) (n int) {
	for n+8 <= len(t) && binary.LittleEndian.Uint64(t[n:])<<24 == front.Amp { // one entity in each iteration
		n += len("&amp;")
	}
	return n
}
