package record

import (
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// A commonColumns is a sequence of columns whose text is the same in many records:
//
//	target … error form … tail … suspicious │ source … field
//	common: of a kind                         of a message
//
// A kind is a set of bits: how a reference was found, and which grammars accept it. For
// each kind, the text of the fields that depend on it is stored. The text of a message's
// fields is made when they change. It is appended to the text of each kind that occurs in
// the message, so that both are copied at once. For fields that are seldom set, only their
// places are stored.
//
// If the table of fields makes these columns in each record, access logs take 1.7 times the
// processor time as JSON.
type commonColumns struct {
	*syntax
	common  []Field // fields that depend on the kind, or are seldom set
	message []Field

	kinds       [kindSlots]kindText
	messageText []byte // text of the message's fields
	turn        int    // number of that message: see messages
}

// messages count the messages, or other sources, of records: fields of a message are made once.
type messages struct {
	origin extract.Origin // of the last record
	turn   int            // number of the current message, from 1; 0 if there was no record
}

// next returns the number of the message of r.
func (m *messages) next(r *extract.Result) int {
	if m.turn == 0 || !r.Origin.SameText(&m.origin) {
		m.origin = r.Origin
		m.turn++
	}
	return m.turn
}

// appendTo appends the common columns of r, which is v.r, and in message number turn.
func (c *commonColumns) appendTo(dst []byte, v *view, r *extract.Result, turn int) []byte {
	kind, packed := kindOf(r)
	if !packed {
		return c.appendFields(c.appendFields(dst, v, c.common), v, c.message)
	}
	k := c.of(kind, turn, v)
	if unusual(r) {
		return c.appendPieces(dst, k, v)
	}
	return append(dst, k.text...)
}

// kindSlots is how many kinds are stored. Of two with the same slot, the later one is kept.
const kindSlots = 64

// A kindText is the text that the records of one kind have in common, for one message.
type kindText struct {
	bits   uint64 // the kind; 0 if there is none
	turn   int    // number of the message whose fields follow; 0 if there are none
	text   []byte
	length int   // bytes at the beginning of text that the kind's fields take; the message's fields follow
	seldom []int // the places in text of fields that are seldom set
}

// newCommon returns the common columns at the beginning of columns and how many there are,
// or nil if there are none.
func newCommon(columns []Field, s *syntax) (*commonColumns, int) {
	n, kept := 0, false
	for n < len(columns) && (columns[n].varies == byKind || columns[n].varies == seldom) {
		kept = kept || columns[n].varies == byKind
		n++
	}
	end := n
	for end < len(columns) && columns[end].varies == byMessage {
		end++
	}
	if !kept && end == n {
		return nil, 0
	}
	return &commonColumns{syntax: s, common: columns[:n], message: columns[n:end]}, end
}

// slot returns where the text of a kind is stored.
func (c *commonColumns) slot(kind uint64) *kindText {
	return &c.kinds[kind*0x9E3779B97F4A7C15>>(64-6)] // spreads the bits over the slots
}

// of returns the text of a kind, with the fields of message number turn. What is not stored is made
// from v.
func (c *commonColumns) of(kind uint64, turn int, v *view) *kindText {
	k := c.slot(kind)
	if k.bits == kind && k.turn == turn {
		return k
	}
	if c.turn != turn {
		c.turn, c.messageText = turn, c.appendFields(c.messageText[:0], v, c.message)
	}
	if k.bits != kind {
		k.bits, k.text, k.seldom = kind, k.text[:0], k.seldom[:0]
		for i := range c.common {
			if f := &c.common[i]; f.varies == seldom {
				k.seldom, k.text = append(k.seldom, len(k.text)), append(k.text, c.absent...)
			} else {
				k.text = c.field(k.text, v, f)
			}
		}
		k.length = len(k.text)
	}
	k.turn, k.text = turn, append(k.text[:k.length], c.messageText...)
	return k
}

// appendPieces appends the text of k, and inserts the fields of v that are seldom set at their
// places in this text.
func (c *commonColumns) appendPieces(dst []byte, k *kindText, v *view) []byte {
	done, n := 0, 0
	for i := range c.common {
		if f := &c.common[i]; f.varies == seldom {
			dst = append(dst, k.text[done:k.seldom[n]]...)
			dst = c.field(dst, v, f)
			done = k.seldom[n] + len(c.absent)
			n++
		}
	}
	return append(dst, k.text[done:]...)
}

// unusual reports whether r may have one of the fields that are seldom set.
func unusual(r *extract.Result) bool { return hasMore(r) || unwrap.May(r.URL, r.Parts) }

// hasMore is unusual, except for the field inner.
func hasMore(r *extract.Result) bool {
	f := &r.Candidate
	return r.Target != nil || r.Base != "" || r.BaseSource != 0 || r.Err != nil || len(f.Tail) > 0 || f.Others != 0
}

// kindOf packs everything on which the fields of a kind depend into bits. The result is never 0,
// which means no kind. ok is false if the bits are too few: there are more than 255 line breaks, or
// the reference is rewritten.
func kindOf(r *extract.Result) (kind uint64, ok bool) {
	if isRewritten(r) {
		return 0, false
	}
	return kindWith(r, r.Warnings())
}

// kindWith is kindOf for a reference that is not rewritten and has these warnings.
func kindWith(r *extract.Result, warnings uri.Warning) (kind uint64, ok bool) {
	f := &r.Candidate
	if uint(f.Breaks) > 0xFF {
		return 0, false
	}
	return 1 | bit(r.Valid)<<1 | bit(f.Prefixed)<<2 | uint64(f.Form)<<8 | uint64(r.Accepts)<<16 |
		uint64(f.By)<<32 | uint64(warnings)<<40 | uint64(f.Breaks)<<48, true
}

// bit returns 1 for true and 0 for false.
func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
