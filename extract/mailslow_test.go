package extract_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"mime"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	xunicode "golang.org/x/text/encoding/unicode"

	"github.com/urlsift/urlsift/extract"
)

// This file is a slow reader of mail. It keeps the whole stream in memory, parses its lines by
// recursive descent, and decodes every transfer encoding and charset with a simple loop. It shares
// no code with the program, so that the results of both can be compared.

// A slowPart is the stretch raw[lo:hi] of the stream, with its properties.
type slowPart struct {
	message  int
	section  string
	lo, hi   int
	header   bool // a header block
	typ      string
	charset  string
	encoding string // "", "quoted-printable", "base64" or an encoding that is not decoded
	delsp    bool   // format=flowed; delsp=yes
	mbox     bool   // ">From " is decoded
}

// A slowMail is a parsed stream.
type slowMail struct {
	raw     []byte
	framing string // "plain", "single", "mbox", "rnews"
	parts   []slowPart
	starts  []int // where the messages begin, including From_ and rnews lines
	ends    []int
	bodies  []int // where the text of each message begins
	mbox    bool
	prefix  string
	message int
	end     int // end of the current message
}

// slowly parses raw with the slow reader.
func slowly(raw []byte) *slowMail {
	head := raw[:min(len(raw), 4<<10)]
	if !bytes.Contains(head, []byte("\n")) { // Mac OS before version 10
		raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	}
	m := &slowMail{raw: raw}
	mark := len(raw) - len(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	line, after, _ := bytes.Cut(bytes.TrimLeft(raw[mark:], "\r\n"), []byte("\n"))
	if slowUndated(line, after) {
		m.framing, m.mbox = "mbox", true
		m.mailbox()
		return m
	}
	if !slowSeparator(line) {
		line, after, _ = bytes.Cut(raw[mark:], []byte("\n"))
	}
	first, _, _ := bytes.Cut(after, []byte("\n"))
	switch length, err := strconv.Atoi(strings.TrimSpace(string(line))); {
	case err == nil && slowKnown(first):
		m.framing = "emlx"
		lo := len(line) + 1
		if hi := lo + length; bytes.HasPrefix(raw[min(hi, len(raw)):], []byte("<?xml")) {
			m.one(0, lo, hi)
		} else {
			m.one(0, lo, lo+bytes.Index(raw[lo:], []byte("<!DOCTYPE plist")))
		}
	case bytes.HasPrefix(raw, []byte("#! rnews ")):
		m.framing = "rnews"
		m.rnews()
	case slowSeparator(line):
		m.framing, m.mbox = "mbox", true
		m.mailbox()
	case slowField(line) && !bytes.Contains(line, []byte("://")) || bytes.HasPrefix(line, []byte(">From ")):
		m.framing = "single"
		m.one(0, mark, len(raw))
	default:
		m.framing = "plain"
	}
	return m
}

// one reads one message. Its From_ or rnews line begins at start, its text at lo.
func (m *slowMail) one(start, lo, hi int) {
	m.message++
	m.starts, m.bodies, m.ends = append(m.starts, start), append(m.bodies, lo), append(m.ends, hi)
	m.end = hi
	m.entity(lo, nil, "", m.prefix, "text/plain")
}

func (m *slowMail) rnews() {
	for at := 0; at < len(m.raw); {
		line := m.line(at)
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(string(line), "#! rnews ")))
		lo := at + len(line)
		if err != nil {
			n = 0
		}
		if n = min(n, len(m.raw)-lo); lo+n < len(m.raw) && !bytes.HasPrefix(m.raw[lo+n:], []byte("#! ")) {
			// The byte count is wrong: the next rnews line ends the article.
			n = max(0, bytes.LastIndexByte(m.raw[lo:lo+n], '\n'))
			if k := bytes.Index(m.raw[lo+n:], []byte("\n#! rnews ")); k >= 0 {
				n += k + 1
			} else {
				n = len(m.raw) - lo
			}
		}
		m.one(at, lo, lo+n)
		at = lo + n
	}
}

