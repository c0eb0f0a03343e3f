package main

import "crypto/sha256"

// A seen set remembers texts by the first 128 bits of their SHA-256. No two
// texts with the same ones are known, and finding some takes 2^64 tries, so none is
// lost; and a text costs at most 40 bytes (16 in a table that is between half and
// seven eighths full, and twice that while it grows), however long it is.
type seen map[[16]byte]struct{}

// add adds text and reports whether it is new.
func (s seen) add(text []byte) bool {
	sum := sha256.Sum256(text)
	key := [16]byte(sum[:])
	if _, old := s[key]; old {
		return false
	}
	s[key] = struct{}{}
	return true
}
