package delimit

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/extras"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// Labels in angle brackets (rule 19): the text that a program shows in place of the
// reference in front of it.
//
//	<https://a/b|see here>   Slack and similar programs
//	<https://a/b[see here]>  AsciiDoc
//
// A label after a bar ends at the next ">". A label in brackets is known only at the end of
// the wrapper: then a backward search finds the partner of its last bracket.

// unlabelled returns e, which was found in t, without the label in brackets at the end of the
// wrapper. If the wrapper ends with no such label, e is returned unchanged.
func (s *matcher) unlabelled(t []byte, e wrap.Enclosure, m *wrap.QuotePrefix, set schemes.SchemeSet) wrap.Enclosure {
	p := wrap.LastPartner(t[e.Start:e.End])
	if p <= 0 {
		return e
	}
	p += e.Start
	end := lex.SpaceBefore(t, p, e.Start)
	if end < p && bytes.IndexByte(t[end:p], '\n') >= 0 { // a soft hyphen or backslash in front of a line break is removed with it
		end = len(bytes.TrimSuffix(bytes.TrimSuffix(t[:end], lex.SoftHyphen), []byte("\\")))
	}
	if e.Bar || end <= e.Start || bytes.IndexByte(wrap.SentenceMarks, t[end-1]) >= 0 || wrap.InKey(t[e.Start:p], t[p:e.End]) {
		return e
	}
	if s.opts.Extras&Defanged != 0 {
		if n, _ := extras.Defanged(t[p:]); n > 0 {
			return e
		}
	}
	cut, _ := wrap.Enclose(t[:p], '<', m, s.opts.MaxBreaks, true)
	cut.End, cut.After = end, e.After
	text := t[cut.Start:cut.End]
	if cut.Joined {
		s.Text = wrap.Join(s.Text[:0], text, m, wrap.Joiner{JSON: cut.JSON})
		text = s.Text
	}
	if _, _, ok := s.counts(text, set, '<', &cut); !ok {
		return e
	}
	return cut
}
