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

// A program that reads mail rewrites its mailbox: it marks messages as read, and removes others. So a
// Place in a mailbox has the identity of each message, a hash of what such a program does not change (see
// [mail.Reader.Identify]). They are used only if the mailbox no longer begins with what was read of it. Then it is
// read twice: first only its messages are found and identified, and then it is read from its beginning, and
// what is found in known messages is left out. If one message was known n times, n that are equal are left out.

// maxGone is how many messages that are gone from a mailbox are known even if it has fewer messages,
// until it has rested.
const maxGone = 1 << 16

// The messages of a mailbox. With a Place of a version without them, or a former one, they are not known.
type messages struct {
	tracked    bool     // they are known
	identities []uint64 // of those that were read to their ends, in order
	front      int      // how many of them are in front of the point of restart
	gone       []uint64 // of others, which were in the file before it was rewritten, in ascending order
}

// Rewrites reports whether f may be a mailbox that p is a place in, and that a program has rewritten
// since: it has marked messages, or removed some. f does not continue p. If Rewrites returns true, p becomes a place at the
// beginning of f, and what is found in messages that were read up to p is left out.
func (f *File) Rewrites(p *Place) bool {
	if !p.messages.tracked || len(p.identities)+len(p.gone) == 0 {
		return false
	}
	defer f.pool.Reset()
	if text := f.mailbox(0); text == nil {
		return false
	}
	gone := slices.Concat(p.identities, p.gone)
	slices.Sort(gone)
	*p = Place{Results: p.Results, readHash: p.readHash, messages: messages{gone: gone}}
	return true
}

// ForgetMessages makes p smaller: the file is read anew if it was rewritten.
func (p *Place) ForgetMessages() { p.messages = messages{} }

// mailbox returns the text of f from the offset at on; nil if f is no mailbox. The caller resets the pool.
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
	ended := func() {
		if begun {
			each(r.Identity())
		}
		begun = true
	}
	r.OnMessage(func(at int64, _ int) bool {
		ended()
		return at < end
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
	next    int  // how many identities are in front of the current message
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
	m.identities = slices.Clip(m.identities)
	if p.Text > 0 && !m.tracked && !f.nothingNew && p.kind == document.Messages { // an older version has read it
		m.identities, m.front = nil, 0
		f.eachMessage(0, p.from, nesting, func(identity uint64) { m.identities = append(m.identities, identity) })
		m.front, m.tracked = len(m.identities), true
	}
	m.next, m.firstKnown = m.front, m.front
	if p.Text == 0 {
		m.tracked = true
	}
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
func (m *mailboxReading) restart() { m.next, m.front = 0, 0 }

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
	if m.next == len(m.identities) {
		m.identities = append(m.identities, identity)
	} else if m.identities[m.next] != identity {
		m.identities = append(slices.Clone(m.identities[:m.next]), identity)
	}
	m.next++
}

// sofar returns the messages that are known.
func (m *mailboxReading) sofar() messages {
	list := messages{tracked: m.tracked, identities: m.identities, front: m.front}
	for i := 0; i < len(m.gone); { // equal ones in each iteration
		k := i + 1
		for k < len(m.gone) && m.gone[k] == m.gone[i] {
			k++
		}
		list.gone = append(list.gone, m.gone[i+int(m.taken[i]):k]...)
		i = k
	}
	if len(list.gone) > max(maxGone, 2*len(list.identities)) && !m.inside {
		list.gone = nil
	}
	return list
}
