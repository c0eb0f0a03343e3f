package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// A givenFields has the fields that the caller of [AppendFields] gave. It records which of them
// were used, and the first two that contradict each other.
type givenFields struct {
	fields []Field
	g      uri.Grammar // a set of one
	used   uint64      // a bit for each field that was used
	clash  [2]string   // the first two fields that contradict each other
}

// field returns the field with that name, or nil if there is none or it has no value.
func (v *givenFields) field(name string) *Field {
	for i := range v.fields { // at most some twenty
		if f := &v.fields[i]; f.Name == name && f.Kind != Undefined {
			v.used |= 1 << i
			return f
		}
	}
	return nil
}

// unused returns the name of a field that no function has used, or "". It ignores fields
// that follow from others or are undefined, since these are never used.
func (v *givenFields) unused() string {
	for i := range v.fields {
		f := &v.fields[i]
		switch f.Name {
		case "prefixed", "effective_user", "effective_type", "directory", "kind", "gopher_request":
		default:
			if f.Kind != Undefined && v.used&(1<<i) == 0 {
				return f.Name
			}
		}
	}
	return ""
}

// text returns the text of the field called name. The parameter or may name a second field, whose
// text is returned if the first was not given. If both fields were given and differ, text records a
// conflict.
func (v *givenFields) text(name, or string) (string, bool) {
	f := v.field(name)
	if or != "" {
		switch other := v.field(or); {
		case f == nil:
			f = other
		case other != nil && !sameData(f.Raw, other.Raw, other.sep):
			v.conflict(name, or)
		}
	}
	switch {
	case f == nil:
		return "", false
	case f.Raw == "" && f.implied != "": // the value was implied
		return f.implied, true
	}
	return f.Raw, true
}

// name returns the text of a field, in lower case if the grammar ignores case.
func (v *givenFields) name(field string) string {
	s, _ := v.text(field, "")
	if v.g&lowerSchemes == 0 {
		s = strings.ToLower(s)
	}
	return s
}

// conflict records that the fields name and other contradict each other.
func (v *givenFields) conflict(name, other string) {
	if v.clash[0] == "" {
		v.clash = [2]string{name, other}
	}
}

// exclude records a conflict of the fields called name and other, if the field called other was
// given.
func (v *givenFields) exclude(name, other string) {
	if v.field(other) != nil {
		v.conflict(name, other)
	}
}

// agree records a conflict of the fields called name and other, if the field called other was
// given and its text differs from text.
func (v *givenFields) agree(name, other, text string) {
	if s, ok := v.text(other, ""); ok && !sameData(s, text, "") {
		v.conflict(name, other)
	}
}

// notAll records a conflict of the field called name with the field kind, if kind is "all".
func (v *givenFields) notAll(name string) {
	if v.name("kind") == "all" {
		v.conflict(name, "kind")
	}
}

// sameData reports whether a and b are equal except for escapes. The bytes in sep separate
// only if they are not escaped, so an escape of such a byte differs from the byte.
func sameData(a, b, sep string) bool {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		if i >= len(a) || j >= len(b) {
			return i >= len(a) && j >= len(b)
		}
		x, y := a[i], b[j]
		atX, atY := escapeAt(a, i), escapeAt(b, j)
		if atX {
			x = unescapedAt(a, i)
			i += 2
		}
		if atY {
			y = unescapedAt(b, j)
			j += 2
		}
		if x != y || atX != atY && strings.IndexByte(sep, x) >= 0 {
			return false
		}
	}
}

// A writer writes one reference from the fields that are given. Its methods write what several
// schemes have; below is a function for each scheme.
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

