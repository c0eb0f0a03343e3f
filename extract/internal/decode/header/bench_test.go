package header

import (
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/charset"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

const mailHeader = "Return-Path: <a@b.example>\n" +
	"Received: from mail.example.org (mail.example.org [192.0.2.1])\n\tby mx.example.net (8.11.6/8.11.6) with ESMTP id g8A1b2C03456\n\tfor <list@example.net>; Tue, 10 Sep 2002 12:00:00 +0100\n" +
	"Message-ID: <20020910120000.A1234@mail.example.org>\n" +
	"Date: Tue, 10 Sep 2002 12:00:00 +0100\n" +
	"From: A Person <a@b.example>\n" +
	"To: The List <list@example.net>\n" +
	"Subject: [List] Re: what we said of http://www.example.org/ yesterday\n" +
	"References: <20020909110000.B4321@mail.example.com> <20020909120000.C4321@mail.example.com>\n" +
	"List-Unsubscribe: <http://lists.example.net/mailman/listinfo/list>,\n\t<mailto:list-request@example.net?subject=unsubscribe>\n" +
	"X-Spam-Status: No, hits=-7.9 required=7.0 tests=AWL,IN_REP_TO,REFERENCES\n"

func BenchmarkHeader(b *testing.B) {
	words := "Subject: =?iso-8859-1?Q?L=E9_http://a.example/_caf=E9_et_le_reste_de_la_phrase?=\n" +
		" =?utf-8?B?" + strings.Repeat("YWJj", 12) + "?=\n =?gb2312?B?1tDOxNbQzsTW0M7E1tDOxNbQzsTW0M7E?=\n"
	for _, c := range []struct{ name, raw string }{
		{"mail", mailHeader},
		{"crlf", strings.ReplaceAll(mailHeader, "\n", "\r\n")},
		{"long", "X-Long: " + strings.Repeat(strings.ReplaceAll(decodetest.Sentence, "\n", "\n "), 5000) + "\n"},
		{"words", words},
	} {
		b.Run(c.name, func(b *testing.B) {
			decodetest.Benchmark(b, []byte(strings.Repeat(c.raw, 1+1<<20/len(c.raw))), new(Decoder))
		})
	}
}

func TestHeaderAllocatesNothing(t *testing.T) {
	raw := strings.Repeat(mailHeader+"Subject: =?koi8-r?q?=D4?= =?utf-8?b?YWJj?= \xe9\nContent-Base: <http://a/>\nLink: <../x>\n", 50)
	src := strings.NewReader(raw)
	var c decode.Chain
	h := &Decoder{IDs: true, Sink: func(decode.Attr) error { return nil }}
	buf := make([]byte, 32<<10)
	if n := testing.AllocsPerRun(20, func() {
		src.Reset(raw)
		c.Reset(src, 0)
		c.PushDecoder(h)
		h.eightBit.warned = true // otherwise each header would allocate a warning
		for read := int64(0); ; {
			n, err := c.Read(buf)
			if err != nil {
				break
			}
			c.Forget(read)
			read += int64(n)
			h.Field(read - 1)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// hostileHeaders are headers that might be slow to decode, in the form of [decodetest.Page].
var hostileHeaders = map[string]string{
	"fields":      "a:\n",
	"no fields":   "a\n",
	"name":        "a",
	"names":       "Subject: |" + strings.Repeat("n", 76) + ":\n",
	"blanks":      "a: =?utf-8?q?b?=| ",
	"folds":       "a: |\n ",
	"crlf":        "a: |\r\n ",
	"cr":          "a: |\r",
	"equals":      "a: |=",
	"words":       "a: |=?utf-8?q?b?= ",
	"no words":    "a: |=?utf-8?q?",
	"word heads":  "a: |=?",
	"cut words":   "a: |=?utf-8?q?b\n ",
	"long word":   "a: =?utf-8?q?|b",
	"long base64": "a: =?utf-8?b?|YR",
	"junk base64": "a: =?utf-8?b?|Y#####",
	"kanji":       "a: =?iso-2022-jp?b?YR|sKEIb",
	"utf-16":      "a: =?utf-16?b?|AGE=",
	"8-bit":       "a: |\xe4",
	"kept":        "Content-Base: |x",
	"kept folds":  "Content-Base: |x\n ",
	"kept fields": "|Content-Base: x\n",
	"left out":    "References: |<a@b>\n ",
	"brackets":    "Link: |<a>,",
	"open":        "Link: |,<a",
	"long open":   "Link: |,<" + strings.Repeat("a", 500),
	"nul":         "|\x00",
}

// TestHostileHeaders doubles the length of hostile headers. The time may about double, and the
// memory must not grow.
func TestHostileHeaders(t *testing.T) {
	if decodetest.RaceEnabled {
		t.Skip("measures time")
	}
	var cs charset.Decoders
	text := map[string]string{"pairs": "|\x81", "pairs and ascii": "|\x81<", "four": "|\x810\x81", "shifts": "|\x1b$B\x1b(B", "kanji": "\x1b$B|F|\n", "escapes": "|\x1b", "plus": "|+", "tilde": "|~{"}
	for name, s := range hostileHeaders {
		decodetest.Linear(t, "header: "+name, s, &Decoder{IDs: true, Sink: func(decode.Attr) error { return nil }})
	}
	for name, s := range text {
		for _, label := range []string{"gb18030", "shift_jis", "iso-2022-jp", "hz", "utf-7", "koi8-r", "euc-jp"} {
			d, _ := cs.Decoder([]byte(label))
			decodetest.Linear(t, label+": "+name, s, d)
		}
	}
}