// mailbox divides at From_ lines with a date, and after blank lines at others that a known field
// follows, except those inside a correct Content-Length.
func (m *slowMail) mailbox() {
	for at := 0; at < len(m.raw); {
		lo := at
		for lo < len(m.raw) && len(bytes.TrimRight(m.line(lo), "\r\n")) == 0 {
			lo += len(m.line(lo))
		}
		from := lo
		lo += len(m.line(lo))
		next, end := lo, m.promised(lo)
		blank := true
		for next < len(m.raw) {
			line := m.line(next)
			if next >= end && (slowSeparator(line) || blank && slowUndated(line, m.raw[next+len(line):])) {
				break
			}
			blank = len(bytes.TrimRight(line, "\r\n")) == 0
			next += len(line)
		}
		if from := m.raw[from:lo]; regexp.MustCompile(`:[^0-9\s]`).Match(from) {
			m.parts = append(m.parts, slowPart{message: m.message + 1, section: "FROM", lo: lo - len(from), hi: lo, typ: "text/plain"})
		}
		m.one(at, lo, next)
		at = next
	}
}

// promised returns the end of the message at lo by its Content-Length, if that is correct.
func (m *slowMail) promised(lo int) int {
	fields, body := m.fields(lo, len(m.raw))
	n, err := strconv.Atoi(strings.TrimSpace(fields["content-length"]))
	if err != nil || n < 0 || body+n > len(m.raw) {
		return lo
	}
	rest := bytes.TrimLeft(m.raw[body+n:], "\r\n")
	if line, _, _ := bytes.Cut(rest, []byte("\n")); len(rest) == 0 || slowSeparator(line) {
		return body + n
	}
	return lo
}

// slowUndated reports whether line begins with "From " and a known field is in front of what is
// after it.
func slowUndated(line, after []byte) bool {
	line = bytes.TrimRight(line, "\r\n")
	next, _, _ := bytes.Cut(after, []byte("\n"))
	return bytes.HasPrefix(line, []byte("From ")) && !bytes.HasSuffix(line, []byte(":")) && slowKnown(next)
}

// slowSeparator reports whether line is a From_ line: a word after "From ", and somewhere
// a month, a time and a year.
func slowSeparator(line []byte) bool {
	rest, ok := strings.CutPrefix(string(line), "From ")
	if !ok {
		return false
	}
	clock, month, year := false, false, false
	for i, f := range strings.Fields(rest) {
		if len(f) >= 4 && i > 0 && strings.Count(f, ":") >= 1 && strings.Trim(f, "0123456789:") == "" {
			clock = true
		}
		if len(f) == 4 && (f[:2] == "19" || f[:2] == "20") && strings.Trim(f, "0123456789") == "" {
			year = true
		}
		month = month || len(f) == 3 && strings.Contains(" Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ", " "+f+" ")
	}
	return clock && month && year
}

// slowField reports whether line begins a header field.
func slowField(line []byte) bool {
	i := bytes.IndexByte(line, ':')
	if i < 1 {
		return false
	}
	name := bytes.TrimRight(line[:i], " \t")
	for _, c := range name {
		if c <= ' ' || c > '~' || strings.ContainsRune(`<>"@/,`, rune(c)) {
			return false
		}
	}
	return len(name) > 0 && !slices.Contains([]string{"http", "https", "ftp", "urn", "nntp", "mailto", "gopher", "telnet"}, strings.ToLower(string(name)))
}

// slowStray reports whether a line that is not a field is between fields. next is the
// line after it.
func slowStray(line, next []byte) bool {
	return !bytes.HasPrefix(line, []byte("--")) && !bytes.HasPrefix(line, []byte("From ")) && !bytes.HasPrefix(line, []byte("#")) && slowKnown(next)
}

// slowKnown reports whether next begins with a field whose name is known.
func slowKnown(next []byte) bool {
	if !slowField(next) {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(string(next)), ":")
	return strings.Contains(strings.Trim(name, " -"), "-") && (next[0] < 'a' || name[:2] == "x-") ||
		slices.Contains([]string{"from", "to", "cc", "date", "subject", "received", "content-type", "content-transfer-encoding", "mime-version", "message-id", "return-path", "sender", "organization", "references", "lines", "path", "newsgroups"}, name)
}

// line returns the line at the offset at, with its line end, at most to the end of the message.
func (m *slowMail) line(at int) []byte {
	limit := len(m.raw)
	if m.end > at {
		limit = m.end
	}
	rest := m.raw[at:limit]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		return rest[:i+1]
	}
	return rest
}

