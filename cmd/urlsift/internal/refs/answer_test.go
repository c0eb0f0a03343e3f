package refs

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

var texts = []string{
	"", "http://example.org/", "a b", `"`, `\`, `\"`, "<>&", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "ä€𝄞", "\u0080\u009f\u00a0",
	"\u2028\u2029", "\xff", "a\xffb", "\xc3", "\ufffd", strings.Repeat("x", 10000),
}

// values returns a value of each kind, with text in it.
func values(text string) []any {
	return []any{nil, "", text, true, false, []string{}, []string{text, text}, [][3]string{{text, "", text}}, jsonObject{{"b", text}, {"a", nil}}, jsonObject{}}
}

// TestAnswerJSON checks that encoding/json reads the same values, in the same order.
func TestAnswerJSON(t *testing.T) {
	for _, text := range texts {
		got := appendJSONValue(nil, jsonObject{{"all", values(text)[8]}})
		if !bytes.HasPrefix(got, []byte(`{"all":{"b":`)) {
			t.Errorf("%.100q is out of order", got)
		}
		for _, v := range values(text) {
			got := appendJSONValue(nil, v)
			var back, want any
			if err := json.Unmarshal(got, &back); err != nil {
				t.Fatalf("%.100q: %v", got, err)
			}
			if m, is := v.(jsonObject); is {
				plain := make(map[string]any)
				for _, one := range m {
					plain[one.name] = one.value
				}
				v = plain
			}
			expected, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			json.Unmarshal(expected, &want)
			if diff := cmp.Diff(want, back); diff != "" {
				t.Errorf("%.100q: %s", got, diff)
			}
		}
	}
}

// TestAnswerTables checks that lines can be divided into the same cells again, and that undefined
// and empty values differ.
func TestAnswerTables(t *testing.T) {
	j := ask(t, "parse")
	for _, ref := range []string{"http://h", "http://h?#", "a,b", `a"b`, "a\tb\\", " a", "a\nb", ""} {
		p := Printer{Do: Parse, Format: output.CSV}
		rows, err := csv.NewReader(bytes.NewReader(p.Append(p.Header(), j.Answer(ref)))).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[0]) != len(columns[Parse]) || rows[1][0] != ref {
			t.Errorf("%q: %v, %q", ref, err, rows)
		}
		p.Format = output.TSV
		line := string(p.Append(nil, j.Answer(ref)))
		if strings.Count(line, "\n") != 1 || strings.Count(line, "\t") != len(columns[Parse])-1 {
			t.Errorf("%q: %q", ref, line)
		}
	}
	for _, c := range []struct {
		value    any
		csv, tsv string
	}{
		{nil, ``, `\N`}, {"", `""`, ``}, {`\N`, `\N`, `\\N`}, {true, `true`, `true`}, {[]string{"a", "b"}, `a b`, `a b`}, {[]string{}, `""`, ``},
		{jsonObject{{"a", nil}}, `"{""a"":null}"`, `{"a":null}`},
	} {
		p := Printer{Format: output.CSV}
		if got := string(p.appendCell(nil, c.value)); got != c.csv {
			t.Errorf("%v is %s in csv, not %s", c.value, got, c.csv)
		}
		p.Format = output.TSV
		if got := string(p.appendCell(nil, c.value)); got != c.tsv {
			t.Errorf("%v is %s in tsv, not %s", c.value, got, c.tsv)
		}
	}
}

// TestCaret checks that the caret is on one line, under the byte with the error, wherever that is
// in the text.
func TestCaret(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		want   string
	}{
		{"a^b", 1, "a^b\n ^\n"},
		{"", 0, ""},
		{"a:", 2, "a:\n  ^\n"},
		{"é^é", 2, "é^é\n ^\n"},
		{"\x00\xff^", 2, `\x00\xff^` + "\n        ^\n"},
		{"x" + strings.Repeat("a", before) + "^" + strings.Repeat("b", after), before + 1,
			"…" + strings.Repeat("a", before) + "^" + strings.Repeat("b", after-1) + "…\n" + strings.Repeat(" ", before+1) + "^\n"},
		{strings.Repeat("é", 100) + "^", 200, "…" + strings.Repeat("é", before/2) + "^\n" + strings.Repeat(" ", before/2+1) + "^\n"},
	} {
		got := string(appendFault(nil, &Answer{ref: c.text, Fault: "uri: why", offset: c.offset}))
		want := "\n  " + strings.ReplaceAll(c.want, "\n", "\n  ") + "why\n"
		if got != want {
			t.Errorf("%q at %d is\n%snot\n%s", c.text, c.offset, got, want)
		}
	}
}

// FuzzAnswer checks, for any text, that all answers can be printed in all formats and read back,
// and have no control characters. A redacted text must contain no password.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{"http://u:p@h:80/a;b?c#d", "URL:ftp://u:^@h/", "<URL: a b >", "a\xff%zz", "wais://h/d/t/1=a;", "gopher://h/7a%09b", "http://u:é^@[", "::"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, args := range [][]string{{"parse"}, {"parse", "--redact", "--grammar", "url-1994"}, {"parse", "--typed", "--redact"}, {"normalize"}, {"resolve", "--base", "http://a/b"}} {
			j := ask(t, args...)
			for i := range output.Formats {
				j.Format = output.Format(i)
				a := j.Answer(text)
				if len(a.values) != len(columns[j.Do]) || a.offset > len(a.ref) || a.Fault == "" && a.offset >= 0 {
					t.Errorf("%s: %d values, offset %d, %q", args, len(a.values), a.offset, a.Fault)
				}
				if j.Redact && a.ref != withoutPassword(a.ref) {
					t.Errorf("%s: %q can be redacted once more", args, a.ref)
				}
				p := Printer{Do: j.Do, Format: j.Format, Safe: true}
				out := p.Append(nil, a)
				if j.Format == output.JSONL && !json.Valid(out) {
					t.Errorf("%s: %q", args, out)
				}
				for len(out) > 0 {
					r, n := utf8.DecodeRune(out)
					if r < ' ' && r != '\n' && r != '\t' || r == 0x7F || r == utf8.RuneError && n == 1 {
						t.Errorf("%s: %q goes to a terminal", args, out)
						break
					}
					out = out[n:]
				}
			}
		}
	})
}
