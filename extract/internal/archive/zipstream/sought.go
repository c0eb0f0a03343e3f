package zipstream

import (
	"bytes"
	"hash/crc32"
	"io"
)

// If the size of an entry is not known, stored data and data that is not decompressed here
// end at a descriptor with the right size. A descriptor with a signature is recognised by
// that. A descriptor without a signature is recognised by the record that follows it, so
// the bytes that may be a descriptor are held back.

const keepBack = maxDescriptor

// look finds how many bytes can be returned (d.safe), and whether the data ends after them
// (d.last). It returns io.EOF at the end of the data. Each iteration examines bytes that
// were not examined before; a record is examined again after the bytes in front of it were
// returned, or when more of it was read.
func (d *body) look() error {
	if d.last {
		return io.EOF
	}
	for {
		b, err := d.in.buf.Peek(d.in.buf.Buffered())
		if len(b) <= d.seen || len(b) <= keepBack {
			b, err = d.in.more(len(b) + 1)
		}
		for d.seen < len(b) {
			i := bytes.IndexByte(b[d.seen:], 'P')
			if i < 0 {
				d.seen = len(b)
				break
			}
			i += d.seen
			d.seen = i
			if isBegun(b[i:]) {
				switch n := i + maxDescriptor + sigLen; {
				case i > keepBack:
					d.safe = i - keepBack
					return nil
				case len(b) < n && err == nil:
					b, err = d.in.more(n)
				}
				if end := d.ends(b, i); end >= 0 {
					d.safe, d.last = end, true
					if end == 0 {
						return io.EOF
					}
					return nil
				}
			}
			d.seen++
		}
		switch {
		case err != nil && len(b) > 0: // the end, without a descriptor
			d.safe = len(b)
			return nil
		case err != nil:
			return d.in.cut(err)
		case len(b) > keepBack:
			d.safe = len(b) - keepBack
			return nil
		}
	}
}

// isBegun reports whether b begins with the signature of a record that can follow data, or
// may do so with more bytes.
func isBegun(b []byte) bool {
	n := min(len(b), sigLen)
	return string(b[:n]) == sigDescriptor[:n] || string(b[:n]) == sigLocal[:n] || string(b[:n]) == sigDirectory[:n]
}

// ends returns where the data ends if b[i:] begins with the first record after it, or -1. b
// begins after what was returned, so b[:i] is not longer than a descriptor.
func (d *body) ends(b []byte, i int) int {
	stored := d.entry.Method == Store && !d.entry.Encrypted
	fits := func(f form, at int) bool {
		size, out := d.out+int64(at), int64(-1)
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
		for _, f := range forms[:2] { // a descriptor with a signature; its sizes may be wrong
			if stored && f.before(b[i:]) && f.crc(b[i:]) == crc32.Update(d.crc, table, b[:i]) {
				return i
			}
		}
	case begins(b[i:], sigLocal), begins(b[i:], sigDirectory):
		for _, f := range forms { // a descriptor without a signature, or with a wrong one
			if at := i - f.len(); fits(f, at) {
				return at
			}
		}
	}
	return -1
}
