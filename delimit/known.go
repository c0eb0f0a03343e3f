package delimit

import (
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"iter"
	"maps"
)

// The schemes that count without "//", for callers.

// Known reports whether text uses scheme, in any case, without "//": the schemes of the
// old documents (mailto, mid, cid, news, urn) and a list of others. It does not keep
// scheme and does not allocate.
func Known(scheme []byte) bool { return schemes.TraitsOf(scheme)&schemes.Opaque != 0 }

// Schemes yields the names, in lower case and in no order, of the schemes that are
// registered or in wide use. Other schemes are found too, with "//" or after a prefix.
func Schemes() iter.Seq[string] { return maps.Keys(schemes.Lookup) }
