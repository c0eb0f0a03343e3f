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

// linesEndWithCR reports whether the first [compress.MaxHead] bytes of r have a CR and no LF.
// Each iteration examines one more byte than the one before.
func linesEndWithCR(r peeker) bool {
	for n := 1; ; {
		_, err := r.Peek(n)
		head, _ := r.Peek(min(r.Buffered(), compress.MaxHead))
		if hasCRAlone(head) && (err != nil || len(head) == compress.MaxHead) {
			return true
		}
		if bytes.IndexByte(head, '\n') >= 0 || err != nil || len(head) == compress.MaxHead {
			return false
		}
		n = len(head) + 1
	}
}

// hasCRAlone reports whether head has a CR and no LF.
func hasCRAlone(head []byte) bool {
	return bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0
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
// CR alone, as on Mac OS before version 10: all of head has CR and no LF.
func sniffMail(head []byte, whole bool) (f mail.Framing, cr, wait bool) {
	if bytes.IndexByte(head, '\n') >= 0 { // the usual case
		f, wait = mail.Sniff(head, whole)
		return f, false, wait
	}
	if cr = hasCRAlone(head); cr {
		head = bytes.ReplaceAll(head, []byte{'\r'}, newline)
	}
	if f, wait = mail.Sniff(head, whole); f != mail.None && !whole {
		return mail.None, false, true // an LF may follow
	}
	return f, cr && f != mail.None, wait
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
