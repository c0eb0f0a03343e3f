package delimit

import (
	"io"
	"iter"
)

// Plan. A reference with a scheme has a colon. So Next searches for a colon that may
// follow a scheme (search.go) and examines its surroundings (matcher.go). It goes
// back from the colon, at most lookBehind bytes, to find scheme, prefix and opener. The
// opener decides the form: < opens an angle wrapper, " a quote; with anything else the
// reference is bare. Then it goes forward to find the end (wrapper.go, bare.go). Extras
// add triggers beside the colon, and cost nothing while they are off (extra.go).
//
// The usual forms of a reference are recognised on a fast path (fastpath.go), with the
// same result.
//
// Results do not depend on how the input is split into reads. Each function that goes
// forward returns yes, no or more. It returns more only if the result depends on bytes
// that are not in the window yet. Then one Read fills the window, and the same colon is
// examined again, but not before a byte has arrived that can end a reference. So a
// candidate that arrives byte by byte is not scanned again for each byte.

// A Scanner reads text and returns its candidates, in order and without overlap, in
// time linear in the text. Results do not depend on the sizes of the reads. A
// candidate that is complete is returned before more is read. A Scanner allocates
// memory when it is made, and not afterwards. It must not be used by several
// goroutines at once. The zero value has the zero Options and no text; Reset or ResetBytes
// gives it a text, and the first of them allocates the memory.
type Scanner struct {
	find    searcher
	lastRaw int // index in Buf of the Raw that was returned last, or -1
}

// NewScanner returns a Scanner that reads r. If Reset or ResetBytes is called before
// anything else, r may be nil.
func NewScanner(r io.Reader, opts Options) *Scanner {
	return newScanner(r, opts, minWindow)
}

// newScanner is NewScanner with another minimum window, for tests.
func newScanner(r io.Reader, opts Options, size int) *Scanner {
	s := new(Scanner)
	s.init(opts, size)
	s.Reset(r)
	return s
}

// init allocates the memory of s.
func (s *Scanner) init(opts Options, size int) {
	if opts.MaxLen <= 0 {
		opts.MaxLen = defaultMaxLen
	}
	opts.MaxLen = min(opts.MaxLen, greatestLen)
	if opts.MaxBreaks <= 0 {
		opts.MaxBreaks = defaultMaxBreaks
	}
	f := &s.find
	f.opts = opts
	f.Rules, f.Defanged = rules{Known: opts.Known}, opts.Extras&Defanged != 0
	f.plain = opts.Extras&(Defanged|Rejoin) == 0 && opts.Known == nil
	f.onlyColons = f.plain && opts.Extras == 0 && !opts.Malformed
	least := opts.MaxLen + 2*lookBehind + rejoinReach
	if size == minWindow {
		least = max(least, 8*opts.MaxLen)
	}
	f.NoLines = opts.NoLines
	f.grow(max(size, least))
	f.Text = make([]byte, 0, opts.MaxLen+maxLead)
	f.Ref = make([]byte, 0, opts.MaxLen+maxLead)
	f.cut = make([]byte, 0, opts.MaxLen+maxLead)
	f.Nests = newNests()
}

// Reset makes the scanner read r from its beginning, with the same options and memory.
func (s *Scanner) Reset(r io.Reader) {
	s.ready()
	s.find.reset(r)
	s.begin()
}

// ResetBytes is [Scanner.Reset] for a text that is in memory as a whole. The scanner
// does not copy it. The slices of candidates may then be slices of text. The scanner
// never writes to text, and nothing else may write to text while the scanner reads it.
func (s *Scanner) ResetBytes(text []byte) {
	s.ready()
	s.find.resetBytes(text)
	s.begin()
}

// ready makes a zero Scanner one with default options.
func (s *Scanner) ready() {
	if s.find.opts.MaxLen == 0 {
		s.init(Options{}, minWindow)
	}
}

// begin sets the initial state of a search.
func (s *Scanner) begin() {
	f := &s.find
	f.SearchFrom, f.Floor, f.examined = 0, 0, 0
	f.skipping, f.skipped, f.messageIDLine = false, [2]int64{}, 0
	f.unpaired = [len(pairs)]int{}
	f.Nests.clear()
	s.lastRaw = -1
	f.next, f.unended = [len(triggers)]int{}, 0
}

// Skipped returns how many bare runs were longer than MaxLen since the last
// Reset, and how many bytes they had together.
func (s *Scanner) Skipped() (runs, bytes int64) { return s.find.skipped[0], s.find.skipped[1] }

// Next sets *c to the next candidate. After the last one it returns [io.EOF]. Any other error is
// the reader's. Next returns it after all candidates that were complete before the error, and again
// in later calls. With an error, *c is the zero Candidate.
//
// The slices of *c are valid until the next call. What *c was before does not matter, so a
// loop needs one Candidate.
func (s *Scanner) Next(c *Candidate) error {
	f := &s.find
	if f.opts.MaxLen == 0 {
		s.ResetBytes(nil)
	}
	s.spoil()
	if f.onlyColons && f.examined == 0 && !f.skipping && f.nextFast(c) {
		s.lastRaw = int(c.Inner.Start - f.Base)
		return nil
	}
	// Each iteration scans what is in the window, unless that cannot help, and then
	// reads once. The loop ends with a candidate or with the reader's error.
	for {
		if f.examined == 0 || f.worth() {
			v := f.search(c)
			if v == yes {
				if len(c.Raw) > 0 {
					s.lastRaw = int(c.Inner.Start - f.Base)
				}
				return nil
			}
			if f.Err != nil {
				*c = Candidate{}
				return f.Err
			}
			if v == more {
				f.examined = f.End
			}
		}
		if f.End == len(f.Buf) { // do this before the Read, because State may be called during it
			f.moved(f.slide(max(0, f.SearchFrom-lookBehind)))
		}
		f.fill(0)
	}
}

// All returns the remaining candidates as a sequence that can be ranged over once. If
// there is an error, it comes last, with a zero Candidate. The slices of a candidate
// are valid until the next iteration.
func (s *Scanner) All() iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		for {
			var c Candidate
			err := s.Next(&c)
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
}

// spoil overwrites the first byte of the slices that were returned last, so that a
// caller that kept them without copying fails in its first test. Text of ResetBytes is
// not changed.
func (s *Scanner) spoil() {
	f := &s.find
	if s.lastRaw >= 0 && f.R != nil {
		f.Buf[s.lastRaw] = 0
	}
	f.Text[:1][0], f.Ref[:1][0] = 0, 0
	s.lastRaw = -1
}

// A State says where a [Scanner] is in its text. Offsets and lines count from where the Scanner began.
type State struct {
	Offset       int64 // of the byte that the Scanner reads next, from 0
	Line, Column int64 // of that byte, from 1, also with Options.NoLines

	// Floor is an offset: all candidates that begin in front of it were returned.
	Floor int64
}

// State returns the State of s. The reader of s may call State inside Read; then the State
// describes what was read before that Read. State may also be called after [Scanner.Next] has
// returned an error; then the State says how far the text was read. State takes time in proportion
// to the part of the window that is not scanned yet.
func (s *Scanner) State() State {
	f := &s.find
	lines, start := f.linesToEnd()
	end := f.Base + int64(f.End)
	floor := max(0, f.Base+int64(f.SearchFrom)-lookBehind, f.Base+int64(f.Floor))
	return State{Offset: end, Line: lines + 1, Column: end - start + 1, Floor: floor}
}
