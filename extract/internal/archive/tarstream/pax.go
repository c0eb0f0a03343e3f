package tarstream

import "strings"

// Extended headers are members that describe the next member.

const (
	maxKey  = 64 // no known key is longer
	maxSize = 20 // digits
)

// ext is what extended headers say about the next member. Its slices are reused.
type ext struct {
	said  bool   // there was an extended header
	name  []byte // of GNU tar
	path  []byte // of pax
	size  int64  // of pax; or -1
	named bool   // path is the name of a sparse file; the header has a generated one
}

// reset clears e.
func (e *ext) reset() {
	*e = ext{name: e.name[:0], path: e.path[:0], size: -1}
}

// longName reads the data of a member of type L: a name, and a NUL.
func (e *ext) longName(in *input) error {
	var err error
	e.name, err = in.take(e.name, in.left)
	e.name = text(e.name)
	return err
}

// pax reads the data of a member of type x (POSIX.1-2017, pax, "pax Extended
// Header"): records of the form
//
//	length key=value newline
//
// where the length, in decimal digits, is the length of the whole record. A record that is not of
// this form is damage, and the rest of the member is skipped. Each iteration of the loop consumes
// a record, and nothing longer than a name is kept. The map of a sparse file goes into m.
func (e *ext) pax(in *input, m *sparse) error {
	for in.left > 0 {
		begin := in.left
		length, ok, err := in.digits(' ', begin)
		if err != nil {
			return err
		}
		end := begin - length // bytes of the member after this record
		if !ok || length <= 0 || end < 0 || end >= in.left {
			return e.bad(in, m)
		}
		key, ok, err := in.key(end)
		if err != nil {
			return err
		}
		if !ok {
			return e.bad(in, m)
		}
		value := in.left - end - 1
		m.is = m.is || strings.HasPrefix(key, keySparse)
		switch {
		case key == keyName, key == "path" && !e.named:
			e.path, err = in.take(e.path, value)
			e.named = key != "path"
		case key == "size":
			e.size, ok, err = in.digits('\n', value+1)
			if err == nil && (!ok || in.left != end) {
				return e.bad(in, m)
			}
		case key == keyMap:
			err = m.paxMap(in, end)
		case key != keySparse && strings.HasPrefix(key, keySparse):
			err = m.paxNumber(in, key, end)
		default:
			err = in.skip(value)
		}
		if err == nil {
			err = in.skip(in.left - end) // the newline
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bad returns damage in an extended header, whose contents are then ignored.
func (e *ext) bad(in *input, m *sparse) error {
	e.reset()
	m.reset()
	return in.damage(in.pos, "bad record in a pax header")
}

// digits reads a decimal number and the byte last after it, together at most n bytes.
func (in *input) digits(last byte, n int64) (num int64, ok bool, err error) {
	num, after, err := in.decimal(n)
	return num, after == last, err
}

// decimal reads a decimal number and the byte last after it, together at most n bytes. last is 0 if
// there is no such number, or if it is too large.
func (in *input) decimal(n int64) (num int64, last byte, err error) {
	for i := int64(0); i < min(n, maxSize); i++ {
		c, err := in.byte()
		switch {
		case err != nil:
			return 0, 0, err
		case c >= '0' && c <= '9' && num <= (1<<62)/10:
			num = num*10 + int64(c-'0')
		case i == 0 || c >= '0' && c <= '9':
			return 0, 0, nil
		default:
			return num, c, nil
		}
	}
	return 0, 0, nil
}

// key reads a key and the '=' after it, which must be in front of the last end bytes of the
// member. It returns "" for a key that is too long.
func (in *input) key(end int64) (key string, ok bool, err error) {
	var buf [maxKey]byte
	for n := 0; in.left > end+1; n++ { // each iteration takes a byte
		c, err := in.byte()
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

// known returns key if it is a known one, without allocating a string. It returns keySparse for
// other keys that begin with it.
func known(key []byte) string {
	switch {
	case string(key) == "path":
		return "path"
	case string(key) == "size":
		return "size"
	case !strings.HasPrefix(string(key), keySparse):
		return ""
	}
	for _, k := range sparseKeys {
		if string(key) == k {
			return k
		}
	}
	return keySparse
}
