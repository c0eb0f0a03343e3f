package mail

import (
	"bytes"
	"fmt"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// Multiparts are a stack of levels, not nested readers. A line that may be a boundary is
// compared with the open boundaries, from the innermost outwards. So each level costs a
// comparison and not a copy, and all damage is found in one place.

// A level is an entity that is open: a multipart, or a message in a part.
type level struct {
	boundary []byte // nil for a message
	hash     uint32 // of boundary, 0 for a message and for a multipart that was closed
	digest   bool   // its parts are messages unless they say otherwise
	seen     bool   // a boundary line was found
	path     int    // bytes of Reader.path before the numbers of its children
	children int
	levels   int // how many of Reader.levels are around its children
}

// boundaryMax is the longest boundary. RFC 2046, section 5.1.1 allows 70 bytes.
const boundaryMax = 998

// match returns the index of the innermost open multipart whose boundary line this is, or
// -1, and whether the line closes it (RFC 2046, section 5.1.1): the whole line is "--", the
// boundary, perhaps "--", and blanks. It compares the hashes of all levels, and a boundary
// only if its hash is equal.
func (r *Reader) match(line []byte) (index int, closing bool) {
	for n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r'); n-- { // one byte in each iteration
		line = line[:n-1]
	}
	if len(line) < 3 || len(line) > boundaryMax+4 {
		return -1, false
	}
	line = line[2:]
	// "--" after a boundary closes it, but may also be the end of the boundary itself.
	plain, closed := hash(line), uint32(0)
	if n := len(line) - 2; n > 0 && line[n] == '-' && line[n+1] == '-' {
		closed = hash(line[:n])
	}
	for i := len(r.hashes) - 1; i >= 0; i-- {
		switch h := r.hashes[i]; {
		case h == 0:
		case h == plain && bytes.Equal(r.stack[i].boundary, line):
			return i, false
		case h == closed && bytes.Equal(r.stack[i].boundary, line[:len(line)-2]):
			return i, true
		}
	}
	return -1, false
}

// hash is FNV-1a, and never 0.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h | 1
}

// push opens a level. It reuses the memory of an earlier level.
func (r *Reader) push(l level, boundary []byte) {
	n := len(r.stack)
	if n < cap(r.stack) {
		r.stack = r.stack[:n+1]
	} else {
		r.stack = append(r.stack, level{})
	}
	l.boundary = append(r.stack[n].boundary[:0], boundary...)
	l.path, l.levels = len(r.path), len(r.levels)
	if len(boundary) > 0 {
		l.hash = hash(boundary)
		r.open++
	}
	r.stack[n] = l
	r.hashes = append(r.hashes, l.hash)
}

// pop closes the innermost level. If its end is missing, it returns the damage, at the
// offset where the end should be.
func (r *Reader) pop() (damage *decode.Error) {
	n := len(r.stack) - 1
	l := &r.stack[n]
	switch {
	case r.hashes[n] == 0:
	case !l.seen:
		damage = mild("mime", r.raw(r.lo), "multipart without a boundary line")
	default:
		damage = mild("mime", r.raw(r.lo), "multipart without a closing boundary")
	}
	if damage != nil {
		r.last.message = r.message
		r.last.section = r.intern(bytes.TrimRight(r.path[:l.path], "."))
	}
	r.close(n)
	r.stack, r.hashes = r.stack[:n], r.hashes[:n]
	return damage
}

// close ends the children of a multipart.
func (r *Reader) close(n int) {
	if r.hashes[n] != 0 {
		r.hashes[n] = 0
		r.open--
	}
}

func mild(stage string, raw int64, what string) *decode.Error {
	return &decode.Error{Stage: stage, Offset: raw, What: what, Mild: true}
}

// deep reports whether no further level may be opened. If so, the part is read as text.
func (r *Reader) deep() bool {
	if len(r.stack) < r.depth {
		return false
	}
	if !r.reportedDeep {
		r.reportedDeep = true
		e := mild("mime", r.ent.raw, fmt.Sprintf("parts nested more than %d deep", r.depth))
		e.Limit = r.depth
		r.report(r.leafSection(), e)
	}
	r.part.Type, r.part.Charset, r.part.Encoding = "text/plain", "", ""
	r.part.Flowed, r.part.DelSp = false, false
	return true
}

