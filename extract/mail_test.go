package extract_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// mailLine describes r, with its message and part.
func mailLine(r *extract.Result) string {
	o := r.Origin
	s := fmt.Sprintf("%d[%s]", o.Message, o.Part)
	if o.Member != "" {
		s = o.Member + "#" + s
	}
	if o.Field != "" {
		s += " " + o.Field + ":"
	}
	s += " " + string(r.URL)
	if r.Target != nil {
		s += " => " + string(r.Target) + " (" + r.BaseSource.String() + ")"
	}
	return s
}

// mails are texts of mail, with their references.
var mails = []struct {
	name string
	opts extract.Options
	text string
	want []string
}{
	{
		name: "a message: header fields, body",
		text: `From: a@example.org
Subject: see http://subject.example/
Message-ID: <1@http.example.org>
In-Reply-To: <mid:2@example.org>
List-Archive: <http://list.example/a/
 b/c>

Body http://body.example/x.
`,
		want: []string{
			"1[HEADER] Subject: http://subject.example/",
			"1[HEADER] List-Archive: http://list.example/a/b/c",
			"1[1] http://body.example/x",
		},
	},
	{
		name: "two messages, quoted-printable and base64",
		text: `From a@example.org Mon Jan  5 12:00:00 1998
From: a@example.org
Content-Transfer-Encoding: quoted-printable

<http://one.example/?a=3Db&c=
=3Dd>
>From http://quoted.example/

From b@example.org Mon Jan  5 12:01:00 1998
From: b@example.org
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="=_b"

preamble http://pre.example/
--=_b
Content-Type: text/plain; charset=koi8-r
Content-Transfer-Encoding: base64

aHR0cDovL3R3by5leGFtcGxlL8HCIA==
--=_b
Content-Type: text/html

<a href="http://three.example/?a&amp;b">x</a>
--=_b--
epilogue http://post.example/
`,
		want: []string{
			"1[1] http://one.example/?a=b&c=d",
			"1[1] http://quoted.example/",
			"2[TEXT] http://pre.example/",
			"2[1] http://two.example/%D0%B0%D0%B1",
			"2[2] http://three.example/?a&b",
			"2[TEXT] http://post.example/",
		},
	},
	{
		name: "base URLs: of the page, of the part, of the message, of the options",
		opts: extract.Options{Base: uri.MustParse("http://option.example/")},
		text: `From: a@example.org
Subject: bases
MIME-Version: 1.0
Content-Base: http://message.example/
Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html
Content-Base: "http://part.example/a/"

<a href=x>x</a><base href=http://page.example/><a href=y>y</a>
--b
Content-Type: text/html
Content-Location: d/
 e.html

<a href=x>x</a> <URL:../z>
--b
Content-Type: text/html

<a href="cid:part1@example.org">x</a><a href=w>w</a>
--b--
`,
		want: []string{
			"1[HEADER] Content-Base: http://message.example/",
			"1[1.MIME] Content-Base: http://part.example/a/",
			"1[1] x => http://part.example/a/x (content-base)",
			"1[1] http://page.example/",
			"1[1] y => http://page.example/y (html)",
			"1[2.MIME] Content-Location: d/e.html => http://message.example/d/e.html (outer)",
			"1[2] x => http://message.example/d/x (content-location)",
			"1[2] ../z => http://message.example/z (content-location)",
			"1[3] cid:part1@example.org",
			"1[3] w => http://message.example/w (outer)",
		},
	},
	{
		name: "fields that hold references in brackets",
		text: `From: <a@example.org>
Subject: <s/t>
List-Archive: <pipermail/> (the archive), <http://list.example/>
List-Post: <l@example.org>
List-ID: The List <l.example.org>
Link: <../x?y>; rel=next; title="see <z>", <http://h.example/>; rel=up,
 <d/
 e>
Archived-At: <m/1>
Content-Location: http://message.example/a/b

<../x> URL:../y
`,
		want: []string{
			"1[HEADER] List-Archive: pipermail/ => http://message.example/a/pipermail/ (content-location)",
			"1[HEADER] List-Archive: http://list.example/",
			"1[HEADER] Link: ../x?y => http://message.example/x?y (content-location)",
			"1[HEADER] Link: http://h.example/",
			"1[HEADER] Link: d/e => http://message.example/a/d/e (content-location)",
			"1[HEADER] Archived-At: m/1 => http://message.example/a/m/1 (content-location)",
			"1[HEADER] Content-Location: http://message.example/a/b",
		},
	},
	{
		name: "no base: not resolved",
		text: "From: a@b.example\nDate: x\nContent-Type: text/html\n\n<a href=x>\n",
		want: []string{"1[1] x"},
	},
	{
		name: "identifiers",
		opts: extract.Options{MessageIDs: true},
		text: `Path: a!b
Newsgroups: example.test
Message-ID: <1/2@example.org>
Content-Type: multipart/related; boundary=b

--b
Content-ID: <p%1@example.org>

http://a.example/
--b--
`,
		want: []string{
			"1[HEADER] Message-ID: news:1%2F2@example.org",
			"1[1.MIME] Content-ID: cid:p%251@example.org",
			"1[1] http://a.example/",
		},
	},
	{
		name: "parts that are asked for",
		opts: extract.Options{Parts: extract.HTMLParts},
		text: "From: a@b.example\nSubject: http://s.example/\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n--b\nContent-Type: text/html\n\nhttp://b.example/\n--b--\n",
		want: []string{"1[2] http://b.example/"},
	},
	{
		name: "a message in a message, plain and encoded",
		text: "From: a@b.example\nSubject: x\nContent-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: c@d.example\nSubject: http://s.example/\n\nhttp://a.example/\n--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n" +
			b64("From: e@f.example\nSubject: http://t.example/\nContent-Transfer-Encoding: quoted-printable\n\nhttp://b.example/=3D\n") + "--b--\n",
		want: []string{
			"1[1.HEADER] Subject: http://s.example/",
			"1[1.1] http://a.example/",
			"1[2.HEADER] Subject: http://t.example/",
			"1[2.1] http://b.example/=",
		},
	},
	{
		name: "attachments: by their look",
		text: "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n" +
			attached("application/octet-stream", "a.txt", "http://a.example/\n") +
			attached("application/octet-stream", "a.html", "<!DOCTYPE html><a href='http://b.example/?&amp;'>\n") +
			attached("application/zip", "a.zip", zipped("x/y.txt", "http://c.example/\n", "m.eml", "From: a@b.example\nSubject: x\n\nhttp://d.example/\n")) +
			attached("application/x-tar", "a.tar", tarred("z", "http://e.example/\n")) +
			attached("application/octet-stream", "a.bin", "\x00\x01\x02 http://f.example/\n") +
			attached("image/png", "a.png", "http://g.example/\n") +
			attached("message/rfc822", "m.eml", "From: a@b.example\nSubject: x\n\nhttp://h.example/\n") +
			"--b--\n",
		want: []string{
			"1[1] http://a.example/",
			"1[2] http://b.example/?&",
			"a.zip!x/y.txt#1[3] http://c.example/",
			"#1[3]a.zip!m.eml#1[1] http://d.example/",
			"a.tar!z#1[4] http://e.example/",
			"1[7.1] http://h.example/",
		},
	},
	{
		name: "the base around encoded messages and attachments",
		text: "From: a@b.example\nSubject: x\nContent-Base: http://base.example/d/\nContent-Type: multipart/mixed; boundary=b\n\n" +
			attached("message/rfc822", "m.eml", "From: a@b.example\nSubject: x\nContent-Type: text/html\n\n<a href=r>") +
			attached("application/octet-stream", "m", "From: a@b.example\nSubject: x\nContent-Location: e/\nContent-Type: text/html\n\n<a href=r>") +
			attached("application/octet-stream", "=?utf-8?q?caf=C3=A9?=.zip", zipped("p.html", "<html><a href=r>")) +
			"--b\nContent-Type: text/html\n\n<a href=r>\n--b--\n",
		want: []string{
			"1[HEADER] Content-Base: http://base.example/d/",
			"1[1.1] r => http://base.example/d/r (outer)",
			"1[2.HEADER] Content-Location: e/ => http://base.example/d/e/ (outer)",
			"1[2.1] r => http://base.example/d/e/r (content-location)",
			"café.zip!p.html#1[3] r => http://base.example/d/r (outer)",
			"1[4] r => http://base.example/d/r (outer)",
		},
	},
	{
		name: "parts that are asked for, of those that are looked into",
		opts: extract.Options{Parts: extract.HTMLParts},
		text: "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n" +
			attached("application/octet-stream", "a.html", "<html><a href='http://a.example/'>") +
			attached("application/octet-stream", "a.txt", "http://b.example/") +
			attached("message/rfc822", "m.eml", "From: a@b.example\nSubject: http://s.example/\nContent-Type: text/html\n\n<a href='http://c.example/'>") +
			attached("application/zip", "a.zip", zipped("a.txt", "http://d.example/", "a.html", "<html><a href='http://e.example/'>")) +
			"--b--\n",
		want: []string{"1[1] http://a.example/", "1[3.1] http://c.example/", "a.zip!a.html#1[4] http://e.example/"},
	},
	{
		name: "the format of a source is not that of attachments",
		opts: extract.Options{Format: extract.Message},
		text: "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n" +
			attached("application/gzip", "a.txt.gz", zipped("a", "http://a.example/ is\n\ntext http://b.example/\n")) + "--b--\n",
		want: []string{"a.txt.gz!a#1[1] http://a.example/", "a.txt.gz!a#1[1] http://b.example/"},
	},
	{
		name: "an article in a mail, by its identifier",
		opts: extract.Options{MessageIDs: true},
		text: "From: a@b.example\nMessage-ID: <1@a>\nContent-Type: message/rfc822\n\nPath: a\nNewsgroups: b.c\nMessage-ID: <2@a>\n\nx\n",
		want: []string{"1[HEADER] Message-ID: mid:1@a", "1[1.HEADER] Message-ID: news:2@a"},
	},
	{
		name: "many fields",
		text: "From: a@b.example\nSubject: x\nX-URL: http://a.example/\n" + strings.Repeat("A:\n", 3000) + "X-Last: http://b.example/\n\n",
		want: []string{"1[HEADER] X-URL: http://a.example/", "1[HEADER] X-Last: http://b.example/"},
	},
	{
		name: "an archive whose first name is not like a name",
		text: tarred("Re: \"q\" <a>.eml", "From: a@b.example\nSubject: http://a.example/\n\n"),
		want: []string{"Re: \"q\" <a>.eml#1[HEADER] Subject: http://a.example/"},
	},
	{
		name: "a line among the fields that is none, and one that is a URL",
		text: "From: a@b.example\nSubject: x\nBad Name: http://bad.example/\nTo: y\nhttp://line.example/\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + b64("<a href='http://a.example/'>"),
		want: []string{
			"1[HEADER] http://bad.example/",
			"1[HEADER] http://line.example/",
			"warning: header: a line that is no field",
			"1[1] http://a.example/",
		},
	},
	{
		name: "a URL where the header should have ended",
		text: "From: a@b.example\nSubject: x\nhttp://a.example/\nX: y\n\nhttp://b.example/\n",
		want: []string{"1[1] http://a.example/", "1[1] http://b.example/"},
	},
	{
		name: "a page that is cut, and one of which quoted-printable was not decoded",
		text: "From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<a href=3D\"http://a.example/\"><a href=3Dhttp://b.example/>\n--b\nContent-Type: text/html\n\n<a href=\"http://c.example/x y\n--b--\n",
		want: []string{"1[1] http://a.example/", "1[1] http://b.example/", "1[2] http://c.example/x"},
	},
	{
		name: "XML",
		text: "<?xml version='1.0'?>\n<rss><enclosure type=\"http://t.example/\" url=\"http://a.example/?x&amp;y\"/><link>http://b.example/?x&amp;y</link></rss>\n",
		want: []string{"0[] http://t.example/", "0[] http://a.example/?x&y", "0[] http://b.example/?x&y"},
	},
	{
		name: "flowed text",
		text: "From: a@b.example\nSubject: x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n> see http://a.example/ \n> b/c and\n> <http://b.exa \n> mple/>\n",
		want: []string{"1[1] http://a.example/b/c", "1[1] http://b.example/"},
	},
	{
		name: "a batch of news",
		text: rnews("Path: a\nMessage-ID: <1@a>\n\nhttp://a.example/\n", "Path: b\nMessage-ID: <2@a>\n\nhttp://b.example/\n"),
		want: []string{"1[1] http://a.example/", "2[1] http://b.example/"},
	},
	{
		name: "text that is no mailbox",
		text: "From here on http://a.example/ it is text.\n\nFrom here too http://b.example/\n",
		want: []string{"0[] http://a.example/", "0[] http://b.example/"},
	},
	{
		name: "plain, by order",
		opts: extract.Options{Format: extract.Plain},
		text: "From: a@b.example\nSubject: x\nContent-Type: text/html\n\n<a href='x'> http://a.example/?&amp;y\n",
		want: []string{"0[] http://a.example/?&amp;y"},
	},
	{
		name: "a page",
		text: "<!-- x -->\n<!DOCTYPE HTML>\n<a href='x'> http://a.example/?&amp;y\n",
		want: []string{"0[] x", "0[] http://a.example/?&y"},
	},
}

