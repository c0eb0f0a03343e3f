package header

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// observeHeader calls Observe, and also records the values in the sink and their places in the
// text.
func observeHeader(r io.Reader, h *Decoder, size int) decodetest.Reading {
	var attrs []string
	h.Sink = func(a decode.Attr) error {
		attrs = append(attrs, fmt.Sprintf("%s%s=%s[%d:%d]@%d", a.Tag, a.Name, a.Value, a.Start, a.End, h.out))
		clear(a.Value)
		return nil
	}
	got := decodetest.Observe(r, h, size)
	got.Attrs = attrs
	return got
}

func everyWayHeader(t *testing.T, raw []byte, h *Decoder) decodetest.Reading {
	t.Helper()
	want := observeHeader(bytes.NewReader(raw), h, 1<<16)
	try := func(name string, r io.Reader, size int) {
		t.Helper()
		if err := observeHeader(r, h, size).Equal(want); err != nil {
			t.Fatalf("%s, slices of %d: %q: %v", name, size, raw, err)
		}
	}
	for _, size := range []int{1, 3, 16, 17, 1 << 16} {
		try("whole", bytes.NewReader(raw), size)
		try("one byte", &decodetest.Chunks{B: raw, N: 1}, size)
		try("three bytes", &decodetest.Chunks{B: raw, N: 3}, size)
	}
	for at := range len(raw) {
		try(fmt.Sprintf("cut at %d", at), decodetest.Cut(raw, at), 1<<16)
	}
	return want
}

func TestHeaderText(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"", ""},
		{"Subject: a\n", " a\n"},
		{"Subject: a\r\n", " a\n"},
		{"Subject: a", " a"},
		{"Subject: a\nTo: b\n", " a\n\n b\n"},
		{"Subject: a\r\nTo: b\r\n\r\n", " a\n\n b\n"},
		{"Subject: <http://a/\r\n b>\r\n\tc\r\n", " <http://a/\n b>\n\tc\n"},
		{"Subject: <http://a/\n b>\n\tc\n", " <http://a/\n b>\n\tc\n"},
		{"A: \r\r\n b\rc\n", " \r\n b\rc\n"},
		{"Subject: =?utf-8?Q?a_=3Db?=\n", " a =b\n"},
		{"A: =?utf-8?q?=E4=B8=AD?= =?UTF-8?B?5Lit?=\n\t=?utf-8*zh?q?x?= y\n", " \u4e2d\u4e2dx y\n"},
		{"A: =?utf-8?q?a?=\r\n b\r\n", " a\n b\n"},
		{"A: =?utf-8?q?a?==?utf-8?q?b?=\n", " ab\n"},
		{"A: =?utf-8?q?a\n b?=\n", " =?utf-8?q?a\n b?=\n"},
		{"A: =?utf-8?x?a?= =? =?a?=\n", " =?utf-8?x?a?= =? =?a?=\n"},
		{"A: =?iso-8859-1?b?5A==?= =?koi8-r?q?=D4=C5?=\n", " \u00e4\u0442\u0435\n"},
		{"A: =?iso-2022-jp?b?GyRCRnxLXBsoQmh0dHA6Ly9hLw==?=\n", " \u65e5\u672chttp://a/\n"},
		{"A: =?utf-7?q?a+AD0-b?= c\n", " a=b c\n"},
		{"A: \xe4\u00e4\n", " \u00e4\u00e4\n"},
		{"Message-ID: <a@b>\nSubject: a\nReferences: <c@d>\n\t<e@f>\nTo: b\n", " a\n\n b\n"},
		{"From a Mon Jan 1 12:00:00 2000\n>From b\nA: b\n", " b\n"},
		{"A: b\nFrom c d\nE: f\n", " b\n\nFrom c d\n\n f\n"},
		{"no field\nA: b\n", "no field\n\n b\n"},
		{" x\nA: b\n", " x\n\n b\n"},
		{"A : b\nb\x00c\n", " b\n\nb\x00c\n"},
		{strings.Repeat("n", 76) + ": a\n" + strings.Repeat("n", 77) + ": a\n", " a\n\n" + strings.Repeat("n", 77) + ": a\n"},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), new(Decoder))
		if got.Text != c.text || got.Err != "" {
			t.Errorf("%q: got %q %s, want %q", c.raw, got.Text, got.Err, c.text)
		}
	}
}