// writeAll writes the fields of the scheme after its colon. It reports false if the scheme has
// none. It calls the functions by name: if it took them from a map, m would escape to the
// heap.
func (m *writer) writeAll(scheme string) bool {
	switch scheme {
	case "http", "https":
		writeHTTP(m)
	case "ftp":
		writeFTP(m)
	case "file":
		writeFile(m)
	case "gopher":
		writeGopher(m)
	case "mailto":
		writeMailto(m)
	case "mid":
		m.put(uri.Path, "", "message_id", "")
	case "cid":
		m.put(uri.Path, "", "content_id", "")
	case "news":
		writeNews(m)
	case "nntp":
		writeNNTP(m)
	case "telnet", "rlogin", "tn3270":
		m.putHost(true)
	case "wais":
		writeWAIS(m)
	case "prospero":
		writeProspero(m)
	case "afs":
		writeAFS(m)
	default:
		if m.g&genericFields == 0 {
			return false
		}
		m.put(uri.Path, "", "path", "?")
		m.put(uri.Query, "?", "search", "")
	}
	return true
}

// putHost writes "//", then user and password if account is true, then host and port. If no host
// was given, it writes nothing and returns false.
func (m *writer) putHost(account bool) bool {
	if m.field("host") == nil {
		return false
	}
	m.dst = append(m.dst, "//"...)
	hasPassword := m.g&loginPassword != 0 || m.name("scheme") == "ftp"
	ends := ":" // ends a user
	if !hasPassword {
		ends = ""
	}
	if account && m.put(uri.Userinfo, "", "user", ends) {
		if hasPassword {
			m.put(uri.Userinfo, ":", "password", "")
		}
		m.dst = append(m.dst, '@')
	}
	m.put(uri.Host, "", "host", "")
	m.put(uri.Port, ":", "port", "")
	return true
}

// words writes the search, or the words in it.
func (m *writer) words() { m.putOr(uri.Query, "?", "search", "search_words", "") }

func writeHTTP(m *writer) {
	m.putHost(false)
	m.put(uri.Path, "/", "path", "")
	m.words()
}

func writeFTP(m *writer) {
	m.putHost(true)
	m.putOr(uri.Path, "/", "path", "segments", "")
	if m.g&typedFTP == 0 {
		return
	}
	if !m.put(uri.Path, ";type=", "type", "") {
		m.refuseWith("path", ";type=")
	}
	m.refuseWith("type", ";type=")
}

func writeFile(m *writer) {
	m.putHost(false)
	m.putOr(uri.Path, "/", "path", "segments", "")
}

// writeGopher is the inverse of splitGopher. A selector without a type is refused, because its
// first byte would be read as the type.
func writeGopher(m *writer) {
	m.putHost(false)
	kind, ok := m.text("gtype", "")
	switch selector, _ := m.text("selector", "selector_decoded"); {
	case ok:
		if m.write(uri.Path, "/", kind); len(kind) != 1 && (len(kind) != 3 || !escapeAt(kind, 0)) {
			m.refuse(uri.Path)
		}
	case selector != "" || m.field("selector") != nil:
		m.refuse(uri.Path) // its first byte would be the type
	}
	m.putOr(uri.Path, "", "selector", "selector_decoded", "")
	if m.g&gopherTabs == 0 {
		m.putOr(uri.Query, "?", "search", "search_decoded", "")
		return
	}
	m.refuseWith("selector", tabs)
	search, hasSearch := m.text("search", "search_decoded")
	plus, hasPlus := m.text("gopher_plus", "gopher_plus_decoded")
	if hasSearch && !hasPlus && (!ok || strings.Contains(search, tabs) || strings.IndexByte(search, '?') >= 0) {
		m.write(uri.Query, "?", search) // newer software writes the search there
		return
	}
	if hasSearch || hasPlus {
		if m.write(uri.Path, tabs, search); !ok || strings.Contains(search, tabs) {
			m.refuse(uri.Path)
		}
	}
	if hasPlus {
		m.write(uri.Path, tabs, plus)
	}
}

