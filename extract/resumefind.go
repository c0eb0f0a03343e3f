package extract

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/digest"
)

// A Fingerprint is what a [Place] is found by among many: that of each file that begins with
// what was read up to the Place is among those of [File.Fingerprints].
type Fingerprint struct {
	Packed bool   // it is of the bytes of a compressed file, and not of its text
	Head   uint64 // a hash of the first bytes; 0 if there are few
	Length int64  // bytes that were read
	Sum    uint64 // a hash of all of them
}

// Fingerprint returns that of p.
func (p *Place) Fingerprint() Fingerprint {
	d := p.content().Fingerprint()
	return Fingerprint{p.packed && !p.hasText, d.Head, d.Length, d.Sum}
}

// Fingerprints calls each for fingerprints of f, until it returns false. next says which:
// the next ones among those that are known with these Packed and Head, and a Length above
// after. f is read, and decompressed, once or twice as far as the longest of them.
func (f *File) Fingerprints(next func(packed bool, head uint64, after int64) (length int64, ok bool), each func(Fingerprint) bool) {
	w := f.w
	more := true
	find := func(r io.Reader, packed bool) {
		digest.Prefixes(r, func(head uint64, after int64) (int64, bool) { return next(packed, head, after) }, func(p digest.Fingerprint) bool {
			more = each(Fingerprint{packed, p.Head, p.Length, p.Sum})
			return more
		})
	}
	w.pool.Source.Reset(io.NewSectionReader(f.at, 0, 1<<62), nil)
	in, over := w.pool.Open(&w.pool.Source)
	packed := w.pool.Compressions() > 0
	if over == nil {
		find(in, false)
	}
	w.pool.Reset()
	if packed && more {
		find(io.NewSectionReader(f.at, 0, 1<<62), true)
	}
}

// HeadOf returns the Head in fingerprints of files whose text begins with b, 0 if b is so
// short that they may have any.
func HeadOf(b []byte) uint64 { return digest.HeadOf(b) }