// fields returns the first value of each field of the header block at lo, with names in
// lower case and values unfolded, and the offset of the body.
func (m *slowMail) fields(lo, hi int) (map[string]string, int) {
	f := make(map[string]string)
	last := ""
	at := lo
	for at < hi {
		line := m.line(at)
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case text == "":
			return f, at + len(line)
		case at > lo && (text[0] == ' ' || text[0] == '\t'):
			if last != "" {
				f[last] += text
			}
		case at == lo && (strings.HasPrefix(text, ">From ") || slowSeparator(line)):
		case !slowField(line):
			if at == lo || !slowStray(line, m.line(min(hi, at+len(line)))) {
				return f, at
			}
			last = ""
		default:
			name, value, _ := strings.Cut(text, ":")
			name = strings.ToLower(strings.TrimRight(name, " \t"))
			last = ""
			if _, ok := f[name]; !ok {
				last = name
				f[name] = value
			}
		}
		at += len(line)
	}
	return f, at
}

// entity reads the entity at the offset at: a header block and a body. The body ends at a boundary
// line of open, or at the end of the message; entity returns that offset. section is the number of
// the entity, "" for a message. within is the prefix of the numbers of messages in it.
func (m *slowMail) entity(at int, open []string, section, within, unlabelled string) int {
	f, body := m.fields(at, m.end)
	body = min(body, m.end)
	if k := m.boundary(at, body, open); k >= 0 { // the boundary line is inside the header
		body = k
	}
	name := within + "HEADER"
	if section != "" {
		name = section + ".MIME"
	}
	for k := range f {
		f[k] = strings.TrimSpace(f[k])
	}
	if len(f) > 0 {
		m.add(slowPart{section: name, lo: at, hi: body, header: true})
	}
	p := slowPart{lo: body, encoding: slowEncoding(f["content-transfer-encoding"])}
	var params map[string]string
	p.typ, params = slowType(f["content-type"], unlabelled)
	p.charset = params["charset"]
	p.delsp = strings.EqualFold(params["format"], "flowed") && strings.EqualFold(params["delsp"], "yes")
	leaf := section
	if leaf == "" {
		leaf = within + "1"
	}
	inner := within // inner is the prefix of the numbers of children
	if section != "" {
		inner = section + "."
	}
	switch b, some := params["boundary"]; {
	case strings.HasPrefix(p.typ, "multipart/") && some && b != "":
		return m.multipart(body, append(slices.Clone(open), b), inner, p.typ)
	case (p.typ == "message/rfc822" || p.typ == "message/global" || p.typ == "message/news") && p.encoding == "":
		return m.entity(body, open, "", leaf+".", "text/plain")
	}
	if strings.HasPrefix(p.typ, "multipart/") {
		p.typ, p.encoding = "text/plain", ""
	}
	if p.hi = m.boundary(body, m.end, open); p.hi < 0 {
		p.hi = m.end
	}
	p.section = leaf
	m.add(p)
	return p.hi
}

// multipart reads the children between the lines of the last boundary of open.
func (m *slowMail) multipart(at int, open []string, inner, typ string) int {
	mine := open[len(open)-1]
	outer := open[:len(open)-1]
	unlabelled := "text/plain"
	if typ == "multipart/digest" {
		unlabelled = "message/rfc822"
	}
	text := func(lo, hi int) { m.add(slowPart{section: inner + "TEXT", lo: lo, hi: hi, typ: "text/plain"}) }
	next := m.boundary(at, m.end, open)
	if next < 0 {
		text(at, m.end)
		return m.end
	}
	text(at, next)
	for n := 1; next < m.end; n++ {
		line := m.line(next)
		if !slowBoundary(line, mine) && !slowBoundary(line, mine+"--") {
			return next // the boundary line is of an outer multipart
		}
		if slowBoundary(line, mine+"--") && !slowBoundary(line, mine) {
			after := next + len(line)
			if next = m.boundary(after, m.end, outer); next < 0 {
				next = m.end
			}
			text(after, next)
			return next
		}
		next = m.entity(next+len(line), open, inner+strconv.Itoa(n), inner, unlabelled)
	}
	return next
}

// boundary returns where the first line in [at, hi) begins that is a boundary of
// open, or -1.
func (m *slowMail) boundary(at, hi int, open []string) int {
	for at < hi {
		line := m.line(at)
		for _, b := range open {
			if slowBoundary(line, b) || slowBoundary(line, b+"--") {
				return at
			}
		}
		at += len(line)
	}
	return -1
}

func slowBoundary(line []byte, b string) bool {
	return strings.TrimRight(string(line), " \t\r\n") == "--"+strings.TrimRight(b, " \t")
}

func (m *slowMail) add(p slowPart) {
	p.message, p.mbox = m.message, m.mbox
	if p.lo < p.hi {
		m.parts = append(m.parts, p)
	}
}

