package mail

import "bytes"

// internMax bounds the number and length of strings that are used again.
const internMax = 256

// intern returns b as a string.
func (r *Reader) intern(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := r.names[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(b) <= internMax/4 {
		if len(r.names) >= internMax {
			clear(r.names)
		}
		r.names[s] = s
	}
	return s
}

// angle returns what stands between angle brackets in b, or else b.
func angle(b []byte) string {
	if i := bytes.IndexByte(b, '<'); i >= 0 {
		if j := bytes.IndexByte(b[i:], '>'); j > 0 {
			b = b[i+1 : i+j]
		}
	}
	return readable(bytes.TrimSpace(b))
}
