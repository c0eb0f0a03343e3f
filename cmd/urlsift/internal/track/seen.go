package track

import "crypto/sha256"

// PerURL is the memory for one text, in bytes, if there are a million or more: 16 bytes
// in a table that is between half and seven eighths full, and twice that while a part of
// it grows. Measured with 1, 1.5, 2, 3 and 4 million texts: 47, 32, 46, 31 and 50 bytes for
// each. Help and README use this text.
const PerURL = "30 to 50 bytes"

// A Seen is a set of texts. It stores the first 128 bits of their SHA-256. No two texts
// with the same 128 bits are known, and finding two takes 2^64 attempts, so in practice
// no text is treated as another one. A text costs PerURL, however long it is.
type Seen map[TextKey]struct{}

// A TextKey represents a text in a Seen.
type TextKey [16]byte

// KeyOf returns the TextKey of text.
func KeyOf(text []byte) TextKey {
	sum := sha256.Sum256(text)
	return TextKey(sum[:])
}

// Add adds text and reports whether it is new.
func (s Seen) Add(text []byte) bool { return s.AddKey(KeyOf(text)) }

// AddKey is Add for the text of key.
func (s Seen) AddKey(key TextKey) bool {
	if _, old := s[key]; old {
		return false
	}
	s[key] = struct{}{}
	return true
}
