package tarstream

import (
	"io"
	"slices"
	"strings"
)

// Extended headers are members that describe the next member.

const (
	maxName = 64 << 10 // the rest of a name is cut off
	maxKey  = 64       // no known key is longer
	maxSize = 20       // digits
)

// ext is what extended headers say about the next member. Its slices are reused.
type ext struct {
	said   bool   // there was an extended header
	name   []byte // of GNU tar
	path   []byte // of pax
	size   int64  // of pax; or -1
	sparse bool   // pax: the data begins with a map, or has holes
	named  bool   // path is the name of a sparse file; the header has a generated one
}

// reset clears e.
func (e *ext) reset() {
	*e = ext{name: e.name[:0], path: e.path[:0], size: -1}
}

// longName reads the data of a member of type L: a name, and a NUL.
func (r *Reader) longName() error {
	var err error
	r.ext.name, err = r.take(r.ext.name, r.left)
	r.ext.name = text(r.ext.name)
	return err
}

// take reads n bytes, or the rest if that is less, into dst from its beginning. It keeps
// as many as a name may have and skips the others.
func (r *Reader) take(dst []byte, n int64) ([]byte, error) {
	k := int(min(n, maxName))
	dst = slices.Grow(dst[:0], k)[:k]
	m, err := io.ReadFull(r.in, dst)
	r.pos += int64(m)
	r.left -= int64(m)
	if err != nil {
		return dst[:0], r.cut(err)
	}
	return dst, r.over(n - int64(k))
}

// over skips n bytes of the member.
func (r *Reader) over(n int64) error {
	r.left -= n
	if err := r.discard(&n); err != nil {
		return r.cut(err)
	}
	return nil
}

// pax reads the data of a member of type x (POSIX.1-2017, pax, "pax Extended
// Header"): records of the form
//
//	length key=value newline
//
// where the length, in decimal digits, is that of all of it. A record that is not
// of this form is damage, and the rest is skipped. Each iteration of the loop consumes a record,
// and nothing longer than a name is kept.
func (r *Reader) pax() error {
	for r.left > 0 {
		begin := r.left
		length, ok, err := r.digits(' ', begin)
		if err != nil {
			return err
		}
		end := begin - length // bytes of the member after this record
		if !ok || length <= 0 || end < 0 || end >= r.left {
			return r.badPax()
		}
		key, ok, err := r.key(end)
		if err != nil {
			return err
		}
		if !ok {
			return r.badPax()
		}
		value := r.left - end - 1
		r.sparse = r.sparse || strings.HasPrefix(key, "GNU.sparse.")
		switch {
		case key == "GNU.sparse.name", key == "path" && !r.named:
			r.path, err = r.take(r.path, value)
			r.named = key != "path"
		case key == "size":
			r.size, ok, err = r.digits('\n', value+1)
			if err == nil && (!ok || r.left != end) {
				return r.badPax()
			}
		default:
			err = r.over(value)
		}
		if err == nil {
			err = r.over(r.left - end) // the newline
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// badPax returns damage in an extended header.
func (r *Reader) badPax() error {
	r.ext.reset()
	return &Error{Offset: r.pos, What: "no record of pax", Mild: true}
}

// digits reads a decimal number and the byte last after it, together at most n bytes.
func (r *Reader) digits(last byte, n int64) (num int64, ok bool, err error) {
	for i := int64(0); i < min(n, maxSize); i++ {
		c, err := r.byte()
		switch {
		case err != nil:
			return 0, false, err
		case c == last:
			return num, i > 0, nil
		case c < '0' || c > '9' || num > (1<<62)/10:
			return 0, false, nil
		}
		num = num*10 + int64(c-'0')
	}
	return 0, false, nil
}

// key reads a key and the '=' after it, which must come before only end bytes are left. It
// returns "" for a key that is too long.
func (r *Reader) key(end int64) (key string, ok bool, err error) {
	var buf [maxKey]byte
	for n := 0; r.left > end+1; n++ { // each iteration takes a byte
		c, err := r.byte()
		switch {
		case err != nil:
			return "", false, err
		case c == '=' && n > len(buf):
			return "", true, nil
		case c == '=':
			return known(buf[:n]), true, nil
		case n < len(buf):
			buf[n] = c
		}
	}
	return "", false, nil
}

// known returns key if it is a known one, without allocating a string.
func known(key []byte) string {
	switch {
	case string(key) == "path":
		return "path"
	case string(key) == "size":
		return "size"
	case string(key) == "GNU.sparse.name":
		return "GNU.sparse.name"
	case strings.HasPrefix(string(key), "GNU.sparse."):
		return "GNU.sparse."
	}
	return ""
}

// byte reads one of the bytes that are left.
func (r *Reader) byte() (byte, error) {
	c, err := r.in.ReadByte()
	if err != nil {
		return 0, r.cut(err)
	}
	r.pos++
	r.left--
	return c, nil
}
