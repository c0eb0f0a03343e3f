package delimit

import (
	"io"
	"iter"
)

// How it scans. A reference with a scheme has a colon, so Next looks for the next
// ":" that could be one's (trigger.go) and looks around it (atcolon.go). From the
// colon it looks back, at most lookBehind bytes, for scheme, prefix and opener, and
// the opener tells the form: < an angle wrapper, " a quote, anything else a bare
// reference. Then it looks ahead for the end (wrapped.go, bare.go). Extras add
// triggers beside the colon and cost nothing when they are off (extra.go).
//
// A reference that stands there as most do needs none of that, and is taken on a
// fast path (fastpath.go), with the same outcome.
//
// No read decides: each look ahead answers yes, no or more, and more is the
// answer only where the bytes that are there allow two outcomes. Then the window
// is filled by one Read and the same colon is looked at again; but not before a
// byte has come that can end something, so that a candidate that trickles in is
// not walked anew for each byte.

// A Scanner reads text and steps through its candidates, in order, without
// overlap, in time linear in the text. What it finds does not depend on the
// sizes of the reads, and what is complete is returned before more is read. It
// allocates when it is made, and not afterwards. It is for one goroutine.
type Scanner struct {
	opts Options
	window
	start    int64 // offset of the first byte in the text
	look     int   // where the search goes on
	floor    int   // end of the last candidate: nothing looks back beyond it
	wait     int   // no look is worth while before a byte of waiting comes behind it
	skipping bool
	plain    bool     // the options leave the fast path open
	swift    bool     // and colons are all that is looked for
	skipped  [2]int64 // bare runs that were too long, and their bytes
	idLine   int64    // where a Message-ID was last met; see address.go

	// Per pair of quotation marks: up to where no closer is known to stand.
	unpaired [len(pairs)]int

	nests   nests // brackets that stay open, as far as known
	matters matters

	given int    // where the Text that was handed out lies in buf, or -1
	text  []byte // scratch for joined text
	ref   []byte // scratch for Ref
	cut   []byte // scratch for what stands before a space
	next  [3]int // per trigger: where it stands next, as far as known
}

// NewScanner returns a Scanner that reads r. Where a Reset or ResetBytes comes before
// all else, r may be nil.
func NewScanner(r io.Reader, opts Options) *Scanner {
	return newScanner(r, opts, minWindow)
}

// newScanner is NewScanner with another least window, for tests.
func newScanner(r io.Reader, opts Options, window int) *Scanner {
	if opts.MaxLen <= 0 {
		opts.MaxLen = 8192
	}
	opts.MaxLen = min(opts.MaxLen, greatestLen)
	if opts.MaxBreaks <= 0 {
		opts.MaxBreaks = 32
	}
	s := &Scanner{opts: opts, plain: opts.Extras&(Defanged|Rejoin) == 0 && opts.Known == nil}
	s.swift = s.plain && opts.Extras == 0
	least := opts.MaxLen + 2*lookBehind + rejoinReach
	if window == minWindow {
		least = max(least, 8*opts.MaxLen)
	}
	s.own = make([]byte, max(window, least))
	s.piece.colons, s.piece.lines = new(colons), new(lines)
	s.text = make([]byte, 0, opts.MaxLen+maxLead)
	s.ref = make([]byte, 0, opts.MaxLen+maxLead)
	s.cut = make([]byte, 0, opts.MaxLen+maxLead)
	s.nests = newNests()
	s.Reset(r)
	return s
}

// Reset starts the scanner on r, with its options and its memory.
func (s *Scanner) Reset(r io.Reader) {
	s.window.reset(r)
	s.begin()
}

// ResetBytes starts the scanner on text that is in memory as a whole, as Reset would
// on a reader of it, but reads it where it lies. The slices of candidates may be
// slices of text then, which nothing may write to while it is scanned, and which the
// scanner never writes to.
func (s *Scanner) ResetBytes(text []byte) {
	s.window.resetBytes(text)
	s.begin()
}

// begin sets what a search begins with.
func (s *Scanner) begin() {
	s.start = 0
	s.look, s.floor, s.wait = 0, 0, 0
	s.skipping, s.skipped, s.idLine = false, [2]int64{}, 0
	s.unpaired = [len(pairs)]int{}
	s.nests.clear()
	s.given = -1
	s.next = [3]int{}
}

// Skipped returns how many bare runs were longer than MaxLen since the last
// Reset, and how many bytes they had together.
func (s *Scanner) Skipped() (runs, bytes int64) { return s.skipped[0], s.skipped[1] }

