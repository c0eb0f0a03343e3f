package digest

import (
	"encoding/binary"
	"errors"

	"github.com/cespare/xxhash/v2"
)

// errDigest is the error of bytes that are no Digest.
var errDigest = errors.New("damaged digest")

// Append appends d to b in a form that [Parse] reads.
func (d *Digest) Append(b []byte) []byte {
	d.begin()
	b = binary.AppendUvarint(b, uint64(d.n))
	b = appendSum(b, &d.sum, d.n)
	b = binary.AppendUvarint(b, uint64(d.stride))
	b = binary.AppendUvarint(b, uint64(len(d.samples)))
	for _, s := range d.samples {
		b = binary.LittleEndian.AppendUint64(b, s)
	}
	b = binary.AppendUvarint(b, uint64(d.inPart))
	if d.inPart > 0 && int64(d.inPart) < d.n { // otherwise part equals sum
		b = appendSum(b, &d.part, int64(d.inPart))
	}
	hash, long := d.tailOf()
	b = binary.AppendUvarint(b, uint64(long))
	return binary.LittleEndian.AppendUint64(b, hash)
}

// The binary form of an xxhash.Digest: a magic number, four sums of 8 bytes, the length, and the
// bytes of the last, incomplete stripe of 32, padded. Only the sums and these bytes are stored;
// if there is no whole stripe, only these bytes.
const (
	sumMagic = 4
	sumSums  = 32
	stripe   = 32
)

// appendSum appends sum, of n bytes, to b.
func appendSum(b []byte, sum *xxhash.Digest, n int64) []byte {
	state, _ := sum.MarshalBinary() // its error is nil
	if n >= stripe {
		b = append(b, state[sumMagic:sumMagic+sumSums]...)
	}
	return append(b, state[sumMagic+sumSums+8:][:n%stripe]...)
}

// sum sets sum to what appendSum has appended.
func (p *parser) sum(sum *xxhash.Digest, n int64) {
	sum.Reset()
	state, _ := sum.MarshalBinary()
	if n >= stripe {
		copy(state[sumMagic:], p.take(sumSums))
	}
	binary.LittleEndian.PutUint64(state[sumMagic+sumSums:], uint64(n))
	copy(state[sumMagic+sumSums+8:], p.take(int(n%stripe)))
	if sum.UnmarshalBinary(state) != nil {
		p.short = true
	}
}

// Parse reads a Digest that Append has written at the beginning of b, and returns the rest of b.
// Of the tail of the Digest only the hash is known; what is written later begins a new tail.
func Parse(b []byte) (d Digest, rest []byte, err error) {
	p := parser{b: b}
	d.begun = true
	d.n = p.number()
	p.sum(&d.sum, d.n)
	d.stride = p.number()
	count := p.number()
	if d.stride < firstStride || count > maxSamples {
		return Digest{}, nil, errDigest
	}
	for range count { // at most maxSamples
		d.samples = append(d.samples, p.word())
	}
	d.part.Reset()
	switch d.inPart = int(p.number()); {
	case d.inPart > 0 && int64(d.inPart) == d.n:
		d.part = d.sum
	case d.inPart > 0:
		p.sum(&d.part, int64(d.inPart))
	}
	d.tailLen = int(p.number())
	d.tailHash = p.word()
	if p.short || int64(d.tailLen) > min(block, d.n) || d.inPart > block {
		return Digest{}, nil, errDigest
	}
	return d, p.b, nil
}

// A parser takes bytes from the front of b.
type parser struct {
	b     []byte
	short bool // there were not enough
}

func (p *parser) take(n int) []byte {
	if len(p.b) < n {
		p.short, p.b = true, nil
		return nil
	}
	t := p.b[:n]
	p.b = p.b[n:]
	return t
}

func (p *parser) number() int64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 || v > 1<<62 {
		p.short, p.b = true, nil
		return 0
	}
	p.b = p.b[n:]
	return int64(v)
}

func (p *parser) word() uint64 {
	if t := p.take(8); t != nil {
		return binary.LittleEndian.Uint64(t)
	}
	return 0
}
