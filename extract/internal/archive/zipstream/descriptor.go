package zipstream

import (
	"encoding/binary"
	"math"
)

// A form of the descriptor (section 4.3.9): with a signature or without, sizes of 32
// bits or of 64.
type form struct{ sig, size int }

var forms = [...]form{{sigLen, 4}, {sigLen, 8}, {0, 4}, {0, 8}}

const maxDescriptor = sigLen + 4 + 2*8

// len returns the length of a descriptor in bytes.
func (f form) len() int { return f.sig + 4 + 2*f.size }

// crc reads the checksum of the descriptor b.
func (f form) crc(b []byte) uint32 { return binary.LittleEndian.Uint32(b[f.sig:]) }

// sizes reads both sizes of the descriptor b.
func (f form) sizes(b []byte) (csize, usize int64) {
	b = b[f.sig+4:]
	if f.size == 4 {
		return int64(binary.LittleEndian.Uint32(b)), int64(binary.LittleEndian.Uint32(b[4:]))
	}
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
}

// fits reports whether b begins with a descriptor of this form, whatever its
// signature, of data of these sizes; out < 0 is not known.
func (f form) fits(b []byte, size, out int64) bool {
	if len(b) < f.len() {
		return false
	}
	csize, usize := f.sizes(b)
	return low(csize, size) && (out < 0 || low(usize, out))
}

// signed reports whether b begins with the signature that a descriptor of this form
// has, if it has one.
func (f form) signed(b []byte) bool { return f.sig == 0 || begins(b, sigDescriptor) }

// before reports whether a descriptor of this form, which b begins with, stands
// before a record.
func (f form) before(b []byte) bool {
	if len(b) < f.len()+sigLen {
		return false
	}
	b = b[f.len():]
	return begins(b, sigLocal) || begins(b, sigDirectory) || begins(b, sigExtra) || begins(b, sigEnd)
}

// descriptor takes the descriptor that stands here, if one does, for what the
// header says.
func (r *Reader) descriptor(size, out int64) bool {
	b, _ := r.buf.Peek(maxDescriptor + sigLen) // less at the end
	take := func(f form) bool {
		r.header.crc = f.crc(b)
		r.header.csize, r.header.usize = f.sizes(b)
		_, _ = r.buf.Discard(f.len())
		return true
	}
	for _, f := range forms {
		if f.signed(b) && f.fits(b, size, out) && f.before(b) {
			return take(f)
		}
	}
	for _, f := range forms { // what follows is damaged, or cut off
		if f.signed(b) && f.fits(b, size, out) {
			return take(f)
		}
	}
	for _, f := range forms[:2] { // what it says is wrong
		if f.signed(b) && f.before(b) {
			return take(f)
		}
	}
	return false
}

// low reports whether a size that an archive gives is that of what was read. Some
// writers of large entries give the low 32 bits only.
func low(said, is int64) bool {
	return said == is || said <= math.MaxUint32 && said == is&math.MaxUint32
}
