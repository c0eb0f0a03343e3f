package record

import (
	"bytes"
	"encoding/binary"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// hosts stores the JSON text of scheme, host and domain for references that begin in the
// same way. Of two with the same slot, the later one is kept.
type hosts struct {
	fields []Field
	slots  [hostSlots]hostText

	// The last two hosts, which most references have. They may be the same; never nil.
	last, before *hostText
}

const (
	hostSlots = 512
	hostMost  = 96 // most bytes of a beginning that is stored
)

// A hostText is the beginning of references, up to the end of the host, and its JSON text.
// The capacity of text is hostRoom or more, so that hostRoom bytes can be copied without a
// call.
type hostText struct{ begin, text []byte }

const hostRoom = 128

func newHosts(fields []Field) *hosts {
	return &hosts{fields: fields, last: new(hostText), before: new(hostText)}
}

// of returns the JSON text of the fields for the URL of r, or nil if that is not kept.
func (h *hosts) of(r *extract.Result, v *view) *hostText {
	if startsWith(r.URL, h.last.begin) {
		return h.last
	}
	if startsWith(r.URL, h.before.begin) {
		h.last, h.before = h.before, h.last
		return h.last
	}
	return h.other(r, v)
}

// startsWith reports whether text is begin and then a slash, so that the host ends at the
// same place. A begin of less than eight bytes is not compared. Both are compared as words,
// which for a few bytes is faster than a call.
func startsWith(text, begin []byte) bool {
	if len(begin) < 8 || len(text) <= len(begin) || text[len(begin)] != '/' {
		return false
	}
	text = text[:len(begin)]
	differ := binary.LittleEndian.Uint64(text[len(text)-8:]) ^ binary.LittleEndian.Uint64(begin[len(begin)-8:])
	for len(begin) > 8 && len(text) > 8 { // a word with each iteration
		differ |= binary.LittleEndian.Uint64(text) ^ binary.LittleEndian.Uint64(begin)
		text, begin = text[8:], begin[8:]
	}
	return differ == 0
}

// other is of for a reference that begins like neither of the last two hosts.
func (h *hosts) other(r *extract.Result, v *view) *hostText {
	_, end, ok := r.Parts.Span(uri.Host)
	if !ok {
		if _, end, ok = r.Parts.Span(uri.Scheme); ok {
			end++ // the colon, so that it differs from a host
		}
	}
	if end > hostMost || end == 0 {
		return nil
	}
	begin := r.URL[:end]
	s := &h.slots[slotOf(begin, hostSlots)]
	if !bytes.Equal(s.begin, begin) {
		v.r = r
		if s.text == nil {
			s.text = make([]byte, 0, hostRoom)
		}
		s.begin, s.text = append(s.begin[:0], begin...), s.text[:0]
		for i := range h.fields {
			s.text = appendField(s.text, v, &h.fields[i])
		}
	}
	if begin[len(begin)-1] != ':' {
		h.last, h.before = s, h.last
	}
	return s
}
