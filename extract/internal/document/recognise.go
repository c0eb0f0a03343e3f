package document

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
	"github.com/urlsift/urlsift/extract/internal/decode/roff"
	"github.com/urlsift/urlsift/extract/internal/decode/table"
	"github.com/urlsift/urlsift/extract/internal/decode/tex"
	"github.com/urlsift/urlsift/extract/internal/magic"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// The content of a stream is recognised by its first bytes. Between kinds of text that these leave
// open, the suffix of its name decides: see suffixes. As with compressions, we wait for more bytes
// only while they may change the answer. So the answer depends only on the bytes and the name.

// A content is how a stream is read, as its first bytes show or the options say. The zero content
// is running text.
type content struct {
	archive   archiveKind
	program   int     // bytes of a program in front of the archive
	closed    *closed // recognised but not read; if it is searched, what follows says how
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
	for { // one line in each iteration
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
		if c.archive != noArchive || c.closed != nil && !c.closed.searched {
			return c
		}
		framing := f.framing(c.mail)
		return content{closed: c.closed, treatment: formats[f].treatment, mail: framing, cr: framing != mail.None && linesEndWithCR(r)}
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
// false, it recognises only archives and formats that are not read.
func recogniseStart(r peeker, name string, text bool) content {
	for n := 1; ; {
		_, err := r.Peek(n) // waits only if there are not n bytes yet
		head, _ := r.Peek(min(r.Buffered(), compress.MaxHead))
		whole := err != nil || len(head) == compress.MaxHead
		c, wait := recogniseHead(head, whole, text)
		if !wait || whole {
			if c.archive == noArchive && c.closed == nil && isImage(head, r) {
				c.closed = isoImage
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
	if c, wait := closedMagics.Match(head, whole); c != nil || wait {
		return content{closed: c}, wait
	}
	if is, wait := sniffLha(head, whole); is {
		return content{closed: lhaArchive}, false
	} else if wait {
		return content{}, true
	}
	if n, wait := sniffSelfExtracting(head, whole); n > 0 || wait {
		return content{archive: zipArchive, program: n}, wait
	}
	for kind := noArchive + 1; kind < numArchives; kind++ {
		is, more := archives[kind].sniff(head, whole)
		if wait = wait || more; !is {
			continue
		}
		if kind == zipArchive {
			if is, wait := sniffOffice(head, whole); is || wait {
				return content{closed: officeDocument}, wait
			}
		}
		return content{archive: kind}, false
	}
	if wait || !text {
		return content{}, wait
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

// Formats that are recognised but not read. An archive is an error, because its files could be read
// if they were not in an archive: input is lost. PDF and office documents are skipped by design,
// which is a warning. Other binary data is read as text, and is a warning if nothing was found in it.
//
// Some of these formats may have files that are not compressed, as ar and cpio always do. They are
// errors too, because names, compressed files and encodings are not read; but they are then
// searched as running text, so that what is not compressed is found.

// A closed is a format that is recognised but not read. To add a format, add it here, and add its
// first bytes to closedMagics.
type closed struct {
	stage    damage.Stage
	what     damage.Fact
	class    damage.Class
	severity damage.Severity
	searched bool // it is then read as text
}

const (
	noArchives    damage.Fact = "archives of this kind cannot be read"
	noCompression damage.Fact = "compression of this kind cannot be read"
	noMailboxes   damage.Fact = "mailboxes of this kind cannot be read"

	searchedArchives damage.Fact = "archives of this kind cannot be read; searched as text"
	searchedMailbox  damage.Fact = "mailboxes of this kind cannot be read; searched as text"
)

var (
	pdfDocument    = &closed{damage.StagePDF, "PDF documents are skipped", damage.Text, damage.Warning, false}
	officeDocument = &closed{damage.StageOffice, "office documents are skipped", damage.Text, damage.Warning, false}

	lhaArchive = &closed{damage.StageLha, searchedArchives, damage.Pack, damage.Error, true} // no first bytes of its own: see sniffLha
	isoImage   = &closed{damage.StageISO, searchedArchives, damage.Pack, damage.Error, true} // its first bytes may be anything: see isImage
)

// closedMagics are the first bytes of these formats.
var closedMagics = magic.NewNumbers(func() (list []magic.Number[*closed]) {
	add := func(is *closed, sniff func([]byte, bool) (bool, bool), heads ...string) {
		for _, head := range heads {
			n := magic.Number[*closed]{Head: head, Is: is}
			if sniff != nil {
				n.Decide = func(head []byte, whole bool) (*closed, bool) {
					if yes, wait := sniff(head, whole); !yes {
						return nil, wait
					}
					return is, false
				}
			}
			list = append(list, n)
		}
	}
	lost := func(stage damage.Stage, what damage.Fact, sniff func([]byte, bool) (bool, bool), heads ...string) {
		add(&closed{stage, what, damage.Pack, damage.Error, false}, sniff, heads...)
	}
	searched := func(stage damage.Stage, what damage.Fact, sniff func([]byte, bool) (bool, bool), heads ...string) {
		add(&closed{stage, what, damage.Pack, damage.Error, true}, sniff, heads...)
	}
	lost(damage.Stage7z, noArchives, nil, "7z\xbc\xaf\x27\x1c")
	lost(damage.StageRar, noArchives, nil, "Rar!\x1a\x07", "RE~^\x07\x00") // of version 1.5 and 1.4
	lost(damage.StageCab, noArchives, nil, "MSCF\x00\x00\x00\x00")
	lost(damage.StageWim, noArchives, nil, "MSWIM\x00\x00\x00")
	lost(damage.StageXar, noArchives, nil, "xar!\x00\x1c")
	lost(damage.StageRpm, noArchives, nil, "\xed\xab\xee\xdb")
	lost(damage.StageZoo, noArchives, hasAt(20, "\xdc\xa7\xc4\xfd"), "ZOO ")
	lost(damage.StageLzop, noCompression, nil, "\x89LZO\x00\r\n\x1a\n")
	lost(damage.StageLrzip, noCompression, nil, "LRZI\x00")
	lost(damage.StagePst, noMailboxes, hasAt(8, "SM"), "!BDN")
	searched(damage.StageArj, searchedArchives, sniffArj, "\x60\xea")
	searched(damage.StageDeb, searchedArchives, sniffDeb, "!<arch>\n")
	searched(damage.StageAr, searchedArchives, sniffAr, "!<arch>\n")
	searched(damage.StageAr, searchedArchives, nil, "!<thin>\n")
	searched(damage.StageCpio, searchedArchives, sniffCpioHex, "070701", "070702")
	searched(damage.StageCpio, searchedArchives, sniffCpioOctal, "070707")
	searched(damage.StageCpio, searchedArchives, sniffCpioBinary, "\xc7\x71", "\x71\xc7")
	searched(damage.StageSquash, searchedArchives, sniffSquash, "hsqs", "sqsh")
	searched(damage.StageMbx, searchedMailbox, nil, "*mbx*\r\n") // of UW-IMAP
	add(pdfDocument, sniffPDF, "%PDF-")
	add(officeDocument, nil, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "\x78\x9f\x3e\x22") // before 2007; winmail.dat
	return list
}())

// hasAt returns a function that reports whether text is at the offset at.
func hasAt(at int, text string) func([]byte, bool) (is, wait bool) {
	return func(head []byte, _ bool) (is, wait bool) {
		seen := head[min(at, len(head)):min(at+len(text), len(head))]
		return string(seen) == text, len(seen) < len(text) && strings.HasPrefix(text, string(seen))
	}
}

// sniffLha examines the header of the first file of an archive of LHA or LArc: its size, a
// checksum, a method such as "-lh5-", and in byte 20 the level of the header. Level 0 and 1 have the
// sum of the header's bytes.
func sniffLha(head []byte, whole bool) (is, wait bool) {
	const method, level = 2, 20
	if len(head) > method && head[method] != '-' { // as in most streams
		return false, false
	}
	for i, set := range [...]string{"-", "lp", "hzm", "0123456789ds", "-"} {
		switch {
		case len(head) <= method+i:
			return false, !whole
		case strings.IndexByte(set, head[method+i]) < 0:
			return false, false
		}
	}
	if len(head) <= level {
		return false, !whole
	}
	switch head[level] {
	case 2:
		return int(binary.LittleEndian.Uint16(head)) > level, false
	case 3:
		return head[0] == 4 && head[1] == 0, false // the size of a word
	case 0, 1:
	default:
		return false, false
	}
	end := method + int(head[0])
	if end <= level || len(head) < end {
		return false, end > level && !whole
	}
	sum := byte(0)
	for _, b := range head[method:end] { // 255 at most
		sum += b
	}
	return sum == head[1], false
}

// sniffArj examines the header of an ARJ archive: its size, and after it its CRC-32.
func sniffArj(head []byte, _ bool) (is, wait bool) {
	const begin, most = 4, 2600
	if len(head) < begin {
		return false, true
	}
	size := int(binary.LittleEndian.Uint16(head[2:]))
	switch {
	case size == 0 || size > most:
		return false, false
	case len(head) < begin+size+4:
		return false, true
	}
	return crc32.ChecksumIEEE(head[begin:begin+size]) == binary.LittleEndian.Uint32(head[begin+size:]), false
}

// sniffDeb reports whether the first member of an ar archive is that of a Debian package.
func sniffDeb(head []byte, whole bool) (is, wait bool) {
	return hasAt(len("!<arch>\n"), "debian-binary")(head, whole)
}

// sniffAr reports whether an ar archive is not a Debian package.
func sniffAr(head []byte, whole bool) (is, wait bool) {
	deb, wait := sniffDeb(head, whole)
	wait = wait && !whole
	return !deb && !wait, wait
}

// sniffCpioHex examines the first header of a cpio archive (newc): 13 numbers of 8 hexadecimal digits
// after the magic number.
func sniffCpioHex(head []byte, _ bool) (is, wait bool) {
	return sniffDigits(head, 110, "0123456789abcdefABCDEF")
}

// sniffCpioOctal is sniffCpioHex for the format of POSIX (odc), whose numbers are octal.
func sniffCpioOctal(head []byte, _ bool) (is, wait bool) { return sniffDigits(head, 76, "01234567") }

// sniffDigits reports whether the first n bytes of head are these digits.
func sniffDigits(head []byte, n int, digits string) (is, wait bool) {
	for _, c := range head[:min(n, len(head))] {
		if strings.IndexByte(digits, c) < 0 {
			return false, false
		}
	}
	return len(head) >= n, len(head) < n
}

// sniffCpioBinary examines the first header of an old cpio archive: numbers of 16 bits, in the order
// of bytes of its machine. A mode with a type, and the size of a name that ends with a NUL, are
// among them.
func sniffCpioBinary(head []byte, _ bool) (is, wait bool) {
	const mode, nameSize, name, mostName = 6, 20, 26, 1 << 10
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 0x71 {
		order = binary.BigEndian
	}
	if len(head) < name {
		return false, true
	}
	n := int(order.Uint16(head[nameSize:]))
	if kind := order.Uint16(head[mode:]) >> 12; kind == 0 || kind > 12 || n < 2 || n > mostName {
		return false, false
	}
	written := head[name:min(name+n, len(head))]
	if end := bytes.IndexByte(written, 0); end >= 0 && end < n-1 {
		return false, false
	}
	return len(written) == n && written[n-1] == 0, len(written) < n
}

// sniffSquash examines the version in the superblock of squashfs: 1 to 4, in the order of bytes of
// its machine.
func sniffSquash(head []byte, _ bool) (is, wait bool) {
	const major = 28
	if len(head) < major+2 {
		return false, true
	}
	high, low := head[major+1], head[major]
	if head[0] == 's' {
		high, low = low, high
	}
	return high == 0 && 1 <= low && low <= 4, false
}

// programs are how programs and scripts begin that may be in front of a zip archive.
var programs = [...]string{"MZ", "\x7fELF", "#!/", "#! /"}

// sniffSelfExtracting returns where the first header of a zip archive is among the first bytes of a
// program or a script; 0 if it is not there. Most programs in front of archives are longer, and are not
// recognised. A program for DOS and Windows has binary numbers in its first 64 bytes; a text may begin
// with "MZ".
func sniffSelfExtracting(head []byte, whole bool) (at int, wait bool) {
	const dosHeader, sig = 64, "PK\x03\x04"
	begun := false
	for _, p := range programs {
		begun = begun || bytes.HasPrefix(head, []byte(p))
		wait = wait || len(head) < len(p) && strings.HasPrefix(p, string(head))
	}
	switch {
	case !begun:
		return 0, wait && !whole
	case head[0] == 'M' && !isBinary(head[:min(len(head), dosHeader)]):
		return 0, len(head) < dosHeader && !whole
	}
	for i := bytes.Index(head, []byte(sig)); i >= 0; {
		if is, wait := zipstream.Sniff(head[i:], whole); is || wait {
			return i, wait
		}
		next := bytes.Index(head[i+len(sig):], []byte(sig))
		if next < 0 {
			break
		}
		i += len(sig) + next
	}
	return 0, !whole
}

// isImage reports whether r, which begins with head, is an image of a CD: its 17th sector has
// "CD001" after the first byte (ECMA-119, section 8.1). The sectors in front are usually zeros. This
// is beyond the bytes that decide other formats, and only the buffer of a source has room for as
// many. So an image is recognised only if it is a source itself, and begins with a kilobyte of zeros,
// so that nothing else waits for so many bytes.
func isImage(head []byte, r peeker) bool {
	const at, text = 16*2048 + 1, "CD001"
	var zeros [1 << 10]byte
	if !bytes.HasPrefix(head, zeros[:]) {
		return false
	}
	head, _ = r.Peek(at + len(text))
	return len(head) == at+len(text) && string(head[at:]) == text
}

// sniffPDF examines the beginning of a PDF file: a version, a line end, and comments, up
// to the first object or to a comment that begins with an 8-bit byte, which announces
// binary data. A text about PDF may also begin with a version.
func sniffPDF(head []byte, _ bool) (is, wait bool) {
	const blank, end = " \t\f\x00", "\r\n"
	if head = head[len("%PDF-"):]; len(head) < len("1.4") {
		return false, true
	}
	if !octet.IsDigit(head[0]) || head[1] != '.' || !octet.IsDigit(head[2]) {
		return false, false
	}
	head = bytes.TrimLeft(head[len("1.4"):], blank)
	if len(head) > 0 && head[0] != '%' && !strings.Contains(end, string(head[:1])) {
		return false, false
	}
	for { // one comment in each iteration
		head = bytes.TrimLeft(head, blank+end)
		switch {
		case len(head) == 0:
			return false, true
		case head[0] != '%':
			return sniffObject(head)
		case len(head) > 1 && head[1] >= 0x80:
			return true, false
		}
		i := bytes.IndexAny(head, end)
		if i < 0 {
			return false, true
		}
		head = head[i:]
	}
}

// sniffObject reports whether head begins with the first line of a PDF object: "12 0 obj".
func sniffObject(head []byte) (is, wait bool) {
	for range 2 { // a number and a space
		n := 0
		for n < len(head) && octet.IsDigit(head[n]) {
			n++
		}
		switch {
		case n == len(head):
			return false, true
		case n == 0, head[n] != ' ':
			return false, false
		}
		head = head[n+1:]
	}
	return bytes.HasPrefix(head, []byte("obj")), len(head) < len("obj") && strings.HasPrefix("obj", string(head))
}

// Names of the first file in office documents that are zip archives, and the content of a
// first file named mimetype.
var (
	officeNames = []string{"[Content_Types].xml", "_rels/.rels", "docProps/", "word/", "xl/", "ppt/"}
	officeTypes = []string{"application/vnd.oasis.opendocument.", "application/vnd.sun.xml."}
)

// sniffOffice reports whether the zip archive that begins with head is an office document.
func sniffOffice(head []byte, whole bool) (is, wait bool) {
	name, text, wait := zipstream.First(head)
	if wait {
		return false, !whole
	}
	if name != "mimetype" {
		for _, n := range officeNames {
			if name == n || n[len(n)-1] == '/' && strings.HasPrefix(name, n) && (strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rels")) {
				return true, false
			}
		}
		return false, false
	}
	for _, t := range officeTypes {
		if len(text) < len(t) && strings.HasPrefix(t, string(text)) {
			return false, !whole
		}
		if strings.HasPrefix(string(text[:min(len(text), len(t))]), t) {
			return true, false
		}
	}
	return false, false
}

// damage returns the Damage for a stream of the given level in the format c.
func (c *closed) damage(level int) *damage.Damage {
	return &damage.Damage{Class: c.class, Severity: c.severity, Stage: c.stage, Err: c.what, Level: level, Known: true}
}

// end ends s, which is in the format c. Documents in messages are not reported if no
// text parts are read.
func (c *closed) end(d *Reader, s *stream) {
	s.reportDivision(d, Whole)
	s.notRead = true
	if c.severity == damage.Error || !d.path.inMail() || d.opts.wants(asText) {
		s.fault = c.damage(s.level)
	}
}
