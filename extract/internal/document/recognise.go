package document

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
	"github.com/urlsift/urlsift/extract/internal/decode/roff"
	"github.com/urlsift/urlsift/extract/internal/decode/table"
	"github.com/urlsift/urlsift/extract/internal/decode/tex"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// The content of a stream is recognised by its first bytes. Between kinds of text that these leave
// open, the suffix of its name decides: see suffixes. As with compressions, we wait for more bytes
// only while they may change the answer. So the answer depends only on the bytes and the name.

// A content is how a stream is read, as its first bytes show or the options say. The zero content
// is running text.
type content struct {
	data      *dataFormat // nil if it is text; if it is searched, what follows says how
	mail      mail.Framing
	cr        bool      // the lines of the mail end with CR alone
	treatment treatment // of the text
	cell      byte      // of a table: what separates its cells; 0 if its decoder decides
}

// sniffers recognise text that is more than running text, in the order in which they are called. A
// sniffer that does not recognise its format returns asText; if it also sets wait, more bytes may
// change this answer. The first sniffer recognises pages, also in UTF-16.
var sniffers = [...]func(head []byte, whole bool) (as treatment, cell byte, wait bool){
	sniffPage, sniffCard, sniffLDIF, sniffRoff, sniffTeX, sniffTable,
}

// sniffCard reports whether head begins like a calendar (RFC 5545, section 3.4) or a card (RFC 6350,
// section 6.1.1).
func sniffCard(head []byte, whole bool) (as treatment, _ byte, wait bool) {
	for _, first := range [...]string{"BEGIN:VCALENDAR", "BEGIN:VCARD"} {
		switch {
		case len(head) <= len(first):
			wait = wait || maybeBegins(head, first)
		case begins(head, first) && octet.IsSpace(head[len(first)]):
			return asFolded, 0, false
		}
	}
	return asText, 0, wait && !whole
}

// sniffLDIF reports whether head begins like LDIF (RFC 2849): with an entry, whose name has an '=' or
// is in base64, after comments, empty lines and the version.
func sniffLDIF(head []byte, whole bool) (as treatment, _ byte, wait bool) {
	const entry, version = "dn:", "version:"
	for {
		line, rest, ended := bytes.Cut(head, newline)
		switch {
		case begins(line, entry):
			if bytes.IndexByte(line, '=') > 0 || begins(line, "dn::") {
				return asLDIF, 0, false
			}
			return asText, 0, !ended && !whole
		case !ended:
			wait = len(bytes.TrimSpace(line)) == 0 || line[0] == '#' || maybeBegins(line, entry) || maybeBegins(line, version) || begins(line, version)
			return asText, 0, wait && !whole
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#' && string(bytes.TrimSpace(line)) != "version: 1":
			return asText, 0, false
		}
		head = rest
	}
}

func sniffRoff(head []byte, whole bool) (as treatment, _ byte, wait bool) {
	is, wait := roff.Sniff(head, whole)
	if is {
		as = asRoff
	}
	return as, 0, wait
}

func sniffTeX(head []byte, whole bool) (as treatment, _ byte, wait bool) {
	is, wait := tex.Sniff(head, whole)
	if is {
		as = asTeX
	}
	return as, 0, wait
}

func sniffTable(head []byte, whole bool) (as treatment, cell byte, wait bool) {
	if cell, wait = table.Sniff(head, whole); cell != 0 {
		as = asTable
	}
	return as, cell, wait
}

// recognise decides how r, which has that name, is read with the Format f. r is the source or, if
// inMail is set, an attachment.
func recognise(f Format, r peeker, name string, inMail bool) content {
	if f != PlainText && inMail { // the format option is about sources, not about attachments
		f = Auto
	}
	switch f {
	case PlainText:
		return content{}
	case Auto:
		return recogniseStart(r, name, true)
	default:
		c := recogniseStart(r, "", f == Mbox || f == Message) // related formats count too: Babyl, MMDF, emlx
		if c.data != nil && !c.data.searched {
			return c
		}
		framing := f.framing(c.mail)
		return content{data: c.data, treatment: formats[f].treatment, mail: framing, cr: framing != mail.None && linesEndWithCR(r)}
	}
}

// linesEndWithCR reports whether lines of r end with CR alone, by its first [compress.MaxHead] bytes.
// It reads until the first line has an end, and if that is a CR, all of these bytes.
func linesEndWithCR(r peeker) bool {
	for n := 1; ; {
		_, err := r.Peek(n)
		head, _ := r.Peek(min(r.Buffered(), compress.MaxHead))
		whole := err != nil || len(head) == compress.MaxHead
		if !beginsWithCR(head) && bytes.IndexByte(head, '\n') >= 0 || whole {
			return whole && endsWithCR(head)
		}
		n = len(head) + 1
	}
}

// beginsWithCR reports whether the first line of head ends with a CR, and no LF follows it; some
// archives have CR CR LF.
func beginsWithCR(head []byte) bool {
	k := bytes.IndexAny(head, "\r\n")
	if k < 0 || head[k] == '\n' {
		return false
	}
	for k < len(head) && head[k] == '\r' { // bounded by head
		k++
	}
	return k == len(head) || head[k] != '\n'
}

