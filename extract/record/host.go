package record

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"strings"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record/internal/suffix"
	"github.com/urlsift/urlsift/uri"
)

// Scheme, host and domain: of the target if there is one, else of the URL.

// A splitText is a reference, and the positions of its scheme and host.
type splitText struct {
	text  []byte
	parts uri.Parts
	low   []byte // memory for what is in lower case
}

// reference returns the reference that scheme, host and domain are of, in parts. Where
// passwords are replaced, they are replaced before it is split: what is no account for the
// grammar may be one for others.
func (v *view) reference() *splitText {
	s, r := &v.split, v.r
	switch {
	case v.redact && r.Target != nil:
		s.text = v.target()
		s.parts = uri.Split(s.text)
	case v.redact:
		s.text = v.url()
		s.parts = uri.Split(s.text)
	case r.Target != nil:
		s.text = r.Target
		s.parts = uri.Split(s.text)
	default:
		s.text, s.parts = r.URL, r.Parts
	}
	return s
}

// lower returns a component in lower case, nil if it is not there.
func (s *splitText) lower(c uri.Component) []byte {
	lo, hi, ok := s.parts.Span(c)
	if !ok {
		return nil
	}
	s.low = s.low[:0]
	for _, b := range s.text[lo:hi] {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		s.low = append(s.low, b)
	}
	return s.low
}

func (v *view) scheme() []byte { return v.reference().lower(uri.Scheme) }
func (v *view) host() []byte   { return v.reference().lower(uri.Host) }

// AppendDomain appends the field domain of r: the registrable domain of its host, in lower
// case. It returns the grown slice. Where there is none, it appends nothing.
func AppendDomain(dst []byte, r *extract.Result) []byte {
	v := view{r: r}
	s := v.reference()
	if uri.KindOfHost(s.text, s.parts) != uri.HostName {
		return dst
	}
	return append(dst, suffix.Domain(s.lower(uri.Host))...)
}

// Domain returns the registrable domain of host by the public suffix list, in lower case:
// "example.co.uk" of "www.example.co.uk". host is a name, in punycode if it is not ASCII, and no
// address. Domain returns "" if host is a public suffix itself or has one label.
func Domain(host string) string { return string(suffix.Domain([]byte(strings.ToLower(host)))) }

// domain returns the registrable domain, nil if the host has none. It remembers hosts, for
// tables: logs have the same ones again and again.
func (v *view) domain() []byte {
	s := v.reference()
	host := s.lower(uri.Host)
	if len(host) == 0 {
		return nil
	}
	if v.domains == nil {
		v.domains = new([domainSlots]hostDomain)
	}
	at := &v.domains[slotOf(host, domainSlots)]
	if !bytes.Equal(at.host, host) {
		at.host, at.domain = append(at.host[:0], host...), nil
		if uri.KindOfHost(s.text, s.parts) == uri.HostName {
			at.domain = suffix.Domain(at.host)
		}
	}
	return at.domain
}

const domainSlots = 256

// A hostDomain is a host, in lower case, and its registrable domain, a slice of it.
type hostDomain struct{ host, domain []byte }

// slotOf returns the slot of text, a number below slots.
func slotOf(text []byte, slots uint64) uint64 { return maphash.Bytes(hashSeed, text) % slots }

var hashSeed = maphash.MakeSeed()

// hosts keeps the JSON text of scheme, host and domain for references that begin in the same
// way. Where two have the same slot, the later one stays.
type hosts struct {
	fields []Field
	slots  [hostSlots]hostText

	// The last two hosts, which most references have. They may be the same; never nil.
	last, before *hostText
}

const (
	hostSlots = 512
	hostMost  = 96 // bytes of a beginning that is kept
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