func b64(s string) string {
	var b strings.Builder
	e := base64.StdEncoding.EncodeToString([]byte(s))
	for len(e) > 60 {
		b.WriteString(e[:60] + "\n")
		e = e[60:]
	}
	return b.String() + e + "\n"
}

func attached(typ, name, data string) string {
	return "--b\nContent-Type: " + typ + "; name=" + name + "\nContent-Transfer-Encoding: base64\n\n" + b64(data)
}

func zipped(files ...string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func tarred(files ...string) string {
	var b bytes.Buffer
	z := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		err := z.WriteHeader(&tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1]))})
		if err == nil {
			_, err = io.WriteString(z, files[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func rnews(articles ...string) (batch string) {
	for _, a := range articles {
		batch += fmt.Sprintf("#! rnews %d\n%s", len(a), a)
	}
	return batch
}

// mailLines returns the references in a stream, and its errors without positions.
func mailLines(t *testing.T, x *extract.Extractor, r io.Reader) (lines []string) {
	t.Helper()
	for r, err := range x.Read(t.Context(), "mail", r) {
		var e *extract.Error
		if errors.As(err, &e) {
			lines = append(lines, e.Severity.String()+": "+e.Stage+": "+e.Err.Error())
			continue
		}
		lines = append(lines, mailLine(r))
	}
	return lines
}

// TestMail reads each text, with both kinds of line ends, and byte by byte.
func TestMail(t *testing.T) {
	for _, c := range mails {
		t.Run(c.name, func(t *testing.T) {
			x := extractor(t, c.opts)
			for _, in := range []io.Reader{
				strings.NewReader(c.text),
				iotest.OneByteReader(strings.NewReader(c.text)),
				iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				if diff := cmp.Diff(c.want, mailLines(t, x, in)); diff != "" {
					t.Errorf("not as expected (-want +got):\n%s", diff)
				}
			}
			if strings.Contains(c.text, "#! rnews") || strings.Contains(c.text, "ustar") {
				return // these formats count bytes, which CRLF would change
			}
			for name, end := range map[string]string{"CRLF": "\r\n", "CR": "\r"} {
				for _, in := range []io.Reader{
					strings.NewReader(strings.ReplaceAll(c.text, "\n", end)),
					iotest.OneByteReader(strings.NewReader(strings.ReplaceAll(c.text, "\n", end))),
				} {
					if diff := cmp.Diff(c.want, mailLines(t, x, in)); diff != "" {
						t.Errorf("with %s not as expected (-want +got):\n%s", name, diff)
					}
				}
			}
		})
	}
}

// TestMailPacked checks that a compressed archive of messages gives the results of the
// messages, with the names of the members.
func TestMailPacked(t *testing.T) {
	var files, want []string
	for i, c := range mails {
		if !reflect.ValueOf(c.opts).IsZero() {
			continue
		}
		name := fmt.Sprintf("dir/%d", i)
		files = append(files, name, c.text)
		for _, l := range c.want {
			switch {
			case strings.HasPrefix(l, "#1[3]a.zip"), strings.HasPrefix(l, "a."), strings.HasPrefix(l, "café"), strings.HasPrefix(l, "Re:"):
				l = name + "!" + l
			case strings.HasPrefix(l, "warning: "), strings.HasPrefix(l, "error: "): // its position differs in the archive
			default:
				l = name + "#" + l
			}
			want = append(want, l)
		}
	}
	x := extractor(t, extract.Options{})
	for _, archive := range []string{tarred(files...), zipped(files...)} {
		for _, format := range []string{"plain", "gzip", "zstd"} {
			got := mailLines(t, x, bytes.NewReader(pack(t, format, []byte(archive))))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: not as expected (-want +got):\n%s", format, diff)
			}
		}
	}
}

// TestArchiveDamaged truncates and damages archives. The error is reported once, and
// everything in front of it is found.
func TestArchiveDamaged(t *testing.T) {
	var files []string
	for i := range 10 {
		files = append(files, fmt.Sprintf("file%d", i), string(sample(200)))
	}
	x := extractor(t, extract.Options{})
	for name, archive := range map[string]string{"tar": tarred(files...), "zip": zipped(files...)} {
		for _, format := range []string{"plain", "gzip", "zstd"} {
			packed := pack(t, format, []byte(archive))
			whole, errs := read(t, x, packed)
			if len(whole) != 2000 || len(errs) > 0 {
				t.Errorf("%s in %s: %d references, %v", name, format, len(whole), errs)
			}
			for _, part := range []int{5, 10, 50, 90} {
				got, errs := read(t, x, packed[:len(packed)*part/100])
				least := 2000*part/100 - 200
				if format != "plain" {
					least = 0 // the whole text may be one block of zstd
				}
				if len(errs) != 1 || len(got) < least || len(got) > 2000*part/100+200 && format == "plain" {
					t.Errorf("%s in %s, %d%%: %d references, %v", name, format, part, len(got), errs)
				}
			}
		}
		spoiled := []byte(archive)
		for i := range 40 {
			spoiled[len(spoiled)/2+i] ^= 0x55
		}
		if got, errs := read(t, x, spoiled); len(got) < 1500 || len(errs) != 1 && name == "zip" {
			t.Errorf("%s, spoiled: %d references, %v", name, len(got), errs)
		}
	}
}

// TestArchiveDepth checks that archives over the depth limit are not entered, and that
// this is reported.
func TestArchiveDepth(t *testing.T) {
	text := "http://a.example/ "
	for range 6 {
		text = tarred("x", string(pack(t, "gzip", []byte(text))))
	}
	for _, c := range []struct{ depth, refs, errs int }{{12, 1, 0}, {11, 0, 1}, {2, 0, 1}} {
		got, errs := read(t, extractor(t, extract.Options{Limits: extract.Limits{Depth: c.depth}}), []byte(text))
		if len(got) != c.refs || len(errs) != c.errs {
			t.Errorf("depth %d: %q, %v", c.depth, got, errs)
		}
	}
}

// mailText returns the references in a stream, and its errors and warnings, with positions.
func mailText(x *extract.Extractor, in io.Reader) string {
	var b strings.Builder
	for r, err := range x.Read(context.Background(), "", in) {
		var e *extract.Error
		if errors.As(err, &e) {
			fmt.Fprintf(&b, "%s: %v\n", e.Severity, err)
			continue
		}
		fmt.Fprintf(&b, "%d:%d %s", r.Origin.Line, r.Origin.Column, mailLine(r))
		if r.Candidate.Form != delimit.Bare {
			fmt.Fprintf(&b, "\t%s", r.Candidate.Form)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestMailbox reads each file of fixtures/mailbox with its recognised format, and
// compares the results and their positions with those that a person has checked.
func TestMailbox(t *testing.T) {
	skipRace(t)
	x := extractor(t, extract.Options{})
	err := fs.WalkDir(os.DirFS(fixtures), "mailbox", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == "README.md" {
			return err
		}
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(fixtures, name))
			if err != nil {
				t.Fatal(err)
			}
			got := mailText(x, bytes.NewReader(raw))
			if *update {
				keep(t, name, got)
			}
			if diff := cmp.Diff(want(t, name), got); diff != "" {
				t.Errorf("not as expected (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, mailText(x, iotest.OneByteReader(bytes.NewReader(raw)))); diff != "" {
				t.Errorf("byte by byte something else (-at once +byte by byte):\n%s", diff)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestForced reads data that Options.Format declares to be mail, but which cannot be mail. It is
// read as text.
func TestForced(t *testing.T) {
	for f := extract.Mbox; f <= extract.Rnews; f++ {
		got := mailLines(t, extractor(t, extract.Options{Format: f}), bytes.NewReader(encode("utf-16le", "x http://a.example/ ")))
		if diff := cmp.Diff([]string{"0[] http://a.example/"}, got); diff != "" {
			t.Errorf("%v: %s", f, diff)
		}
	}
}

// TestManyBases reads many parts inside the same nested entities with bases. The bases are resolved
// only once.
func TestManyBases(t *testing.T) {
	skipRace(t)
	deep := "From: a@b.example\n"
	for i := range 90 {
		deep += fmt.Sprintf("Content-Base: http://a.example/%s/\nContent-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", strings.Repeat("x", 4000), i, i)
	}
	text := deep + strings.Repeat("Content-Type: text/html\n\n<a href=x>\n--b89\n", 10000)
	begin, n := clock(), 0
	for r := range extractor(t, extract.Options{Parts: extract.HTMLParts, Limits: extract.Limits{Joined: 1 << 20}}).Read(t.Context(), "deep", strings.NewReader(text)) {
		if r != nil && r.BaseSource == extract.FromOuter {
			n++
		}
	}
	if took := clock() - begin; n != 10000 || took > 3*time.Second {
		t.Errorf("%d references in %v", n, took)
	}
}

// TestSubjects checks the decoded Subject and From of each message in all its results,
// and that they are empty without the option.
func TestSubjects(t *testing.T) {
	mbox := "From a@b Mon Jan  3 12:00:00 2000\nFrom: =?utf-8?Q?J=C3=B6?= <jo@a.example>\nSubject: one\n two =?iso-8859-1?b?6Q==?=\n\nhttp://a/\n\n" +
		"From a@b Mon Jan  3 12:00:00 2000\nfrom: \xe9ve\nSUBJECT: caf\xc3\xa9\nContent-Type: multipart/mixed; boundary=b\n\n--b\nSubject: inner\n\nhttp://b/\n--b\nContent-Type: message/rfc822\n\nSubject: enclosed\nFrom: x\n\nhttp://c/\n--b--\n\n" +
		"From a@b Mon Jan  3 12:00:00 2000\nDate: x\nTo: y\n\nhttp://d/\n"
	want := map[string][2]string{
		"http://a/": {"one two \u00e9", "J\u00f6 <jo@a.example>"},
		"http://b/": {"caf\u00e9", "\u00e9ve"},
		"http://c/": {"caf\u00e9", "\u00e9ve"},
		"http://d/": {"", ""},
	}
	for _, workers := range []int{1, 3} {
		x := extractor(t, extract.Options{Subjects: true, Workers: workers})
		n := 0
		for r, err := range x.Run(t.Context(), slices.Values([]extract.Source{memory("mbox", []byte(mbox))})) {
			if r == nil { // a warning that the header is not UTF-8
				if e := new(extract.Error); !errors.As(err, &e) || e.Severity != extract.Warning {
					t.Error(err)
				}
				continue
			}
			if got := [2]string{r.Origin.Subject, r.Origin.From}; got != want[string(r.URL)] {
				t.Errorf("%s: %q, want %q", r.URL, got, want[string(r.URL)])
			}
			n++
		}
		if n != len(want) {
			t.Errorf("%d references", n)
		}
	}
	for r := range extractor(t, extract.Options{}).Read(t.Context(), "mbox", strings.NewReader(mbox)) {
		if r != nil && r.Origin.Subject+r.Origin.From != "" {
			t.Errorf("%q, %q", r.Origin.Subject, r.Origin.From)
		}
	}
}
