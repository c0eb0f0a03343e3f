package delimit

import (
	"bytes"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
)

// Labels in angle brackets (rule 19): the text that a program shows in place of the
// reference in front of it.
//
//	<https://a/b|see here>   Slack and its kin
//	<https://a/b[see here]>  AsciiDoc
//
// A label after a bar ends at the next ">". A label in brackets is known only at the end of
// the wrapper: then the partner of its last bracket is looked for, backwards.

// unlabelled returns e, which was found in t, without the label in brackets that the wrapper
// ends with; or e itself if it ends with none.
func (s *finder) unlabelled(t []byte, e enclosure, m *quotePrefix, set schemes.SchemeSet) enclosure {
	p := lastPartner(t[e.start:e.end])
	if p <= 0 {
		return e
	}
	p += e.start
	end := lex.SpaceBefore(t, p, e.start)
	if end < p && bytes.IndexByte(t[end:p], '\n') >= 0 { // what stands before a break goes with it
		end = len(bytes.TrimSuffix(bytes.TrimSuffix(t[:end], lex.SoftHyphen), []byte("\\")))
	}
	if e.bar || end <= e.start || bytes.IndexByte(sentenceMarks, t[end-1]) >= 0 || inKey(t[e.start:p], t[p:e.end]) {
		return e
	}
	if s.opts.Extras&Defanged != 0 {
		if n, _ := fanged(t[p:]); n > 0 {
			return e
		}
	}
	cut, _ := enclose(t[:p], '<', m, s.opts.MaxBreaks, true)
	cut.end, cut.after = end, e.after
	text := t[cut.start:cut.end]
	if cut.joined {
		s.text = join(s.text[:0], text, m, joiner{json: cut.json})
		text = s.text
	}
	if _, _, ok := s.counts(text, set, '<', &cut); !ok {
		return e
	}
	return cut
}
