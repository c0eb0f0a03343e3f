package charset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// nameOf returns the name of the charset that d decodes.
func nameOf(d decode.Decoder) string {
	switch d := d.(type) {
	case *marked:
		return d.cs.String()
	case *utf7Decoder:
		return "utf-7"
	case *shiftDecoder:
		if d.hz {
			return "hz"
		}
		return "iso-2022"
	case *twoByteDecoder:
		return fmt.Sprint(d.table.enc)
	case *singleByte:
		for _, e := range charmap.All {
			if m, ok := e.(*charmap.Charmap); ok && *newSingleByte(m) == *d {
				return m.String()
			}
		}
	}
	return "?"
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		want   string
		labels string
	}{
		{"utf-8", "utf-8|UTF-8|utf8|us-ascii|ASCII|ansi_x3.4-1968| |x-unknown|unknown-8bit|default|8bit|binary|'utf-8'|\"us-ascii\"|utf-8;|UTF-8\x1b$B|charset=utf-8|<utf-8>|x-user-defined|ascii_827|unicode-1-1-utf-8|3dutf-8"},
		{"Windows 1252", "iso-8859-1|ISO_8859-1|latin1|l1|windows-1252|cp1252|iso-8859-1;|iso8859-1|3diso-8859-1|x-ansi|ISO_8859-1:1987|win-1252|iso-8859-1http-equiv"},
		{"ISO 8859-2", "iso-8859-2|latin2|iso8859_2|8859-2"},
		{"ISO 8859-15", "iso-8859-15|latin-9|ISO8859-15"},
		{"Windows 1254", "iso-8859-9|windows-1254|cp1254"},
		{"Windows 1251", "windows-1251|win1251|cp-1251|x-cp1251|windows1251"},
		{"KOI8-R", "koi8-r|koi8r|koi8|KOI-8|cskoi8r"},
		{"KOI8-U", "koi8-u|koi8-ru"},
		{"IBM Code Page 437", "cp437|ibm437|cp-437|dos-437|ibm-437"},
		{"IBM Code Page 850", "cp850|cp-850|ibm850|850"},
		{"IBM Code Page 866", "cp866|ibm866"},
		{"Macintosh", "macintosh|x-mac-roman|mac"},
		{"Windows 874", "tis-620|iso-8859-11|windows-874"},
		{"Shift JIS", "shift_jis|x-sjis|sjis|shift-jis|ms932|cp932|windows-31j|Shift_JIS|csshiftjis"},
		{"EUC-JP", "euc-jp|x-euc-jp|eucjp|ujis"},
		{"GB18030", "gb2312|gbk|gb18030|gb_2312-80|cp936|gb2312_charset|x-gbk|euc-cn|csgb2312"},
		{"Big5", "big5|big5-hkscs|cn-big5|x-x-big5|cp950|big-5"},
		{"EUC-KR", "euc-kr|ks_c_5601-1987|ks_c_5601|ksc5601|korean|cp949|uhc|windows-949"},
		{"iso-2022", "iso-2022-jp|_iso-2022-jp$ESC|iso-2022-jp-2|iso-2022-kr|csiso2022jp|iso-2022-jp-ms|iso-2022-cn"},
		{"hz", "hz-gb-2312|hz"},
		{"utf-7", "utf-7|unicode-1-1-utf-7|unicode-2-0-utf-7|UTF7"},
		{"utf-16be", "utf-16|utf-16be|unicode|iso-10646-ucs-2"},
		{"utf-16le", "utf-16le"},
		{"utf-32be", "utf-32|ucs-4"},
	} {
		for _, label := range strings.Split(c.labels, "|") {
			var cs Decoders
			d, known := cs.Decoder([]byte(label))
			if got := nameOf(d); got != c.want || !known {
				t.Errorf("%q: %s, %v, want %s", label, got, known, c.want)
			}
			if again, _ := cs.Decoder([]byte(strings.ToUpper(label))); again != d {
				t.Errorf("%q: another decoder in upper case", label)
			}
		}
	}
	var cs Decoders
	for _, label := range []string{"fakescii", "x-foo", "iso-8859-99z", "cp875", strings.Repeat("a", 1000), "ebcdic-us", "windows-9999"} {
		if d, known := cs.Decoder([]byte(label)); known || nameOf(d) != "utf-8" {
			t.Errorf("%q: %s is known", label, nameOf(d))
		}
	}
	for i := range 1000 {
		cs.Decoder(fmt.Appendf(nil, "label%d", i))
		if len(cs.made) > maxCharsets {
			t.Fatalf("%d decoders", len(cs.made))
		}
	}
}