// at returns the part that contains the byte at off, or nil.
func (m *slowMail) at(off int) *slowPart {
	i, _ := slices.BinarySearchFunc(m.parts, off, func(p slowPart, off int) int {
		if p.hi <= off {
			return -1
		}
		return 1
	})
	if i < len(m.parts) && m.parts[i].lo <= off {
		return &m.parts[i]
	}
	return nil
}

// slowType parses Content-Type, as tolerantly as real mail requires.
func slowType(value, unlabelled string) (string, map[string]string) {
	if value == "" {
		return unlabelled, nil
	}
	if typ, params, err := mime.ParseMediaType(value); err == nil && strings.Contains(typ, "/") {
		return typ, params
	}
	typ, rest, _ := strings.Cut(value, ";")
	typ = strings.ToLower(strings.TrimSpace(typ))
	if f := strings.FieldsFunc(typ, func(r rune) bool { return r == ' ' || r == '\t' || r == '(' }); len(f) > 0 {
		rest = value[strings.Index(strings.ToLower(value), f[0])+len(f[0]):]
		typ = f[0]
	}
	if !strings.Contains(typ, "/") {
		typ = unlabelled
		rest = value
	}
	params := make(map[string]string)
	for rest != "" {
		rest = strings.TrimLeft(rest, "; \t\r\n")
		i := strings.IndexAny(rest, "=;")
		if i < 0 {
			break
		}
		name := strings.ToLower(strings.TrimSpace(rest[:i]))
		if f := strings.Fields(name); len(f) > 0 {
			name = f[len(f)-1]
		}
		if rest[i] == ';' {
			rest = rest[i:]
			continue
		}
		rest = strings.TrimLeft(rest[i+1:], " \t\r\n")
		var v string
		if strings.HasPrefix(rest, `"`) {
			v, rest, _ = strings.Cut(rest[1:], `"`)
		} else {
			end := strings.IndexAny(rest+";", "; \t\r\n")
			v, rest = rest[:end], rest[end:]
		}
		if _, ok := params[name]; !ok && name != "" {
			params[name] = v
		}
	}
	return typ, params
}

func slowEncoding(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	s = regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(s, "")
	switch strings.TrimPrefix(regexp.MustCompile(`[^a-z0-9]|;.*`).ReplaceAllString(s, ""), "x") {
	case "base64":
		return "base64"
	case "quotedprintable":
		return "quoted-printable"
	}
	if f := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t;(\"'", r) }); len(f) > 0 {
		s = f[0]
	}
	switch s {
	case "7bit", "8bit", "binary", "none", "7-bit", "8-bit":
		return ""
	case "quoted-printable", "base64", "", "x-uuencode", "uuencode", "x-uue", "uue", "x-yencode":
		return s
	}
	return ""
}

// A slowText is text in which each byte has the position of its source.
type slowText struct {
	b      []byte
	lo, hi []int // offsets in the raw stream of the encoded unit of b[i]
}

func (t *slowText) put(c byte, lo, hi int) {
	t.b, t.lo, t.hi = append(t.b, c), append(t.lo, lo), append(t.hi, hi)
}

// cut returns the bounds of the bytes of t whose source begins in [lo, hi).
func (t *slowText) cut(lo, hi int) (from, to int) {
	for from < len(t.b) && t.lo[from] < lo {
		from++
	}
	to = from
	for to < len(t.b) && t.lo[to] < hi {
		to++
	}
	return from, to
}

// slowBody returns raw[lo:hi] with ">From " decoded at line starts.
func slowBody(raw []byte, lo, hi int, mbox bool) (t slowText) {
	for i := lo; i < hi; i++ {
		if mbox && raw[i] == '>' && (i == 0 || raw[i-1] == '\n') &&
			bytes.HasPrefix(bytes.TrimLeft(raw[i:], ">"), []byte("From ")) {
			continue
		}
		t.put(raw[i], i, i+1)
	}
	return t
}

// slowQP decodes quoted-printable, RFC 2045 section 6.7. A '=' that begins no escape is
// kept.
func slowQP(in slowText) (t slowText) {
	b := in.b
	for i := 0; i < len(b); {
		if b[i] == '=' {
			k := i + 1
			for k < len(b) && (b[k] == ' ' || b[k] == '\t') {
				k++
			}
			switch {
			case k == len(b):
				i = k
				continue
			case b[k] == '\n':
				i = k + 1
				continue
			case b[k] == '\r' && k+1 < len(b) && b[k+1] == '\n':
				i = k + 2
				continue
			case b[k] == '\r' && k+1 == len(b):
				i = k + 1
				continue
			case i+2 < len(b):
				if x, err := hex.DecodeString(string(b[i+1 : i+3])); err == nil {
					t.put(x[0], in.lo[i], in.hi[i+2])
					i += 3
					continue
				}
			}
		}
		t.put(b[i], in.lo[i], in.hi[i])
		i++
	}
	return t
}

