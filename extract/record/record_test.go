package record

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// sample returns a result with text in every field that can contain it.
func sample(text string) *extract.Result {
	r := new(extract.Result)
	r.Candidate.Text = []byte(text)
	r.Candidate.Ref = r.Candidate.Text
	r.URL = []byte(text)
	r.Target = []byte("http://example.org/" + text)
	r.Base = text
	r.BaseSource = extract.FromOption
	r.Accepts = 0b110000
	r.Valid = true
	r.Candidate.Form = 2
	r.Candidate.Prefixed = true
	r.Candidate.Breaks = 2
	r.Candidate.Tail = []byte(text)
	r.Candidate.By = 0b11
	r.Err = errors.New(text)
	r.Origin = extract.Origin{Source: text, Member: text, Message: 3, Part: "1.2", Offset: 4, Length: 5, Line: 6, Column: 7, Exact: true, Fields: extract.Fields{MessageID: text}}
	return r
}

// want returns the record of sample(text), in the order of the table.
func want(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	q := string(quoted)
	or := func(field string) string { // absent if it is empty
		if text == "" {
			return ""
		}
		return `"` + field + `":` + q + `,`
	}
	target, _ := json.Marshal("http://example.org/" + text)
	return `{"url":` + q + `,"text":` + q + `,"scheme":"http","host":"example.org","domain":"example.org","target":` + string(target) + `,` + or("base") +
		`"base_from":"option","grammars":["uri-2002","rfc3986"],"valid":true,` + or("error") +
		`"form":"angle","prefix":true,"breaks":2,` + or("tail") + `"by":["abbreviated","defanged"],` +
		`"source":` + q + `,` + or("member") + `"message":3,` + or("message_id") +
		`"part":"1.2","offset":4,"length":5,"line":6,"column":7,"exact":true}` + "\n"
}

var texts = []string{
	"", "http://example.org/", "a b", `"`, `\`, `\"`, "<>&", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "ä€𝄞", "\u0080\u009f\u00a0",
	"\u2028\u2029", "\xff", "a\xffb", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\ufffd", strings.Repeat("x", 10000),
}

// compact returns JSON in a normal form, so that equal values are equal texts.
func compact(t *testing.T, line []byte) string {
	t.Helper()
	if !json.Valid(line) {
		t.Fatalf("%q is no JSON", line)
	}
	// Token by token, so that the order of keys is kept.
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(line))
	for d.More() || d.InputOffset() < int64(len(bytes.TrimSpace(line))) {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if err := json.NewEncoder(&b).Encode(token); err != nil {
			b.WriteString(token.(json.Delim).String())
		}
	}
	return b.String()
}

func TestJSON(t *testing.T) {
	e := New(Options{})
	for _, text := range texts {
		got := e.AppendJSON(nil, sample(text))
		if diff := cmp.Diff(compact(t, []byte(want(text))), compact(t, got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if bytes.ContainsFunc(got[:len(got)-1], func(r rune) bool { return r < 0x20 || 0x7F <= r && r < 0xA0 }) {
			t.Errorf("%q: there are control characters in %q", text, got)
		}
	}
}

// TestJSONSparse checks the record of a Result whose fields are mostly empty.
func TestJSONSparse(t *testing.T) {
	e := New(Options{Null: true})
	got := string(e.AppendJSON(nil, new(extract.Result)))
	if want := `{"url":"","text":"","grammars":[],"valid":false,"form":"","prefix":false,"source":"","offset":0,"length":0,"line":0,"column":0,"exact":false}` + "\x00"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// FuzzJSON checks that a string is read back the same as one that encoding/json has written.
func FuzzJSON(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	for b := range 256 {
		f.Add("abc" + string([]byte{byte(b)}) + "d")
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got, want string
		if err := json.Unmarshal(AppendString(nil, text), &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		b, _ := json.Marshal(text)
		json.Unmarshal(b, &want)
		if got != want || string(AppendString(nil, []byte(text))) != string(AppendString(nil, text)) {
			t.Errorf("%q is read back as %q", text, got)
		}
	})
}

// TestCSV reads the table back with encoding/csv.
func TestCSV(t *testing.T) {
	e := New(Options{})
	table := e.AppendCSVHeader(nil)
	for _, text := range texts {
		table = e.AppendCSV(table, sample(text))
	}
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil || len(rows) != len(texts)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[0], " "); got != "url text scheme host domain host_unicode target base base_from grammars valid error form prefix breaks tail by readings "+
		"inner suspicious source member message message_id subject from to date date_text newsgroups warc_target warc_type part field offset length line column exact" {
		t.Fatalf("the names are %s: add new ones here, and their values below", got)
	}
	for i, text := range texts {
		text = cellText(text)
		want := []string{text, text, "http", "example.org", "example.org", "", "http://example.org/" + text, text, "option", "uri-2002 rfc3986", "true", text, "angle", "true", "2", text,
			"abbreviated defanged", "", "", "", text, text, "3", text, "", "", "", "", "", "", "", "", "1.2", "", "4", "5", "6", "7", "true"}
		if diff := cmp.Diff(want, rows[i+1]); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// utf8Text returns text in the form for JSON and tables: each byte that is not UTF-8 becomes
// U+FFFD.
func utf8Text(text string) string { return string([]rune(text)) }

// cellText returns text in the form for tables: without NUL, which databases reject.
func cellText(text string) string { return strings.ReplaceAll(utf8Text(text), "\x00", "\uFFFD") }

// FuzzCell checks that the cells of CSV and TSV can be read back as one record.
func FuzzCell(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")
	f.Fuzz(func(t *testing.T, text string) {
		line := append(appendCSV([]byte("a,"), []byte(text), false, false), ",b\n"...)
		row, err := csv.NewReader(bytes.NewReader(line)).Read()
		want := strings.ReplaceAll(cellText(text), "\r\n", "\n") // as encoding/csv reads a quoted cell
		if err != nil || len(row) != 3 || row[1] != want {
			t.Errorf("%q is read back as %q, %v", text, row, err)
		}
		cell := string(appendText(nil, []byte(text), &inColumns))
		if strings.ContainsAny(cell, "\t\n\r") || unescape.Replace(cell) != cellText(text) {
			t.Errorf("%q is written %q", text, cell)
		}
	})
}

// TestRedact checks that no format contains the password.
func TestRedact(t *testing.T) {
	r := new(extract.Result)
	for _, text := range []string{"http://u:secret@h/", "hxxp[:]//u:secret@h[.]org/"} {
		r.Candidate.Text = []byte(text)
		r.URL = []byte("http://u:secret@h/")
		r.Target = []byte("http://u:secret@h/x")
		r.Base = "http://u:secret@h/y"
		for name, appendRecord := range encoders(Options{Redact: true}) {
			got := string(appendRecord(nil, r))
			if strings.Contains(got, "secret") || !strings.Contains(got, "u:***@h/") {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// TestNoAllocation checks that, after the first records, encoding allocates nothing, even for
// records with other readings.
func TestNoAllocation(t *testing.T) {
	r := sample("http://example.org/ä\x01")
	r.Err = nil
	r.Candidate.Others = delimit.WithTail | delimit.Entity
	line := make([]byte, 0, 4096)
	for _, o := range []Options{{}, {Redact: true}, {Guard: true, Visible: true}} {
		for name, appendRecord := range encoders(o) {
			appendRecord(line, r)
			if n := testing.AllocsPerRun(100, func() { appendRecord(line, r) }); n != 0 {
				t.Errorf("%s, %+v: %v", name, o, n)
			}
		}
	}
}
