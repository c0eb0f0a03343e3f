package scheme

import (
	"github.com/urlsift/urlsift/uri"
)

// Plan: each scheme has a function that writes its fields in the order of the text, with
// the delimiters between them. It rejects a field whose text has a delimiter that would end
// the field earlier. At the end the text is split, and each component must be where it was
// written. So a field cannot become part of another component.

// AppendFields appends the reference that has the given fields to dst and returns the extended
// slice. It is the inverse of [Fields], in the rules of the newest member of g, or of
// [uri.Default] if g is empty: Fields returns each of the given fields again, with the same
// kind and text. The fields may be in any order and come from Fields or from [NewField]. One of
// them must be the scheme.
//
// Some fields follow from others and are only used if those others are missing: selector_decoded
// and the like, segments for path, search_words for search, local and domain for address, addresses for
// these three. If both were given, they must agree. These always follow from others and are ignored: effective_user,
// effective_type, directory, kind (unless it is "all"), gopher_request.
//
// A scheme that has no fields in the grammar, a field that the scheme does not have, and two
// fields that contradict each other are an [*Error]. Other errors are an [*uri.Error]. Its
// Reason is "misread part" if a field would be read as another one (a database of wais with a
// slash, a group of news with an '@', an address of mailto with a comma after 1994). Otherwise it is the error of [uri.Explain] for g: 1994
// has no afs, and its wais numbers need ';'. With an error dst is returned, but bytes after its
// end may have been written. AppendFields does not allocate if dst has room.
func AppendFields(dst []byte, fields []Field, g uri.Grammar) ([]byte, error) {
	m := writer{dst: dst, start: len(dst), givenFields: givenFields{fields: fields, g: g.Newest()}}
	if f := m.field("prefixed"); f != nil && f.set && m.g&prefixes != 0 {
		m.dst = append(m.dst, "URL:"...)
	}
	m.begin = len(m.dst)
	m.put(uri.Scheme, "", "scheme", "")
	scheme := m.name("scheme")
	m.dst = append(m.dst, ':')
	if !m.writeAll(scheme) {
		return dst, &Error{Reason: NoFields, Scheme: scheme, Grammar: m.g}
	}
	if m.clash[0] != "" {
		return dst, &Error{Reason: Conflict, Scheme: scheme, Field: m.clash[0], Other: m.clash[1], Grammar: m.g}
	}
	if m.bad != 0 {
		return dst, m.fail(m.at, m.bad)
	}
	if name := m.unused(); name != "" {
		return dst, &Error{Reason: NoField, Scheme: scheme, Field: name, Known: fieldsIn(scheme, m.g), Grammar: m.g}
	}
	p := uri.Split(m.dst[m.begin:])
	for c := uri.Scheme; c <= uri.Fragment; c++ {
		lo, hi, ok := p.Span(c)
		if c != uri.Authority && (ok != m.has[c] && c != uri.Path || ok && m.has[c] && (lo != m.lo[c] || hi != m.hi[c])) {
			return dst, m.fail(m.lo[c], c)
		}
	}
	all := m.dst[m.start:]
	if err := uri.Explain(all, uri.Split(all), m.g); err != nil {
		return dst, err
	}
	return m.dst, nil
}

// FromFields returns the reference of [AppendFields], in a new string.
func FromFields(fields []Field, g uri.Grammar) (uri.Ref, error) {
	var room [256]byte // so that most results need one allocation
	text, err := AppendFields(room[:0], fields, g)
	if err != nil {
		return uri.Ref{}, err
	}
	return uri.Parse(string(text), g.Newest())
}
