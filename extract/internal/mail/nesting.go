package mail

import (
	"bytes"
	"strconv"
	"strings"
)

// An entity is a message or a part of a multipart.
type entity struct {
	raw       int64 // raw offset of its header
	isMessage bool  // otherwise it is a part of a multipart
	digest    bool  // a part of a digest
	pathLen   int   // length of its number in currentEntity.path; for a message, of the prefix of its children's numbers
}

// A currentEntity is the entity that is being read, and its number, from which the sections are made.
type currentEntity struct {
	entity
	prefix  string // in front of every section
	path    []byte // the number of the entity, or of the open entity around it
	scratch []byte // the section that is being made
	strings interned
}

func (p *currentEntity) reset(prefix string) {
	p.entity, p.prefix, p.path = entity{}, prefix, p.path[:0]
}

// beginMessage makes a message of the stream the current entity.
func (p *currentEntity) beginMessage(raw int64) {
	p.path = append(p.path[:0], p.prefix...)
	p.entity = entity{raw: raw, isMessage: true, pathLen: len(p.path)}
}

// beginChild makes the next child of o the current entity.
func (p *currentEntity) beginChild(o *openEntity, raw int64) {
	o.children++
	p.path = strconv.AppendInt(p.path[:o.path], int64(o.children), 10)
	p.entity = entity{raw: raw, digest: o.digest, pathLen: len(p.path)}
}

// beginAttached makes a message in a part the current entity. Call descend first.
func (p *currentEntity) beginAttached(raw int64) {
	p.entity = entity{raw: raw, isMessage: true, pathLen: len(p.path)}
}

// descend sets path for the children of the entity, which is a multipart or a message in a
// part.
func (p *currentEntity) descend(multipart bool) {
	p.path = p.path[:p.pathLen]
	switch {
	case !p.isMessage:
		p.path = append(p.path, '.')
	case !multipart:
		p.path = append(p.path, "1."...)
	}
}

// named returns the path of the entity followed by name.
func (p *currentEntity) named(name string) string {
	p.scratch = append(p.scratch[:0], p.path[:p.pathLen]...)
	if !p.isMessage {
		p.scratch = append(p.scratch, '.')
	}
	p.scratch = append(p.scratch, name...)
	return p.strings.of(p.scratch)
}

// header returns the section of the entity's header.
func (p *currentEntity) header() string {
	if p.isMessage {
		return p.named("HEADER")
	}
	return p.named("MIME")
}

// section returns the section of an entity that contains no others. last is the section of the part
// that was returned last. If that part was the header of the entity, a long number is a substring
// of last and is not allocated.
func (p *currentEntity) section(last string) string {
	if p.isMessage {
		return p.named("1")
	}
	number := p.path[:p.pathLen]
	if len(number) > usualNumber { // long numbers are rarely repeated, except for the header's
		if s, ok := strings.CutSuffix(last, ".MIME"); ok && s == string(number) {
			return s
		}
		return string(number)
	}
	return p.strings.of(number)
}

// sectionAround returns the section of the text around the children of o.
func (p *currentEntity) sectionAround(o *openEntity) string {
	p.path = p.path[:o.path]
	p.scratch = append(append(p.scratch[:0], p.path...), "TEXT"...)
	return p.strings.of(p.scratch)
}

// sectionOf returns the section of o.
func (p *currentEntity) sectionOf(o *openEntity) string {
	return p.strings.of(bytes.TrimRight(p.path[:o.path], "."))
}

// usualNumber is the length of the longest number of a part that probably occurs in other
// messages too. Longer ones are not interned.
const usualNumber = 5

// An interned holds short strings, so that each is allocated only once. Without it, tiny messages
// with two parts take 1.04 times the processor time, and each costs 17 allocations and not one: see
// TestAllocations.
type interned map[string]string

// internMax is the largest number of strings that an interned holds. A string of more than
// internMax/4 bytes is not kept.
const internMax = 256

// of returns b as a string.
func (m interned) of(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := m[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(b) <= internMax/4 {
		if len(m) >= internMax {
			clear(m)
		}
		m[s] = s
	}
	return s
}

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
	for n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\t' || line[n-1] == '\r'); n-- {
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
