package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// A Suspicion is a set of what may be suspicious about a reference: the entries of the field suspicious.
// It has the properties of a [uri.Warning], and "rewritten": a rewriting service has made the reference,
// and hides where it leads (see [unwrap.Opaque]). The zero Suspicion is empty.
type Suspicion uint8

const rewritten Suspicion = 1 << 7 // the bits below are those of a uri.Warning

// Suspicions are the names of all properties, in the order of their bits.
var Suspicions = slices.Concat(uri.WarningNames(), []string{"rewritten"})

// SuspicionOf returns what is suspicious about the URL of r or, if it was unwrapped, about the target.
func SuspicionOf(r *extract.Result) Suspicion {
	s := Suspicion(r.Warnings())
	if isRewritten(r) {
		s |= rewritten
	}
	return s
}

func isRewritten(r *extract.Result) bool {
	if r.Unwrapped() {
		return unwrap.Opaque(r.Target, uri.Split(r.Target))
	}
	return unwrap.Opaque(r.URL, r.Parts)
}

// String returns the names in s, joined with ','.
func (s Suspicion) String() string {
	list := uri.Warning(s).String()
	if s&rewritten != 0 {
		list = strings.TrimPrefix(list+",rewritten", ",")
	}
	return list
}

// UnmarshalText adds the properties whose names text has, separated by commas, to s.
func (s *Suspicion) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		switch i := slices.Index(Suspicions, name); {
		case i < 0:
			return fmt.Errorf("%q is not one of %s", name, strings.Join(Suspicions, ", "))
		case i == len(Suspicions)-1:
			*s |= rewritten
		default:
			*s |= 1 << i
		}
	}
	return nil
}
