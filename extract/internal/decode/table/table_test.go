package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

// tables has tables with the text that they are decoded to. In that text, ¶ stands for a line feed,
// : for the end of a cell and ! for the end of a row.
var tables = []struct {
	name, raw, want string
	guessed         bool
}{
	{"plain", "a,b\nc,d\n", "a:b!c:d!", false},
	{"no last line end", "a,b\nc,d", "a:b!c:d", false},
	{"CRLF", "a,b\r\nc,d\r\n", "a:b\r!c:d\r!", false},
	{"quoted", "\"a\",\"b\"\r\n\"c\",d\n", "¶a::¶b:\r!¶c::d!", false},
	{"marks", "\"he said \"\"go\"\"\",b\n", "¶he said \"go\"::b!", false},
	{"empty cells", ",\"\",\n,,\n", ":¶::!::!", false},
	{"line breaks", "\"a\nb,c\r\nd\",e\n", "¶a¶b,c\r¶d::e!", false},
	{"a mark in a cell", "5\" disk,b\n", "5\" disk:b!", false},
	{"marks out of place", "\"a \"b\" c\",d\n", "¶a \"b\" c::d!", false},
	{"semicolons", "a;b,c;g\nd;e;f\n", "a:b,c:g!d:e:f!", false},
	{"tabs", "a\tb,c\nd\te\n", "a:b,c!d:e!", false},
	{"bars", "a|b,c\nd|e\n", "a:b,c!d:e!", false},
	{"ragged", "a,b\nc\nd,e,f\n\ng,h\n", "a:b!c!d:e:f!!g:h!", false},
	{"not closed", "a,b\nc,\"d,e\nf,g\n", "a:b!c:¶d,e!f:g!", false},
	{"not closed, marks follow", "a,b\nc,\"d,e\n\"f,g\",h\n\"i\",\"j\"\n", "a:b!c:¶d,e!¶f,g::h!¶i::¶j:!", false},
	{"closed far after", "a,b\nc,\"" + strings.Repeat("x, y\nz\n", 900) + "\",d\n", "a:b!c:¶" + strings.Repeat("x, y¶z¶", 900) + "::d!", false},
	{"one mark", "\"", "¶", false},
	{"prose", "a,b\nc,d\n1, 2, x\ny\nz\nw, w, w\nv\np,\nq\nr, s\n", "a:b!c:d!1: 2: x!y¶z¶w: w: w!v!p,¶q¶r, s¶", true},
	{"table again", "a,b,c\nc,d,e\nx\ny\nz\nw\nv\nhttp/a/1,2 x\n1,2,3\n1,2,3\n1,2,3\n1,2,3\n4,5,6\n",
		"a:b:c!c:d:e!x¶y¶z¶w¶v!http/a/1,2 x¶1,2,3¶1,2,3¶1,2,3¶1,2,3!4:5:6!", true},
}

func TestTables(t *testing.T) {
	for i, c := range tables {
		if os.Getenv("URLSIFT_LONG") == "" && i%3 > 0 {
			continue
		}
		got := decodetest.EveryWay(t, []byte(c.raw), &Decoder{Guessed: c.guessed})
		want := strings.NewReplacer("¶", "\n", ":", "\x1f", "!", "\x1e").Replace(c.want)
		if got.Text != want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got.Text, want)
		}
		decodetest.CheckOrder(t, got, len(c.raw))
	}
}

// Words for the cells of random tables.
var words = []string{"a", "http://a/b", "x,y", "x;y", "\"", "\"go\"", "two\nlines", "two\r\nlines", "é", "", " ", "|", "1,5", "\n\n"}

// randomTable returns a table, its cells, and the offset of each cell.
func randomTable(r *rand.Rand, delim string) (raw []byte, cells []string, at []int) {
	eol := []string{"\n", "\r\n"}[r.IntN(2)]
	columns := 2 + r.IntN(4)
	for row := range 1 + r.IntN(20) {
		for c := range columns {
			cell := ""
			for range r.IntN(3) {
				cell += words[r.IntN(len(words))]
			}
			if row == 0 {
				cell = fmt.Sprintf("name%d", c)
			}
			if c > 0 {
				raw = append(raw, delim...)
			}
			quoted := r.IntN(3) == 0 || strings.ContainsAny(cell, delim+"\"\r\n") || c == 0 && cell == ""
			if quoted {
				raw = append(raw, '"')
			}
			at, cells = append(at, len(raw)), append(cells, cell)
			if quoted {
				raw = append(raw, strings.ReplaceAll(cell, "\"", "\"\"")...)
				raw = append(raw, '"')
			} else {
				raw = append(raw, cell...)
			}
		}
		raw = append(raw, eol...)
	}
	return raw, cells, at
}

