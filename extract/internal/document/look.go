package document

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
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

// A look is how a stream is read. The zero look is running text.
type look struct {
	archive   archiveKind
	closed    *closed // recognised but not read
	mail      mail.Framing
	html, xml bool // markup; XML of any kind
	roff, tex bool // manual pages, TeX documents
	table     bool // cells that are read separately
	delimiter byte // of the cells; 0 if the table decides it
}

// look decides how s is read.
func (d *Reader) look(s *stream) look {
	f := d.opts.Format
	if f != PlainText && d.inMail() { // the format option is about sources, not about attachments
		f = Auto
	}
	switch f {
	case PlainText:
		return look{}
	case Auto:
		return lookAt(s.raw.in, true)
	default:
		l := lookAt(s.raw.in, f == Mbox) // other mailbox formats count too: Babyl, MMDF
		if l.archive != noArchive || l.closed != nil {
			return l
		}
		return look{html: f == Page, table: f == Table, roff: f == Roff, tex: f == TeX, mail: f.framing(l.mail)}
	}
}

// A peeker shows its first bytes before they are read: a [bufio.Reader] or a
// [decode.Peeker].
type peeker interface {
	Peek(n int) ([]byte, error)
	Buffered() int
}

// lookAt examines the beginning of r and consumes nothing. If text is false, it
// recognises only archives and formats that are not read. Each iteration examines one
// more byte than the one before.
func lookAt(r peeker, text bool) look {
	for n := 1; ; {
		_, err := r.Peek(n) // waits only if there are not n bytes yet
		head, _ := r.Peek(min(r.Buffered(), compress.MaxLook))
		whole := err != nil || len(head) == compress.MaxLook
		l, wait := lookHead(head, whole, text)
		if !wait || whole {
			return l
		}
		n = len(head) + 1
	}
}

// lookHead is lookAt for head. whole says that head is all there is. wait reports that more
// bytes may change the answer.
func lookHead(head []byte, whole, text bool) (l look, wait bool) {
	if c, wait := sniffClosed(head, whole); c != nil || wait {
		return look{closed: c}, wait
	}
	isTar, waitTar := tarstream.Sniff(head, whole)
	isZip, waitZip := zipstream.Sniff(head, whole)
	switch {
	case isTar:
		return look{archive: tarArchive}, false
	case isZip:
		if is, wait := sniffOffice(head, whole); is || wait {
			return look{closed: officeDocument}, wait
		}
		return look{archive: zipArchive}, false
	case waitTar || waitZip:
		return look{}, true
	case !text:
		return look{}, false
	}
	cs, mark := charset.SniffBOM(head)
	switch {
	case !whole && charset.MaybeBOM(head):
		return look{}, true
	case cs == charset.UTF8:
		head = head[mark:]
		if l.mail, wait = mail.Sniff(head, whole); l.mail != mail.None || wait {
			return l, wait
		}
	}
	if l.html, l.xml, wait = lookHTML(head, whole); l.html || wait || cs != charset.UTF8 {
		return l, wait
	}
	if l.roff, wait = roff.Sniff(head, whole); l.roff || wait {
		return l, wait
	}
	if l.tex, wait = tex.Sniff(head, whole); l.tex || wait {
		return l, wait
	}
	l.delimiter, wait = table.Sniff(head, whole)
	l.table = l.delimiter != 0
	return l, wait
}

// lookHTML reports whether head begins like a page or XML: with a document type, an html
// element or an XML declaration, after white space and comments. Other tags are not enough:
// text may begin with a tag.
func lookHTML(head []byte, whole bool) (is, xml, wait bool) {
	const comment, end = "<!--", "-->"
	for { // one comment in each iteration
		head = bytes.TrimLeft(head, " \t\r\n\f\ufeff")
		switch {
		case begins(head, "<html"), begins(head, "<!doctype html"):
			return true, false, false
		case begins(head, "<?xml "):
			return true, true, false
		case begins(head, comment):
			i := bytes.Index(head, []byte(end))
			if i < 0 {
				return false, false, !whole
			}
			head = head[i+len(end):]
		default:
			for _, s := range [...]string{"<html", "<!doctype html", "<?xml ", comment} {
				if len(head) < len(s) && bytes.EqualFold(head, []byte(s[:len(head)])) {
					return false, false, !whole
				}
			}
			return false, false, false
		}
	}
}

// begins reports whether head begins with with, ignoring case.
func begins(head []byte, with string) bool {
	return len(head) >= len(with) && bytes.EqualFold(head[:len(with)], []byte(with))
}

// isText reports whether head, the beginning of a part of unknown type, is text: it has no
// control character that is unusual in text, or is UTF-16 or UTF-32 with a byte order mark.
func isText(head []byte) bool {
	if cs, _ := charset.SniffBOM(head); cs != charset.UTF8 {
		return true
	}
	return !bytes.ContainsFunc(head, compress.IsBinary)
}
