package mail

import "bytes"

// Multiparts are a stack of open entities, not nested readers. A line that may be a boundary is
// compared with the open boundaries, from the innermost outwards. So each of them
// costs a comparison and not a copy, and all damage is found in one place.

// An openEntity is a multipart, or a message in a part, whose end has not been read.
type openEntity struct {
	boundary []byte // nil for a message
	hash     uint32 // of boundary, 0 for a message
	digest   bool   // its parts are messages unless they say otherwise
	seen     bool   // a boundary line was found
	path     int    // bytes of currentEntity.path before the numbers of its children
	children int
	bases    int // how many of Part.Bases are around its children

	article   bool   // it is in an article, or is one
	articleID string // Message-ID of that article
}

// A nesting is the stack of the open entities.
type nesting struct {
	limit  int // the most entities
	stack  []openEntity
	hashes []uint32 // of the stack's boundaries; 0 for a message and for a multipart that was closed
	open   int      // number of boundaries that are open
}

// boundaryMax is the longest boundary. RFC 2046, section 5.1.1 allows 70 bytes.
const boundaryMax = 998

func (s *nesting) reset(limit int) {
	s.limit, s.stack, s.hashes, s.open = limit, s.stack[:0], s.hashes[:0], 0
}

// inner returns the innermost open entity.
func (s *nesting) inner() *openEntity { return &s.stack[len(s.stack)-1] }

// match returns the index of the innermost open multipart of which line is a boundary line, or
// -1, and whether the line closes that multipart. A boundary line consists of "--", the
// boundary, another "--" if it closes the multipart, and blanks (RFC 2046, section 5.1.1).
// match compares the hashes of all open entities, and a boundary only if its hash is equal.
func (s *nesting) match(line []byte) (index int, closing bool) {
	for n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r'); n-- { // one byte in each iteration
		line = line[:n-1]
	}
	if len(line) < 3 || len(line) > boundaryMax+4 {
		return -1, false
	}
	line = line[2:]
	// The last "--" closes the multipart, or belongs to the boundary itself.
	plain, closed := hash(line), uint32(0)
	if n := len(line) - 2; n > 0 && line[n] == '-' && line[n+1] == '-' {
		closed = hash(line[:n])
	}
	for i := len(s.hashes) - 1; i >= 0; i-- {
		switch h := s.hashes[i]; {
		case h == 0:
		case h == plain && bytes.Equal(s.stack[i].boundary, line):
			return i, false
		case h == closed && bytes.Equal(s.stack[i].boundary, line[:len(line)-2]):
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

// push opens o. It reuses the memory of an earlier entity.
func (s *nesting) push(o openEntity, boundary []byte) {
	n := len(s.stack)
	if n < cap(s.stack) {
		s.stack = s.stack[:n+1]
	} else {
		s.stack = append(s.stack, openEntity{})
	}
	o.boundary = append(s.stack[n].boundary[:0], boundary...)
	if len(boundary) > 0 {
		o.hash = hash(boundary)
		s.open++
	}
	s.stack[n] = o
	s.hashes = append(s.hashes, o.hash)
}

// pop closes the innermost open entity. If that entity is a multipart whose end was not found,
// missing says what the multipart lacks.
func (s *nesting) pop() (o *openEntity, missing string) {
	n := len(s.stack) - 1
	o = &s.stack[n]
	switch {
	case s.hashes[n] == 0:
	case !o.seen:
		missing = "multipart without a boundary line"
	default:
		missing = "multipart without a closing boundary"
	}
	s.close(n)
	s.stack, s.hashes = s.stack[:n], s.hashes[:n]
	return o, missing
}

// close ends the children of the entity with the index n, if that is a multipart that is open.
func (s *nesting) close(n int) {
	if s.hashes[n] != 0 {
		s.hashes[n] = 0
		s.open--
	}
}
