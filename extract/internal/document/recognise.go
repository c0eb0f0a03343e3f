package document

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/roff"
	"github.com/urlsift/urlsift/extract/internal/decode/table"
	"github.com/urlsift/urlsift/extract/internal/decode/tex"
	"github.com/urlsift/urlsift/extract/internal/mail"
)

// The content of a stream is recognised by its first bytes, and never by a name. As with
// compressions, we wait for more bytes only while they may change the answer. So the
// answer depends only on the bytes.

// A content is how a stream is read, as its first bytes show or the options say. The zero content
// is running text.
type content struct {
	archive   archiveKind
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
	sniffPage, sniffRoff, sniffTeX, sniffTable,
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

// recognise decides how r is read. r is the source or, if inMail is set, an attachment.
func (o *Options) recognise(r peeker, inMail bool) content {
	f := o.Format
	if f != PlainText && inMail { // the format option is about sources, not about attachments
		f = Auto
	}
	switch f {
	case PlainText:
		return content{}
	case Auto:
		return recogniseStart(r, true)
	default:
		c := recogniseStart(r, f == Mbox || f == Message) // related formats count too: Babyl, MMDF, emlx
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

// recogniseStart examines the beginning of r and consumes nothing. If text is false, it
// recognises only archives and formats that are not read. Each iteration examines one
// more byte than the one before.
func recogniseStart(r peeker, text bool) content {
	for n := 1; ; {
		_, err := r.Peek(n) // waits only if there are not n bytes yet
		head, _ := r.Peek(min(r.Buffered(), compress.MaxHead))
		whole := err != nil || len(head) == compress.MaxHead
		c, wait := recogniseHead(head, whole, text)
		if !wait || whole {
			if c.archive == noArchive && c.closed == nil && isImage(head, r) {
				c.closed = isoImage
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
	cs, bom := charset.SniffBOM(head)
	switch {
	case !whole && charset.MaybeBOM(head):
		return content{}, true
	case cs == charset.UTF8:
		head = head[bom:]
		if c.mail, c.cr, wait = sniffMail(head, whole); c.mail != mail.None || wait {
			return c, wait
		}
	}
	tried := sniffers[:]
	if cs != charset.UTF8 {
		tried = sniffers[:1]
	}
	for _, sniff := range tried {
		if c.treatment, c.cell, wait = sniff(head, whole); c.treatment != asText || wait {
			return c, wait
		}
	}
	return c, false
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

// sniffPage reports whether head begins like a page or XML: with a document type, an html
// element or an XML declaration, after white space and comments. Other tags are not enough:
// text may begin with a tag.
func sniffPage(head []byte, whole bool) (as treatment, _ byte, wait bool) {
	const comment, end = "<!--", "-->"
	for { // one comment in each iteration
		head = bytes.TrimLeft(head, " \t\r\n\f\ufeff")
		switch {
		case begins(head, "<html"), begins(head, "<!doctype html"):
			return asHTML, 0, false
		case begins(head, "<?xml "):
			return asXML, 0, false
		case begins(head, comment):
			i := bytes.Index(head, []byte(end))
			if i < 0 {
				return asText, 0, !whole
			}
			head = head[i+len(end):]
		default:
			for _, s := range [...]string{"<html", "<!doctype html", "<?xml ", comment} {
				if len(head) < len(s) && bytes.EqualFold(head, []byte(s[:len(head)])) {
					return asText, 0, !whole
				}
			}
			return asText, 0, false
		}
	}
}

// begins reports whether head begins with the text with, ignoring case.
func begins(head []byte, with string) bool {
	return len(head) >= len(with) && bytes.EqualFold(head[:len(with)], []byte(with))
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
