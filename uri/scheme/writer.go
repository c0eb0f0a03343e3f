package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A writer writes one reference from the fields that are given. Its methods write what several
// schemes have; writers.go has a function for each scheme.
type writer struct {
	givenFields
	dst          []byte
	start, begin int // where the reference begins in dst: with the prefix "URL:", and after it

	has    [uri.Fragment + 1]bool // components that were written
	lo, hi [uri.Fragment + 1]int  // their bounds, counted from begin
	bad    uri.Component          // component of the first field that cannot be written; 0 if all can
	at     int                    // offset of that field
}

// misread is the Reason of errors about fields that would be read as other ones.
const misread = "misread part"

// fail returns an error about what was written, which would be read as something else.
func (m *writer) fail(at int, c uri.Component) *uri.Error {
	return &uri.Error{Text: string(m.dst[m.start:]), Offset: min(m.begin-m.start+at, len(m.dst)-m.start), Component: c, Reason: misread, Grammar: m.g}
}

// put reports whether the field called name was given. If so, it writes the delimiter in before,
// and the text of the field, as component c or as the next piece of c. put refuses a text that
// contains one of the bytes in not.
func (m *writer) put(c uri.Component, before, name, not string) bool {
	return m.putOr(c, before, name, "", not)
}

// putOr is put, but if there is no field called name, it writes the field called or.
func (m *writer) putOr(c uri.Component, before, name, or, not string) bool {
	s, ok := m.text(name, or)
	if ok {
		m.write(c, before, s)
		if strings.ContainsAny(s, not) {
			m.refuse(c)
		}
	}
	return ok
}

// write writes before, which is a delimiter, and text, as component c or as the next piece of c.
func (m *writer) write(c uri.Component, before, text string) {
	m.dst = append(m.dst, before...)
	if !m.has[c] {
		m.has[c], m.lo[c] = true, len(m.dst)-m.begin
		if c == uri.Path {
			m.lo[c] -= len(before) // the slash is a part of the path
		}
	}
	m.dst = append(m.dst, text...)
	m.hi[c] = len(m.dst) - m.begin
}

// refuse records that the last field, in component c, cannot be written.
func (m *writer) refuse(c uri.Component) {
	if m.bad == 0 {
		m.bad, m.at = c, m.lo[c]
	}
}

// refuseWith refuses the text of a field if it contains part.
func (m *writer) refuseWith(name, part string) {
	if s, _ := m.text(name, ""); strings.Contains(s, part) {
		m.refuse(uri.Path)
	}
}
