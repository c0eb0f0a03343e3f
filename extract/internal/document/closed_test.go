package document_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

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
		{"7z\xbc\xaf\x27\x1c\x00\x04", "7z: archives of this kind are read only from a file, not from a pipe or inside another file at 0"},
		{"7z\xbc\xaf\x27\x1c", "7z: archives of this kind are read only from a file, not from a pipe or inside another file at 0"},
		{"7z\xbc\xaf\x27", ""},
		{"7z is an archiver", ""},
		{"Rar!\x1a\x07\x00 of version 4", "rar: " + noArchives + " at 0"},
		{"Rar!\x1a\x07\x01\x00 of version 5", "rar: " + noArchives + " at 0"},
		{"Rar! So they begin", ""},
		{"RE~^\x07\x00 of version 1.4", "rar: " + noArchives + " at 0"},
		{"RE~^ is no Rar!", ""},
		{"MSCF\x00\x00\x00\x00", "cab: " + noArchives + " at 0"},
		{"MSCF is a magic number", ""},
		{"ZOO 2.10 Archive.\x1a\x00\x00\xdc\xa7\xc4\xfd", "zoo: " + noArchives + " at 0"},
		{"ZOO 2.10 Archive.", ""},
		{"ZOO 2.10 is older than most archives", ""},
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

// An ARJ archive begins with a header and its CRC-32.
func arj(header string) string {
	b := binary.LittleEndian.AppendUint16([]byte("\x60\xea"), uint16(len(header)))
	return string(binary.LittleEndian.AppendUint32(append(b, header...), crc32.ChecksumIEEE([]byte(header))))
}

// lha returns the header of an LHA archive of level 0 or 1, with its sum.
func lha(method string, level byte) string {
	rest := method + "\x02\x00\x00\x00\x02\x00\x00\x00\x00\x00\x21\x5c\x20" + string([]byte{level}) + "\x05a.txt\x00\x00"
	sum := byte(0)
	for i := range len(rest) {
		sum += rest[i]
	}
	return string([]byte{byte(len(rest)), sum}) + rest
}

// TestSearched reads the first bytes of formats that are errors and are then read as text, and text
// that begins like them. Each is read alone and in archives, whole and a byte at a time.
func TestSearched(t *testing.T) {
	const not = ""
	newLine := strings.Repeat("\x00", 600) + "one" // of cpio: whatever follows a header
	binaryHead := "\xc7\x71" + "\x01\x02\x03\x04" + "\xa4\x81" + strings.Repeat("\x00", 12) + "\x06\x00" + "\x00\x00\x03\x00" + "a.txt\x00"
	swapped := []byte(binaryHead)
	for i := 0; i < 26; i += 2 {
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
	}
	exe := "MZ\x90\x00\x03\x00\x00\x00" + strings.Repeat("\x00", 100)
	for _, c := range []struct{ data, stage string }{
		{"!<thin>\n", "ar"},
		{"!<arch> is how it begins", not},
		{"070701 is the magic number", not},
		{binaryHead + newLine, "cpio"},
		{string(swapped) + newLine, "cpio"},
		{binaryHead[:25], not},
		{"\xc7\x71 as text, perhaps of some length", not},
		{strings.Replace(binaryHead, "a.txt\x00", "a\x00txt\x00", 1), not},
		{"hsqs" + strings.Repeat("\x01", 24) + "\x04\x00\x00\x00", "squashfs"},
		{"sqsh" + strings.Repeat("\x01", 24) + "\x00\x03\x00\x00", "squashfs"},
		{"hsqs" + strings.Repeat("\x01", 24) + "\x00\x04\x00\x00", not},
		{"hsqs is the magic number of squashfs", not},
		{"hsqs", not},
		{"*mbx*\r\n1234567800000001\r\n", "mbx"},
		{"*mbx* is a format of mailboxes", not},
		{lha("-lh0-", 0), "lha"}, {lha("-lh5-", 1), "lha"}, {lha("-lzs-", 0), "lha"}, {lha("-lhd-", 1), "lha"}, {lha("-pm2-", 1), "lha"},
		{"\x30\x00-lh7-" + strings.Repeat("\x00", 13) + "\x02", "lha"},
		{"\x04\x00-lh7-" + strings.Repeat("\x00", 13) + "\x03", "lha"},
		{"\x04\x01-lh7-" + strings.Repeat("\x00", 13) + "\x03", not},
		{"\x30\x00-lh7-" + strings.Repeat("\x00", 13) + "\x04", not},
		{lha("-lh5-", 0)[:20], not},
		{lha("-lh5-", 0)[:25], not},
		{"x-" + lha("-lh5-", 1)[3:], not},
		{"a -lh5- is a method", not},
		{"--lh5- and more than twenty letters", not},
		{arj("header of thirty bytes or so"), "arj"},
		{arj("header of thirty bytes or so")[:20], not},
		{"\x60\xea" + arj("header")[2:8] + "......", not},
		{"#!/bin/sh\necho PK\n", not},
		{exe, not},
		{"MZ" + strings.Repeat("x", 100) + stored("a.txt", "one"), not},
		{"MZ is a magic number", not},
		{"#!/bin/sh\n" + strings.Repeat("#", 4096) + stored("a.txt", "one"), not}, // beyond the first 4 KiB
	} {
		for data, at := range map[string]string{c.data: "", tarred("m", c.data): "m ", zipped("m", c.data): "m ", gzipped(c.data): ""} {
			s := newSource(document.Options{})
			for _, in := range []string{"whole", "byte by byte"} {
				var r io.Reader = strings.NewReader(data)
				if in != "whole" {
					r = iotest.OneByteReader(r)
				}
				report, text := "", s.read(t, r, 1<<16)
				if strings.HasPrefix(text, "! ") {
					report, text, _ = strings.Cut(text, "\n")
				}
				ok := report == ""
				if c.stage != not {
					ok = strings.HasPrefix(report, "! "+at+c.stage+": ") && strings.HasSuffix(report, " cannot be read; searched as text at 0")
				}
				if !ok || !strings.HasPrefix(text, at+"plain ") {
					t.Errorf("%.40q in %q, %s: %q, %.100q, want an error of %q, and the text", c.data, at, in, report, text, c.stage)
				}
			}
		}
	}
}

