package record

import (
	"hash/maphash"
	"strings"

	"github.com/urlsift/urlsift/extract/record/internal/suffix"
	"github.com/urlsift/urlsift/uri"
)

// Scheme, host and domain are those of the target if there is one, otherwise those of the URL.

// A splitText is a reference, and the positions of its scheme and host.
type splitText struct {
	text  []byte
	parts uri.Parts
	low   []byte // memory for what is in lower case
}

// lower returns a component in lower case, nil if it is undefined.
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

// Domain returns the registrable domain of host by the public suffix list, in lower case:
// "example.co.uk" of "www.example.co.uk". host is a name, in punycode if it is not ASCII, and no
// address. Domain returns "" if host is a public suffix itself or has one label.
func Domain(host string) string { return string(suffix.Domain([]byte(strings.ToLower(host)))) }

const domainSlots = 256 // number of hosts that a view remembers

// A hostDomain is a host, in lower case, and its registrable domain, a slice of it.
type hostDomain struct{ host, domain []byte }

// slotOf returns the slot of text, a number below slots.
func slotOf(text []byte, slots uint64) uint64 { return maphash.Bytes(hashSeed, text) % slots }

var hashSeed = maphash.MakeSeed()