// endsWithCR reports whether lines of head end with CR alone: the first one does, and there are at
// most a few LF among many CR. Programs of other systems have put an LF at the end of such files.
func endsWithCR(head []byte) bool {
	return beginsWithCR(head) && 4*bytes.Count(head, newline) <= bytes.Count(head, []byte{'\r'})
}

// A peeker shows its first bytes before they are read: a [bufio.Reader] or a
// [decode.Peeker].
type peeker interface {
	Peek(n int) ([]byte, error)
	Buffered() int
}

// recogniseStart examines the beginning of r, which has that name, and consumes nothing. If text is
// false, it recognises only data.
func recogniseStart(r peeker, name string, text bool) content {
	for n := 1; ; {
		_, err := r.Peek(n) // waits only if there are not n bytes yet
		head, _ := r.Peek(min(r.Buffered(), compress.MaxHead))
		whole := err != nil || len(head) == compress.MaxHead
		c, wait := recogniseHead(head, whole, text)
		if !wait || whole {
			if c.data == nil && isImage(head, r) {
				c.data = isoImage
			}
			if c == (content{}) && text {
				c.treatment = treatBySuffix(name, r)
			}
			return c
		}
		n = len(head) + 1
	}
}

// recogniseHead is recogniseStart for head. whole says that head is the whole stream. wait
// reports that more bytes may change the answer.
func recogniseHead(head []byte, whole, text bool) (c content, wait bool) {
	if c.data, wait = recogniseData(head, whole); c.data != nil || wait || !text {
		return c, wait
	}
	cs, bom, wait := charset.Sniff(head, whole)
	switch {
	case wait:
		return content{}, true
	case cs == charset.UTF8:
		head = head[bom:]
		if c.mail, c.cr, wait = sniffMail(head, whole); c.mail != mail.None || wait {
			return c, wait
		}
	}
	tried := sniffers[:]
	if cs != charset.UTF8 {
		tried, head = sniffers[:1], narrow(head[bom:], cs)
	}
	for _, sniff := range tried {
		if c.treatment, c.cell, wait = sniff(head, whole); c.treatment != asText || wait {
			return c, wait
		}
	}
	return c, false
}

// narrow returns head, which is in the encoding form cs, with one byte for each code unit: the
// character if it is ASCII, otherwise 0xFF.
func narrow(head []byte, cs charset.Unicode) []byte {
	newline := cs.Newline()
	at := bytes.IndexByte(newline, '\n') // of the byte that may be ASCII
	var chars []byte
	for ; len(head) >= len(newline); head = head[len(newline):] {
		c := head[at]
		if c >= 0x80 || bytes.Count(head[:len(newline)], []byte{0}) < len(newline)-1 {
			c = 0xFF
		}
		chars = append(chars, c)
	}
	return chars
}

// sniffMail is [mail.Sniff], which knows only lines that end with LF. cr reports that lines end with
// CR alone, as on Mac OS before version 10.
func sniffMail(head []byte, whole bool) (f mail.Framing, cr, wait bool) {
	lines := head
	switch {
	case !beginsWithCR(head):
		f, wait = mail.Sniff(head, whole)
		if f != mail.None && !whole && bytes.IndexByte(head, '\n') < 0 {
			return mail.None, false, true // what ends the first line is not known
		}
		return f, false, wait
	case !whole || endsWithCR(head):
		lines = bytes.ReplaceAll(head, []byte{'\r'}, newline)
	}
	if f, wait = mail.Sniff(lines, whole); f != mail.None && !whole {
		return mail.None, false, true
	}
	return f, f != mail.None && endsWithCR(head), wait
}

// markup are the first tags that make a text a page or XML. A text may begin with any other tag.
var markup = [...]struct {
	first string // ignoring case
	as    treatment
}{
	{"<!doctype html", asHTML},
	{"<!doctype netscape-bookmark-file-1", asHTML},
	{"<!doctype", asXML}, // also of SGML
	{"<html", asHTML},
	{"<head", asHTML},
	{"<body", asHTML},
	{"<script", asHTML},
	{"<?xml", asXML},
	{"<rss", asXML},
	{"<feed", asXML},
	{"<urlset", asXML},
	{"<sitemapindex", asXML},
	{"<opml", asXML},
	{"<svg", asXML},
}

// beforeMarkup are what may stand in front of markup: comments, front matter, and instructions of
// templates. Each begins and ends so.
var beforeMarkup = [...]struct{ begin, end string }{
	{"<!--", "-->"},
	{"---\n", "\n---\n"},
	{"---\r\n", "\r\n---\r\n"},
	{"{%", "%}"},
	{"<?php", "?>"},
	{"<%", "%>"},
}

