package extract

import "errors"

// What became of the bytes of a raw stream. Each is counted once in one of the
// classes of Stats: those that are read are when they were, by how many they are;
// and what of all that the stream's reader is done with is in no class is framing.
// So nothing is counted by the byte, nor by the line.

// book counts n bytes of the current stream in a class, which is a field of w.n.
func (w *worker) book(class *int64, n int64) {
	if n > 0 {
		*class += n
		w.booked += n
	}
}

// balance ends the count of the current stream, which trouble ended if that is not
// nil. Of the bytes that it is made of, held were read before they were asked for.
func (w *worker) balance(trouble *Error, held int64) (rest remains) {
	// Archives go past raw; and raw may have read what nobody asked for.
	w.n.RawBytes += w.done - w.raw.read
	w.n.RawFraming += w.done - w.booked
	if trouble == nil {
		return remains{class: &w.n.RawData}
	}
	rest = remains{class: &w.n.RawLost, held: held}
	var limit *LimitError
	if errors.As(trouble, &limit) {
		rest.class = &w.n.RawBeyond
	}
	w.n.Cut++
	return rest
}

// remains are what is left of a member when no more of it is read.
type remains struct {
	class *int64 // nil for the usual one: RawData
	held  int64  // bytes of it that were read all the same
}

// An account is what the part of a message, or member of an archive, is counted as.
type account struct {
	read, rest           *int64 // classes of what was read, and what was not
	seenRead, seenPassed int64  // of what the reader has counted
	seenData             int64
}

// partIs says what the part is counted as: what is read of it, and the rest. Only
// those of the outermost reader are counted.
func (w *worker) partIs(outer bool, read, rest *int64) {
	if outer {
		w.acct.read, w.acct.rest = read, rest
	}
}

// bookPart counts what box is done with since it was last asked: the part before.
func (w *worker) bookPart(box *mailbox) {
	t, a := box.Taken(), &w.acct
	if a.read != nil { // else there was none
		w.book(a.read, t.Read-a.seenRead)
		w.book(a.rest, t.Passed-a.seenPassed)
	}
	w.book(&w.n.RawData, t.Data-a.seenData)
	a.seenRead, a.seenPassed, a.seenData = t.Read, t.Passed, t.Data
	w.done = t.All
}

// taken returns the counts of the reader of that kind.
func (a *archive) taken(kind archiveKind) (all, passed, sought int64) {
	if kind == tarArchive {
		return a.tar.Taken()
	}
	return a.zip.Taken()
}

// bookArchive counts what the reader of the archive went over since it was last
// asked. What there was left of a member is counted in rest.
func (w *worker) bookArchive(a *archive, kind archiveKind, rest remains) {
	all, passed, sought := a.taken(kind)
	if rest.class == nil {
		rest.class = &w.n.RawData
	}
	p := &w.acct
	w.book(rest.class, passed-p.seenPassed)
	w.book(&w.n.RawLost, sought-p.seenData)
	p.seenPassed, p.seenData = passed, sought
	w.done = all
}

// bookMember counts what was read of a member, which lies behind all that was
// counted before.
func (w *worker) bookMember(a *archive, kind archiveKind, rest remains) {
	all, _, _ := a.taken(kind)
	read := all - w.done
	held := min(rest.held, read) // which may be more, decompressed
	w.book(&w.n.RawPacked, read-held)
	w.book(rest.class, held)
	w.done = all
}

// skipped counts runs of text that were too long.
func (w *worker) skipped(runs, bytes int64) {
	w.n.Skipped += runs
	w.n.SkippedBytes += bytes
}
