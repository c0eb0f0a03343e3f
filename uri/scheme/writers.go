package scheme

import (
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// This file has, for each scheme, the function that writes its fields, in the order of
// splitters.go.

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
