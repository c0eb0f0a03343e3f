package zipstream

import (
	"bytes"
	"encoding/binary"
)

// This file has what is between and after the entries, and the search for the next record
// after damage.

// seek continues to the next local header or record of the directory. If an error comes first, seek
// returns the error. Each iteration consumes the buffer except for 3 bytes, or a signature.
func (in *input) seek() error {
	for {
		if _, err := in.buf.Peek(sigLen); err != nil {
			return err
		}
		b, _ := in.buf.Peek(in.buf.Buffered())
		_, _ = in.buf.Discard(signature(b))
		b, _ = in.buf.Peek(localLen)
		switch {
		case begins(b, sigLocal) && len(b) == localLen && sane(b):
			return nil
		case begins(b, sigDirectory) && len(b) == localLen && b[6] <= 99 && known(binary.LittleEndian.Uint16(b[10:])):
			return nil
		case begins(b, sigEnd):
			return nil
		case begins(b, "PK"):
			_, _ = in.buf.Discard(1)
		}
	}
}

// signature returns the offset in b of the first signature for which seek searches. If b has
// none, it returns the offset of the last 3 bytes, which may begin one. b has at least 4 bytes.
func signature(b []byte) int {
	end := len(b) - 3
	for i := 0; ; i++ {
		k := bytes.Index(b[i:end+1], []byte("PK"))
		if k < 0 {
			return end
		}
		i += k
		if s := b[i:]; begins(s, sigLocal) || begins(s, sigDirectory) || begins(s, sigEnd) {
			return i
		}
	}
}

// isDirectory reports whether a record that begins with sig belongs to the directory.
func isDirectory(sig []byte) bool {
	if len(sig) < sigLen {
		return false
	}
	switch string(sig) {
	case sigDirectory, sigExtra, sigSignature, sigEnd64, sigLocator, sigEnd:
		return true
	}
	return false
}

// directoryRecord returns the length of the record of the directory that b begins with
// (sections 4.3.11 to 4.3.16). A truncated directory is treated as the end and not as damage,
// since no data is lost.
func directoryRecord(b []byte) int64 {
	u16 := func(i int) int64 {
		if i+2 > len(b) {
			return 0
		}
		return int64(binary.LittleEndian.Uint16(b[i:]))
	}
	switch string(b[:sigLen]) {
	case sigSignature:
		return 6 + u16(4)
	case sigLocator:
		return 20
	case sigExtra:
		return 8 + u16(4) + u16(6)<<16
	case sigEnd64:
		// Of a size of 64 bits, only the low bits are used.
		return 12 + u16(4) + (u16(6)|u16(8)|u16(10))<<16
	case sigEnd:
		return endLen + u16(20)
	}
	return directoryLen + u16(28) + u16(30) + u16(32)
}
