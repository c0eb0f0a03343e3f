package extract

import (
	"io"
	"math"
	"slices"
	"time"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// This file reads a file that is resumed; resume.go has the plan.

// A resumption is the state of a worker that reads a resumed file.
type resumption struct {
	*core
	file       *File
	startPlace Place  // where this run begins
	readHash   uint64 // see Options.ReadHash; of the source's format
	lines      int64  // lines and messages in front of restart.from
	messages   int
	read       digest.File
	pastResults
	renumbering
	mailbox mailboxReading

	inWarmUp   bool // the scanner has not reached restart.upto
	incomplete bool // the format does not consist of lines, and the file is probably incomplete
	undecided  bool // the file is growing, and text that is added may change the results from here on
	failed     bool // something could not be read, and may be readable later
	lastReport time.Time
}

// A renumbering changes the numbers in Results to those of the whole file.
type renumbering struct {
	numbersAtStart delta // numbers of the point where this run starts
	result         Result
}

// renumbered returns r with the numbers of the whole file. It is valid until the next call.
func (m *renumbering) renumbered(r *Result) *Result {
	if m.numbersAtStart.lines == 0 && m.numbersAtStart.messages == 0 {
		return r
	}
	m.result = *r
	m.numbersAtStart.addToResult(&m.result)
	m.numbersAtStart.addToMessage(&m.result.Origin)
	return &m.result
}

// placeEvery is the time between two reports of the place while a file is read. Only tests change
// it.
var placeEvery = time.Second

// newResumption returns the state of src, which is open as r. It returns nil if src is not resumed.
func (c *core) newResumption(src *Source, r io.Reader) *resumption {
	options := c.x.opts.Resume
	if options == nil || src.Enough != nil {
		return nil
	}
	f := fileOf(src.Name, r)
	if f == nil {
		return nil
	}
	f.pool, f.done = c.pool, c.done
	s := &resumption{core: c, file: f, lastReport: time.Now(), readHash: c.x.readHash}
	if o := c.x.opts; src.Format != Auto {
		o.Format = src.Format
		s.readHash = o.ReadHash()
	}
	p := options.Begin(f)
	c.pool.Reset() // forget what Begin has read
	if p.readHash != s.readHash {
		p = Place{}
	}
	if p.Text == 0 {
		p = Place{identities: identities{known: p.known}}
	}
	f.nothingNew = f.nothingNew && p.Text > 0 && !p.anew
	s.startPlace = p
	s.restart, s.lines, s.messages, s.totalWithoutLast = p.restart, p.Lines, p.Messages, p.Results-int64(len(p.lastHashes))
	s.read.Stored, s.read.Text, s.read.Compressed, s.read.CompressedKnown = p.stored, p.text, p.compressed, p.Text > 0
	s.pastResults.begin(&p, p.foundHash == c.x.foundHash)
	s.mailbox.begin(&p)
	s.read.Layers = c.pool
	s.numbersAtStart = delta{lines: p.Lines, messages: p.Messages, mail: p.kind.OfMessages()}
	return s
}

// open opens the document where this run begins. It returns false if there is nothing to read.
func (s *resumption) open() bool {
	if s.file.nothingNew || s.file.Later {
		return false
	}
	if s.file.Growing && s.file.isComplete() {
		s.file.Growing = false
	}
	s.doc.Outermost().OnRead(s.read.TapText)
	if s.from > 0 && !s.startPlace.anew && s.enter() {
		s.limit()
		return true
	}
	if s.from > 0 { // reading cannot, or does not, start there: read the whole file, and leave out the results that were found
		others := s.found
		if s.kind == document.Messages { // more of the last message may be there now
			others.begin = min(others.begin, s.from)
		}
		s.from, s.upto, s.leaveOut, s.stillToLeaveOut, s.foundByOthers = 0, 0, 0, 0, others
		s.lines, s.messages, s.numbersAtStart = 0, 0, delta{}
		s.mailbox.restart()
	}
	if s.inWarmUp = false; !s.read.Compressed {
		s.read.CompressedKnown = false
	}
	s.read.Seek(s.file.at, &s.reader, 0)
	s.doc.Outermost().OnRead(s.read.TapText)
	s.doc.Open(&s.read.In, nil)
	return true
}

// finish reports the place where reading of the source ends.
func (s *resumption) finish() {
	if s.stopped() || s.file.Later {
		return
	}
	if s.endMessage(); s.stopped() { // while results were passed on
		return
	}
	s.allRead = true
	whole := !s.undecided && !s.failed && !(s.file.Growing && s.kind != document.Whole)
	p := s.place(whole && !s.file.nothingNew)
	p.Whole = whole
	if s.file.nothingNew {
		p.hasText, p.Whole = s.read.Compressed, true
		p.text, p.Text = s.read.Text.Snapshot(), s.read.Text.Len()
		start := &s.startPlace
		p.foundHash, p.leaveOut, p.lastHashes, p.found, p.foundByOthers = start.foundHash, start.leaveOut, start.lastHashes, start.found, start.foundByOthers
	}
	s.stoppedByCaller = !s.out.reached(s.file, p) || s.stoppedByCaller
}

// enter opens the document at s.from and reports whether that is possible.
func (s *resumption) enter() bool {
	at := document.Start{Offset: s.from, BOM: s.bom, Kind: s.kind}
	s.inWarmUp = s.kind == document.Lines
	from := s.from - at.Before()
	if s.read.Compressed {
		from = 0
	}
	return s.read.Seek(s.file.at, &s.reader, from) && s.doc.Outermost().OpenFrom(&s.read.In, at, s.read.Compressed, s.atMessage)
}

// onDivision is sharedReading.onDivision for a source that is resumed.
func (s *resumption) onDivision(l document.Division, bom int64) func(at int64, before int) bool {
	if l != s.kind && s.from == 0 && l != document.Records { // the file was shorter and had another division
		s.stillToLeaveOut, s.leaveOut, s.leaveOutHashes, s.found, s.foundByOthers = 0, 0, nil, stretch{}, stretch{}
	}
	s.kind, s.bom = l, bom
	s.read.NoteCompression()
	s.limit()
	if l.OfMessages() {
		return s.atMessage
	}
	return nil
}

// limit ends the reading of a growing file at the point after which added text may change the
// results.
func (s *resumption) limit() {
	if !s.file.Growing {
		return
	}
	switch {
	case s.read.Compressed:
		s.incomplete = true // see File.isComplete
	case s.kind == document.Whole:
		s.incomplete = document.LastLine(s.file.at, s.file.Size) < s.file.Size
	case s.kind == document.Lines:
		s.doc.Outermost().StopAt(max(s.from, document.LastLine(s.file.at, s.file.Size)))
	default:
		last := document.LastMessage
		if s.kind == document.Records {
			last = document.LastRecord
		}
		end := last(s.file.at, s.from, s.file.Size)
		if s.doc.Outermost().StopAt(max(s.from, end)); end <= s.from {
			s.undecided = true
		}
	}
}

// atMessage is called when the reader of a mailbox has found the beginning of a message, at the
// offset at. before is the number of messages that this run has read in front of it.
func (s *resumption) atMessage(at int64, before int) bool {
	if s.endMessage(); s.stopped() {
		return false
	}
	s.messageStart = at
	if at > s.from && s.stillToLeaveOut == 0 && !s.undecided {
		line, _ := s.doc.Outermost().Position(at)
		s.from, s.upto, s.leaveOut = at, at, 0
		s.lines, s.messages = s.numbersAtStart.lines+line-1, s.numbersAtStart.messages+before
		if s.kind == document.Messages {
			s.mailbox.pass(s.messages)
		}
		s.noteAllFound(at)
		s.reportPlace()
	}
	s.beginMessage()
	return true
}

// isDue reports whether it is time to report the place.
func (s *resumption) isDue(now time.Time) bool {
	return now.Sub(s.lastReport) > placeEvery && !s.atFileEnd && s.stillToLeaveOut == 0
}

// reportPlace reports the place if it is due.
func (s *resumption) reportPlace() {
	if now := time.Now(); s.isDue(now) {
		s.lastReport = now
		s.stoppedByCaller = !s.out.reached(s.file, s.place(false)) || s.stoppedByCaller
	}
}

// place returns the place that s has reached. whole says that all of the file was read.
func (s *resumption) place(whole bool) *Place {
	end, isTar := s.doc.Outermost().Archived()
	if isTar && !s.read.Compressed {
		s.read.In.Flush(end) // leave out the zeros of the end mark: members that are added replace it
	}
	s.read.In.Flush(math.MaxInt64)
	p := &Place{Lines: s.lines, Messages: s.messages,
		restart: s.restart, digests: digests{compressed: s.read.Compressed, hasText: s.read.Compressed && s.doc.Outermost().PassedAll(), stored: s.read.Stored.Snapshot()},
		foundHash: s.x.foundHash, readHash: s.readHash, foundByOthers: s.foundByOthers,
		lastHashes: s.lastHashes, errorHashes: slices.Clone(s.errorHashes)}
	if !s.atFileEnd { // keep the hashes of results that were not found again
		for h := range s.leaveOutHashes { // at most maxLast
			p.lastHashes = append(p.lastHashes[:len(p.lastHashes):len(p.lastHashes)], h)
		}
	}
	p.Results = s.totalWithoutLast + int64(len(p.lastHashes))
	if p.hasText {
		p.text = s.read.Text.Snapshot()
	}
	p.Stored, p.Text = p.stored.Len(), p.content().Len()
	p.identities = s.mailbox.sofar(whole)
	p.found = s.allFound()
	return p
}

// allFound returns the stretch in which all results were found. Its end is how far the decompressed
// stream was read. More of the file may have been read in advance.
func (s *resumption) allFound() stretch {
	if s.file.nothingNew {
		return s.found
	}
	end := s.doc.Outermost().Read()
	at, isTar := s.doc.Outermost().Archived()
	switch {
	case !s.allRead:
	case isTar:
		s.noteAllFound(at)
	case !s.undecided:
		s.noteAllFound(end)
	case s.kind.OfMessages():
		s.noteAllFound(s.messageStart)
	}
	return stretch{s.found.begin, end}
}

// wasFoundByOthers reports whether a run with other options has found r.
func (s *resumption) wasFoundByOthers(r *Result) bool {
	if s.foundByOthers.begin == 0 {
		return false
	}
	if r.Origin.Member == "" {
		return s.foundByOthers.has(r.Origin.Offset, r.Origin.Offset+r.Origin.Length)
	}
	at, ok := s.doc.Outermost().Archived()
	if s.kind.OfMessages() {
		at, ok = s.messageStart, true
	}
	return ok && at < s.foundByOthers.begin
}

// isYielded reports whether r is yielded, and counts it.
func (s *resumption) isYielded(r *Result) bool {
	if s.inWarmUp || s.undecided {
		return false
	}
	s.atFileEnd = s.atFileEnd || s.read.In.Ended && s.kind != document.Lines
	if s.mayStillChange() {
		return false
	}
	yieldedBefore := false
	switch {
	case s.stillToLeaveOut > 0:
		s.stillToLeaveOut--
		return false
	case s.wasFoundByOthers(r):
		if !s.atFileEnd {
			s.leaveOut++
		}
		return false
	case s.leaveOutHashes != nil:
		if h := r.hash(); s.leaveOutHashes[h] {
			delete(s.leaveOutHashes, h)
			yieldedBefore = true
		}
	}
	s.count(r)
	return !yieldedBefore
}

// mayStillChange reports whether a result that is found now may change when more is written to the
// file. This is so if the file is growing and incomplete, and its end was reached.
func (s *resumption) mayStillChange() bool {
	s.undecided = s.undecided || s.file.Growing && s.incomplete && s.read.In.Ended
	return s.undecided
}

// isYieldedDamage reports whether d is yielded. If a later run may be able to read what is lost, it
// also records that this run has failed.
func (s *resumption) isYieldedDamage(d *damage.Damage) bool {
	if d.Class == damage.Read || d.Class == damage.Pack && d.Severity == damage.Error && s.file.Growing {
		s.failed = true
	}
	if d.Class == damage.Read {
		s.abandonMessage()
	}
	return s.isYieldedLimit()
}

// isYieldedLimit reports whether an error at this point is passed on: it is not if an earlier run has
// read the text, or if a later one reads it again.
func (s *resumption) isYieldedLimit() bool {
	return !s.inWarmUp && !s.mayStillChange() && s.stillToLeaveOut == 0
}
