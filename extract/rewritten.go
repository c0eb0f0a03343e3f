package extract

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"slices"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// A program that reads mail rewrites its mailbox: it marks messages as read, and removes others. So each
// message has an identity, a hash of what such a program does not change (see [mail.Reader.Identify]), which the caller keeps:
// see [Place.Identities]. They are used only if the mailbox no longer begins with what was read of it. Then it is
// read twice: first only its messages are found and identified, and then it is read from its beginning, and
// what is found in known messages is left out. If one message was known n times, n that are equal are left out.

// maxGone is how many messages that are gone from a mailbox are known even if it has fewer messages,
// until it has rested.
const maxGone = 1 << 16

// The messages of a mailbox. With a Place of a version without them, or a former one, they are not known.
type messages struct {
	tracked bool     // they are known
	count   int      // how many were read to their ends
	front   int      // how many of them are in front of the point of restart
	fresh   []uint64 // identities of those from first on that were read since the Place before
	first   int      //
	gone    []uint64 // identities of others, which were in the file before it was rewritten, in ascending order
}

// Identities returns what the caller of [Resume.Reached] keeps, besides the Place, so that it can call
// [File.Rewrites]: hashes of messages of the mailbox, which replace those from the index first on. They are those that were read since the
// Place before of the same file and run, so none may be left out. AppendBinary does not save them.
func (p *Place) Identities() (first int, list []uint64) { return p.first, p.fresh }

// Rewrites reports whether f may be a mailbox that p is a place in, and that a program has rewritten
// since: it has marked messages, or removed some. f does not continue p; identities are those that were kept with p, in
// order. If Rewrites returns true, p becomes a place at the beginning of f, and what is found in messages that were read up to p is left out.
func (f *File) Rewrites(p *Place, identities []uint64) bool {
	gone := slices.Concat(identities[:min(len(identities), p.count)], p.gone)
	if len(gone) == 0 {
		return false
	}
	defer f.pool.Reset()
	if text := f.mailbox(0); text == nil {
		return false
	}
	slices.Sort(gone)
	*p = Place{Results: p.Results, readHash: p.readHash, messages: messages{gone: gone}}
	return true
}

// ForgetMessages makes p smaller: the file is read anew if it was rewritten.
func (p *Place) ForgetMessages() { p.messages = messages{} }

// mailbox returns the text of f from the offset at on, or nil if f is no mailbox. The caller resets the pool.
func (f *File) mailbox(at int64) *bufio.Reader {
	text, compressed := f.Text()
	if !compressed {
		f.pool.Reset()
		text = &fileText{done: f.done, in: io.NewSectionReader(f.at, at, f.Size-at)}
	}
	in := bufio.NewReaderSize(text, compress.FileBuffer)
	if compressed {
		if _, err := io.CopyN(io.Discard, in, at); err != nil {
			return nil
		}
	}
	if at > 0 {
		return in
	}
	head, _ := in.Peek(compress.MaxHead)
	if framing, _ := mail.Sniff(bytes.TrimPrefix(head, utf8BOM), true); framing != mail.Mbox {
		return nil
	}
	if bytes.HasPrefix(head, utf8BOM) {
		_, _ = in.Discard(len(utf8BOM))
	}
	return in
}

var utf8BOM = []byte("\xef\xbb\xbf")

// eachMessage calls the function each with the identity of each message of f that begins at or after the offset at, where
// a message begins, up to the offset end.
func (f *File) eachMessage(at, end int64, nesting int, each func(identity uint64)) {
	defer f.pool.Reset()
	in := f.mailbox(at)
	if in == nil {
		return
	}
	var r mail.Reader
	r.Reset(in, at, mail.Mbox, nesting, "")
	r.Identify()
	begun := false
	r.OnMessage(func(at int64, _ int) bool {
		if begun {
			each(r.Identity())
		}
		begun = at < end
		return begun
	})
	for {
		_, err := r.Next()
		if d, ok := err.(*damage.Damage); err != nil && (!ok || !d.Mild) {
			if err == io.EOF && begun {
				each(r.Identity())
			}
			return
		}
	}
}

// A mailboxReading is what a resumption knows of the messages of a mailbox.
type mailboxReading struct {
	messages
	next    int  // how many messages are in front of the current one
	inside  bool // a message has begun
	skipped bool // the current message is known
	torn    bool // a message was skipped that is not known after all: the file was written meanwhile

	known      []bool   // for each message from firstKnown on: it is known
	firstKnown int      //
	taken      []uint32 // of messages.gone: how many equal ones from that index on were found
}

// begin makes m continue at p in f. nesting is the limit of multiparts.
func (m *mailboxReading) begin(f *File, p *Place, nesting int) {
	m.messages = p.messages
	if !m.tracked && p.from > 0 && !f.nothingNew && p.kind == document.Messages { // an older version has read it
		f.eachMessage(0, p.from, nesting, func(identity uint64) { m.fresh = append(m.fresh, identity) })
		m.front, m.count, m.tracked = len(m.fresh), len(m.fresh), true
	}
	m.tracked = m.tracked || p.from == 0
	m.next, m.firstKnown = m.front, m.front
	if len(m.gone) == 0 || f.nothingNew {
		return
	}
	m.taken = make([]uint32, len(m.gone))
	f.eachMessage(p.from, math.MaxInt64, nesting, func(identity uint64) { m.known = append(m.known, m.take(identity)) })
	clear(m.taken)
}

// take removes the identity from m.gone, and reports whether it was there.
func (m *mailboxReading) take(identity uint64) bool {
	i, found := slices.BinarySearch(m.gone, identity)
	if !found {
		return false
	}
	k := i + int(m.taken[i])
	if k >= len(m.gone) || m.gone[k] != identity {
		return false
	}
	m.taken[i]++
	return true
}

// restart makes m begin at the beginning of the file.
func (m *mailboxReading) restart() { m.next, m.messages = 0, messages{tracked: true, gone: m.gone} }

// starts notes that a message begins.
func (m *mailboxReading) starts() {
	i := m.next - m.firstKnown
	m.inside, m.skipped = true, i >= 0 && i < len(m.known) && m.known[i]
}

// ends notes that the current message has ended, with that identity.
func (m *mailboxReading) ends(identity uint64) {
	if !m.inside || !m.tracked {
		return
	}
	found := m.take(identity)
	m.torn = m.torn || m.skipped && !found
	m.inside, m.skipped = false, false
	m.fresh = append(m.fresh, identity)
	m.next++
	m.count = max(m.count, m.next)
}

// sofar returns the messages that are known, and forgets the identities: they are in a Place now.
func (m *mailboxReading) sofar() messages {
	list := messages{tracked: m.tracked, count: m.count, front: m.front, fresh: m.fresh, first: m.next - len(m.fresh)}
	m.fresh = nil
	for i := 0; i < len(m.gone); { // equal ones in each iteration
		k := i + 1
		for k < len(m.gone) && m.gone[k] == m.gone[i] {
			k++
		}
		list.gone = append(list.gone, m.gone[i+int(m.taken[i]):k]...)
		i = k
	}
	if len(list.gone) > max(maxGone, 2*m.count) && !m.inside {
		list.gone = nil
	}
	return list
}
