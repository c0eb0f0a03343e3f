package document_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// lzma returns the header of an .lzma file and some bytes after it.
func lzma(dict uint32, size uint64) string {
	b := binary.LittleEndian.AppendUint32([]byte{0x5d}, dict)
	return string(binary.LittleEndian.AppendUint64(b, size)) + "\x00\x34\x1b"
}

// stored returns a zip archive of one file that is not compressed.
func stored(name, text string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	n := uint64(len(text))
	w, _ := z.CreateRaw(&zip.FileHeader{Name: name, CRC32: crc32.ChecksumIEEE([]byte(text)), CompressedSize64: n, UncompressedSize64: n})
	_, _ = w.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// TestClosed reads the first bytes of formats that are not supported, and text that begins like
// them. Each is read alone and in archives, whole and a byte at a time.
func TestClosed(t *testing.T) {
	const noArchives, noCompression = "archives of this kind cannot be read", "compression of this kind cannot be read"
	const pdf, office = "pdf: PDF documents are skipped at 0, warning", "office: office documents are skipped at 0, warning"
	for _, c := range []struct{ data, want string }{ // want is what is reported; "" if data is text
		{"7z\xbc\xaf\x27\x1c\x00\x04", "7z: " + noArchives + " at 0"},
		{"7z\xbc\xaf\x27\x1c", "7z: " + noArchives + " at 0"},
		{"7z\xbc\xaf\x27", ""},
		{"7z is an archiver", ""},
		{"Rar!\x1a\x07\x00 of version 4", "rar: " + noArchives + " at 0"},
		{"Rar!\x1a\x07\x01\x00 of version 5", "rar: " + noArchives + " at 0"},
		{"Rar! So they begin", ""},
		{"MSCF\x00\x00\x00\x00", "cab: " + noArchives + " at 0"},
		{"MSCF is a magic number", ""},
		{"ZOO 2.10 Archive.\x1a\x00\x00\xdc\xa7\xc4\xfd", "zoo: " + noArchives + " at 0"},
		{"ZOO 2.10 Archive.", ""},
		{"ZOO 2.10 is older than most archives", ""},
		{"LZIP\x01", "lzip: " + noCompression + " at 0"},
		{"LZIP", ""},
		{lzma(1<<23, 1<<64-1), "lzma: " + noCompression + " at 0"},
		{lzma(3<<22, 100), "lzma: " + noCompression + " at 0"},
		{lzma(5<<22, 100), ""},
		{lzma(1<<23, 1<<40), ""},
		{lzma(1<<23, 100)[:13], ""},
		{"!BDN\x00\x00\x00\x00SM\x17", "pst: mailboxes of this kind cannot be read at 0"},
		{"!BDN and no SM", ""},
		{"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj", pdf},
		{"%PDF-1.4 %\xe2\xe3", pdf},
		{"%PDF-2.0\r\r12 34 obj<<>>", pdf},
		{"%PDF-1.3\n% a comment\n%another\n1 0 obj\n", pdf},
		{"%PDF-1.4 is how they begin", ""},
		{"%PDF-1.4\n% and TeX\n\\relax", ""},
		{"%PDF-1.4\n1 0 objects", pdf}, // more bytes would show that this is no PDF
		{"%PDF-1.4\n1. A list", ""},
		{"%PDF-1.4\n12", ""},
		{"%PDF-1.4\n12 0 ob", ""},
		{"%PDF-", ""},
		{"%PDF-x", ""},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 of 1997", office},
		{"\x78\x9f\x3e\x22 of winmail.dat", office},
		{zipped("[Content_Types].xml", "<Types/>"), office},
		{zipped("word/document.xml", "<a/>"), office},
		{stored("mimetype", "application/vnd.oasis.opendocument.text"), office},
	} {
		for name, at := range map[string]string{c.data: "", tarred("m", c.data): "m ", zipped("m", c.data): "m ", gzipped(c.data): ""} {
			want := "! " + at + c.want + "\n"
			s := newSource(document.Options{})
			for _, in := range []string{"whole", "byte by byte"} {
				r := strings.NewReader(name)
				got := ""
				if in == "whole" {
					got = s.read(t, r, 1<<16)
				} else {
					got = s.read(t, iotest.OneByteReader(r), 1<<16)
				}
				if c.want == "" && !strings.HasPrefix(got, at+"plain ") || c.want != "" && got != want {
					t.Errorf("%q in %q, %s: %swant %s", c.data, at, in, got, want)
				}
			}
		}
	}
}

// TestNotClosed reads zip archives that begin like office documents but are none. Their members
// must be read.
func TestNotClosed(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{stored("mimetype", "application/epub+zip"), `mimetype plain "application/epub+zip"`},
		{stored("mimetype", "application/vnd.oa"), `mimetype plain "application/vnd.oa"`},
		{zipped("word/list.txt", "one"), `word/list.txt plain "one"`},
		{zipped("words", "one"), `words plain "one"`},
	} {
		s := newSource(document.Options{})
		if got := s.read(t, strings.NewReader(c.data), 1<<16); got != c.want+"\n" {
			t.Errorf("%swant %s", got, c.want)
		}
		if got := s.read(t, iotest.OneByteReader(strings.NewReader(c.data)), 1<<16); got != c.want+"\n" {
			t.Errorf("byte by byte: %swant %s", got, c.want)
		}
	}
}

// TestClosedCounted checks that the bytes of unsupported members are counted as not read. The
// counts must not depend on the sizes of reads.
func TestClosedCounted(t *testing.T) {
	seven, pdf := "7z\xbc\xaf\x27\x1c"+strings.Repeat("x", 9994), "%PDF-1.4\n%\xe2\n"+strings.Repeat("x", 4988)
	for _, data := range []string{tarred("s", seven, "p", pdf, "t", "one"), tarred("i", tarred("s", seven), "p", pdf)} {
		for _, in := range []string{"whole", "byte by byte"} {
			s := newSource(document.Options{})
			if in == "whole" {
				s.read(t, strings.NewReader(data), 1<<16)
			} else {
				s.read(t, iotest.OneByteReader(strings.NewReader(data)), 1<<16)
			}
			if l := s.ledger; l[ledger.RawDamaged] != 10000 || l[ledger.RawData] != 5000 || l[ledger.Cut] != 1 {
				t.Errorf("%s: %d bytes are counted as lost, %d as data, %d streams as cut", in, l[ledger.RawDamaged], l[ledger.RawData], l[ledger.Cut])
			}
		}
	}
}
