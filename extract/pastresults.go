package extract

import (
	"slices"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// This file decides which results of a resumed file were yielded by earlier runs. If a run has the
// same options as the last one, it leaves out as many results as the last run has found after the
// point of restart. If it has other options, it leaves out the results in the stretch where the
// last run has found all. So it prints only results from the new text.

// A pastResults counts the results of a resumed file: those to leave out, from the point of restart
// on, and those found.
type pastResults struct {
	restart
	skip     int64           // results to leave out
	known    map[uint64]bool // hashes of other results to leave out
	total    int64           // results since the beginning of the file, except those in last
	final    bool            // the end of the file was reached
	last     []uint64        // hashes of the results after that
	reported []uint64        // errors

	found   stretch // see Place
	past    stretch
	ended   bool  // all was read
	message int64 // where the current message of a mailbox begins
}

// begin makes s leave out what was found up to p. same says that the options are the same.
func (s *pastResults) begin(p *Place, same bool) {
	s.reported, s.found, s.past, s.message = slices.Clone(p.reported), p.found, p.past, p.from
	if !same {
		s.n, s.past, s.total = 0, p.found, p.Results
		return
	}
	s.skip = s.n
	if len(p.last) > 0 {
		s.known = make(map[uint64]bool, len(p.last))
	}
	for _, h := range p.last { // at most maxLast
		s.known[h] = true
	}
}

// sure records that all results that begin in front of the offset at were found.
func (s *pastResults) sure(at int64) { s.found.begin = max(s.found.begin, at) }

// allFound returns the stretch in which all results were found. It ends where the stream was read
// to; more of the file may have been read in advance.
func (s *resumption) allFound() stretch {
	if s.file.nothing {
		return s.found
	}
	end := s.doc.Outermost().Read()
	at, isTar := s.doc.Outermost().Archived()
	switch {
	case !s.ended:
	case isTar:
		s.sure(at)
	case !s.held:
		s.sure(end)
	case s.kind == document.Messages:
		s.sure(s.message)
	}
	return stretch{s.found.begin, end}
}

// isPast reports whether a run with other options has passed r.
func (s *resumption) isPast(r *Result) bool {
	if s.past.begin == 0 {
		return false
	}
	if r.Origin.Member == "" {
		return s.past.has(r.Origin.Offset, r.Origin.Offset+r.Origin.Length)
	}
	at, ok := s.doc.Outermost().Archived()
	if s.kind == document.Messages {
		at, ok = s.message, true
	}
	return ok && at < s.past.begin
}

// passes reports whether r is yielded, and counts it.
func (s *resumption) passes(r *Result) bool {
	if s.warming || s.held {
		return false
	}
	s.final = s.final || s.in.Ended && s.kind != document.Lines
	if s.cut() {
		return false
	}
	known := false
	switch {
	case s.skip > 0:
		s.skip--
		return false
	case s.isPast(r):
		if !s.final {
			s.n++
		}
		return false
	case s.known != nil:
		if h := r.hash(); s.known[h] {
			delete(s.known, h)
			known = true
		}
	}
	s.count(r)
	return !known
}

// cut reports whether a result found now may change when more is written to the file: the file is
// growing and incomplete, and its end was reached.
func (s *resumption) cut() bool {
	s.held = s.held || s.file.Growing && s.incomplete && s.in.Ended
	return s.held
}

// reports reports whether d is yielded. It records that d has ended reading, if a later run may be
// able to read more.
func (s *resumption) reports(d *damage.Damage) bool {
	if d.Class == damage.Read || d.Class == damage.Pack && d.Severity == damage.Error && s.file.Growing {
		s.failed = true
	}
	return !s.warming && !s.cut() && s.skip == 0
}

// wasReported reports whether an earlier run has yielded e, and remembers e.
func (s *pastResults) wasReported(e *Error) bool {
	h := e.hash()
	if slices.Contains(s.reported, h) { // at most maxReported hashes
		return true
	}
	if s.reported = append(s.reported, h); len(s.reported) > maxReported {
		s.reported = slices.Delete(s.reported, 0, 1)
	}
	return false
}

// count counts r, which is yielded or was yielded by an earlier run.
func (s *pastResults) count(r *Result) {
	if r.Origin.Member == "" {
		s.sure(r.Origin.Offset + 1)
	}
	if !s.final {
		s.total++
		s.n++
		return
	}
	s.last = append(s.last, r.hash())
	if len(s.last) > maxLast {
		s.last = s.last[1:]
		s.total++
		s.n++
	}
}

// A moving changes the numbers in Results to those of the whole file.
type moving struct {
	front delta // numbers of the point where this run starts
	res   Result
}

// moved returns r with the numbers of the whole file. It is valid until the next call.
func (m *moving) moved(r *Result) *Result {
	if m.front.lines == 0 && m.front.messages == 0 {
		return r
	}
	m.res = *r
	m.front.line(&m.res)
	m.front.message(&m.res.Origin)
	return &m.res
}
