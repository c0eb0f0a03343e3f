package extract_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// A python is a process that runs testdata/pymail.py, which parses mail with Python's email
// package.
type python struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func newPython(t *testing.T) *python {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil || raceEnabled {
		t.Skip("needs python3, and time")
	}
	p := &python{cmd: exec.Command(path, "-W", "ignore", "testdata/pymail.py")}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.in.Close() // the process ends when its input is closed
		_ = p.cmd.Wait()
	})
	return p
}

// A pyPart is what testdata/pymail.py reports about a part.
type pyPart struct {
	Part, Kind, Text string
	End              bool
}

// read returns the parts of a message.
func (p *python) read(t *testing.T, message []byte) (parts []pyPart) {
	t.Helper()
	go func() { // writing must not wait for reading: both pipes have small buffers
		fmt.Fprintf(p.in, "%d\n", len(message))
		_, _ = p.in.Write(message) // the reader reports the error
	}()
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("python: %v", err)
		}
		var part pyPart
		if err := json.Unmarshal(line, &part); err != nil {
			t.Fatal(err)
		}
		if part.End {
			return parts
		}
		parts = append(parts, part)
	}
}

// A texts reads decoded text for URLs.
type texts struct{ plain, html, auto *extract.Extractor }

func newTexts(t *testing.T) texts {
	return texts{
		extractor(t, extract.Options{Format: extract.Plain, Workers: 1}),
		extractor(t, extract.Options{Format: extract.HTML, Workers: 1}),
		extractor(t, extract.Options{Workers: 1}),
	}
}

// add finds the URLs in a text of the given type and adds them to urls.
func (x texts) add(t *testing.T, urls map[string]bool, kind, text string) {
	t.Helper()
	e := x.plain
	switch kind {
	case "other", "fault":
		return
	case "whole":
		e, text = x.html, `<a href="`+html.EscapeString(text)+`">`
	case "html":
		e = x.html
	case "xml":
		e, text = x.auto, "<?xml version='1.0'?>\n"+strings.TrimPrefix(text, "\ufeff")
		found, _ := read(t, e, []byte(text))
		for _, u := range found {
			urls[u] = true
		}
		return
	case "plain", "header":
	default:
		t.Fatalf("kind %q", kind)
	}
	// The newline keeps a byte order mark in text from being read as the mark of the charset.
	found, _ := read(t, e, []byte("\n"+text))
	for _, u := range found {
		urls[u] = true
	}
}

// explained lists the known differences from Python: URLs that only one of the two programs finds
// in a file, and why. A person has examined each.
var explained = []struct {
	file string // prefix of the file's name
	url  string // prefix of the URL; "" for any
	why  string
}{
	{"mailbox/mimekit/issue358.txt", "#", "a line that is no field ends the header for Python"},
	{"mime-corpora/mimekit/issue358.txt", "#", "the same file"},
	{"mailbox/made/cp500.eml", "", "Python does not know the name of the transfer encoding"},
	{"mailbox/made/qp-names.mbox", "", "likewise"},
	{"mailbox/made/from-text.mbox", "http://first.example/2", "it is in the From_ line"},
	{"mailbox/made/attachments.eml", "http://csv.example/1", "Python does not know that the attachment is a table, whose commas part cells"},
}

func isExplained(file, url string) bool {
	for _, e := range explained {
		if strings.HasPrefix(file, e.file) && strings.HasPrefix(url, e.url) {
			return true
		}
	}
	return false
}

// messages returns the text of each message of m, without the changes that the mailbox format made.
func (m *slowMail) messages() (all [][]byte) {
	for i := range m.starts {
		all = append(all, slowBody(m.raw, m.bodies[i], m.ends[i], m.mbox).b)
	}
	return all
}

// TestMailPython decodes every message of the corpora with Python's email package and finds the
// URLs in these texts. The set of URLs in each message must be the one that the Extractor finds.
func TestMailPython(t *testing.T) {
	py, x := newPython(t), newTexts(t)
	auto := extractor(t, extract.Options{Format: extract.Auto, Workers: 1})
	comparePython(t, py, x, func(t *testing.T, name string, m *slowMail) map[int]map[string]bool {
		sets := make(map[int]map[string]bool)
		for r, err := range auto.Read(t.Context(), name, bytes.NewReader(m.raw)) {
			if err != nil {
				continue
			}
			set := sets[r.Origin.Message]
			if set == nil {
				set = make(map[string]bool)
				sets[r.Origin.Message] = set
			}
			set[string(r.URL)] = true
		}
		return sets
	})
}

