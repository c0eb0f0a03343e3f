package extract

import "slices"

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