// TestOracle compares the cells of random tables with those that encoding/csv reads, and the offset
// of each cell with the true one.
func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		delim := delimiters[r.IntN(len(delimiters))]
		raw, cells, at := randomTable(r, string(delim))
		in := csv.NewReader(bytes.NewReader(raw))
		in.Comma = rune(delim)
		rows, err := in.ReadAll()
		if err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		got := decodetest.Observe(bytes.NewReader(raw), &Decoder{Delimiter: delim}, 1<<16)
		text, n := 0, 0
		for _, row := range rows {
			for _, cell := range row {
				k := strings.Index(got.Text[text:], cells[n])
				if k < 0 || strings.Trim(got.Text[text:text+k], "\r\n\x1e\x1f") != "" {
					t.Fatalf("%q: no cell %q at %d of %q", raw, cell, text, got.Text)
				}
				if text += k; strings.TrimSpace(cell) != "" && got.Lo[text] != int64(at[n]) {
					t.Fatalf("%q: cell %q stands at %d, want %d", raw, cell, got.Lo[text], at[n])
				}
				if norm := strings.ReplaceAll(cells[n], "\r\n", "\n"); norm != cell {
					t.Fatalf("%q: cell %q, encoding/csv has %q", raw, cells[n], cell)
				}
				text += len(cells[n])
				n++
			}
		}
		if strings.Trim(got.Text[text:], "\r\n\x1e\x1f") != "" || n != len(cells) {
			t.Fatalf("%q: %d cells of %d, rest %q", raw, n, len(cells), got.Text[text:])
		}
	}
}

// TestBrokenQuote checks that a quotation mark that is never closed affects only its own row, and
// gives one warning.
func TestBrokenQuote(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		head, _, _ := randomTable(r, ",")
		columns := bytes.Count(bytes.SplitN(head, []byte("\n"), 2)[0], []byte(",")) + 1
		broken := "\"http://broken.example/" + strings.Repeat(",x", columns-1) + "\n"
		row := "http://a.example/1" + strings.Repeat(",http://b.example/2", columns-1) + "\n"
		if r.IntN(2) == 0 {
			row = "\"" + strings.ReplaceAll(row[:len(row)-1], ",", "\",\"") + "\"\n"
		}
		raw := string(head) + broken + strings.Repeat(row, 1+r.IntN(6))
		warned := 0
		c := decode.Chain{Mild: func(*damage.Damage, int) { warned++ }}
		c.Reset(strings.NewReader(raw), 0)
		c.PushDecoder(&Decoder{})
		var text bytes.Buffer
		if _, err := text.ReadFrom(&c); err != nil {
			t.Fatal(err)
		}
		after := strings.SplitN(text.String(), "broken.example", 2)[1]
		count := 0
		for _, cell := range strings.FieldsFunc(after, func(r rune) bool { return r < ' ' }) {
			if cell == "http://b.example/2" {
				count++
			}
		}
		if want := strings.Count(raw, "http://b.example/2"); warned != 1 || count != want {
			t.Fatalf("%d warnings, want 1; %q gives %q", warned, raw, after)
		}
	}
}

// TestLinear reads cells that never end, quotation marks everywhere, and lines that are examined
// one by one. The time must be linear.
func TestLinear(t *testing.T) {
	for name, s := range map[string]string{
		"short cells": "a,b\n|,", "rows": "a,b\n|x,y\n", "marks": "a,b\n|\"", "open cell": "a,b\n\"|x\n",
		"line feeds": "a,b\n\"|\n", "pairs": "a,b\n\"|\"\"\n", "broken": "a,b\n|\"x\n", "marks and blanks": "a,b\n|\" \n",
		"openers": "a,b\n|,\"x\n", "prose": "a,b\n|x y z, w\nx\n",
	} {
		decodetest.Linear(t, name, s, &Decoder{Delimiter: ',', Guessed: true})
	}
}

