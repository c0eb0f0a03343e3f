package document

import (
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// An account counts the bytes of a raw stream by what was done with them. Each byte is
// counted once, in one class of the ledger. Bytes are counted in stretches, after they
// were read, and never one by one or by line. Bytes that are finished and in no other
// class are framing.
type account struct {
	texts int   // number of texts that were yielded
	from  int64 // raw offset from which the text is counted

	done, classed int64 // bytes that the reader has finished, and bytes that were counted in a class

	read, rest ledger.Class // class of what is read of the part or member, and of what is not
	counted    bool         // read and rest are set

	seenRead, seenPassed, seenData int64 // counts of the reader when they were last examined
}

// countAs adds n bytes to a class.
func (a *account) countAs(d *Reader, c ledger.Class, n int64) {
	if n > 0 {
		d.ledger.Add(c, n)
		a.classed += n
	}
}

// A leftover is the rest of a member that is not read any further.
type leftover struct {
	class ledger.Class // RawData, or RawOverLimit, or RawDamaged
	held  int64        // bytes of it that were read into buffers
	all   bool         // the whole member is left: only its format was recognised
}

// before returns the class of the bytes of a member in front of left.
func (left *leftover) before() ledger.Class {
	if left.all {
		return left.class
	}
	return ledger.RawNested
}

// balance completes the count of s. fault is the damage that ended it, or nil.
func (s *stream) balance(d *Reader, fault *damage.Damage) leftover {
	held := int64(d.pool.Buffered(s.opened)) // read in advance
	// Archives skip bytes without raw, and raw may have read in advance.
	d.ledger.Add(ledger.RawBytes, s.done-s.raw.read)
	d.ledger.Add(ledger.RawFraming, s.done-s.classed)
	left := leftover{ledger.RawData, held, s.closed}
	switch {
	case fault == nil:
		left.held = 0
		return left
	case fault.Severity == damage.Warning: // skipped
		return left
	case fault.Class == damage.Limit:
		left.class = ledger.RawOverLimit
	default:
		left.class = ledger.RawDamaged
	}
	d.ledger.Add(ledger.Cut, 1)
	return left
}

// partIs sets the classes for the current part of box: for what is read of it, and for
// the rest. Only parts of the outermost mailbox of a stream are counted.
func (box *mailbox) partIs(read, rest ledger.Class) {
	if box.bottom == 0 {
		a := &box.s.account
		a.read, a.rest, a.counted = read, rest, true
	}
}

// countPart counts what box has finished since the last call: the previous part.
func (box *mailbox) countPart(d *Reader) {
	if box.bottom > 0 {
		return
	}
	s, t := box.s, box.Taken()
	if a := &s.account; a.counted {
		s.countAs(d, a.read, t.Read-a.seenRead)
		s.countAs(d, a.rest, t.Passed-a.seenPassed)
	}
	s.countAs(d, ledger.RawData, t.Data-s.seenData)
	s.seenRead, s.seenPassed, s.seenData = t.Read, t.Passed, t.Data
	s.done = t.All
}

// countBetween counts what the reader of the archive has skipped since the last call. The
// rest of a member is counted as a.left says.
func (a *archive) countBetween(d *Reader) {
	s := a.s
	all, passed, sought := a.in.Taken()
	s.countAs(d, a.left.class, passed-s.seenPassed)
	s.countAs(d, ledger.RawDamaged, sought-s.seenData)
	s.seenPassed, s.seenData = passed, sought
	s.done = all
	a.left = leftover{class: ledger.RawData}
}

// countMember counts what was read of a member. It follows everything that was counted
// before.
func (a *archive) countMember(d *Reader) {
	s := a.s
	all, _, _ := a.in.Taken()
	read := all - s.done
	held := min(a.left.held, read) // read is smaller if the member was decompressed
	s.countAs(d, a.left.before(), read-held)
	s.countAs(d, a.left.class, held)
	s.done = all
}
