package extract_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// TestEveryStage has a case for each stage that damage can have. It checks what an Error says:
// severity, stage, place, offset, cause and limit. It fails if a stage in internal/damage/stage.go
// has no case.
func TestEveryStage(t *testing.T) {
	const (
		head  = "From: a@b\nDate: Mon, 3 Jan 2000 12:00:00 +0000\n"
		multi = "Content-Type: multipart/mixed; boundary="
	)
	text := string(sample(100))
	broken := errors.New("broken")
	cut := func(format string) string { // without its last bytes, which are a checksum or the end of a block
		packed := pack(t, format, []byte(text))
		return string(packed[:len(packed)-5])
	}
	zipped := string(zipOf(t, "a", text, "b", text))
	tarred := string(tarOf(t, "a", text, "b", text))
	seen := map[string]bool{"walk": true, "open": true} // TestStages has these

	type damaged struct {
		data   string
		end    error // of the source, in place of io.EOF
		limits extract.Limits
		want   string
	}
	cases := []damaged{
		// The source, and limits.
		{data: text, end: broken, want: "error read data:101:1@6327 broken"},
		{data: cut("gzip"), end: broken, want: "error read data:101:1@6327 broken"},
		{data: tarred[:700], end: broken, want: "error read data@700 broken"}, // an archive has no lines
		{data: zipped[:1500], end: broken, want: "error read data@1500 broken"},
		{data: string(pack(t, "zlib", []byte(tarred))), end: broken, want: "error read data@15360 broken"},
		{data: text, limits: extract.Limits{Size: 100}, want: "error size data:2:44@100 longer than the limit of 100 bytes; the rest is not read (Size 100)"},
		{data: string(pack(t, "gzip", pack(t, "gzip", []byte(text)))), limits: extract.Limits{Depth: 1}, want: "error gzip data:1:1@0 packed more than 1 times (Depth 1)"},
		{data: string(pack(t, "xz", []byte(text))), limits: extract.Limits{Window: 1 << 10}, want: "error xz data:1:1@0 a dictionary over the limit of 1024 bytes (Window 1024)"},

		{data: "<html><base href=http://a/" + strings.Repeat("x", 4000) + "/>" + strings.Repeat("<a href=b>", 20), limits: extract.Limits{Joined: 10},
			want: "error base data:1:4117@4116 bases add more than 10 times the text; from here on references are not resolved (Joined 10)"},

		// Compressions; most cases are in the table of these.
		{data: string(pack(t, "gzip", []byte("#! cunbatch\n"))), limits: extract.Limits{Depth: 1}, want: "error batch data:1:1@0 packed more than 1 times (Depth 1)"},
		{data: string(pack(t, "gzip", []byte(text))) + "more", want: "error gzip data:101:1@6327 trailing bytes that begin no stream"},

		{data: "\x28\xb5\x2f\xfd\x21\x07\x05\x29\x00\x00hello", want: "error zstd data:1:1@0 the frame needs dictionary 7, which is not here"},

		// Archives. What a member lacks is damage of the member, at its end.
		{data: tarred[:700], want: "error tar data!a:4:16@188 unexpected EOF"},
		{data: tarred + strings.Repeat("x", 512), want: "error tar data@15360 blocks after the end of the archive"},
		{data: string(pack(t, "gzip", []byte(tarred[:700]))), want: "error tar data!a:4:16@188 unexpected EOF"},
		{data: string(sparseTar(t, "http://a/\nhttp://b/\n", 20, 0, 10, 5, 10)), want: "error tar data!f:2:1@10 a map of holes that goes backwards"},
		{data: zipped[:100], want: "error zip data!a:1:25@24 unexpected EOF"},
		{data: strings.Replace(zipped, "PK\x01\x02", "PK\x01\x00", 1), want: "error zip data@2280 no header of an entry: 50 4b 01 00"},
		{data: string(arOf(t, "a", text)[:256]), want: "error ar data!a:4:15@187 unexpected EOF"},
		{data: "!<arch>\n" + strings.Repeat("x", 60), want: "error ar data@8 no header of a member"},
		{data: string(cpioOf(t, "a", text)[:300]), want: "error cpio data!a:4:16@188 unexpected EOF"},
		{data: string(cpioOf(t)) + "more", want: "error cpio data@124 bytes after the end of the archive"},
		{data: string(tarOf(t, "in.zip", zipped[:100], "b", text)), want: "error zip data!in.zip!a:1:25@24 unexpected EOF"},

		// Messages, encodings, charsets, tables.
		{data: "WARC/1.0\r\nContent-Length: 9\r\n\r\nhttp", want: "error warc data#1:4:5@35 stream ends 5 bytes before the end of the record"},
		{data: "WARC/1.0\r\nContent-Length: x\r\n\r\nhttp", want: "error warc data:1:1@0 no header of a record; what follows is skipped up to the next one"},
		{data: head + multi + "b\n\n--b\n\nhttp://a/\n", want: "warning mime data#1:8:1@105 multipart without a closing boundary"},
		{data: head + "Content-Type: text/plain; charset=klingon\n\nhttp://a/\n", want: `warning mime data#1[1]:5:1@90 no charset is called "klingon", read as utf-8 or windows-1252`},
		{data: head + multi + "b\n\n--b\n" + multi + "c\n\n--c\n\nhttp://a/\n--c--\n--b--\n", limits: extract.Limits{Nesting: 1}, want: "error mime data#1[1]:6:1@94 parts nested more than 1 deep (Nesting 1)"},
		{data: head + "Subject: caf\xe9\n\nhttp://a/\n", want: "warning header data#1[HEADER]:3:13@59 8-bit bytes that are no UTF-8"},
		{data: "#! rnews 1000\n" + head + "\nhttp://a/\n", want: "error rnews data#1:6:1@72 stream ends 942 bytes before the end of the article"},
		{data: "#! rnews 10\n" + head + "\nhttp://a/\n", want: "warning rnews data#1:3:1@22 no batch line after the article"},
		{data: "300  \n" + head + "\nhttp://a/\n", want: "error emlx data#1:6:1@64 stream ends 242 bytes before the end of the message"},
		{data: "10\n" + head + "\nhttp://a/\n", want: "warning emlx data#1:3:1@13 no property list after the message"},
		{data: head + "Content-Type: application/pkcs7-mime\n\nhttp://a/\n", want: "error cms data#1[1]:5:1@85 not a signed message"},
		{data: head + "Content-Transfer-Encoding: base64\n\naHR0cDovL2EvIA==\n!!!!\naHR0cDovL2EvIA==\n", want: "warning base64 data#1[1]:6:1@99 a line that is no base64"},
		{data: head + "Content-Transfer-Encoding: quoted-printable\n\nhttp://a/?b=20=\nc =zz\n", want: "warning quoted-printable data#1[1]:6:3@110 '=' that begins no escape"},
		{data: "\xff\xfea\x00b", want: "error utf-16le data:1:5@4 1 byte left of a code unit of 2"},
		{data: "\xfe\xff\x00a\x00", want: "error utf-16be data:1:5@4 1 byte left of a code unit of 2"},
		{data: "\xff\xfe\x00\x00a\x00\x00\x00b", want: "error utf-32le data:1:9@8 1 byte left of a code unit of 4"},
		{data: "\x00\x00\xfe\xff\x00\x00\x00a\x00\x00", want: "error utf-32be data:1:9@8 2 bytes left of a code unit of 4"},
		{data: head + "Content-Type: text/plain; charset=utf-16le\n\nh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00/", want: "warning utf-16le data#1[1]:5:17@107 1 byte left of a code unit of 2"},
		{data: strings.Repeat("http://a/,2,3,4\n", 4) + "1,\"2,3,4\n" + strings.Repeat("a,b,c,d\n", 2000), want: "warning table data:6:1@73 a quotation mark that is not closed"},

		// Formats that are recognised and not read.
		{data: "7z\xbc\xaf\x27\x1c", want: "error 7z data@0 archives of this kind are read only from a file, not from a pipe or inside another file"},
		{data: "Rar!\x1a\x07", want: "error rar data@0 archives of this kind cannot be read"},
		{data: "MSCF\x00\x00\x00\x00", want: "error cab data@0 archives of this kind cannot be read"},
		{data: "MSWIM\x00\x00\x00", want: "error wim data@0 archives of this kind cannot be read"},
		{data: "xar!\x00\x1c", want: "error xar data@0 archives of this kind cannot be read"},
		{data: "\xed\xab\xee\xdb", want: "error rpm data@0 archives of this kind cannot be read"},
		{data: "ZOO 2.10 Archive.\x1a\x00\x00\xdc\xa7\xc4\xfd", want: "error zoo data@0 archives of this kind cannot be read"},
		{data: "!<thin>\n", want: "error ar data@0 archives of this kind cannot be read; searched as text"},
		{data: "\xc7\x71\x01\x02\x03\x04\xa4\x81" + strings.Repeat("\x00", 12) + "\x02\x00\x00\x00\x01\x00a\x00", want: "error cpio data@0 archives of this kind cannot be read; searched as text"},
		{data: "hsqs" + strings.Repeat("x", 24) + "\x04\x00", want: "error squashfs data@0 archives of this kind cannot be read; searched as text"},
		{data: "\x24\x00-lh5-.............\x02", want: "error lha data@0 archives of this kind cannot be read; searched as text"},
		{data: "\x60\xea\x01\x00a\x43\xbe\xb7\xe8", want: "error arj data@0 archives of this kind cannot be read; searched as text"},
		{data: strings.Repeat("\x00", 32<<10) + "\x01CD001", want: "error iso9660 data@0 archives of this kind cannot be read; searched as text"},
		{data: "*mbx*\r\n", want: "error mbx data@0 mailboxes of this kind cannot be read; searched as text"},
		{data: "\x00\x01", want: "warning binary data@0 this is not text, and nothing was found in it"},
		{data: "LZIP\x00\x10", want: "error lzip data:1:1@0 version 0 of the format"},
		{data: "LZIP\x01\x01", want: "error lzip data:1:1@0 impossible size of the dictionary: 2^1"},
		{data: "\x89LZO\x00\r\n\x1a\n", want: "error lzop data@0 compression of this kind cannot be read"},
		{data: "LRZI\x00", want: "error lrzip data@0 compression of this kind cannot be read"},
		{data: "!BDNxxxxSM", want: "error pst data@0 mailboxes of this kind cannot be read"},
		{data: "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", want: "warning pdf data@0 PDF documents are skipped"},
		{data: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", want: "warning office data@0 office documents are skipped"},
	}
	for _, c := range compressions {
		switch {
		case c.says == "":
		case c.short != nil:
			cases = append(cases, damaged{data: string(c.short(t)), want: "error " + c.name + " " + c.says})
		default:
			cases = append(cases, damaged{data: cut(c.name), want: "error " + c.name + " " + c.says})
		}
	}
	for _, c := range cases {
		var r io.Reader = strings.NewReader(c.data)
		if c.end != nil {
			r = io.MultiReader(r, iotest.ErrReader(c.end))
		}
		_, errs := all(t, extractor(t, extract.Options{Limits: c.limits, Workers: 1}).Read(t.Context(), "data", r))
		var got []string
		for _, e := range errs {
			got = append(got, said(e))
			seen[e.Stage] = true
			if c.end != nil && !errors.Is(e, c.end) {
				t.Errorf("%v does not wrap the error of the source", e)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%.40q:\n got %s\nwant %s", c.data, s, c.want)
		}
	}
	for _, name := range kinds() {
		if !seen[name] {
			t.Errorf("%s: its row in compressions_test.go has to say what is reported when it is damaged", name)
		}
	}
	for name := range document.DataFormats() {
		if !seen[name] {
			t.Errorf("%s: add a case that is damaged, or not read", name)
		}
	}
	for constant, stage := range stagesOf(t) {
		if !seen[stage] {
			t.Errorf("%s: add a case that is damaged in the stage %q", constant, stage)
		}
	}
}

// said returns what e says, in one line.
func said(e *extract.Error) string {
	s := fmt.Sprintf("%s %s %s@%d %v", e.Severity, e.Stage, e.Origin.String(), e.Origin.Offset, e.Err)
	if e.Limit != "" {
		s += fmt.Sprintf(" (%s %d)", e.Limit, e.Value)
	}
	return s
}
