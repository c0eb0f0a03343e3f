package zipstream

import (
	"bytes"
	"hash/crc32"
	"io"
)

// If the size of an entry is not known, stored data and data that is not decompressed here end
// at a descriptor with the right size. A descriptor with a signature is recognised by the
// signature. One without is recognised by the record that follows it, so as many bytes as it
// may have are kept back.

const keepBack = maxDescriptor

// look finds how many bytes can be returned (r.safe), and whether the data ends after them
// (r.last). It returns io.EOF at the end of the data. Each iteration examines bytes that
// were not examined before; a record is examined again after the bytes in front of it were
// returned, or when more of it has come.
func (r *Reader) look() error {
	if r.last {
		return io.EOF
	}
	for {
		b, err := r.buf.Peek(r.buf.Buffered())
		if len(b) <= r.seen || len(b) <= keepBack {
			b, err = r.more(len(b) + 1)
		}
		for r.seen < len(b) {
			i := bytes.IndexByte(b[r.seen:], 'P')
			if i < 0 {
				r.seen = len(b)
				break
			}
			i += r.seen
			r.seen = i
			if isBegun(b[i:]) {
				switch n := i + maxDescriptor + sigLen; {
				case i > keepBack:
					r.safe = i - keepBack
					return nil
				case len(b) < n && err == nil:
					b, err = r.more(n)
				}
				if end := r.ends(b, i); end >= 0 {
					r.safe, r.last = end, true
					if end == 0 {
						return io.EOF
					}
					return nil
				}
			}
			r.seen++
		}
		switch {
		case err != nil && len(b) > 0: // the end, without a descriptor
			r.safe = len(b)
			return nil
		case err != nil:
			return r.cut(err)
		case len(b) > keepBack:
			r.safe = len(b) - keepBack
			return nil
		}
	}
}

// more waits until n bytes are buffered, or an error occurs, and returns the buffered
// bytes.
func (r *Reader) more(n int) ([]byte, error) {
	_, err := r.buf.Peek(n)
	b, _ := r.buf.Peek(r.buf.Buffered())
	return b, err
}

// isBegun reports whether b begins with the signature of a record that can follow data, or
// may do so with more bytes.
func isBegun(b []byte) bool {
	n := min(len(b), sigLen)
	return string(b[:n]) == sigDescriptor[:n] || string(b[:n]) == sigLocal[:n] || string(b[:n]) == sigDirectory[:n]
}

// ends returns where the data ends if b[i:] begins with the first record after it, or -1. b
// begins after what was returned, so b[:i] is not longer than a descriptor.
func (r *Reader) ends(b []byte, i int) int {
	stored := r.entry.Method == Store && !r.entry.Encrypted
	fits := func(f form, at int) bool {
		size, out := r.out+int64(at), int64(-1)
		if stored {
			out = size
		}
		return at >= 0 && f.fits(b[at:], size, out)
	}
	switch {
	case begins(b[i:], sigDescriptor):
		if fits(forms[0], i) || fits(forms[1], i) {
			return i
		}
		for _, f := range forms[:2] { // its sizes may be wrong
			if stored && f.before(b[i:]) && f.crc(b[i:]) == crc32.Update(r.crc, table, b[:i]) {
				return i
			}
		}
	case begins(b[i:], sigLocal), begins(b[i:], sigDirectory):
		for _, f := range forms { // without a signature, or with a wrong one
			if at := i - f.len(); fits(f, at) {
				return at
			}
		}
	}
	return -1
}