func TestHeaderValues(t *testing.T) {
	for _, c := range []struct {
		raw, attrs string
		ids        bool
	}{
		{"Content-Location: http://a/\n", "content-location=http://a/[18:27]@0", false},
		{"A: b\nCONTENT-BASE : \"http://a/ \n\t b/\"\nC: d", "content-base=http://a/b/[21:36]@3", false},
		{"Content-Location: <URL:http://a/>\r\n", "content-location=http://a/[23:32]@0", false},
		{"Content-Location:\n =?us-ascii?Q?http:?=\n =?us-ascii?b?Ly9hLw==?= \n", "content-location=http://a/[32:62]@0", false},
		{"Content-Location: \n", "", false},
		{"Content-Location: \"<>\"\n", "", false},
		{"Content-Location:a", "content-location=a[17:18]@0", false},
		{"Message-ID: <a@b>\nContent-ID: x <c@d> (e)\n", "", false},
		{"Message-ID: <a@b>\nContent-ID: x <c@d> (e)\n", "message-id=a@b[13:16]@0 content-id=c@d[33:36]@0", true},
		{"Message-ID: a@b \n", "message-id=a@b[12:15]@0", true},
		{"Message-ID: <a@b\n", "message-id=a@b[13:16]@0", true},
		{"In-Reply-To: <a@b>\nContent-Base: x\nContent-Base: y", "content-base=x[33:34]@0 content-base=y[49:50]@0", true},
		{"Content-Base: " + strings.Repeat("x", 101) + "\nContent-Base: y\n", "content-base=y[130:131]@0", false},
	} {
		h := &Decoder{IDs: c.ids, MaxValue: 100}
		got := everyWayHeader(t, []byte(c.raw), h)
		if attrs := strings.Join(got.Attrs, " "); attrs != c.attrs || got.Err != "" {
			t.Errorf("%q: got %s %s, want %s", c.raw, attrs, got.Err, c.attrs)
		}
		want := strings.Count(c.raw, "xxx") / 33
		if values, bytes := h.Skipped(); values != int64(want) || bytes < int64(want)*101 || bytes > int64(want)*103 {
			t.Errorf("%q: %d skipped of %d bytes", c.raw, values, bytes)
		}
	}
	h := &Decoder{Sink: func(decode.Attr) error { return decodetest.ErrBroken }}
	if got := decodetest.Observe(strings.NewReader("A: b\nContent-Base: x\nC: d\n"), h, 100); got.Text != " b\n" || got.Err != "broken" {
		t.Errorf("got %q, %s", got.Text, got.Err)
	}
	h.Sink = nil
	if got := decodetest.Observe(strings.NewReader("A: b\nContent-Base: x\nC: d\n"), h, 100); got.Text != " b\n\n d\n" {
		t.Errorf("got %q", got.Text)
	}
}

// TestHeaderBrackets reads relative references in the brackets of fields that contain references
// (RFC 8288, section 3; RFC 2369, section 2; RFC 5064, section 2).
func TestHeaderBrackets(t *testing.T) {
	long := strings.Repeat("x", maxRelative)
	for _, c := range []struct{ raw, text, attrs string }{
		{"Link: <../x>; rel=next\n", " <>; rel=next\n", "link=../x[7:11]@2"},
		{"LINK:</x>,<y?a=b:c#d> , <//h/z>", "<>,<> , <>", "link=/x[6:8]@1 link=y?a=b:c#d[11:20]@4 link=//h/z[25:30]@9"},
		{"Link: <http://a/>; title=\"<b>, <c>\", < d\r\n\t/e >\r\nTo: <f>\n", " <http://a/>; title=\"<b>, <c>\", <>\n\n <f>\n", "link=d/e[39:45]@33"},
		{"Link: <>, < >, <a b>, <http:x>, <URL:../x>, <a@b.example>, <é>, <a\"b>\n", " <>, < >, <a b>, <http:x>, <URL:../x>, <a@b.example>, <é>, <a\"b>\n", ""},
		{"Link: see <a>; <b>, \"x\\\", <c>\", <d\nX: y>\n", " see <a>; <b>, \"x\\\", <c>\", <d\n\n y>\n", ""},
		{"Link: \n <a>\n", " \n <>\n", "link=a[9:10]@4"},
		{"Link: =?utf-8?q?x?= <a>, =?utf-8?q?,?= <b>\n", " x <a>, , <b>\n", ""},
		{"List-Post: <=?utf-8?q?http://a/?=>\n", " <http://a/>\n", ""},
		{"List-Archive: <a/@b>\nArchived-At: <m/1>\nList-ID: <c>\nSubject: <d>\n", " <>\n\n <>\n\n <c>\n\n <d>\n", "list-archive=a/@b[15:19]@2 archived-at=m/1[35:38]@7"},
		{"Link: <" + long[1:] + ">\n", " <>\n", "link=" + long[1:] + "[7:1030]@2"},
		{"Link: <" + long + ">\n", " <" + long + ">\n", ""},
		{"Link: <a", " <a", ""},
	} {
		ways := everyWayHeader
		if len(c.raw) > 1000 {
			ways = func(t *testing.T, raw []byte, h *Decoder) decodetest.Reading {
				return observeHeader(bytes.NewReader(raw), h, 1<<16)
			}
		}
		got := ways(t, []byte(c.raw), new(Decoder))
		if attrs := strings.Join(got.Attrs, " "); got.Text != c.text || attrs != c.attrs || got.Err != "" {
			t.Errorf("%q: got %q, %s %s, want %q, %s", c.raw, got.Text, attrs, got.Err, c.text, c.attrs)
		}
	}
}