// comparePython compares sets with Python for all files of mail. sets returns the URLs in each
// message, by the number of the message.
func comparePython(t *testing.T, py *python, x texts, sets func(t *testing.T, name string, m *slowMail) map[int]map[string]bool) {
	messages, urls, equal, known, different := 0, 0, 0, 0, 0
	for _, file := range mailFiles(t) {
		m := slowly(file.content(t))
		if m.framing == "plain" || notSlow[file.name] != "" {
			continue
		}
		got := sets(t, file.name, m)
		for i, message := range m.messages() {
			want := make(map[string]bool)
			for _, part := range py.read(t, message) {
				if part.Kind == "fault" {
					t.Logf("%s, message %d: python: %s", file.name, i+1, part.Text)
				}
				x.add(t, want, part.Kind, part.Text)
			}
			messages++
			same, unknown := true, false
			for _, c := range []struct {
				only       string
				here, away map[string]bool
			}{{"only Python finds", want, got[i+1]}, {"Python does not find", got[i+1], want}} {
				for _, u := range slices.Sorted(maps.Keys(c.here)) {
					switch {
					case c.away[u]:
					case isExplained(file.name, u):
						same = false
					default:
						same, unknown = false, true
						if different < 200 {
							t.Errorf("%s, message %d: %s %q", file.name, i+1, c.only, u)
						}
					}
				}
			}
			urls += len(want)
			switch {
			case same:
				equal++
			case unknown:
				different++
			default:
				known++
			}
		}
	}
	t.Logf("%d messages, %d URLs: %d messages equal, %d with differences that are explained, %d with others", messages, urls, equal, known, different)
	if messages < 150 {
		t.Errorf("%d messages", messages)
	}
}

// TestMailSlow compares the slow reader itself with Python's. If these two agree and the program
// differs, the program is probably wrong.
func TestMailSlow(t *testing.T) {
	py, x := newPython(t), newTexts(t)
	comparePython(t, py, x, func(t *testing.T, _ string, m *slowMail) map[int]map[string]bool {
		sets := make(map[int]map[string]bool)
		for i := range m.starts {
			sets[i+1] = make(map[string]bool)
		}
		slowURLs(t, x, m, sets)
		return sets
	})
}

// slowURLs adds the URLs in the parts of m, which the slow reader decodes.
func slowURLs(t *testing.T, x texts, m *slowMail, sets map[int]map[string]bool) {
	for i := range m.parts {
		p := &m.parts[i]
		set := sets[p.message]
		if p.header {
			slowFields(m.raw, p, func(kind, text string) { x.add(t, set, kind, text) })
			continue
		}
		b := p.transfer(slowBody(m.raw, p.lo, p.hi, p.mbox)).b
		kind := "plain"
		switch {
		case strings.HasPrefix(p.typ, "message/") && p.encoding != "" && p.typ != "message/partial":
			inner := slowMail{raw: b, prefix: p.section + ".", message: p.message - 1}
			inner.one(0, 0, len(b))
			slowURLs(t, x, &inner, sets)
			continue
		case strings.HasPrefix(p.encoding, "x-"), strings.HasPrefix(p.encoding, "uu"):
			continue
		case strings.Contains(p.typ, "html"):
			kind = "html"
		case strings.HasSuffix(p.typ, "xml"):
			kind = "xml"
		case strings.HasPrefix(p.typ, "text/"), strings.HasPrefix(p.typ, "message/"), strings.HasPrefix(p.typ, "multipart/"),
			strings.HasSuffix(p.typ, "json"), p.typ == "application/javascript", p.typ == "application/ics":
		case slowData(p.typ):
			continue
		default:
			if in := slowMembers(b, 4); len(in) > 0 {
				for _, s := range in {
					x.add(t, set, slowLooks(s), string(s))
				}
				continue
			}
			if kind = slowLooks(b); kind == "other" {
				continue
			}
		}
		s := slowCharset(p.charset, b)
		if kind == "plain" && p.encoding == "" {
			s = slowWithoutData(s)
		}
		switch {
		case p.delsp && p.typ == "text/plain":
			s = slowDelSp(s, false)
		case p.typ == "text/calendar", p.typ == "application/ics", p.typ == "text/vcard", p.typ == "text/x-vcard", p.typ == "text/directory":
			s = strings.NewReplacer("\r\n ", "", "\r\n\t", "", "\n ", "", "\n\t", "").Replace(s)
		}
		x.add(t, set, kind, s)
	}
}