// slowBase64 decodes base64, RFC 2045 section 6.8, line by line. A line that is not
// base64 is kept.
func slowBase64(in slowText) (t slowText) {
	var group []int // positions of the bytes of in that are not decoded yet
	flush := func() {
		if len(group) > 1 {
			four := []byte("AAAA")
			for i, k := range group {
				four[i] = slowAlphabet(in.b[k])
			}
			var three [3]byte
			_, _ = base64.StdEncoding.Decode(three[:], four)
			for _, c := range three[:len(group)-1] {
				t.put(c, in.lo[group[0]], in.hi[group[len(group)-1]])
			}
		}
		group = group[:0]
	}
	padded := false // an earlier line had the padding that ends the data
	for lo := 0; lo < len(in.b); {
		hi := lo
		for hi < len(in.b) && in.b[hi] != '\n' {
			hi++
		}
		hi = min(hi+1, len(in.b))
		if line := bytes.Trim(in.b[lo:hi], " \t\r\n"); slowJunk(line, padded) {
			flush()
			if len(t.b) > 0 && t.b[len(t.b)-1] != '\n' {
				t.put('\n', in.lo[lo], in.lo[lo])
			}
			for i := lo; i < hi; i++ {
				t.put(in.b[i], in.lo[i], in.hi[i])
			}
		} else {
			for i := lo; i < hi; i++ {
				switch c := in.b[i]; {
				case c == '=':
					flush()
					padded = true
				case slowAlphabet(c) != 0:
					if group = append(group, i); len(group) == 4 {
						flush()
					}
				}
			}
		}
		lo = hi
	}
	flush()
	return t
}

// slowJunk reports whether line is not base64: it has other bytes, or it follows the padding and
// does not look like more base64.
func slowJunk(line []byte, padded bool) bool {
	for _, c := range line {
		if c != '=' && c != ' ' && c != '\t' && slowAlphabet(c) == 0 {
			return len(line) <= 256
		}
	}
	return padded && (len(line) < 4 && len(line) > 0 || bytes.ContainsAny(line, " \t"))
}

func slowAlphabet(c byte) byte {
	switch {
	case c == '-':
		return '+'
	case c == '_':
		return '/'
	case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '+', c == '/':
		return c
	}
	return 0
}

// transfer decodes the transfer encoding of a text of p.
func (p *slowPart) transfer(t slowText) slowText {
	switch {
	case p.header:
		return t
	case p.encoding == "quoted-printable":
		return slowQP(t)
	case p.encoding == "base64":
		return slowBase64(t)
	}
	return t
}

// slowCharset decodes a charset by its name.
func slowCharset(label string, b []byte) string {
	label = strings.ToLower(strings.Trim(label, " \t\"'"))
	switch label {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "unknown", "x-unknown", "unknown-8bit", "default", "8bit", "binary":
		return slowLenient(b)
	case "utf-7", "unicode-1-1-utf-7":
		return slowUTF7(b)
	case "utf-16":
		e := xunicode.UTF16(xunicode.BigEndian, xunicode.UseBOM)
		if len(b) > 1 && b[0] != 0 && b[1] == 0 {
			e = xunicode.UTF16(xunicode.LittleEndian, xunicode.UseBOM)
		}
		return slowEncoded(e, b)
	case "utf-16be":
		return slowEncoded(xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM), b)
	case "cp500":
		var s strings.Builder
		for _, c := range b {
			if i := strings.IndexByte("\x4a\x4f\x5a\x5f\xb0\xba\xbb", c); i >= 0 {
				s.WriteRune([]rune("[!]^\u00a2\u00ac|")[i])
			} else {
				s.WriteRune(charmap.CodePage037.DecodeByte(c))
			}
		}
		return s.String()
	case "hz-gb-2312":
		return slowEncoded(simplifiedchinese.HZGB2312, b)
	case "gb2312":
		return slowEncoded(simplifiedchinese.GBK, b)
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		if e, err = ianaindex.MIME.Encoding(label); err != nil || e == nil {
			return slowLenient(b)
		}
	}
	return slowEncoded(e, b)
}

func slowEncoded(e encoding.Encoding, b []byte) string {
	s, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return slowLenient(b)
	}
	return string(s)
}