// params returns what follows the [token] of a value.
func params(value []byte) []byte {
	value = bytes.TrimLeft(value, " \t\"")
	if k := bytes.IndexAny(value, "; \t(,"); k >= 0 {
		return value[k:]
	}
	return nil
}

// mediaType sets the fields that follow from Content-Type. If it is missing or has no
// '/', the default is set (RFC 2045, section 5.2; RFC 2046, section 5.1.5).
func (r *Reader) mediaType(value []byte) {
	p, m := &r.part, &r.lastType
	if len(value) == 0 {
		p.Type, p.Charset, p.Flowed, p.DelSp = "text/plain", "", false, false
		if r.ent.digest {
			p.Type = "message/rfc822"
		}
		return
	}
	if r.ent.digest || !bytes.Equal(value, m.value) {
		r.parseType(value)
		if len(value) > internMax || r.ent.digest {
			return
		}
		*m = mediaType{append(m.value[:0], value...), p.Type, p.Charset, p.Flowed, p.DelSp, "", false}
	}
	p.Type, p.Charset, p.Flowed, p.DelSp = m.name, m.charset, m.flowed, m.delSp
}

// A mediaType is the parsed value of a Content-Type. The last one is kept: the header and
// the body of a message have the same value, and so have most messages of a stream.
type mediaType struct {
	value         []byte // of internMax bytes at most
	name, charset string
	flowed, delSp bool
	file          string
	filed         bool // file is set
}

// parseType is mediaType for a value that differs from the last one.
func (r *Reader) parseType(value []byte) {
	p := &r.part
	p.Charset, p.Flowed, p.DelSp = "", false, false
	t := token(value)
	if k := bytes.IndexByte(t, '/'); k <= 0 || k == len(t)-1 {
		p.Type = "text/plain"
		if r.ent.digest && len(t) == 0 {
			p.Type = "message/rfc822"
		}
	} else {
		r.scratch = lower(r.scratch[:0], t)
		p.Type = r.intern(r.scratch)
	}
	value = params(value)
	p.Charset = r.lowParam(value, "charset")
	p.Flowed = p.Type == "text/plain" && r.lowParam(value, "format") == "flowed"
	p.DelSp = p.Flowed && r.lowParam(value, "delsp") == "yes"
}

// lowParam returns a parameter in lower case without surrounding white space.
func (r *Reader) lowParam(value []byte, name string) string {
	var ok bool
	r.scratch, ok = appendParam(r.scratch[:0], value, name)
	if !ok {
		return ""
	}
	b := bytes.Trim(r.scratch, " \t'\"")
	return r.intern(lower(b[:0], b))
}

// encoding returns the transfer encoding (RFC 2045, section 6.1), or "" for the identity.
func (r *Reader) encoding(t []byte) string {
	if len(t) == 0 {
		return ""
	}
	r.scratch = lower(r.scratch[:0], t)
	switch string(r.scratch) {
	case "", "7bit", "8bit", "binary", "7-bit", "8-bit", "none":
		return ""
	}
	return r.intern(r.scratch)
}

// fileName returns the file name of Content-Disposition (RFC 2183, section 2.3), or else of
// Content-Type.
func (r *Reader) fileName(contentType []byte) string {
	var ok bool
	if v := r.fields.get(contentDisposition); len(v) > 0 {
		if r.scratch, ok = appendParam(r.scratch[:0], params(v), "filename"); ok {
			return readable(r.scratch)
		}
	}
	m := &r.lastType
	if !bytes.Equal(contentType, m.value) {
		return r.typeName(contentType)
	}
	if !m.filed {
		m.file, m.filed = r.typeName(contentType), true
	}
	return m.file
}

// typeName returns the name in a value of Content-Type.
func (r *Reader) typeName(value []byte) string {
	var ok bool
	if r.scratch, ok = appendParam(r.scratch[:0], params(value), "name"); !ok {
		return ""
	}
	return readable(r.scratch)
}