// slowLooks returns the media type that the first bytes of a part of unknown type suggest.
func slowLooks(b []byte) string {
	head := b[:min(len(b), 512)]
	for _, c := range head {
		if c < ' ' && !strings.ContainsRune("\t\n\f\r\b\x1b", rune(c)) {
			return "other"
		}
	}
	low := strings.ToLower(strings.TrimSpace(string(head)))
	switch {
	case strings.HasPrefix(low, "<?xml "):
		return "xml"
	case strings.HasPrefix(low, "<!doctype html"), strings.HasPrefix(low, "<html"):
		return "html"
	}
	return "plain"
}

// slowData reports whether parts of a media type are not read.
func slowData(typ string) bool {
	for _, s := range []string{
		"image/", "audio/", "video/", "font/", "model/", "chemical/", "application/vnd.", "application/pdf", "application/msword",
		"application/ms-", "application/x-pkcs7", "application/pkcs7", "application/pkcs10", "application/pkix", "application/x-x509",
		"application/pgp-signature", "application/java", "application/x-java", "application/x-shockwave-flash",
		"application/x-msdownload", "application/mac-binhex40", "application/applefile",
	} {
		if strings.HasPrefix(typ, s) && !strings.HasSuffix(typ, "xml") && typ != "application/javascript" {
			return true
		}
	}
	return false
}

// slowWithoutData removes uuencoded and yEnc-encoded lines.
func slowWithoutData(s string) string {
	var b strings.Builder
	lines := strings.SplitAfter(s, "\n")
	until := ""
	for i, line := range lines {
		text := strings.TrimRight(line, "\r\n")
		if until != "" {
			if strings.HasPrefix(text, until) && (until != "end" || text == until) {
				until = ""
			}
			continue
		}
		f := strings.Fields(text)
		if len(f) > 2 && f[0] == "begin" && (len(f[1]) == 3 || len(f[1]) == 4) && strings.Trim(f[1], "01234567") == "" && i+1 < len(lines) {
			next := strings.TrimRight(lines[i+1], "\r\n")
			if next != "" {
				want := 1 + ((int(next[0])-32)%64+2)/3*4
				if next[0] >= 32 && next[0] <= 96 && len(next)-want <= 2 && want-len(next) <= 2 && len(next) < 63 {
					until = "end"
					continue
				}
			}
		}
		if strings.HasPrefix(text, "=ybegin ") && strings.Contains(text, "line=") {
			until = "=yend"
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// slowFields calls text with each header field of p in which URLs are searched.
func slowFields(raw []byte, p *slowPart, text func(kind, text string)) {
	end := func(lo int) int { // end returns the end of the field at lo
		for {
			i := bytes.IndexByte(raw[lo:p.hi], '\n')
			if i < 0 {
				return p.hi
			}
			if lo += i + 1; lo == p.hi || raw[lo] != ' ' && raw[lo] != '\t' {
				return lo
			}
		}
	}
	for at := p.lo; at < p.hi; {
		next := end(at)
		if colon := bytes.IndexByte(raw[at:next], ':'); colon > 0 && slowField(raw[at:next]) {
			name := strings.ToLower(strings.TrimSpace(string(raw[at : at+colon])))
			value := slowHeader(raw, p, at+colon+1, next)
			switch name {
			case "message-id", "resent-message-id", "in-reply-to", "references", "supersedes", "content-id",
				"original-message-id", "x-original-message-id", "xref", "path", "also-control", "dkim-signature",
				"domainkey-signature", "arc-seal", "arc-message-signature", "x-face", "face":
			case "content-location", "content-base":
				value = strings.Trim(solid(value), `"<>`)
				if len(value) > 4 && strings.EqualFold(value[:4], "url:") {
					value = value[4:]
				}
				if value != "" {
					text("whole", value)
				}
			default:
				text("header", value)
			}
		}
		at = next
	}
}