func TestHeaderField(t *testing.T) {
	raw := "Subject: a\nMessage-ID: x\nsubject: =?utf-8?q?b?=\n c\nno field\n" + strings.Repeat("n", 77) + ": d\nX-Y: e\n"
	h := new(Decoder)
	text := decodetest.Observe(strings.NewReader(raw), h, 100).Text
	for s, want := range map[string]string{"a\n": "Subject", "b\n": "subject", " c\n": "subject", "field": "", "nn: d": "", "e\n": "X-Y"} {
		at := strings.Index(text, s)
		if got := h.Field(int64(at)); at < 0 || got != want {
			t.Errorf("%q at %d is of %q, want %q", s, at, got, want)
		}
	}
	if got := h.Field(int64(len(text) - 1)); got != "X-Y" {
		t.Errorf("the end is of %q", got)
	}
	decodetest.Observe(strings.NewReader(strings.Repeat("A: b\n", 2000)+"C: d\n"), h, 100)
	if a, b, c := h.Field(0), h.Field(5*1500), h.Field(5*2000+1); a != "" || b != "A" || c != "C" {
		t.Errorf("got %q, %q, %q", a, b, c)
	}
	var names []byte
	for i := range 2000 {
		names = fmt.Appendf(names, "X-%d: b\n", i)
	}
	decodetest.Observe(bytes.NewReader(names), h, 100)
	if got := h.Field(h.out - 1); got != "X-1999" || len(h.fields.names) > maxNames {
		t.Errorf("got %q, %d names", got, len(h.fields.names))
	}
}

func TestHeaderDamage(t *testing.T) {
	const raw = "A: \u00e9\nB: \xe9\nC: \xe8\n"
	var d []*damage.Damage
	c := decode.Chain{Mild: func(e *damage.Damage, _ int) { d = append(d, e) }}
	c.Reset(strings.NewReader(raw), 10)
	c.PushDecoder(new(Decoder))
	text, err := io.ReadAll(&c)
	if string(text) != " \u00e9\n\n \u00e9\n\n \u00e8\n" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	if len(d) != 1 || d[0].Error() != "header: 8-bit bytes that are no UTF-8 at offset 19" {
		t.Errorf("damage: %v", d)
	}
}