// sniffPage reports whether head begins like a page or XML: with one of markup, after white space and
// beforeMarkup.
func sniffPage(head []byte, whole bool) (as treatment, _ byte, wait bool) {
	head, wait, open := skipBeforeMarkup(head)
	if open {
		return asText, 0, !whole
	}
	for _, m := range markup {
		switch {
		case len(head) < len(m.first):
			wait = wait || maybeBegins(head, m.first)
		case begins(head, m.first) && (whole || !wait):
			if len(head) == len(m.first) {
				return m.as, 0, !whole
			}
			if c := head[len(m.first)]; octet.IsSpace(c) || c == '>' || c == '/' {
				return m.as, 0, false
			}
		}
	}
	return asText, 0, wait && !whole
}

// skipBeforeMarkup returns head without white space and what may stand in front of markup. wait says
// that the rest may be the beginning of one of beforeMarkup, and open that it is one without an end.
func skipBeforeMarkup(head []byte) (rest []byte, wait, open bool) {
	const blank = " \t\r\n\f\ufeff"
next: // one of beforeMarkup in each iteration
	for {
		head, wait = bytes.TrimLeft(head, blank), false
		for _, b := range beforeMarkup {
			if !begins(head, b.begin) {
				wait = wait || maybeBegins(head, b.begin)
				continue
			}
			i := bytes.Index(head[len(b.begin)-1:], []byte(b.end)) // the line end of a mark may be the next one's
			if i < 0 {
				return head, false, true
			}
			head = head[len(b.begin)-1+i+len(b.end):]
			continue next
		}
		return head, wait, false
	}
}

// suffixes are the ends of names that decide how text is read if its first bytes do not.
var suffixes = [...]struct {
	end       string // in lower case
	treatment treatment
	where     tagPlace
}{
	{".html", asHTML, anywhere}, {".htm", asHTML, anywhere}, {".xhtml", asHTML, anywhere}, {".shtml", asHTML, anywhere},
	{".xml", asXML, first}, {".svg", asXML, first}, {".rss", asXML, first}, {".atom", asXML, first}, {".xsl", asXML, first},
	{".vue", asHTML, first}, {".svelte", asHTML, first}, {".jinja", asHTML, first}, {".jinja2", asHTML, first}, {".j2", asHTML, first},
	{".twig", asHTML, first}, {".liquid", asHTML, first}, {".hbs", asHTML, first}, {".mustache", asHTML, first}, {".tmpl", asHTML, first},
	{".tpl", asHTML, first}, {".ejs", asHTML, first}, {".erb", asHTML, first}, {".jsp", asHTML, first}, {".asp", asHTML, first},
	{".aspx", asHTML, first}, {".php", asHTML, first},
	{".md", asMarkdown, nowhere}, {".markdown", asMarkdown, nowhere}, {".mdx", asMarkdown, nowhere},
}

// A tagPlace says where there must be a tag, a comment or a declaration: other text has the same
// suffixes.
type tagPlace uint8

const (
	nowhere  tagPlace = iota
	anywhere          // among the bytes that are examined
	first             // after beforeMarkup
)

// in reports whether head has a tag there.
func (p tagPlace) in(head []byte) bool {
	if p == first {
		head, _, _ = skipBeforeMarkup(head)
	}
	for p != nowhere {
		i := bytes.IndexByte(head, '<')
		if i < 0 || i+1 == len(head) || i > 0 && p == first {
			return false
		}
		if head = head[i+1:]; octet.IsLetter(head[0]) || head[0] == '!' {
			return true
		}
	}
	return true
}

// treatBySuffix returns the treatment of the text in r by its name. What a compression has appended to
// the name does not count.
func treatBySuffix(name string, r peeker) treatment {
	name = compress.WithoutSuffix(name)
	end := name[max(0, strings.LastIndexByte(name, '.')):]
	for _, s := range suffixes {
		if !strings.EqualFold(end, s.end) {
			continue
		}
		head, _ := r.Peek(compress.MaxHead)
		if cs, bom, _ := charset.Sniff(head, true); cs != charset.UTF8 {
			head = narrow(head[bom:], cs)
		} else if isBinary(head[:min(len(head), textHead)]) {
			break
		}
		if !s.where.in(head) {
			break
		}
		return s.treatment
	}
	return asText
}

// begins reports whether head begins with the text with, ignoring case.
func begins(head []byte, with string) bool {
	return len(head) >= len(with) && bytes.EqualFold(head[:len(with)], []byte(with))
}

// maybeBegins reports whether head is not longer than with and agrees with it, ignoring case.
func maybeBegins(head []byte, with string) bool {
	return len(head) <= len(with) && bytes.EqualFold(head, []byte(with[:len(head)]))
}

// isText reports whether head, the beginning of a part of unknown type, is text: it has no
// control character that is unusual in text, or is UTF-16 or UTF-32 with a byte order mark.
func isText(head []byte) bool {
	if cs, _ := charset.SniffBOM(head); cs != charset.UTF8 {
		return true
	}
	return !isBinary(head)
}

// isBinary reports whether head has a control character that is unusual in text.
func isBinary(head []byte) bool {
	for _, c := range head {
		if c < ' ' && compress.IsBinary(rune(c)) {
			return true
		}
	}
	return false
}
