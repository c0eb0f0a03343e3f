package document

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/archive/sequence"
	"github.com/urlsift/urlsift/extract/internal/archive/sevenzip"
	"github.com/urlsift/urlsift/extract/internal/archive/tarstream"
	"github.com/urlsift/urlsift/extract/internal/archive/zipstream"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
	"github.com/urlsift/urlsift/extract/internal/magic"
)

// Data that is not text is recognised by its first bytes. The members of archives are read. Formats
// that cannot be read are reported: an archive is an error, because its files could be read if they
// were not in an archive, so input is lost. PDF and office documents are skipped by design, which is a
// warning. Other binary data is read as text, and is a warning if nothing was found in it.

// A dataFormat is a format of data. To add one, add a row to dataFormats.
type dataFormat struct {
	name damage.Stage // also the stage of damage in it

	// A stream in the format begins with one of heads, if there are any. If that does not suffice,
	// sniff decides; whole says that head is all that may be examined, wait that more bytes may change
	// the answer.
	heads []string
	sniff func(head []byte, whole bool) (is, wait bool)

	open      func() unarchiver // makes a reader of an archive; nil if the format is not read
	needsFile bool              // its reader is a directoryReader: otherwise the format is not read

	why     damage.Fact // why it is not read
	skipped bool        // by design: a warning

	// searched says that it is then read as text. Its files may not be compressed. It is an error all
	// the same, because names, compressed files and encodings are not read.
	searched bool
}

const (
	noArchives    damage.Fact = "archives of this kind cannot be read"
	noCompression damage.Fact = "compression of this kind cannot be read"
	noMailboxes   damage.Fact = "mailboxes of this kind cannot be read"
)

// Formats that are also recognised in another way than by their first bytes.
var (
	pdfDocument    = &dataFormat{name: "pdf", heads: []string{"%PDF-"}, sniff: sniffPDF, why: "PDF documents are skipped", skipped: true}
	officeDocument = &dataFormat{name: "office", heads: []string{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "\x78\x9f\x3e\x22", "PK\x03\x04"}, // before 2007; winmail.dat; zip
		sniff: sniffOffice, why: "office documents are skipped", skipped: true}
	zipArchive = &dataFormat{name: damage.StageZip, heads: append(programs[:], "PK"), sniff: sniffZip, open: func() unarchiver { return new(unzip) }} // see also behindProgram
	isoImage   = &dataFormat{name: "iso9660", why: noArchives, searched: true}                                                                        // see isImage
)

// dataFormats are the formats of data. Those with heads are tried first, each group in this order; the
// first that recognises a stream wins.
var dataFormats = [...]*dataFormat{
	officeDocument,
	zipArchive,
	{name: sequence.StageAr, heads: []string{sequence.ArMagic}, open: func() unarchiver { return sequence.NewAr() }}, // deb, too
	{name: sequence.StageCpio, heads: []string{"070701", "070702", "070707"}, sniff: sequence.SniffCpio, open: func() unarchiver { return sequence.NewCpio() }},
	{name: sevenzip.Stage, heads: []string{sevenzip.Magic}, open: func() unarchiver { return new(sevenzip.Reader) }, needsFile: true, why: "archives of this kind are read only from a file, not from a pipe or inside another file"},
	{name: "rar", heads: []string{"Rar!\x1a\x07", "RE~^\x07\x00"}, why: noArchives}, // of version 1.5 and 1.4
	{name: "cab", heads: []string{"MSCF\x00\x00\x00\x00"}, why: noArchives},
	{name: "wim", heads: []string{"MSWIM\x00\x00\x00"}, why: noArchives},
	{name: "xar", heads: []string{"xar!\x00\x1c"}, why: noArchives},
	{name: "rpm", heads: []string{"\xed\xab\xee\xdb"}, why: noArchives},
	{name: "zoo", heads: []string{"ZOO "}, sniff: hasAt(20, "\xdc\xa7\xc4\xfd"), why: noArchives},
	{name: "lzop", heads: []string{"\x89LZO\x00\r\n\x1a\n"}, why: noCompression},
	{name: "lrzip", heads: []string{"LRZI\x00"}, why: noCompression},
	{name: "pst", heads: []string{"!BDN"}, sniff: hasAt(8, "SM"), why: noMailboxes},
	{name: "arj", heads: []string{"\x60\xea"}, sniff: sniffArj, why: noArchives, searched: true},
	{name: sequence.StageAr, heads: []string{"!<thin>\n"}, why: noArchives, searched: true}, // its files are elsewhere
	{name: sequence.StageCpio, heads: []string{"\xc7\x71", "\x71\xc7"}, sniff: sniffCpioBinary, why: noArchives, searched: true},
	{name: "squashfs", heads: []string{"hsqs", "sqsh"}, sniff: sniffSquash, why: noArchives, searched: true},
	{name: "mbx", heads: []string{"*mbx*\r\n"}, why: noMailboxes, searched: true}, // of UW-IMAP
	pdfDocument,
	{name: "lha", sniff: sniffLha, why: noArchives, searched: true},
	{name: damage.StageTar, sniff: tarstream.Sniff, open: func() unarchiver { return new(untar) }},
}

