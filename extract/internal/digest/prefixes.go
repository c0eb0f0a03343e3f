package digest

import (
	"io"

	"github.com/cespare/xxhash/v2"
)

// A Fingerprint is a key by which a [Digest] can be found. Digests of the same bytes have
// equal fingerprints.
type Fingerprint struct {
	Head   uint64 // hash of the first block; 0 if there is less
	Length int64  // number of bytes
	Sum    uint64 // hash of all of them
}

// Fingerprint returns the fingerprint of the bytes that were written to d.
func (d *Digest) Fingerprint() Fingerprint {
	p := Fingerprint{Length: d.n, Sum: d.Sum()}
	if len(d.samples) > 0 {
		p.Head = d.samples[0]
	}
	return p
}

// Prefixes calls the function each with fingerprints of beginnings of r, the shorter ones first.
// The function next says which lengths to try: next(head, after) returns the smallest known
// length greater than after, among streams with that head; ok is false if there is none. r is
// read once, up to the largest of these lengths.
func Prefixes(r io.Reader, next func(head uint64, after int64) (length int64, ok bool), each func(Fingerprint)) {
	first := make([]byte, block)
	n, _ := io.ReadFull(r, first) // fewer bytes if r ends
	first = first[:n]
	after := int64(0)
	for { // at most a block of iterations
		length, ok := next(0, after)
		if !ok || length > int64(n) {
			break
		}
		each(Fingerprint{0, length, xxhash.Sum64(first[:length])})
		after = length
	}
	if n < block {
		return
	}
	head := xxhash.Sum64(first)
	var sum xxhash.Digest
	sum.Reset()
	_, _ = sum.Write(first)
	at, after := int64(n), int64(0)
	buf := make([]byte, 64<<10)
	for { // each iteration takes a length
		length, ok := next(head, after)
		if !ok || length < at {
			return
		}
		for at < length { // a buffer in each iteration
			n, err := io.ReadFull(r, buf[:min(length-at, int64(len(buf)))])
			_, _ = sum.Write(buf[:n])
			if at += int64(n); err != nil {
				return
			}
		}
		each(Fingerprint{head, length, sum.Sum64()})
		after = length
	}
}

// Head returns the Head of the fingerprints of streams that begin as r does. ok is false if r
// has less than a block.
func Head(r io.Reader) (head uint64, ok bool) {
	first := make([]byte, block)
	if _, err := io.ReadFull(r, first); err != nil {
		return 0, false
	}
	return xxhash.Sum64(first), true
}