func TestCharsets(t *testing.T) {
	var cs Decoders
	for _, c := range decodetest.CharsetTexts {
		d, _ := cs.Decoder([]byte(c.Label))
		got := decodetest.EveryWay(t, []byte(c.Raw), d)
		if got.Text != c.Text || got.Err != "" {
			t.Errorf("%s: %q: got %q %s, want %q", c.Label, c.Raw, got.Text, got.Err, c.Text)
		}
		decodetest.CheckOrder(t, got, len(c.Raw))
	}
}

// twins are encodings that we decode like x/text, except that we keep an ASCII byte after an
// invalid lead byte.
var twins = map[string]encoding.Encoding{
	"windows-1252": charmap.Windows1252, "koi8-u": charmap.KOI8U, "iso-8859-8": charmap.ISO8859_8, "cp850": charmap.CodePage850,
	"shift_jis": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "gb2312": simplifiedchinese.GB18030,
	"big5": traditionalchinese.Big5, "euc-kr": korean.EUCKR,
}

func TestAgainstTextEncodings(t *testing.T) {
	var cs Decoders
	for label, enc := range twins {
		d, _ := cs.Decoder([]byte(label))
		// Each character of the charset, between ASCII characters.
		var raw, text []byte
		var lo, hi []int64
		e, ask := enc.NewEncoder(), enc.NewDecoder()
		for r := rune(0x80); r < 0x30000; r++ {
			in, err := e.Bytes([]byte(string(r)))
			if err != nil {
				continue
			}
			out, _ := ask.Bytes(in) // some encodings are decoded to another character
			for range out {
				lo, hi = append(lo, int64(len(raw))), append(hi, int64(len(raw)+len(in)))
			}
			raw, text = append(append(raw, in...), '<'), append(append(text, out...), '<')
			lo, hi = append(lo, int64(len(raw)-1)), append(hi, int64(len(raw)))
		}
		got := decodetest.Observe(bytes.NewReader(raw), d, 1<<16)
		if got.Text != string(text) || !slices.Equal(got.Lo, lo) || !slices.Equal(got.Hi, hi) {
			t.Fatalf("%s: characters are not those of x/text", label)
		}
		// Any two bytes, followed by ASCII that belongs to neither.
		raw = raw[:0]
		for i := range 0x8000 {
			raw = append(raw, byte(0x80|i>>8), byte(i), ' ', '\n')
		}
		pairs := strings.Split(decodetest.Observe(bytes.NewReader(raw), d, 1<<16).Text, " \n")
		for i := range 0x8000 {
			want, _ := ask.Bytes(raw[4*i : 4*i+4])
			want = want[:len(want)-2]
			kept := strings.Replace(string(want), "\ufffd", "\ufffd"+string(raw[4*i+1]), 1)
			if got := pairs[i]; got != string(want) && got != kept {
				t.Fatalf("%s: %q: got %q, want %q", label, raw[4*i:4*i+2], got, want)
			}
		}
	}
}

// TestCharsetSpans checks that the raw bytes at the position of a character decode to it.
func TestCharsetSpans(t *testing.T) {
	var cs Decoders
	for _, c := range decodetest.CharsetTexts {
		if _, ok := twins[c.Label]; !ok {
			continue
		}
		d, _ := cs.Decoder([]byte(c.Label))
		got := decodetest.Observe(strings.NewReader(c.Raw), d, 1<<10)
		for i, r := range got.Text {
			n := utf8.RuneLen(r)
			raw := c.Raw[got.Lo[i]:got.Hi[i+n-1]]
			if text := decodetest.Observe(strings.NewReader(raw), d, 1<<10).Text; !strings.Contains(text, string(r)) {
				t.Errorf("%s: %q stems from %q, which is %q", c.Label, r, raw, text)
			}
		}
	}
}