// TestWordSpans checks the raw position of each piece of an encoded word.
func TestWordSpans(t *testing.T) {
	for _, c := range []struct {
		raw, piece, span string
		exact            bool
	}{
		{"A: =?utf-8?Q?see_http://a/=3Fb_c?=\n", "http://a/?b", "http://a/=3Fb", true},
		{"A: =?utf-8?Q?=E4=B8=AD?=\n", "\u4e2d", "=E4=B8=AD", true},
		{"A: =?utf-8?B?aHR0cDovL2EvYg==?=\n", "http://a/b", "aHR0cDovL2EvYg==", true},
		{"A: =?utf-8?B?aHR0cDovL2EvYg==?=\n", "p://a/", "cDovL2Ev", true},
		{"A: =?utf-8?B?aHR0cDovL2EvYg==?=\n", "ttp://a/b", "aHR0cDovL2EvYg==", false},
		{"A: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte("a\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587 http://a/")) + "?=\n", "http://a/", "reaWhyBodHRwOi8vYS8=", false},
		{"A: =?gb2312?B?" + base64.StdEncoding.EncodeToString([]byte("\xd6\xd0\xce\xc4 http://a/")) + "?=\n", "http://a/", "1tDOxCBodHRwOi8vYS8=", false},
		{"A: http://a/\r\n b\r\n", "http://a/\n b", "http://a/\r\n b", true},
	} {
		got := decodetest.EveryWay(t, []byte(c.raw), new(Decoder))
		at := strings.Index(got.Text, c.piece)
		if at < 0 {
			t.Errorf("%q: got %q", c.raw, got.Text)
			continue
		}
		s := decode.NewLink(strings.NewReader(c.raw), new(Decoder))
		io.Copy(io.Discard, s)
		lo, hi, exact := s.Span(int64(at), int64(at+len(c.piece)))
		if span := c.raw[lo:hi]; span != c.span || exact != c.exact {
			t.Errorf("%q: %q stems from %q, %v, want %q", c.raw, c.piece, span, exact, c.span)
		}
	}
}

// TestLongWords checks that encoded words of any length, in any charset, are decoded to their ends.
func TestLongWords(t *testing.T) {
	for n := range 100 {
		text := strings.Repeat("x", n%7) + strings.Repeat("\u4e2d\u00e9y ", 10*n)
		for _, raw := range []string{
			"=?utf-8?b?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?=",
			"=?utf-8?q?" + strings.NewReplacer(" ", "_", "\u4e2d", "=E4=B8=AD").Replace(text) + "?=",
		} {
			h := new(Decoder)
			got := decodetest.Observe(strings.NewReader("A: "+raw+"\n"), h, 100)
			if got.Text != " "+text+"\n" {
				t.Fatalf("%d: %q: got %q", n, raw, got.Text)
			}
			decodetest.CheckOrder(t, got, len(raw)+4)
		}
	}
	got := decodetest.EveryWay(t, []byte("A: =?iso-2022-jp?b?YR"+strings.Repeat("sKEIb", 60)+"?= b\n"), new(Decoder))
	decodetest.CheckOrder(t, got, 400)
	got = decodetest.EveryWay(t, []byte("A: =?utf-8?b?Y"+strings.Repeat("#", 700)+"WJj?=\n"), new(Decoder))
	decodetest.CheckOrder(t, got, 1000)
}

// TestAgainstWordDecoder compares headers of encoded words with mime.WordDecoder.
func TestAgainstWordDecoder(t *testing.T) {
	var cs charset.Decoders
	slow := mime.WordDecoder{CharsetReader: func(label string, r io.Reader) (io.Reader, error) {
		raw, err := io.ReadAll(r)
		d, _ := cs.Decoder([]byte(label))
		return strings.NewReader(decodetest.Observe(bytes.NewReader(raw), d, 1<<10).Text), err
	}}
	for i, c := range decodetest.CharsetTexts {
		if strings.Contains(c.Raw, "\n") || c.Label == "utf-8" || c.Label == "us-ascii" { // mime.WordDecoder decodes these charsets itself
			continue
		}
		for _, enc := range []mime.WordEncoder{mime.QEncoding, mime.BEncoding} {
			for n := range 4 {
				raw := strings.Repeat("x", n) + c.Raw
				word := "=?" + c.Label + "?q?" + strings.ReplaceAll(fmt.Sprintf("% X", raw), " ", "=")
				word = strings.Replace(word, "?q?", "?q?=", 1) + "?="
				if enc == mime.BEncoding {
					word = "=?" + c.Label + "?b?" + base64.StdEncoding.EncodeToString([]byte(raw)) + "?="
				}
				want, err := slow.DecodeHeader(word)
				if err != nil {
					t.Fatal(err)
				}
				got := decodetest.EveryWay(t, []byte("A:"+word), new(Decoder))
				if got.Text != want {
					t.Errorf("%d: %q: got %q, want %q", i, word, got.Text, want)
				}
				decodetest.CheckOrder(t, got, len(word)+2)
			}
		}
	}
}

func FuzzHeader(f *testing.F) {
	for _, s := range []string{
		"Subject: =?utf-8?Q?a_=3Db?= =?gb2312?B?1tDOxA==?=\r\n\t=?x?b?YWJj?=\r\nContent-Base: \"http://a/\"\r\n",
		"From x\nA: \xe4\u00e4\n b\n\nMessage-ID: <a@b>\n", "x\r\r\n: a\n=?=?a?q?=?=\n",
	} {
		f.Add([]byte(s), 3, 2)
	}
	h := &Decoder{IDs: true}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int) {
		raw = raw[:min(len(raw), 4000)]
		want := observeHeader(bytes.NewReader(raw), h, 1<<16)
		if want.Err != "" {
			t.Fatal(want.Err)
		}
		decodetest.CheckOrder(t, want, len(raw))
		in, out = 1+in&0x3F, 1+out&0x3F
		if err := observeHeader(&decodetest.Chunks{B: raw, N: in}, h, out).Equal(want); err != nil {
			t.Fatalf("%q, reads of %d into %d: %v", raw, in, out, err)
		}
		if !utf8.Valid(raw) || bytes.Contains(raw, []byte("=?")) {
			return
		}
		for i := range want.Text { // text outside encoded words is unchanged
			lo, hi := want.Lo[i], want.Hi[i]
			if c := want.Text[i]; c != '\n' && (hi != lo+1 || raw[lo] != c) {
				t.Fatalf("%q: byte %d of %q stems from %q", raw, i, want.Text, raw[lo:hi])
			}
		}
	})
}

