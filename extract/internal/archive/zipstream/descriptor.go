package zipstream

import (
	"bufio"
	"encoding/binary"
	"math"
)

// A descriptorForm is one of the forms of the descriptor (section 4.3.9): with a signature or
// without, with sizes of 32 or 64 bits.
type descriptorForm struct{ sig, size int }

var forms = [...]descriptorForm{{sigLen, 4}, {sigLen, 8}, {0, 4}, {0, 8}}

const maxDescriptor = sigLen + 4 + 2*8

// len returns the length of a descriptor in bytes.
func (f descriptorForm) len() int { return f.sig + 4 + 2*f.size }

// crc reads the checksum of the descriptor b.
func (f descriptorForm) crc(b []byte) uint32 { return binary.LittleEndian.Uint32(b[f.sig:]) }

// sizes reads both sizes of the descriptor b.
func (f descriptorForm) sizes(b []byte) (csize, usize int64) {
	b = b[f.sig+4:]
	if f.size == 4 {
		return int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	}
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
}

// fits reports whether b begins with a descriptor of this form for data of these sizes. It
// ignores the signature. An out below 0 is unknown.
func (f descriptorForm) fits(b []byte, size, out int64) bool {
	if len(b) < f.len() {
		return false
	}
	csize, usize := f.sizes(b)
	return low(csize, size) && (out < 0 || low(usize, out))
}

// signed reports whether b begins with the signature of this form, or the form has none.
func (f descriptorForm) signed(b []byte) bool { return f.sig == 0 || begins(b, sigDescriptor) }

// before reports whether b begins with a descriptor of this form that is followed by a
// record.
func (f descriptorForm) before(b []byte) bool {
	if len(b) < f.len()+sigLen {
		return false
	}
	b = b[f.len():]
	return begins(b, sigLocal) || begins(b, sigDirectory) || begins(b, sigExtra) || begins(b, sigEnd)
}

// descriptor consumes the descriptor at this position, if there is one. The data is then compared
// with the descriptor instead of the header. The descriptor should give the sizes size, of the
// compressed data, and out, of the decompressed data; an out below 0 is unknown.
func (h *header) descriptor(in *bufio.Reader, size, out int64) bool {
	b, _ := in.Peek(maxDescriptor + sigLen) // less at the end
	take := func(f descriptorForm) bool {
		h.crc = f.crc(b)
		h.csize, h.usize = f.sizes(b)
		_, _ = in.Discard(f.len())
		return true
	}
	for _, f := range forms {
		if f.signed(b) && f.fits(b, size, out) && f.before(b) {
			return take(f)
		}
	}
	for _, f := range forms { // the next record is damaged, or truncated
		if f.signed(b) && f.fits(b, size, out) {
			return take(f)
		}
	}
	for _, f := range forms[:2] { // a descriptor with wrong values
		if f.signed(b) && f.before(b) {
			return take(f)
		}
	}
	return false
}

// low reports whether two sizes agree: said, which the archive gives, and is, which was counted.
// said may also be the low 32 bits of the counted size: some writers store only these for large
// entries.
func low(said, is int64) bool {
	return said == is || said <= math.MaxUint32 && said == is&math.MaxUint32
}
