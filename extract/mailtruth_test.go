package extract_test

import (
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/ulikunitz/xz"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// mailFolders are the folders of fixtures with mail and news in them.
var mailFolders = []string{"mail", "mailbox", "spool"}

// corporaEnv names a variable with folders of more mail, separated as in PATH, which
// tests read if it is set. Their content need not be free to distribute.
const corporaEnv = "URLSIFT_CORPORA"

// A mailFile is a file of mail in a folder of fixtures, or in one of corporaEnv.
type mailFile struct{ name, path string }

// mailFiles returns all files of mail, in lexical order of the folders.
func mailFiles(t testing.TB) (files []mailFile) {
	t.Helper()
	walk := func(root, dir string) {
		err := fs.WalkDir(os.DirFS(root), dir, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && d.Name() != "README.md" && d.Name() != "SOURCES.md" && d.Name() != "COPYING" {
				files = append(files, mailFile{name, filepath.Join(root, name)})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range mailFolders {
		walk(fixtures, dir)
	}
	for _, root := range filepath.SplitList(os.Getenv(corporaEnv)) {
		walk(root, ".")
	}
	return files
}

// content returns the raw stream of a file: what zcat prints.
func (f mailFile) content(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(f.path)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		in, ok := slowOpen(b)
		if !ok {
			break
		}
		b = in
	}
	return b
}

// slowOpen decompresses a file that is compressed as a whole.
func slowOpen(b []byte) ([]byte, bool) {
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(b, []byte("\x1f\x8b")):
		r, err = gzip.NewReader(bytes.NewReader(b))
	case bytes.HasPrefix(b, []byte("BZh")):
		r = bzip2.NewReader(bytes.NewReader(b))
	case bytes.HasPrefix(b, []byte("\xfd7zXZ\x00")):
		r, err = xz.NewReader(bytes.NewReader(b))
	case bytes.HasPrefix(b, []byte("#! cunbatch\n")), bytes.HasPrefix(b, []byte("#! gunbatch\n")):
		return b[len("#! cunbatch\n"):], true
	case bytes.HasPrefix(b, []byte("\x1f\x9d")):
		return slowLZW(b), true
	default:
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	in, _ := io.ReadAll(r)
	return in, len(in) > 0
}

// slowLZW is uncompress: codes of 9 bits and more, least significant bit first, in groups
// of eight.
func slowLZW(b []byte) (out []byte) {
	if len(b) < 3 {
		return nil
	}
	most, bit := uint(b[2]&31), 0
	b = b[3:]
	var table [][]byte
	clear := func() {
		table = table[:0]
		for i := range 257 {
			table = append(table, []byte{byte(i)})
		}
	}
	clear()
	var last []byte
	for width, group := uint(9), 0; ; {
		if len(table) >= 1<<width && width < most || last == nil && width != 9 {
			bit += (8 - group%8) % 8 * int(width)
			group = 0
			if width++; last == nil {
				width = 9
			}
		}
		if bit+int(width) > 8*len(b) {
			return out
		}
		code := 0
		for i := range int(width) {
			code |= int(b[(bit+i)/8]>>((bit+i)%8)&1) << i
		}
		bit, group = bit+int(width), group+1
		if code == 256 {
			clear()
			last = nil
			continue
		}
		var s []byte
		switch {
		case code < len(table):
			s = table[code]
		case last != nil:
			s = append(bytes.Clone(last), last[0])
		default:
			return out
		}
		out = append(out, s...)
		if last != nil && len(table) < 1<<most {
			table = append(table, append(bytes.Clone(last), s[0]))
		}
		last = s
	}
}

// A slowWord is an encoded word of RFC 2047.
type slowWord struct {
	lo, hi         int // including its delimiters
	textLo, textHi int
	charset        string
	b64            bool
}

// slowWords returns the encoded words in raw[lo:hi].
func slowWords(raw []byte, lo, hi int) (words []slowWord) {
	for i := lo; i+6 < hi; i++ {
		if raw[i] != '=' || raw[i+1] != '?' {
			continue
		}
		rest := string(raw[i+2 : hi])
		f := strings.SplitN(rest, "?", 4)
		if len(f) < 4 || f[0] == "" || strings.ContainsAny(f[0], " \t\r\n") || !strings.Contains("bBqQ", f[1]) || len(f[1]) != 1 ||
			strings.ContainsAny(f[2], " \t\r\n") || !strings.HasPrefix(f[3], "=") {
			continue
		}
		w := slowWord{lo: i, b64: f[1] == "b" || f[1] == "B"}
		w.charset, _, _ = strings.Cut(f[0], "*")
		w.textLo = i + 2 + len(f[0]) + 1 + len(f[1]) + 1
		w.textHi = w.textLo + len(f[2])
		w.hi = w.textHi + 2
		words = append(words, w)
		i = w.hi - 1
	}
	return words
}

// slowHeader returns the text of raw[lo:hi] in the header block of p: encoded words
// decoded, in context, and folds unchanged.
func slowHeader(raw []byte, p *slowPart, lo, hi int) string {
	var b strings.Builder
	var bytesOf []byte // bytes of adjacent words with the same charset
	charset := ""
	flush := func() {
		b.WriteString(slowCharset(charset, bytesOf))
		bytesOf = bytesOf[:0]
	}
	var plain []byte
	words := slowWords(raw, p.lo, p.hi)
	for i := lo; i < hi; {
		if len(words) > 0 && i >= words[0].hi {
			words = words[1:]
			continue
		}
		if len(words) > 0 && i >= words[0].lo {
			w := words[0]
			from, to := max(i, w.textLo), min(hi, w.textHi)
			if gap := string(bytes.TrimSpace(plain)); gap != "" || charset != w.charset {
				flush()
				if gap != "" || b.Len() == 0 {
					b.WriteString(slowLenient(plain))
				}
			}
			plain = plain[:0]
			charset = w.charset
			if from < to {
				bytesOf = append(bytesOf, slowWordText(raw[from:to], w.b64)...)
			}
			i = w.hi
			continue
		}
		plain = append(plain, raw[i])
		i++
	}
	flush()
	b.WriteString(slowLenient(plain))
	return b.String()
}

func slowWordText(text []byte, b64 bool) []byte {
	var t slowText
	for i, c := range text {
		if c == '_' && !b64 {
			c = ' '
		}
		t.put(c, i, i+1)
	}
	if b64 {
		s := bytes.TrimRight(text, "=")
		out, _ := base64.RawStdEncoding.DecodeString(string(s))
		return out
	}
	return slowQP(t).b
}

// slowAttr decodes the character references in an attribute. A reference without ';' in front of
// '=' or a letter is text.
func slowAttr(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		s = s[i:]
		n := 1
		for n < len(s) && (s[n] == '#' && n == 1 || s[n] < 0x80 && (unicode.IsLetter(rune(s[n])) || unicode.IsDigit(rune(s[n])))) {
			n++
		}
		ref := s[:n]
		switch {
		case n < len(s) && s[n] == ';':
			n++
			if u := html.UnescapeString(s[:n]); !strings.HasSuffix(u, ";") || ref == "&semi" {
				ref = u
			} else {
				ref = s[:n]
			}
		case strings.HasPrefix(ref, "&#"):
			ref = html.UnescapeString(ref)
		case n < len(s) && s[n] == '=':
		default:
			if u := html.UnescapeString(ref); len(u) <= 2 { // the complete name was decoded; otherwise letters would remain
				ref = u
			}
		}
		b.WriteString(ref)
		s = s[n:]
	}
}

// slowTags removes tags. If other is set, it keeps the values of attributes with unusual
// names.
func slowTags(s string, other bool) string {
	const usual = " href src id class style target rel type name lang dir color face size width height border align valign bgcolor background "
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		k := strings.IndexByte(s[i:], '>')
		if k < 0 {
			return b.String() + s[i:]
		}
		for _, f := range strings.Fields(s[i : i+k]) {
			if name, value, ok := strings.Cut(f, "="); ok && other && !strings.Contains(usual, " "+strings.ToLower(name)+" ") {
				b.WriteString(" " + strings.Trim(value, `"'`) + " ")
			}
		}
		s = s[i+k+1:]
	}
}

// solid returns s without white space.
func solid(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// markup returns what a decoded stretch may represent, depending on the type of p and the
// form of the reference.
func (p *slowPart) markup(s string, form delimit.Form) []string {
	var all []string
	tagged := strings.Contains(p.typ, "html") || strings.Contains(p.typ, "xml") || strings.Contains(p.typ, "sgml")
	known := tagged || strings.HasPrefix(p.typ, "text/")
	switch {
	case form == delimit.Attribute:
		return []string{slowAttr(s)}
	case p.delsp:
		all = append(all, slowDelSp(s, true))
	case p.typ == "text/calendar", p.typ == "application/ics", strings.HasPrefix(p.typ, "text/vcard"), strings.HasPrefix(p.typ, "text/directory"), strings.HasPrefix(p.typ, "text/x-vcard"):
		all = append(all, strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(s))
	case !tagged:
		all = append(all, s)
	}
	if tagged || !known {
		if value, rest, ok := strings.Cut(s, `"`); ok && !strings.ContainsAny(value, "<>") { // the stretch begins in an attribute value that is text
			if _, rest, ok = strings.Cut(rest, ">"); ok {
				all = append(all, html.UnescapeString(value+slowTags(rest, false)), html.UnescapeString(value+slowTags(rest, true)))
			}
		}
		all = append(all, html.UnescapeString(slowTags(s, false)), html.UnescapeString(slowTags(s, true)), html.UnescapeString(s), s)
	}
	return all
}

// A comparison is the result of comparing a Result with its bytes.
type comparison struct {
	part *slowPart
	ok   bool
	why  string
}

// judge decodes the raw stretch of r separately and compares.
func (m *slowMail) judge(r *extract.Result, lo, hi int) comparison {
	if lo < 0 || hi > len(m.raw) || lo >= hi {
		return comparison{why: fmt.Sprintf("%d..%d is not in the stream", lo, hi)}
	}
	if m.framing == "plain" {
		if s := string(m.raw[lo:hi]); s == string(r.Candidate.Raw) || solid(slowLenient([]byte(s))) == solid(string(r.Candidate.Raw)) {
			return comparison{ok: true}
		}
		return comparison{why: fmt.Sprintf("%q stands there", m.raw[lo:hi])}
	}
	p := m.at(lo)
	switch {
	case p == nil:
		return comparison{why: "is in no part"}
	case hi > p.hi:
		return comparison{part: p, why: "goes beyond " + p.section}
	}
	if p.encoding != "" && strings.HasPrefix(p.typ, "message/") {
		return m.judgeInner(r, p, lo, hi)
	}
	v := comparison{part: p}
	if p.header {
		s := slowHeader(m.raw, p, lo, hi)
		if v.ok = fits(r, s, strings.ContainsAny(s, "\r\n")); !v.ok {
			v.why = fmt.Sprintf("the header has %q there", s)
		}
		return v
	}
	for _, b := range m.decoded(p, lo, hi) {
		for _, s := range p.markup(b, r.Candidate.Form) {
			if fits(r, s, !strings.HasPrefix(p.typ, "text/plain")) {
				v.ok = true
				return v
			}
			v.why = fmt.Sprintf("%s, %q %q: %q stands there, that is %q", p.section, p.encoding, p.charset, m.raw[lo:hi], s)
		}
	}
	return v
}

// decoded returns the possible texts of raw[lo:hi] of p, with transfer encoding and charset
// decoded. There is one text if all encoded units are complete, otherwise one for each way to read
// an incomplete unit at the edge.
func (m *slowMail) decoded(p *slowPart, lo, hi int) (all []string) {
	skips := 1
	if p.encoding == "base64" || strings.HasPrefix(strings.ToLower(p.charset), "utf-16") || strings.HasPrefix(strings.ToLower(p.charset), "utf-32") {
		skips = 4
	}
	for raw := range 4 {
		t := slowBody(m.raw, lo, hi, p.mbox)
		if raw > 0 {
			if p.encoding != "base64" {
				break
			}
			if raw >= len(t.b) {
				break
			}
			t.b, t.lo, t.hi = t.b[raw:], t.lo[raw:], t.hi[raw:]
		}
		if p.encoding == "quoted-printable" { // the bytes after it decide whether '=' begins an escape
			t = slowBody(m.raw, lo, min(hi+80, p.hi), p.mbox)
		}
		b := p.transfer(t).b
		if p.encoding == "quoted-printable" {
			t = p.transfer(t)
			n := 0
			for n < len(t.b) && t.hi[n] <= hi {
				n++
			}
			b = t.b[:n]
		}
		if p.encoding == "base64" && slowJunk(bytes.TrimSpace(t.b), true) {
			all = append(all, slowLenient(t.b))
		}
		for n := range min(skips, len(b)) {
			all = append(all, slowCharset(p.charset, b[n:]))
			if l := strings.ToLower(p.charset); l == "utf-16" || l == "utf16" { // a byte order mark at the beginning of the part says which of the two
				all = append(all, slowCharset("utf-16le", b[n:]), slowCharset("utf-16be", b[n:]))
			}
		}
	}
	if strings.Contains(strings.ToLower(p.charset), "2022") || strings.Contains(strings.ToLower(p.charset), "utf-7") || strings.Contains(strings.ToLower(p.charset), "hz") {
		// A shift sequence in front of the stretch decides the meaning of its bytes.
		with := slowCharset(p.charset, p.transfer(slowBody(m.raw, p.lo, hi, p.mbox)).b)
		before := slowCharset(p.charset, p.transfer(slowBody(m.raw, p.lo, lo, p.mbox)).b)
		if s, ok := strings.CutPrefix(with, before); ok {
			all = append(all, s)
		}
	}
	return all
}

// judgeInner is judge for a Result in a message that is encoded as a whole.
func (m *slowMail) judgeInner(r *extract.Result, p *slowPart, lo, hi int) comparison {
	t := p.transfer(slowBody(m.raw, p.lo, p.hi, p.mbox))
	inner := slowMail{raw: t.b, framing: "single", prefix: p.section + ".", message: p.message - 1}
	inner.one(0, 0, len(t.b))
	from, to := t.cut(lo, hi)
	if r.Origin.Exact {
		return inner.judge(r, from, to)
	}
	// A group of base64 may contain bytes in front of and after the stretch.
	var v comparison
	for a := range 3 {
		for b := range 3 {
			if from+a < to-b {
				if v = inner.judge(r, from+a, to-b); v.ok {
					return v
				}
			}
		}
	}
	return v
}

// fits reports whether s, decoded from the stretch of r, contains the text of r, or
// equals it if r is exact. White space is not compared in markup, which adds some.
func fits(r *extract.Result, s string, markup bool) bool {
	want := solid(string(r.Candidate.Raw))
	if r.Candidate.Form == delimit.Attribute || r.Candidate.Form == delimit.Header {
		want = solid(string(r.Candidate.Text))
	}
	if !r.Origin.Exact {
		return strings.Contains(solid(s), want)
	}
	if r.Candidate.Form == 0 || r.Candidate.Form > delimit.Quote {
		return solid(s) == want
	}
	return s == string(r.Candidate.Raw) || markup && solid(s) == want
}

// lineCounter counts lines up to offsets that mostly increase.
type lineCounter struct {
	raw  []byte
	at   int
	line int64
}

func (c *lineCounter) position(off int) (line, column int64) {
	if off < c.at || c.line == 0 {
		c.at, c.line = 0, 1
	}
	c.line += int64(bytes.Count(c.raw[c.at:off], []byte("\n")))
	c.at = off
	return c.line, int64(off - bytes.LastIndexByte(c.raw[:off], '\n'))
}

// members returns the streams in containers in the parts of m, by the last name of their
// path.
func (m *slowMail) members() (streams [][]byte) {
	for i := range m.parts {
		p := &m.parts[i]
		if p.header {
			continue
		}
		streams = append(streams, slowMembers(p.transfer(slowBody(m.raw, p.lo, p.hi, p.mbox)).b, 4)...)
	}
	return streams
}

func slowMembers(b []byte, depth int) (streams [][]byte) {
	if depth == 0 {
		return nil
	}
	if in, ok := slowOpen(b); ok {
		return append(append(streams, in), slowMembers(in, depth-1)...)
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			continue
		}
		in, _ := io.ReadAll(r)
		_ = r.Close() // nothing was written, so this cannot fail
		streams = append(append(streams, in), slowMembers(in, depth-1)...)
	}
	return streams
}

// noMail are files that begin like mail but are not read as mail.
var noMail = map[string]string{
	"mailbox/made/no-mail.txt":                   "prose",
	"mailbox/made/log.txt":                       "a log",
	"mail/spamassassin-tests/openphish-feed.txt": "a list of references",
	"mail/spamassassin-tests/phishtank-feed.csv": "likewise",
	"spool/inn/bad-no-header":                    "no header",
}

// notSlow are files that the slow reader does not read as the program does.
var notSlow = map[string]string{
	"mailbox/made/partial.mbox":          "a part lies in several messages",
	"mailbox/made/signed-opaque.eml":     "a message in a signature",
	"mailbox/made/signed-opaque-ber.eml": "likewise",
}

// elsewhere names parts that the slow reader numbers differently, with the reason; a file
// is named by the beginning of its name.
var elsewhere = []struct{ file, why string }{}

// TestMailTruth reads every file of mail. For each Result, the bytes at its Origin,
// decoded separately, must be its text; its line and column must be correct; and its part
// must be the one that contains these bytes.
func TestMailTruth(t *testing.T) {
	skipRace(t)
	x := extractor(t, extract.Options{Format: extract.Auto, Refused: true, Workers: 1})
	checked, exact, unknown := 0, 0, 0
	kinds := make(map[string]int)
	for _, file := range mailFiles(t) {
		if notSlow[file.name] != "" {
			continue
		}
		raw := file.content(t)
		m := slowly(raw)
		lines := lineCounter{raw: m.raw}
		var streams []*slowMail
		bad := 0
		complain := func(format string, args ...any) {
			if bad++; bad <= 5 {
				t.Errorf("%s: %s", file.name, fmt.Sprintf(format, args...))
			}
		}
		for r, err := range x.Read(t.Context(), file.name, bytes.NewReader(raw)) {
			if err != nil {
				var e *extract.Error
				if !errors.As(err, &e) || e.Stage == "" {
					complain("error %v says neither where nor what", err)
				}
				continue
			}
			checked++
			o := r.Origin
			if o.Exact {
				exact++
			}
			lo, hi := int(o.Offset), int(o.Offset+o.Length)
			if o.Member != "" {
				if streams == nil {
					for _, s := range m.members() {
						streams = append(streams, slowly(s))
					}
				}
				kinds["in a container"]++
				ok := false
				for _, s := range streams {
					if hi > len(s.raw) {
						continue
					}
					if v := s.judge(r, lo, hi); v.ok {
						line, column := (&lineCounter{raw: s.raw}).position(lo)
						ok = ok || line == o.Line && column == o.Column
					} else if strings.Contains(string(s.raw[lo:hi]), solid(string(r.Candidate.Text))) {
						ok = true
					}
				}
				if !ok {
					complain("%s: %q is in no container of the message", o, r.Candidate.Raw)
				}
				continue
			}
			if strings.HasPrefix(file.path, fixtures) && noMail[file.name] == "" && o.Message == 0 && m.framing == "single" {
				complain("%s: is not recognised as mail", o)
			}
			if o.Message == 0 && m.framing == "single" {
				m.framing = "plain" // TestMailTruth does not check which files are recognised as mail
			}
			if (o.Message == 0) != (m.framing == "plain") {
				unknown++
				complain("%s: is message %d, and the stream looks %s", o, o.Message, m.framing)
				continue
			}
			v := m.judge(r, lo, hi)
			if !v.ok {
				complain("%s at %d+%d, exact %v: %q: %s", o, o.Offset, o.Length, o.Exact, r.Candidate.Raw, v.why)
			}
			if line, column := lines.position(lo); line != o.Line || column != o.Column {
				complain("%s: is at %d:%d", o, line, column)
			}
			if v.part == nil {
				kinds["plain"]++
				continue
			}
			kinds[strings.Trim(v.part.typ+" "+v.part.encoding, " ")]++
			if o.Message != v.part.message && v.part.message != 0 {
				complain("%s: is in message %d", o, v.part.message)
			}
			if o.Part != v.part.section && !numberedElsewhere(file.name) {
				complain("%s: is in part %s", o, v.part.section)
			}
			if v.part.header != strings.HasSuffix(o.Part, "HEADER") && v.part.header != strings.HasSuffix(o.Part, "MIME") {
				complain("%s: is in a header: %v", o, v.part.header)
			}
			if want := slowFieldAt(m.raw, v.part, lo); v.part == m.at(lo) && v.part.header && !strings.EqualFold(o.Field, want) && v.part.encoding == "" {
				complain("%s: is in the field %q, not %q", o, want, o.Field)
			}
		}
	}
	t.Logf("%d references checked, %d of them exact", checked, exact)
	for kind, n := range kinds {
		t.Logf("%6d in %s", n, kind)
	}
	if checked < 1000 {
		t.Errorf("%d references in all", checked)
	}
}

func numberedElsewhere(name string) bool {
	for _, e := range elsewhere {
		if strings.HasPrefix(name, e.file) {
			return true
		}
	}
	return false
}

// slowFieldAt returns the name of the header field that contains the byte at off.
func slowFieldAt(raw []byte, p *slowPart, off int) string {
	if !p.header || off < p.lo || off >= p.hi {
		return ""
	}
	name := ""
	for at := p.lo; at <= off; {
		line := raw[at:p.hi]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		if line[0] != ' ' && line[0] != '\t' {
			name = ""
			if slowField(line) {
				n, _, _ := bytes.Cut(line, []byte(":"))
				name = string(bytes.TrimRight(n, " \t"))
			}
		}
		at += len(line)
	}
	return name
}

// A damage is a way to damage text at a place.
type damage struct {
	name  string
	spoil func(text []byte, at int) []byte
}

var damages = []damage{
	{"cut", func(text []byte, at int) []byte { return text[:at] }},
	{"flipped", func(text []byte, at int) []byte {
		b := bytes.Clone(text)
		b[at] ^= 0xff
		return b
	}},
	{"doubled", func(text []byte, at int) []byte {
		end := min(at+100, len(text))
		return append(append(bytes.Clone(text[:end]), text[at:end]...), text[end:]...)
	}},
}

// A place is a reference with its position.
type place struct {
	off, end int64
	url      string
	member   bool
}

// reachMargin is how many bytes after a reference may be needed to recognise its end: a
// tail, the closing bracket or quote, an entity or escape of these.
const reachMargin = 24

// TestMailDamage damages each message at every hundredth byte: it truncates the message there,
// flips one byte, or doubles a hundred bytes. Nothing may panic, the time is bounded, and only
// these references may be lost:
//
//   - in front of the damage, a reference that continues into it; in base64, the references of
//     its line;
//   - if the damage is in a body that is not a multipart, the references of that body;
//   - if it is in a header block or a boundary line, those after it in the same message;
//   - if it is in a From_ line or "#! rnews" line, those of other messages too.
func TestMailDamage(t *testing.T) {
	skipRace(t)
	x := extractor(t, extract.Options{Format: extract.Auto, Workers: 1})
	step := 100
	if !long {
		step = 700
	}
	places := func(text []byte) (all []place) {
		for r, err := range x.Read(t.Context(), "damaged", bytes.NewReader(text)) {
			if err == nil {
				all = append(all, place{r.Origin.Offset, r.Origin.Offset + r.Origin.Length, string(r.URL), r.Origin.Member != ""})
			}
		}
		return all
	}
	runs, wanted := 0, 0
	for _, file := range mailFiles(t) {
		if !strings.HasPrefix(file.path, fixtures) || notSlow[file.name] != "" {
			continue
		}
		raw := file.content(t)
		m := slowly(raw)
		if m.framing == "plain" {
			continue
		}
		whole := places(raw)
		began, n := clock(), 0
		for at := 0; at < len(raw); at += step {
			for _, d := range damages {
				spoilt := d.spoil(raw, at)
				n++
				got := make(map[place]bool)
				for _, p := range places(spoilt) {
					got[p] = true
				}
				lost := 0
				for _, w := range whole {
					moved, ok := m.outOfReach(w, at, d.name)
					if !ok {
						continue
					}
					wanted++
					if !got[moved] {
						if lost++; lost <= 2 {
							t.Errorf("%s %s at %d: %q at %d is lost", file.name, d.name, at, w.url, w.off)
						}
					}
				}
			}
		}
		runs += n
		// The limit is ten microseconds for each byte and some milliseconds. Reading usually takes
		// a hundredth of that.
		if limit := time.Duration(n) * (5*time.Millisecond + time.Duration(len(raw))*10*time.Microsecond); clock()-began > limit && !raceEnabled {
			t.Errorf("%s: %v for %d readings", file.name, clock()-began, n)
		}
	}
	t.Logf("%d readings, %d references wanted and found", runs, wanted)
}

// outOfReach reports whether a damage of kind how at the offset at must not change the result w. It
// also returns the position of w after the damage.
func (m *slowMail) outOfReach(w place, at int, how string) (place, bool) {
	if w.member { // the damage may be in a checksum or a length of the container
		return w, false
	}
	if len(m.bodies) == 0 || at < m.firstBody() { // the format may not be recognised
		if m.framing == "single" || at < m.bodies[0]+200 {
			return w, false
		}
	}
	hit := m.at(at)
	before := at
	if hit != nil && hit.encoding == "base64" {
		// A line with an invalid byte is not base64, and the last group of the line
		// before continues in it.
		before = bytes.LastIndexByte(m.raw[:at], '\n') - 4
	}
	if int(w.end)+reachMargin <= before {
		p := m.at(int(w.off))
		// The beginning of a part of unknown type decides how it is read.
		return w, p != nil && (p.header || strings.HasPrefix(p.typ, "text/") || hit != p)
	}
	if how == "cut" {
		return w, false
	}
	end := at + 1
	if how == "doubled" {
		end = min(at+100, len(m.raw))
		w.off, w.end = w.off+int64(end-at), w.end+int64(end-at)
	}
	// w is after the damage. It must be unchanged if it is in another part and the damage is inside
	// one body, or if it is in another message and the damage is inside one message.
	inside := hit != nil && at > hit.lo+2 && end+2 < hit.hi
	first := int(w.off)
	if how == "doubled" {
		first -= end - at
	}
	p := m.at(first)
	if p == nil || hit == nil || first < end {
		return w, false
	}
	if inside && !hit.header && p != hit && p.message == hit.message {
		return w, hit.encoding != "" || !bytes.Contains(m.raw[max(0, at-200):min(len(m.raw), end+200)], []byte("begin "))
	}
	return w, inside && p.message != hit.message && !bytes.Contains(bytes.ToLower(m.raw), []byte("\ncontent-length:"))
}

// firstBody returns the end of the first header block.
func (m *slowMail) firstBody() int {
	if len(m.parts) > 0 && m.parts[0].header {
		return m.parts[0].hi
	}
	return 0
}