// FuzzHeaderPieces combines pieces of headers in any order. That reaches more code than arbitrary
// bytes.
func FuzzHeaderPieces(f *testing.F) {
	pieces := []string{"\n", "\r\n", "\r", " ", "\t", "A", ":", "Subject: ", "Message-ID: ", "Content-Base: ", "References: ", "Link: ", ",", "/x", "<", ">",
		"\"", "URL:", "=?", "?=", "?", "=", "=?utf-8?q?", "=?utf-8?b?", "=?gb2312?b?", "=?iso-2022-jp?b?", "=?utf-7?q?", "=?utf-16?b?", "=?x*y?q?",
		"=E4", "=B8=AD", "YWJj", "YQ==", "1tDOxA==", "GyRCRnxLXBsoQg==", "\xe4", "\u00e9", "http://a/", "_", "From ", ">From x",
		"+AOk-", strings.Repeat("n", 76), strings.Repeat(" ", 58), strings.Repeat("YWJj", 30), "#", "5Lit", "YR", "sKEIb"}
	f.Add([]byte{7, 19, 26, 27, 16, 0, 3, 20, 28, 16, 0})
	f.Add([]byte{9, 22, 44, 45, 45, 45, 45, 45, 45, 45, 16, 1})
	h := &Decoder{IDs: true}
	f.Fuzz(func(t *testing.T, which []byte) {
		var raw []byte
		for _, w := range which[:min(len(which), 200)] {
			raw = append(raw, pieces[int(w)%len(pieces)]...)
		}
		want := observeHeader(bytes.NewReader(raw), h, 1<<16)
		decodetest.CheckOrder(t, want, len(raw))
		for _, size := range []int{1, 2, 5, 17, 40} {
			if err := observeHeader(&decodetest.Chunks{B: raw, N: size}, h, size).Equal(want); err != nil {
				t.Fatalf("%q, %d at a time: %v", raw, size, err)
			}
		}
	})
}

// TestWordJunk reads encoded words in which a character begins, followed by as many invalid bytes
// as a unit may have.
func TestWordJunk(t *testing.T) {
	for _, label := range []string{"utf-8", "x", "gb2312", "shift_jis", "iso-2022-jp", "utf-7", "utf-16", "koi8-r"} {
		for _, begin := range []string{"", "4", "4o", "4oI", "4oKs", "4oKs4oI", "YWJj4oKs4g", "gQ", "GyRC", "GyRCRg", "+", "K0"} {
			for _, n := range []int{150, 199, 200, 201, 202, 230, 500, 1000} {
				raw := "A: =?" + label + "?b?" + begin + strings.Repeat("\b", n) + "Cg==http?=http://a/\nB: http://b/\n"
				got := observeHeader(strings.NewReader(raw), new(Decoder), 1<<16)
				if !strings.HasSuffix(got.Text, "http://a/\n\n http://b/\n") {
					t.Fatalf("%q: %q", raw, got.Text)
				}
				decodetest.CheckOrder(t, got, len(raw))
				for _, size := range []int{1, 7} {
					if err := observeHeader(&decodetest.Chunks{B: []byte(raw), N: size}, new(Decoder), 1+16*size).Equal(got); err != nil {
						t.Fatalf("%q: %v", raw, err)
					}
				}
			}
		}
	}
}