func FuzzCharset(f *testing.F) {
	for _, c := range decodetest.CharsetTexts {
		f.Add(c.Label, []byte(c.Raw), 3, 1)
	}
	var cs Decoders
	f.Fuzz(func(t *testing.T, label string, raw []byte, in, out int) {
		raw = raw[:min(len(raw), 4000)]
		d, _ := cs.Decoder([]byte(label))
		want := decodetest.Observe(bytes.NewReader(raw), d, 1<<16)
		if want.Err != "" {
			t.Fatal(want.Err)
		}
		decodetest.CheckOrder(t, want, len(raw))
		in, out = 1+in&0x3F, 1+out&0x3F
		if err := decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, d, out).Equal(want); err != nil {
			t.Fatalf("%s: %q, reads of %d into %d: %v", label, raw, in, out, err)
		}
		switch d.(type) {
		case *singleByte, *twoByteDecoder: // ASCII is kept even between invalid bytes
			if kept := ascii(raw); ascii([]byte(want.Text)) != kept {
				t.Fatalf("%s: %q became %q", label, raw, want.Text)
			}
		}
	})
}

// ascii returns the bytes of b that are control characters, or ASCII that cannot be a second byte.
func ascii(b []byte) string {
	var kept []byte
	for _, c := range b {
		if c < 0x30 || c == '<' || c == '>' || c == ':' {
			kept = append(kept, c)
		}
	}
	return string(kept)
}

func TestCharsetsAllocateNothing(t *testing.T) {
	var cs Decoders
	var c decode.Chain
	buf := make([]byte, 32<<10)
	for _, text := range decodetest.CharsetTexts {
		label, src := []byte(text.Label), strings.NewReader("")
		raw := strings.Repeat(text.Raw, 100)
		if n := testing.AllocsPerRun(20, func() {
			src.Reset(raw)
			c.Reset(src, 0)
			d, _ := cs.Decoder(label)
			c.PushDecoder(d)
			for read := int64(0); ; {
				n, err := c.Read(buf)
				if err != nil {
					break
				}
				c.Forget(read)
				read += int64(n)
			}
		}); n > 0 && !strings.HasPrefix(text.Label, "utf-16") { // a truncated unit is reported
			t.Errorf("%s: %v allocations", text.Label, n)
		}
	}
}

func BenchmarkCharsets(b *testing.B) {
	var cs Decoders
	for _, c := range []struct {
		name, label, text string
		enc               encoding.Encoding
	}{
		{"latin1", "iso-8859-1", "Voil\u00e0 une \u00e9tude: http://a.example/ \u00e0 No\u00ebl. ", charmap.ISO8859_1},
		{"koi8", "koi8-r", "\u0421\u044a\u0435\u0448\u044c \u0436\u0435 \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 http://a.example/ \u0431\u0443\u043b\u043e\u043a. ", charmap.KOI8R},
		{"gbk", "gb2312", "\u4e2d\u6587\u7f51\u9875\u5728\u8fd9\u91cchttp://a.example/\u4e2d\u6587\u3002", simplifiedchinese.GBK},
		{"sjis", "shift_jis", "\u65e5\u672c\u8a9e\u306e\u30da\u30fc\u30b8 http://a.example/ \u3067\u3059\u3002", japanese.ShiftJIS},
		{"2022jp", "iso-2022-jp", "\u65e5\u672c\u8a9e\u306e\u30da\u30fc\u30b8 http://a.example/ \u3067\u3059\u3002", japanese.ISO2022JP},
	} {
		d, _ := cs.Decoder([]byte(c.label))
		raw, err := c.enc.NewEncoder().String(strings.Repeat(c.text, 5000))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) { decodetest.Benchmark(b, []byte(raw), d) })
		b.Run(c.name+"-ascii", func(b *testing.B) { decodetest.Benchmark(b, []byte(strings.Repeat(decodetest.Sentence, 5000)), d) })
	}
}

// TestPairsShared checks that decoders which share a table may be used at the same time.
func TestPairsShared(t *testing.T) {
	table := &twoByteTable{enc: korean.EUCKR}
	var texts [4][]byte
	var group sync.WaitGroup
	for i := range texts {
		group.Go(func() {
			d := newPairDecoder(table)
			for pair := uint(0x8000); pair <= 0xFFFF; pair++ {
				var dst [decode.MinRoom]byte
				conv, _ := d.Decode(dst[:], []byte{byte(pair >> 8), byte(pair)}, true)
				texts[i] = append(texts[i], dst[:conv.Out]...)
			}
		})
	}
	group.Wait()
	for _, text := range texts[1:] {
		if !bytes.Equal(text, texts[0]) {
			t.Error("two decoders differ")
		}
	}
}
