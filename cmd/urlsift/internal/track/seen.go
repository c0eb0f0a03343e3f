package track

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/extract"
)

// A Scope is in what each URL is printed only once.
type Scope uint8

const (
	Anywhere Scope = iota // a URL may be printed several times
	PerRun
	PerSource
	PerMessage // outside of messages as PerSource
)

// Scopes are the names of the Scopes but Anywhere.
var Scopes = []string{"run", "source", "message"}

// UnmarshalText sets s to the scope with that name. A flag without a name is PerRun.
func (s *Scope) UnmarshalText(name []byte) error {
	if on := string(name); on == "true" || on == "false" {
		*s = map[string]Scope{"true": PerRun}[on]
		return nil
	}
	err := names.Parse(s, "scope", name, Scopes)
	*s++
	return err
}

// A Filter tells which results have a URL that is new in its scope.
type Filter struct {
	scope Scope
	ends  bool // a source has ended when a result of another one comes
	seen  keySet
	text  []byte // the URL, and what it is counted in

	source, message string // of the last result
	number          int
}

// NewFilter returns a Filter. ends says that each source is read once, and to its end.
func NewFilter(scope Scope, ends bool) *Filter {
	return &Filter{scope: scope, ends: ends}
}

// New reports whether the URL of r, as it is printed, is new. key represents the URL and what it is counted
// in. Results of one source follow one another, unless the Filter was made for sources that do not end.
func (f *Filter) New(r *extract.Result) (key TextKey, isNew bool) {
	f.text = append(f.text[:0], r.Shown()...)
	if f.scope == PerSource || f.scope == PerMessage {
		o := &r.Origin
		if f.ends && (o.Source != f.source || f.scope == PerMessage && (o.Message != f.number || o.MessageID != f.message)) {
			f.seen.clear()
			f.source, f.number, f.message = o.Source, o.Message, o.MessageID
		}
		f.text = append(append(f.text, 0), o.Source...)
		if f.scope == PerMessage {
			f.text = append(strconv.AppendInt(append(f.text, 0), int64(o.Message), 10), o.MessageID...)
		}
	}
	sum := sha256.Sum256(f.text)
	key = TextKey(sum[:])
	return key, f.seen.add(key)
}

// A keySet is a set of keys: open addressing, in parts that grow one after another, so that there is never
// a second copy of all. A key costs one cache miss; in a Go map it costs three. The zero keySet is empty.
type keySet struct {
	parts [64]keyPart
	zero  bool   // the zero key is in the set
	seed  uint64 // odd and random, so that nobody can choose URLs whose keys meet in one slot
}

// A keyPart has the keys with one value of the lowest bits of their first byte.
type keyPart struct {
	slots []TextKey // a power of two of them, of which at most seven eighths are taken; the zero key is a free one
	taken int
}

// add reports whether key is new, and adds it.
func (s *keySet) add(key TextKey) bool {
	if key == (TextKey{}) {
		isNew := !s.zero
		s.zero = true
		return isNew
	}
	p := &s.parts[key[0]%byte(len(s.parts))]
	if p.taken >= len(p.slots)/8*7 {
		s.grow(p)
	}
	i := s.slot(p, key)
	if p.slots[i] == key {
		return false
	}
	p.slots[i] = key
	p.taken++
	return true
}

// grow doubles the slots of p.
func (s *keySet) grow(p *keyPart) {
	if s.seed == 0 {
		s.seed = rand.Uint64() | 1
	}
	old := p.slots
	p.slots = make([]TextKey, max(8, 2*len(old)))
	for _, key := range old {
		if key != (TextKey{}) {
			p.slots[s.slot(p, key)] = key
		}
	}
}

// slot returns the slot of p that key is in, or the free one where it belongs.
func (s *keySet) slot(p *keyPart, key TextKey) int {
	last := len(p.slots) - 1
	i := int(binary.LittleEndian.Uint64(key[8:])*s.seed>>32) & last
	for p.slots[i] != key && p.slots[i] != (TextKey{}) {
		i = (i + 1) & last
	}
	return i
}

// clear removes all keys. Small parts are used again; to clear a large one again and again would take long.
func (s *keySet) clear() {
	for i := range s.parts {
		switch p := &s.parts[i]; {
		case p.taken == 0:
		case len(p.slots) > 64:
			p.slots, p.taken = nil, 0
		default:
			clear(p.slots)
			p.taken = 0
		}
	}
	s.zero = false
}

// PerURL is the memory for one text, in bytes, if there are a million or more: 16 bytes
// in a table that is between 7/16 and 7/8 full. Measured with 1, 1.5, 2, 3 and 4 million texts: 50, 30, 43,
// 32 and 46 bytes for each. Help and README use this text.
const PerURL = "30 to 50 bytes"

// A TextKey represents a text: the first 128 bits of its SHA-256. No two texts
// with the same 128 bits are known, and finding two takes 2^64 attempts, so in practice
// no text is treated as another one. A text costs PerURL, however long it is.
type TextKey [16]byte
