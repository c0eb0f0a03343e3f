package document

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
	"github.com/urlsift/urlsift/extract/internal/magic"
)

// Formats that are recognised but not read. An archive is an error, because its files could be read
// if they were not in an archive: input is lost. PDF and office documents are skipped by design,
// which is a warning. Images and the like are not reported.
//
// Formats with uncompressed text are read as text: ar, cpio, PostScript. Formats whose
// first bytes may be any text are not recognised: lha and arj.

// A closed is a format that is recognised but not read. To add a format, add it here, and add its
// first bytes to closedMagics.
type closed struct {
	stage    damage.Stage
	what     damage.Fact
	class    damage.Class
	severity damage.Severity
}

const (
	noArchives    damage.Fact = "archives of this kind cannot be read"
	noCompression damage.Fact = "compression of this kind cannot be read"
	noMailboxes   damage.Fact = "mailboxes of this kind cannot be read"
)

var (
	pdfDocument    = &closed{damage.StagePDF, "PDF documents are skipped", damage.Text, damage.Warning}
	officeDocument = &closed{damage.StageOffice, "office documents are skipped", damage.Text, damage.Warning}
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
		add(&closed{stage, what, damage.Pack, damage.Error}, sniff, heads...)
	}
	lost(damage.Stage7z, noArchives, nil, "7z\xbc\xaf\x27\x1c")
	lost(damage.StageRar, noArchives, nil, "Rar!\x1a\x07")
	lost(damage.StageCab, noArchives, nil, "MSCF\x00\x00\x00\x00")
	lost(damage.StageWim, noArchives, nil, "MSWIM\x00\x00\x00")
	lost(damage.StageXar, noArchives, nil, "xar!\x00\x1c")
	lost(damage.StageRpm, noArchives, nil, "\xed\xab\xee\xdb")
	lost(damage.StageZoo, noArchives, hasAt(20, "\xdc\xa7\xc4\xfd"), "ZOO ")
	lost(damage.StageLzip, noCompression, nil, "LZIP\x00", "LZIP\x01")
	lost(damage.StageLzop, noCompression, nil, "\x89LZO\x00\r\n\x1a\n")
	lost(damage.StageLrzip, noCompression, nil, "LRZI\x00")
	lost(damage.StageLzma, noCompression, sniffLzma, "\x5d\x00\x00")
	lost(damage.StagePst, noMailboxes, hasAt(8, "SM"), "!BDN")
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

// sniffLzma examines the header of an .lzma file. The header has properties; the size of the
// dictionary, which tools set to 2^n or 2^n + 2^(n-1); the size of the text, which must be
// unknown or below 256 GiB; and the first byte of the data, a zero.
func sniffLzma(head []byte, _ bool) (is, wait bool) {
	if len(head) < 14 {
		return false, true
	}
	dict, size := binary.LittleEndian.Uint32(head[1:]), binary.LittleEndian.Uint64(head[5:])
	top := bits.Len32(dict)
	return head[13] == 0 && (size == 1<<64-1 || size < 1<<38) &&
		(bits.OnesCount32(dict) == 1 || bits.OnesCount32(dict) == 2 && dict>>(top-2) == 3), false
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
