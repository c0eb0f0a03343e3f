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