// slowLenient decodes UTF-8 where the bytes are valid, otherwise windows-1252 byte by
// byte.
func slowLenient(b []byte) string {
	var s strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			s.WriteRune(charmap.Windows1252.DecodeByte(b[0]))
		} else {
			s.Write(b[:n])
		}
		b = b[n:]
	}
	return s.String()
}

// slowUTF7 decodes UTF-7, RFC 2152.
func slowUTF7(b []byte) string {
	var s strings.Builder
	for i := 0; i < len(b); {
		if b[i] != '+' {
			s.WriteByte(b[i])
			i++
			continue
		}
		k := i + 1
		for k < len(b) && b[k] != '-' && b[k] != '_' && slowAlphabet(b[k]) != 0 {
			k++
		}
		if k == i+1 {
			s.WriteByte('+')
		}
		bits, _ := base64.RawStdEncoding.DecodeString(string(b[i+1 : k-(k-i-1)%4/4]))
		var units []uint16
		for j := 0; j+1 < len(bits); j += 2 {
			units = append(units, uint16(bits[j])<<8|uint16(bits[j+1]))
		}
		s.WriteString(string(utf16.Decode(units)))
		if k < len(b) && b[k] == '-' {
			k++
		}
		i = k
	}
	return s.String()
}

// slowDelSp joins the flowed lines of a text with DelSp, RFC 3676 section 4. within says that s
// begins inside a line. The quote depth of that line is assumed to be the depth of the next line.
func slowDelSp(s string, within bool) string {
	var b strings.Builder
	depth := func(l string) int { return len(l) - len(strings.TrimLeft(l, ">")) }
	joined, last := false, 0
	for line := range strings.SplitAfterSeq(s, "\n") {
		text := strings.TrimRight(line, "\r\n")
		d := depth(text)
		if joined && within {
			last, within = d, false
		}
		if joined {
			if d != last && b.Len() > 0 { // a line of another quote depth begins a new paragraph
				b.WriteString(" \n")
			} else {
				line = strings.TrimPrefix(line[d:], " ")
			}
			text = strings.TrimRight(line, "\r\n")
		}
		bare := strings.TrimPrefix(strings.TrimLeft(text, ">"), " ")
		if joined = strings.HasSuffix(text, " ") && bare != "-- " && text != "-- " && len(line) > len(text); joined {
			b.WriteString(text[:len(text)-1])
		} else {
			b.WriteString(line)
		}
		last = d
	}
	return b.String()
}

// TestMailJudge checks judge, which TestMailTruth uses. judge must accept the true position of each
// result, and reject a position one byte later and a shorter stretch.
func TestMailJudge(t *testing.T) {
	x := extractor(t, extract.Options{Format: extract.Plain, Workers: 1})
	right, wrong, caught := 0, 0, 0
	for _, file := range mailFiles(t) {
		m := slowly(file.content(t))
		for i := range m.parts {
			p := &m.parts[i]
			if p.header || p.delsp || !strings.HasPrefix(p.typ, "text/plain") {
				continue
			}
			text := p.transfer(slowBody(m.raw, p.lo, p.hi, p.mbox))
			if slowCharset(p.charset, text.b) != string(text.b) || bytes.HasPrefix(text.b, []byte("\xef\xbb\xbf")) {
				continue
			}
			for r, err := range x.Read(t.Context(), "part", bytes.NewReader(text.b)) {
				if err != nil {
					t.Fatal(err)
				}
				from, to := int(r.Origin.Offset), int(r.Origin.Offset+r.Origin.Length)
				lo, hi := text.lo[from], text.hi[to-1]
				cut := from > 0 && text.lo[from-1] == lo || to < len(text.b) && text.hi[to] == hi
				r.Origin.Exact = !cut
				right++
				if v := m.judge(r, lo, hi); !v.ok {
					t.Errorf("%s: %q at %d: %s", file.name, r.Candidate.Raw, lo, v.why)
				}
				if r.Origin.Exact {
					for _, d := range [][2]int{{1, 0}, {0, -1}, {1, 1}, {-1, -1}} {
						wrong++
						if !m.judge(r, lo+d[0], hi+d[1]).ok {
							caught++
						}
					}
				}
			}
		}
	}
	t.Logf("%d places judged right, %d of %d false ones", right, caught, wrong)
	if right < 400 || caught < wrong-wrong/50 {
		t.Errorf("%d places judged right, %d of %d false ones", right, caught, wrong)
	}
}
