package digest

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"
)

const (
	block       = 4 << 10  // bytes of a sample
	firstStride = 64 << 10 // distance of samples at first
	maxSamples  = 64
)

// A Digest summarises the first bytes of a stream. The zero Digest summarises no bytes.
type Digest struct {
	n       int64 // number of bytes
	sum     xxhash.Digest
	begun   bool // sum is initialised
	stride  int64
	samples []uint64 // of the blocks at multiples of stride that are complete

	part   xxhash.Digest // of the block that is not complete; it has taken inPart bytes
	inPart int

	// tail holds the last bytes, at most a block. After [Parse] it is nil, and only its hash is
	// known.
	tail     []byte
	tailHash uint64
	tailLen  int

	again   []byte // the last bytes in front of againTo that Reread has taken
	againTo int64
}

// Len returns the number of bytes.
func (d *Digest) Len() int64 { return d.n }

// Sum returns the hash of all bytes.
func (d *Digest) Sum() uint64 {
	d.begin()
	return d.sum.Sum64()
}

func (d *Digest) begin() {
	if !d.begun {
		d.begun, d.stride = true, firstStride
		d.sum.Reset()
		d.part.Reset()
	}
}

// Write adds p. It returns no error.
func (d *Digest) Write(p []byte) (int, error) {
	d.begin()
	_, _ = d.sum.Write(p)
	d.keepTail(p)
	d.sample(p)
	return len(p), nil
}

func (d *Digest) keepTail(p []byte) { d.tail = addTail(d.tail, p) }

// addTail returns the last bytes of tail and p, at most a block, in the memory of tail.
func addTail(tail, p []byte) []byte {
	if len(p) >= block {
		return append(tail[:0], p[len(p)-block:]...)
	}
	if drop := len(tail) + len(p) - block; drop > 0 {
		tail = tail[:copy(tail, tail[drop:])]
	}
	return append(tail, p...)
}

// sample adds the samples in p.
func (d *Digest) sample(p []byte) {
	for len(p) > 0 {
		at := d.n % d.stride
		if at >= block { // between two blocks
			skip := min(int64(len(p)), d.stride-at)
			d.n += skip
			p = p[skip:]
			continue
		}
		if at == 0 {
			d.part.Reset()
			d.inPart = 0
		}
		take := min(len(p), block-int(at))
		if int64(d.inPart) == at { // otherwise the block began before the distance grew
			_, _ = d.part.Write(p[:take])
			d.inPart += take
		}
		d.n += int64(take)
		p = p[take:]
		if d.inPart == block && d.n%d.stride == block {
			d.addSample(d.part.Sum64())
			d.inPart = 0
		}
	}
}

// addSample adds a sample. If there are too many, every second one is dropped.
func (d *Digest) addSample(s uint64) {
	if d.samples = append(d.samples, s); len(d.samples) <= maxSamples {
		return
	}
	kept := d.samples[:0]
	for i, s := range d.samples {
		if i%2 == 0 {
			kept = append(kept, s)
		}
	}
	d.samples = kept
	d.stride *= 2
}

// Sampled reports whether r still begins with bytes that have the samples and the tail of d. It
// reads at most 65 blocks. If it returns true, d knows its tail again.
func (d *Digest) Sampled(r io.ReaderAt) bool {
	buf := make([]byte, block)
	for i, want := range d.samples {
		if n, _ := r.ReadAt(buf, int64(i)*d.stride); n < block || xxhash.Sum64(buf) != want {
			return false
		}
	}
	hash, long := d.tailOf()
	tail := buf[:min(block, d.n)]
	n, _ := r.ReadAt(tail, d.n-int64(len(tail)))
	if n < len(tail) || xxhash.Sum64(tail[len(tail)-long:]) != hash {
		return false
	}
	d.tail = append(d.tail[:0], tail...)
	return true
}

// Reread is Write for bytes that d may have already. at is the offset of p in the stream, and not
// greater than the length of d. Reread adds the bytes that d does not have yet.
func (d *Digest) Reread(at int64, p []byte) {
	if old := min(d.n-at, int64(len(p))); old > 0 {
		if d.tail == nil && d.n-at-old < block { // the tail is not known after Parse
			if at != d.againTo {
				d.again = d.again[:0]
			}
			d.again = addTail(d.again, p[:old])
			if d.againTo = at + old; d.againTo == d.n {
				d.tail = append(make([]byte, 0, block), d.again...)
			}
		}
		p = p[old:]
	}
	if len(p) > 0 {
		_, _ = d.Write(p)
	}
}

// tailOf returns the hash of the tail and its length.
func (d *Digest) tailOf() (uint64, int) {
	if d.tail == nil {
		return d.tailHash, d.tailLen
	}
	return xxhash.Sum64(d.tail), len(d.tail)
}

// Begins reports whether r begins with the bytes of d. It reads as many bytes as d has, or
// fewer if the first block differs. If it returns true, d knows its tail again. The error is
// that of r, except for io.EOF.
func (d *Digest) Begins(r io.Reader) (bool, error) {
	buf := make([]byte, 64<<10)
	var sum xxhash.Digest
	sum.Reset()
	tail := make([]byte, 0, block)
	for left := d.n; left > 0; {
		n, err := io.ReadFull(r, buf[:min(left, int64(len(buf)))])
		if int64(n) < min(left, int64(len(buf))) {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = nil
			}
			return false, err
		}
		if left == d.n && len(d.samples) > 0 && n >= block && xxhash.Sum64(buf[:block]) != d.samples[0] {
			return false, nil
		}
		_, _ = sum.Write(buf[:n])
		tail = addTail(tail, buf[:n])
		left -= int64(n)
	}
	if sum.Sum64() != d.Sum() {
		return false, nil
	}
	d.tail = tail
	return true, nil
}

// Snapshot returns a copy of d that has memory of its own. Of the tail it has the hash.
func (d *Digest) Snapshot() Digest {
	c := *d
	c.samples = append([]uint64(nil), d.samples...)
	c.tailHash, c.tailLen = d.tailOf()
	c.tail, c.again = nil, nil
	return c
}

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
	for {
		length, ok := next(head, after)
		if !ok || length < at {
			return
		}
		for at < length {
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
