package record

import (
	"bytes"
	"hash/maphash"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record/internal/suffix"
	"github.com/urlsift/urlsift/uri"
)

// Scheme, host and domain: of the target if there is one, else of the URL.

// A splitText is a reference, and where scheme and host stand in it.
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

// domain returns the registrable domain, nil if the host has none.
func (v *view) domain() []byte {
	s := v.reference()
	if kind := uri.KindOfHost(s.text, s.parts); kind != uri.HostName {
		return nil
	}
	return suffix.Domain(s.lower(uri.Host))
}

// hosts keeps the JSON text of scheme, host and domain for references that begin in the same
// way. Where two have the same slot, the later one stays.
type hosts struct {
	fields []Field
	seed   maphash.Seed
	slots  [hostSlots]hostText
	last   *hostText // that was asked for; never nil
}

const (
	hostSlots = 256
	hostMost  = 96 // bytes of a beginning that is kept
)

// A hostText is what references have in common that begin with a scheme and a host.
type hostText struct{ begin, text []byte }

func newHosts(fields []Field) *hosts {
	return &hosts{fields: fields, seed: maphash.MakeSeed(), last: new(hostText)}
}

// of returns the JSON text of the fields for r, whose URL they are of, or nil if that is not
// kept.
func (h *hosts) of(r *extract.Result, v *view) []byte {
	// A slash after the beginning ends the host there too.
	if last, n := h.last, len(h.last.begin); n > 0 && n < len(r.URL) && r.URL[n] == '/' && string(r.URL[:n]) == string(last.begin) {
		return last.text
	}
	return h.other(r, v)
}

// other is of where the reference does not begin as the last one.
func (h *hosts) other(r *extract.Result, v *view) []byte {
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
	s := &h.slots[maphash.Bytes(h.seed, begin)%hostSlots]
	if !bytes.Equal(s.begin, begin) {
		v.r = r
		s.begin, s.text = append(s.begin[:0], begin...), s.text[:0]
		for i := range h.fields {
			s.text = appendField(s.text, v, &h.fields[i])
		}
	}
	if h.last = &noHost; begin[len(begin)-1] != ':' {
		h.last = s
	}
	return s.text
}

// noHost begins no reference.
var noHost hostText