// DataFormats returns the names of all data formats. Those whose value is true are archives that are read
// from any source.
func DataFormats() map[string]bool {
	names := map[string]bool{string(isoImage.name): false}
	for _, f := range dataFormats {
		names[string(f.name)] = names[string(f.name)] || f.open != nil && !f.needsFile
	}
	return names
}

// dataMagics are the formats with heads, and headless the others.
var dataMagics, headless = func() (*magic.Numbers[*dataFormat], []*dataFormat) {
	var numbers []magic.Number[*dataFormat]
	var others []*dataFormat
	for _, f := range dataFormats {
		if f.heads == nil {
			others = append(others, f)
		}
		for _, head := range f.heads {
			n := magic.Number[*dataFormat]{Head: head, Is: f}
			if f.sniff != nil {
				n.Decide = func(head []byte, whole bool) (*dataFormat, bool) {
					is, wait := f.sniff(head, whole)
					if !is {
						return nil, wait
					}
					return f, false
				}
			}
			numbers = append(numbers, n)
		}
	}
	return magic.NewNumbers(numbers), others
}()

// recogniseData returns the format of data that begins with head; nil if it is not data. wait says that
// more bytes may change the answer.
func recogniseData(head []byte, whole bool) (f *dataFormat, wait bool) {
	if f, wait = dataMagics.Match(head, whole); f != nil || wait {
		return f, wait
	}
	for _, f := range headless {
		is, more := f.sniff(head, whole)
		if is {
			return f, false
		}
		wait = wait || more
	}
	return nil, wait
}

// damage returns the Damage for a stream of the given level in the format f, which is not read.
func (f *dataFormat) damage(level int) *damage.Damage {
	m := &damage.Damage{Class: damage.Pack, Stage: f.name, Err: f.why, Level: level, Known: true}
	switch {
	case f.skipped:
		m.Class, m.Severity = damage.Text, damage.Warning
	case f.searched:
		m.Err = f.why + "; searched as text"
	}
	return m
}

// end ends s, which is in the format f. Documents in messages are not reported if no text parts are
// read.
func (f *dataFormat) end(d *Reader, s *stream) {
	s.reportDivision(d, Whole)
	s.notRead = true
	if !f.skipped || !d.path.inMail() || d.opts.wants(asText) {
		s.fault = f.damage(s.level)
	}
}

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
	for {
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

// sniffOffice reports whether data that begins with head is an office document, if it is a zip archive.
func sniffOffice(head []byte, whole bool) (is, wait bool) {
	if head[0] != 'P' {
		return true, false
	}
	if is, wait := zipstream.Sniff(head, whole); !is {
		return false, wait
	}
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
