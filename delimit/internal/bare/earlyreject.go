package bare

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/extras"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// Plan: text that looks like a bare reference but is none is rejected early. Otherwise a
// run such as http://?u=http://?u= would be scanned to its end from each of its colons, in
// quadratic time. So each reason for which Rules.Begins rejects a reference is
// checked as soon as the bytes that decide it are there. They are in front of the next
// colon, or within schemes.NeedLen:
//
//   - what must follow an opaque scheme, before the scan (FailsNeed);
//   - the first labels of an abbreviated reference, before the scan (Unnamed);
//   - a host, when the scan has reached the end of the authority (hostless).
//
// Rules.Begins makes the same checks. Here they are made for the longest text that the
// reference can have, so it does not matter where the reference would have ended. In one other
// case a long scan gives a short reference: a bracket that is never closed; see nest.go.
//
// Rejected text is not skipped, even if it is longer than MaxLen: the search continues
// after its colon.

// HostCheckAt returns what a scan from b[body] on must check for the reference at b[lo].
// refanged says that the reference counts only in its refanged form.
func (s *EndFinder) HostCheckAt(b []byte, lo, body int, w *ScanState) (check HostCheck, refanged bool) {
	if w.Component != InAuthority || body == lo || body >= len(b) {
		return noHost, false
	}
	n := lex.SchemeEnd(b[lo:body])
	h := schemes.TraitsOf(b[lo : lo+n])
	if b[lo+n] != ':' {
		refanged = true
		for _, d := range extras.DefangedSchemes { // each of them stands for a scheme with a host
			if lex.FoldEqual(b[lo:lo+n], d.As) {
				h = schemes.Hosts
			}
		}
	}
	if h&schemes.Hosts != 0 {
		check = hostAhead
	}
	return check, refanged
}

// hostless reports whether the reference with the authority b[body:end] is rejected
// because it has no host. The scan w has left the authority. hostless is called once or twice
// for each authority.
func (s *EndFinder) hostless(b []byte, body, end int, w *ScanState) bool {
	switch {
	case w.Host == hostInCut:
		return w.nest.Depth == 0
	case s.hosted(b[body:end], w):
		w.Host = noHost
	case w.nest.Depth == 0 || !s.hosted(b[body:w.nest.brackets[0].at], w):
		return true
	default:
		w.Host = hostInCut
	}
	return false
}

// hosted reports whether the raw authority has a host in any of its readings.
func (s *EndFinder) hosted(authority []byte, w *ScanState) bool {
	if w.JSON {
		s.Text = wrap.Join(s.Text[:0], authority, &wrap.QuotePrefix{}, wrap.Joiner{JSON: true})
		authority = s.Text
	}
	if s.Defanged {
		var ok bool
		if s.Ref, ok = extras.Refang(s.Ref[:0], authority); (ok || w.Refanged) && schemes.HasHost(s.Ref) {
			return true
		}
	}
	return !w.Refanged && schemes.HasHost(authority)
}

// FailsNeed reports whether the text after the opaque scheme b[lo:body-1] certainly lacks what
// the scheme needs there. It examines schemes.NeedLen bytes, raw and decoded. whole says that no
// more bytes follow b. If it cannot decide yet, it returns false.
func (s *EndFinder) FailsNeed(b []byte, lo, body int, w *ScanState, set schemes.SchemeSet, whole bool) bool {
	if w.Component == InAuthority || set == schemes.Any || body-lo <= 2 || len(b)-body < schemes.NeedLen || b[body-1] != ':' || b[body] == '/' {
		return false
	}
	h := schemes.TraitsOf(b[lo : body-1])
	n, rest := h.Need(), b[body:]
	if h&schemes.Opaque == 0 || n.MetBy(rest, set == schemes.Usual) {
		return false
	}
	defanged := s.Defanged
	switch {
	case !schemes.HasEscape(rest[:schemes.NeedLen], defanged):
		return true
	case !whole && len(rest) < schemes.NeedLen*schemes.MaxEscape:
		return false // escapes are longer than what they mean, so more bytes may be within schemes.NeedLen
	case defanged && bytes.HasPrefix(s.decodedStart(rest, 2, true), []byte("//")):
		return false // after "//" a letter or digit is enough
	case !n.MayBeEscaped(rest[:min(len(rest), schemes.NeedLen*schemes.MaxEscape)], defanged):
		return true
	}
	bare := set == schemes.Usual
	return !n.MetBy(s.decodedStart(rest, schemes.NeedLen, false), bare) && !(defanged && n.MetBy(s.decodedStart(rest, schemes.NeedLen, true), bare))
}

// decodedStart returns the beginning of b with its escapes of JSON decoded and, if defanged is
// set, its defanged spellings. It stops when it has at least limit bytes, or at a byte that ends
// every reference. The result is in a buffer that the next call overwrites.
func (s *EndFinder) decodedStart(b []byte, limit int, defanged bool) []byte {
	s.Text = s.Text[:0]
	for i := 0; i < len(b) && len(s.Text) < limit && !lex.Roles[b[i]].Has(lex.Ends); { // at least one byte in each iteration
		if !defanged {
			if n := min(wrap.UntilHalt(b[i:]), limit-len(s.Text)); n > 0 {
				s.Text = append(s.Text, b[i:i+n]...)
				i += n
				continue
			}
		} else {
			if n, _ := extras.Defanged(b[i:]); n > 0 {
				s.Text = append(s.Text, extras.Original(b[i:i+n])...)
				i += n
				continue
			}
		}
		if b[i] == '\\' {
			if n, _ := lex.JsonEscape(b[i:]); n > 0 {
				s.Text = append(s.Text, "/&"[n/6]) // lengths are 2 and 6
				i += n
				continue
			}
		}
		s.Text = append(s.Text, b[i])
		i++
	}
	return s.Text
}

// Unnamed reports whether t, which begins with an abbreviation, is certainly neither a host of
// three labels nor a reference with a scheme. It examines the first three labels of t. whole says
// that no more bytes follow t.
func (s *EndFinder) Unnamed(t []byte, whole bool) bool {
	scheme, n := extras.Abbreviates(t)
	if scheme != "" || n == len(t) {
		return false
	}
	if n = lex.SchemeEnd(t); len(t)-n < len("://")*schemes.MaxEscape {
		return false
	}
	defanged := s.Defanged
	if schemes.HasEscape(t[n:n+2], defanged) {
		if !whole && len(t) < 2*lex.MaxScheme*schemes.MaxEscape {
			return false
		}
		t = s.decodedStart(t, 2*lex.MaxScheme, defanged)
		n = lex.SchemeEnd(t)
	}
	return n > lex.MaxScheme || n >= len(t) || t[n] != ':' || !lex.HasSlashes(t[n:]) && !s.Rules.Knows(t[:n], schemes.TraitsOf(t[:n]))
}