// Next returns the next candidate. It returns [io.EOF] behind the last one; any
// other error is the reader's own, comes behind all candidates that were complete
// before it, and is returned again by later calls. The candidate's slices are
// good until the next call.
func (s *Scanner) Next() (c Candidate, err error) {
	err = s.NextInto(&c)
	return c, err
}

// NextInto is [Scanner.Next] for a caller that has memory for the Candidate, which
// is large: it sets *c to the next candidate, or with an error to the zero one. What
// was in *c does not matter. The candidate's slices are good until the next call.
func (s *Scanner) NextInto(c *Candidate) error {
	s.spoil()
	if s.swift && s.wait == 0 && !s.skipping && s.nextFast(c) {
		s.given = int(c.Inner.Start - s.base)
		return nil
	}
	// Each turn looks at all that is there, or finds that it is not worth a look,
	// and then reads once. It ends with a candidate or with the reader's error.
	for {
		if s.wait == 0 || s.worth() {
			v := s.search(c)
			if v == yes {
				if s.given = -1; len(c.Text) > 0 && &c.Text[0] == &c.Raw[0] {
					s.given = int(c.Inner.Start - s.base)
				}
				return nil
			}
			if s.err != nil {
				*c = Candidate{}
				return s.err
			}
			if v == more {
				s.wait = s.end
			}
		}
		if s.end == len(s.buf) { // before the Read, in which State may be asked for
			s.moved(s.slide(max(0, s.look-lookBehind)))
		}
		s.fill(0)
	}
}

// All returns the candidates from here on as a sequence, to be ranged over
// once. An error, if there is one, comes last, with a zero Candidate. Each
// candidate's slices are good until the next is asked for.
func (s *Scanner) All() iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		for {
			c, err := s.Next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// spoil overwrites the first byte of what was handed out last, so that a caller
// that kept it without copying finds out in its first test. What is not the scanner's
// own stays as it is.
func (s *Scanner) spoil() {
	if s.given >= 0 && s.r != nil {
		s.buf[s.given] = 0
	}
	s.text[:1][0], s.ref[:1][0] = 0, 0
	s.given = -1
}

// moved keeps the indices true when the window has slid by n bytes.
func (s *Scanner) moved(n int) {
	s.look -= n
	s.floor = max(0, s.floor-n)
	s.wait = max(0, s.wait-n)
	s.nests.clear()
	for i := range s.unpaired {
		s.unpaired[i] = max(0, s.unpaired[i]-n)
	}
	for i := range s.next {
		s.next[i] = max(0, s.next[i]-n)
	}
}

// worth reports whether the open candidate is worth another look: a byte has
// come that could end it, which letters and digits cannot, or it has grown over
// the limit, or nothing more comes.
func (s *Scanner) worth() bool {
	if s.err != nil || s.end-s.look > s.opts.MaxLen {
		return true
	}
	for _, c := range s.buf[s.wait:s.end] {
		if !roles[c].has(alnum) {
			return true
		}
	}
	s.wait = s.end
	return false
}

// search looks for the next candidate in what is in the window. With no, all
// has been looked at; with more, s.look stays at the colon that is open.
func (s *Scanner) search(c *Candidate) verdict {
	s.wait = 0
	if s.skipping && !s.skip() {
		return no
	}
	for s.look < s.end {
		i, kind := s.trigger()
		if i < 0 {
			s.look = s.end
			return no
		}
		s.look = i
		var v verdict
		switch kind {
		case colonTrigger:
			if s.plain && s.fastPath(i, c) {
				s.floor = s.look
				return yes
			}
			v = s.atColon(i, c)
		case dotTrigger:
			v = s.abbreviated(i, c)
		case atTrigger:
			v = s.address(i, c)
		}
		switch v {
		case yes:
			s.floor = s.look
			return yes
		case more:
			if s.err == nil {
				return more
			}
		}
		if s.skipping {
			if !s.skip() {
				return no
			}
			continue
		}
		s.look = i + 1
	}
	return no
}

// skip moves on behind the bare run that was too long: to the next white space,
// control or delimiter. It reports whether it got there.
func (s *Scanner) skip() bool {
	from := s.look
	defer func() { s.skipped[1] += int64(s.look - from) }()
	for s.look < s.end { // one step forward each time
		if roles[s.buf[s.look]].has(ends) {
			s.skipping = false
			s.floor = s.look
			return true
		}
		s.look++
	}
	return false
}