func TestSniff(t *testing.T) {
	rows := func(head, row string) string { return head + strings.Repeat(row, 5) }
	for _, c := range []struct {
		text string
		want byte
	}{
		{rows("url,name\n", "http://a/,x\n"), ','},
		{rows("url;name\r\n", "http://a/;x, y\r\n"), ';'},
		{rows("url\tname\n", "http://a/\tx\n"), '\t'},
		{rows("url|name\n", "http://a/|x\n"), '|'},
		{rows("", "1,2,3,http://a/\n"), ','},
		{rows("url,name\n", "\"x\ny\",\"\"\"z\"\"\"\n") + "cut,\"of", ','},
		{rows("url,name\n", "a,b\n") + "\n\n", ','},
		{rows("\"\",\"url\"\n", "\"1\",\"http://a/\"\n"), ','}, // R gives the column of row names no name
		{rows(",url,x\n", "1,http://a/,y\n"), ','},             // pandas gives the index column no name
		{rows(",url\n", "1,http://a/\n"), 0},
		{rows("\"\",\"\"\n", "1,http://a/\n"), 0},
		{rows("", "http://a/,1\n"), 0},               // no row of column names, and few columns
		{rows("url,name\n", "a,b\n") + "c,d,e\n", 0}, // rows differ
		{rows("", "{ A,\t\"A\",\t\"b c\" },\n"), 0},  // source code: tabs follow the commas
		{rows("url,url\n", "a,b\n"), 0},              // two columns have the same name
		{rows("Dear Jane, hello\n", "a, b\n"), 0},    // blanks follow the commas
		{rows("{\"a\":1,\"b\":2}\n", ""), 0},         // a quotation mark within a cell
		{"url,name\na,b\nc,d\n", 0},                  // three rows
		{rows("a, b, (KHTML, like Gecko), d, e\n", "a, b, (KHTML, like Gecko), d, e\n"), 0},
		{strings.Repeat("x", 100), 0},
		{"", 0},
	} {
		if got, _ := Sniff([]byte(c.text), true); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		// A certain answer must not change with more text.
		for n := range len(c.text) {
			if got, wait := Sniff([]byte(c.text[:n]), false); !wait && got != c.want {
				t.Errorf("%q: %q after %d bytes, want %q", c.text, got, n, c.want)
			}
		}
	}
}

func FuzzTable(f *testing.F) {
	for _, c := range tables {
		f.Add([]byte(c.raw), 1, 1, c.guessed)
	}
	f.Fuzz(func(t *testing.T, raw []byte, in, out int, guessed bool) {
		d := &Decoder{Guessed: guessed}
		want := decodetest.Observe(bytes.NewReader(raw), d, 1<<16)
		if want.Err != "" {
			t.Fatalf("%q: %s", raw, want.Err)
		}
		for i := range want.Lo {
			if i > 0 && want.Lo[i] < want.Lo[i-1] || want.Hi[i] > int64(len(raw)) {
				t.Fatalf("%q: span of byte %d is [%d:%d]", want.Text, i, want.Lo[i], want.Hi[i])
			}
			if c := want.Text[i]; c != '\n' && c != endOfCell && c != endOfRow && c != raw[want.Lo[i]] {
				t.Fatalf("%q: byte %d is %q, and %q in the table", want.Text, i, c, raw[want.Lo[i]])
			}
		}
		in, out = 1+(in&0x3F), 1+(out&0x3F)
		if err := decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, d, out).Equal(want); err != nil {
			t.Fatalf("%q, reads of %d into %d: %v", raw, in, out, err)
		}
	})
}

func BenchmarkTable(b *testing.B) {
	raw := []byte(strings.Repeat("12345,http://www.example.org/animals/fox?n=1,The quick brown fox,\"jumps over, the lazy dog\",2021-05-15\n", 10000))
	decodetest.Benchmark(b, raw, &Decoder{Delimiter: ','})
}
