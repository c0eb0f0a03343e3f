package xz

// The range decoder: each bit is decoded with the probability, in 1/2048, that it is
// 0, which moves a 32nd of the way towards what the bit was.

const (
	probBits  = 11
	probStart = 1 << (probBits - 1)
	probMove  = 5
	rangeTop  = 1 << 24

	// symbolBytes is more than the input that one symbol can take: 22 bits with
	// probabilities and 26 without take 20 bytes at most.
	symbolBytes = 24
)

// A rangeDecoder decodes bits from in, which is followed by symbolBytes bytes that may
// be read, though they mean nothing. A byte is read only when a bit needs it.
type rangeDecoder struct {
	span uint32
	code uint32
	in   []byte
	at   int // the next byte of in
}

// bit decodes one bit.
func (rc *rangeDecoder) bit(p *uint16) uint32 {
	rc.normalize()
	bound := rc.span >> probBits * uint32(*p)
	if rc.code < bound {
		rc.span = bound
		*p += (1<<probBits - *p) >> probMove
		return 0
	}
	rc.span -= bound
	rc.code -= bound
	*p -= *p >> probMove
	return 1
}

// normalize reads a byte if the range has become small.
func (rc *rangeDecoder) normalize() {
	if rc.span < rangeTop {
		rc.span <<= 8
		rc.code = rc.code<<8 | uint32(rc.in[rc.at])
		rc.at++
	}
}

// tree decodes a number of n bits, the highest first. The probability of a bit depends
// on those before it. It is bit in a loop, with the fields in registers: most of the
// time goes here.
func (rc *rangeDecoder) tree(probs []uint16, n uint) uint32 {
	span, code, at, in := rc.span, rc.code, rc.at, rc.in
	sym := uint32(1)
	for range n {
		if span < rangeTop {
			span <<= 8
			code = code<<8 | uint32(in[at])
			at++
		}
		p := &probs[sym]
		v := uint32(*p)
		bound := span >> probBits * v
		if code < bound {
			span = bound
			*p = uint16(v + (1<<probBits-v)>>probMove)
			sym <<= 1
		} else {
			span -= bound
			code -= bound
			*p = uint16(v - v>>probMove)
			sym = sym<<1 | 1
		}
	}
	rc.span, rc.code, rc.at = span, code, at
	return sym - 1<<n
}

// matched decodes a literal after a match: the probability of a bit depends also on the
// byte that follows in the text which was repeated, as long as the bits agree with it.
func (rc *rangeDecoder) matched(probs *[0x300]uint16, byte0 byte) byte {
	expect, offset, sym := uint32(byte0), uint32(0x100), uint32(1)
	for sym < 0x100 {
		expect <<= 1
		bit := expect & offset
		if rc.bit(&probs[offset+bit+sym]) == 0 {
			sym <<= 1
			offset &^= bit
		} else {
			sym = sym<<1 | 1
			offset &= bit
		}
	}
	return byte(sym)
}

// reverse decodes a number of n bits, the lowest first.
func (rc *rangeDecoder) reverse(probs []uint16, n uint) (v uint32) {
	sym := uint32(1)
	for i := range n {
		b := rc.bit(&probs[sym])
		sym = sym<<1 | b
		v |= b << i
	}
	return v
}

// direct decodes a number of n bits that are 0 or 1 alike, the highest first.
func (rc *rangeDecoder) direct(n uint) (v uint32) {
	for range n {
		rc.normalize()
		rc.span >>= 1
		v <<= 1
		if rc.code >= rc.span {
			rc.code -= rc.span
			v |= 1
		}
	}
	return v
}
