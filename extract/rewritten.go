package extract

import (
	"slices"

	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// A program that reads mail rewrites its mailbox: it marks messages as read, and removes others. So each
// message has an identity, a hash of what such a program does not change (see [mail.Reader.Identify]), which the
// caller keeps: see [Place.Identities]. If the mailbox no longer begins with what was read of it, it is read from its
// beginning. Then what is found in a message is held until the message has ended. If its identity is known, that is
// dropped; otherwise it is passed on.
//
// So a result is dropped only if the bytes of its message, as they were just read, were read before, and what was found
// in them then was passed on. Where the message is, and what happened to the file, does not matter. In doubt no identity is
// noted, and what is held is passed on: then it may be found again.

// Bounds of what is held of a message. What exceeds them is passed on.
const (
	maxHeldResults = 4 << 10
	maxHeldArena   = 1 << 20
)

// maxKnown bounds the messages that are remembered if a mailbox is rewritten again and again and never read to its end in between. If there are
// more, only those of the last time are.
const maxKnown = 4 << 20

// The identities of messages. An identity that is 0 is not known.
type identities struct {
	fresh []uint64 // of the messages from the message first on, which are in front of the point of restart
	first int      //
	known []uint64 // of others whose results were passed on, in ascending order
	anew  bool     // the file is read from its beginning, so that the identities of all its messages are learned
}

// Identities returns what the caller of [Resume.Reached] keeps, besides the Place, so that it can call
// [Place.Remember]: hashes of the messages of a mailbox, the first of which has the number first (from 0). They replace those from that
// number on. They are those of messages that were read since the Place before of the same file and run, so none may be left
// out. AppendBinary does not save them.
func (p *Place) Identities() (first int, list []uint64) { return p.first, p.fresh }

// Remember is for a mailbox that a program has rewritten: it has marked messages, or removed some, so the file does not continue
// the place was. list are the identities that were kept with was. Then what is found in messages that were read up to was
// is left out. p is the zero Place, or one that the file continues; the file is read from its beginning all the same. Remember returns false if nothing is known of such messages.
func (p *Place) Remember(was *Place, list []uint64) bool {
	known := slices.DeleteFunc(slices.Clone(list[:min(len(list), was.Messages)]), func(identity uint64) bool { return identity == 0 })
	if len(known)+len(was.known) <= maxKnown || len(known) == 0 {
		known = append(known, was.known...)
	}
	if len(known) == 0 || p.Text > 0 && p.readHash != was.readHash {
		return false
	}
	if p.Text == 0 {
		*p = Place{readHash: was.readHash}
	}
	p.known, p.anew = append(known, p.known...), true
	slices.Sort(p.known)
	return true
}

// A mailboxReading is what a resumption knows of the messages of a mailbox.
type mailboxReading struct {
	identities
	found []uint32 // of known: how many equal ones from that index on were found
	left  int      // how many of known were not found
	ended []uint64 // identities of messages that have ended after the point of restart

	inside  bool // a message has begun
	holding bool // what is found is held
	held    []heldItem
	arena   []byte // the bytes of held Results
}

// A heldItem is a Result, or an Error with the count that it belongs to.
type heldItem struct {
	resultOrError
	class ledger.Count
}

// begin makes m continue at p.
func (m *mailboxReading) begin(p *Place) {
	if m.known, m.left = p.known, len(p.known); m.left > 0 {
		m.found = make([]uint32, m.left)
	}
	if p.kind == document.Messages {
		m.first = p.Messages
	}
}

// restart makes m begin at the beginning of the file.
func (m *mailboxReading) restart() { m.first = 0 }

// take reports whether one more message with that identity is known.
func (m *mailboxReading) take(identity uint64) bool {
	i, ok := slices.BinarySearch(m.known, identity)
	if !ok {
		return false
	}
	if k := i + int(m.found[i]); k >= len(m.known) || m.known[k] != identity {
		return false
	}
	m.found[i]++
	m.left--
	return true
}

// pass notes that the messages in front of the one with the number n are in front of the point of restart.
func (m *mailboxReading) pass(n int) {
	m.fresh = append(m.fresh, m.ended...)
	m.ended = m.ended[:0]
	if more := n - m.first - len(m.fresh); more > 0 {
		m.fresh = append(m.fresh, make([]uint64, more)...)
	}
}

// sofar returns the identities for a Place. It forgets the fresh ones: the next Place follows them. If whole is set, those that
// were not found again are forgotten.
func (m *mailboxReading) sofar(whole bool) identities {
	p := identities{fresh: m.fresh, first: m.first, known: slices.Clone(m.ended)}
	m.first, m.fresh = m.first+len(m.fresh), nil
	for i := 0; i < len(m.known) && !whole; { // equal ones in each iteration
		k := i + 1
		for k < len(m.known) && m.known[k] == m.known[i] {
			k++
		}
		p.known = append(p.known, m.known[i+int(m.found[i]):k]...)
		i = k
	}
	slices.Sort(p.known)
	return p
}

// hold reports whether r is held. It copies r.
func (s *resumption) hold(r *Result) bool {
	m := &s.mailbox
	if !m.holding || !s.hasRoom(r.owns()) {
		return false
	}
	m.held = append(m.held, heldItem{resultOrError: resultOrError{res: *r}})
	m.arena = m.held[len(m.held)-1].res.own(m.arena)
	return true
}

// holdError reports whether e is held. What is wrong with the file itself, and not with a part of a message, is reported whatever
// is known of the message.
func (s *resumption) holdError(e *Error, class ledger.Count) bool {
	if e.Origin.Part == "" && e.Origin.Member == "" || !s.mailbox.holding || !s.hasRoom(0) {
		return false
	}
	s.mailbox.held = append(s.mailbox.held, heldItem{resultOrError{err: e}, class})
	return true
}

// hasRoom reports whether something more, with size bytes, may be held. If it is too much, what is held is passed on.
func (s *resumption) hasRoom(size int) bool {
	m := &s.mailbox
	if len(m.held) >= maxHeldResults || len(m.arena)+size > maxHeldArena {
		s.release()
	}
	return m.holding
}

// release passes on what is held, and ends holding.
func (s *resumption) release() {
	m := &s.mailbox
	for i := range m.held { // at most maxHeldResults
		switch h := &m.held[i]; {
		case s.stopped():
		case h.err == nil:
			s.send(&h.res)
		case !s.wasReported(h.err):
			s.fail(h.err, h.class)
		}
	}
	s.drop()
}

// drop forgets what is held, and ends holding.
func (s *resumption) drop() {
	m := &s.mailbox
	clear(m.held)
	m.held, m.arena, m.holding = m.held[:0], m.arena[:0], false
}

// beginMessage notes that a message begins.
func (s *resumption) beginMessage() {
	m := &s.mailbox
	m.inside = s.kind == document.Messages
	m.holding = m.inside && m.left > 0
}

// endMessage notes that the current message, if there is one, has ended. It passes on what is held of it, unless its identity is known. The
// identity is noted if all results of the message were passed on, now or earlier.
func (s *resumption) endMessage() {
	m := &s.mailbox
	if !m.inside {
		return
	}
	m.inside = false
	if s.mayStillChange() || s.stillToLeaveOut > 0 {
		s.release()
		return
	}
	identity := s.doc.Outermost().Identity()
	if identity == 0 { // it has not begun
		s.release()
		return
	}
	if m.left > 0 && m.take(identity) {
		s.drop()
	} else {
		s.release()
	}
	m.ended = append(m.ended, identity)
}

// abandonMessage notes that the rest of the current message could not be read.
func (s *resumption) abandonMessage() {
	s.mailbox.inside = false
	s.release()
}