// writeMailto writes the address or the addresses. By the grammars of mailLists a comma ends an
// address.
func writeMailto(m *writer) {
	comma := ""
	if m.g&mailLists != 0 {
		comma = ","
		if list, ok := m.text("addresses", ""); ok {
			m.write(uri.Path, "", list)
			if list == "" {
				m.refuse(uri.Path) // it would be read as no list
			}
			if strings.Contains(list, comma) { // several
				for _, name := range [...]string{"address", "local", "domain"} {
					m.exclude("addresses", name)
				}
				return
			}
			m.agreeAll("addresses", list)
			return
		}
	}
	if address, ok := m.text("address", ""); ok {
		m.write(uri.Path, "", address)
		if comma != "" {
			m.refuseWith("address", comma)
		}
		m.agreeAll("address", address)
		return
	}
	if m.put(uri.Path, "", "local", comma); m.put(uri.Path, "@", "domain", "@"+comma) {
		return
	}
	m.refuseWith("local", "@") // an '@' would begin a domain
}

// agreeAll records a conflict of the field called name, whose text is address, with those of
// address, local and domain that differ from it.
func (m *writer) agreeAll(name, address string) {
	local, domain, _ := cutLast(address, "@")
	if name != "address" {
		m.agree(name, "address", address)
	}
	m.agree(name, "local", local)
	m.agree(name, "domain", domain)
}

// writeNews writes an article, a group, or "*" for all of them.
func writeNews(m *writer) {
	slash := ""
	if m.putHost(false) {
		slash = "/"
	}
	switch id, isArticle := m.text("message_id", ""); {
	case isArticle:
		if m.write(uri.Path, slash, id); strings.IndexByte(id, '@') < 0 {
			m.refuse(uri.Path)
		}
		m.exclude("message_id", "group")
		m.notAll("message_id")
	case m.put(uri.Path, slash, "group", "@"):
		if m.name("group") == "*" {
			m.refuse(uri.Path)
		}
		m.notAll("group")
	case m.name("kind") == "all":
		m.write(uri.Path, slash, "*")
	}
}

func writeNNTP(m *writer) {
	slash := ""
	if m.putHost(false) {
		slash = "/"
	}
	hasGroup := m.put(uri.Path, slash, "group", "/")
	if m.put(uri.Path, "/", "number", "") && !hasGroup {
		m.refuse(uri.Path) // the number would be read as the group
	}
}

// writeWAIS writes wais://host:port/database, followed by a search or by the type, length and
// identifier of a document.
func writeWAIS(m *writer) {
	m.putHost(false)
	hasDatabase := m.put(uri.Path, "/", "database", "/")
	if !m.put(uri.Path, "/", "wtype", "/") {
		m.words()
		return
	}
	if !hasDatabase {
		m.refuse(uri.Path) // the type would be the database
	}
	m.exclude("wtype", "search") // an index has a search, a document has a type
	m.exclude("wtype", "search_words")
	if m.g&waisByField != 0 {
		m.put(uri.Path, "/", "fields", "")
		return
	}
	if !m.put(uri.Path, "/", "length", "/") && (m.field("docid") != nil || m.field("docid_decoded") != nil) {
		m.refuse(uri.Path)
	}
	m.putOr(uri.Path, "/", "docid", "docid_decoded", "")
}

func writeProspero(m *writer) {
	m.putHost(false)
	m.putOr(uri.Path, "/", "hsoname", "hsoname_decoded", "")
	version, hasVersion := m.text("version", "")
	attributes, _ := m.text("attributes", "")
	if hasVersion || attributes != "" { // the version may be empty (1993)
		m.write(uri.Path, nulls, version)
	}
	if attributes != "" {
		m.write(uri.Path, nulls, attributes)
	}
	m.refuseWith("hsoname", nulls)
	m.refuseWith("version", nulls)
}

func writeAFS(m *writer) {
	if m.field("cellname") != nil {
		m.dst = append(m.dst, "//"...)
		m.put(uri.Host, "", "cellname", "")
	}
	m.put(uri.Path, "/", "path", "")
}