// TestImage recognises an image of a CD. In archives, and compressed, it is read as text alone.
func TestImage(t *testing.T) {
	image := strings.Repeat("\x00", 16*2048) + "\x01CD001\x01\x00 and more"
	for data, report := range map[string]string{
		image: "! iso9660: archives of this kind cannot be read; searched as text at 0\n", image[:16*2048+6]: "! iso9660: archives of this kind cannot be read; searched as text at 0\n",
		image[:16*2048+5]: "", "x" + image[1:]: "", gzipped(image): "", tarred("m", image): "",
	} {
		for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data))} {
			if got := newSource(document.Options{}).read(t, r, 1<<16); !strings.HasPrefix(got, report) || report == "" && strings.HasPrefix(got, "!") {
				t.Errorf("%d bytes: %.100q, want %q", len(data), got, report)
			}
		}
	}
}

// TestSearchedAs reads an archive in a format that was chosen. The error is the same.
func TestSearchedAs(t *testing.T) {
	const data, report = "!<thin>\na.txt/          0           0     0     644     3         `\n", "! ar: archives of this kind cannot be read; searched as text at 0\n"
	for f, want := range map[document.Format]string{document.Page: report + "html ", document.TeX: report + "plain ", document.PlainText: "plain "} {
		if got := newSource(document.Options{Format: f}).read(t, strings.NewReader(data), 1<<16); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %q, want %q", f, got, want)
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
			if l := s.ledger; l[ledger.RawDamaged] != 10000 || l[ledger.RawData] != 5000 || l[ledger.CutStreams] != 1 {
				t.Errorf("%s: %d bytes are counted as lost, %d as data, %d streams as cut", in, l[ledger.RawDamaged], l[ledger.RawData], l[ledger.CutStreams])
			}
		}
	}
}

// TestSelfExtracting reads zip archives behind a program or script, alone and in archives.
func TestSelfExtracting(t *testing.T) {
	for _, program := range []string{
		"#!/usr/bin/env python3\n",
		"#! /bin/sh\nPK\x03\x04 is no zip\n",
		"MZ\x90\x00\x03\x00\x00\x00" + strings.Repeat("\x00", 100),
		"\x7fELF\x02\x01\x01\x00",
	} {
		data := program + stored("a.txt", "one")
		for data, at := range map[string]string{data: "", tarred("m", data): "m!", zipped("m", data): "m!", gzipped(data): ""} {
			for name, r := range map[string]io.Reader{"whole": strings.NewReader(data), "byte by byte": iotest.OneByteReader(strings.NewReader(data))} {
				if got := newSource(document.Options{}).read(t, r, 1<<16); !strings.HasPrefix(got, at+"a.txt plain \"one\"\n") {
					t.Errorf("%.40q, %s: %q", data, name, got)
				}
			}
		}
	}
}
