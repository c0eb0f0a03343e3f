package delimit

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// Plan: the "@" is the trigger. The local part is found backwards from it, the domain
// forwards, each within the length that mail allows. Then the context decides whether the
// address is a Message-ID.

// The addresses here are mail addresses without "mailto:". A Message-ID looks like an
// address, but is none. It is recognised by its header field, by the word in front of it,
// or in angle brackets by its form.

const (
	maxLocal  = 64  // bytes of a local part: RFC 5321, 4.5.3.1.1
	maxDomain = 255 // bytes of a domain: RFC 5321, 4.5.3.1.2
)

// addressAt returns the bounds of the address around the "@" at Buf[i]. stop is the byte that
// follows the characters of a domain, or 0 at the end of the text.
func (s *searcher) addressAt(i int) (lo, hi int, stop byte, v lex.Answer) {
	b := s.Buf[:s.End]
	lo = i
	for least := max(s.Floor, i-maxLocal-1); lo > least && isLocal(b[lo-1]); {
		lo--
	}
	for lo < i && !lex.Roles[b[lo]].Has(lex.Alnum) && b[lo] != '_' {
		lo++
	}
	if lo == i || i-lo > maxLocal || lo > 0 && (b[lo-1] == '/' || b[lo-1] == '@' || b[lo-1] >= 0x80) || b[i-1] == '.' {
		return lo, i, 0, lex.No
	}
	hi = i + 1
	for most := i + 1 + maxDomain; hi < len(b) && hi < most && (lex.Roles[b[hi]].Has(lex.Alnum) || b[hi] == '-' || b[hi] == '.'); {
		hi++
	}
	if hi == len(b) && s.Err != io.EOF {
		return lo, hi, 0, lex.More
	}
	if hi < len(b) {
		stop = b[hi]
	}
	if stop == '@' || stop == '_' || stop >= 0x80 {
		return lo, hi, stop, lex.No
	}
	if stop == ':' {
		if hi+1 == len(b) {
			if s.Err == nil {
				return lo, hi, stop, lex.More
			}
		} else if !lex.Roles[b[hi+1]].Has(lex.Ends) {
			return lo, hi, stop, lex.No // host:path, as scp writes it
		}
	}
	for hi > i && !lex.Roles[b[hi-1]].Has(lex.Alnum) { // leaves "a@" at i
		hi--
	}
	if hi == i || !isDomain(b[i+1:hi]) {
		return lo, hi, stop, lex.No
	}
	return lo, hi, stop, lex.Yes
}

// address examines what is around the "@" at Buf[i]. If it returns lex.Yes, c is a mail address,
// and SearchFrom is after it.
func (s *searcher) address(i int, c *Candidate) lex.Answer {
	lo, hi, stop, v := s.addressAt(i)
	if v != lex.Yes {
		return v
	}
	b, form := s.Buf[:s.End], Bare
	if lo > 0 && b[lo-1] == '<' && stop == '>' {
		form = Angle
	}
	line, column := s.Place(lo)
	if s.isMessageID(lo, i, line, form) {
		return lex.No
	}
	s.Ref = append(append(s.Ref[:0], "mailto:"...), b[lo:hi]...)
	*c = Candidate{
		Text: b[lo:hi], Ref: s.Ref, Raw: b[lo:hi],
		Inner: spanOf(&s.Window, lo, hi), Outer: spanOf(&s.Window, lo, hi),
		Line: line, Column: column, Form: form, By: Address,
	}
	if s.opts.NoLines {
		c.Line, c.Column = 0, 0
	}
	if form == Angle {
		c.Outer = spanOf(&s.Window, lo-1, hi+1)
	}
	s.SearchFrom = hi
	return lex.Yes
}

// isLocal reports whether c may be in the local part of a common address. RFC 5322 allows
// more; characters that must be escaped in mailto are left out.
func isLocal(c byte) bool {
	return lex.Roles[c].Has(lex.Alnum) || bytes.IndexByte(localMarks, c) >= 0
}

var localMarks = []byte("._+-='~*!$&")

// isDomain reports whether d has at least two labels, none of them empty. The last one must
// consist of two or more letters, or begin with "xn--".
func isDomain(d []byte) bool {
	i := bytes.LastIndexByte(d, '.')
	if i <= 0 || bytes.Contains(d, dotDot) || d[0] == '.' || len(d)-i-1 < 2 {
		return false
	}
	for _, c := range d[i+1:] {
		if !lex.Roles[c].Has(lex.Alpha) {
			return len(d)-i > 5 && lex.FoldEqual(d[i+1:i+5], "xn--")
		}
	}
	return true
}

var dotDot = []byte("..")

// idFields are the header fields that hold Message-IDs.
var idFields = [...]string{
	"message-id", "in-reply-to", "references", "resent-message-id", "content-id", "supersedes",
	"also-control", "article-id", "x-message-id", "original-message-id", "see-also", "replaces", "obsoletes",
}

// idWords are words that, in front of "<", announce a Message-ID.
var idWords = [...]string{"message", "article", "message-id", "msgid", "msg-id", "id", "posting", "news", "mid", "references"}

// isMessageID reports whether an address is a Message-ID. Its "@" is at Buf[i], and its
// local part begins at Buf[lo], in the given line.
func (s *searcher) isMessageID(lo, i int, line int64, form Form) bool {
	head := s.LineHead(lo)
	m := wrap.QuotePrefixOf(head)
	if n, ok, _ := m.Strip(head, true); ok {
		head = head[n:]
	}
	field := bytes.IndexByte(head, ':')
	switch {
	case field > 0 && isOneOf(head[:field], idFields[:]),

		s.messageIDLine > 0 && s.messageIDLine+1 >= line && folded(s.LineHead(lo)):
		s.messageIDLine = line
		return true
	}
	if form != Angle {
		return false
	}
	word := bytes.TrimRight(head[:max(0, len(head)-1)], " \t:")
	if k := bytes.LastIndexAny(word, " \t("); k >= 0 {
		word = word[k+1:]
	}
	return isOneOf(word, idWords[:]) || generated(s.Buf[lo:i])
}

// folded reports whether a line that begins with head continues the field above it.
func folded(head []byte) bool { return len(head) > 0 && lex.Roles[head[0]].Has(lex.Blank) }

// generated reports whether a local part was probably made by a program.
func generated(local []byte) bool {
	digits := 0
	for _, c := range local {
		if lex.Roles[c].Has(lex.Digit) {
			digits++
		}
	}
	return digits >= 6 || bytes.IndexByte(local, '$') >= 0 || lex.Roles[local[0]].Has(lex.Digit) && digits >= 3
}

func isOneOf(word []byte, list []string) bool {
	for _, w := range list {
		if lex.FoldEqual(word, w) {
			return true
		}
	}
	return false
}
