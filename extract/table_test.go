package extract_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"

	"github.com/urlsift/urlsift/extract"
)

// smallTable is a table with many peculiarities: a byte order mark, CRLF, quoted cells,
// line breaks and quotation marks in them, a row with fewer cells, a last line without an
// end.
const smallTable = "\ufeffurl,name,note\r\n" +
	"http://a.example/1,x,2021-05-15\r\n" +
	"\"see http://b.example/2, and\r\n<http://c.example/\r\n3>\",y,\"say \"\"http://d.example/4\"\"\"\r\n" +
	"<http://e.example/5,z>,(http://f.example/6,w\r\n" +
	"http://g.example/7\r\n" +
	"a,b,http://h.example/8"

// smallFound is the result of places for smallTable.
func smallFound() string {
	var b strings.Builder
	for i, host := range "abcdefgh" {
		at := strings.Index(smallTable, "http://"+string(host))
		before := smallTable[:at]
		fmt.Fprintf(&b, "http://%c.example/%d %d %d:%d\n", host, i+1, at, 1+strings.Count(before, "\n"), at-strings.LastIndexByte(before, '\n'))
	}
	return b.String()
}

// places returns the references in data with URL, offset, line and column.
func places(t *testing.T, opts extract.Options, data []byte) string {
	t.Helper()
	var b strings.Builder
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	for r, err := range extractor(t, opts).Run(t.Context(), one(open)) {
		if err != nil {
			fmt.Fprintln(&b, err)
			continue
		}
		fmt.Fprintf(&b, "%s %d %d:%d\n", r.URL, r.Origin.Offset, r.Origin.Line, r.Origin.Column)
	}
	return b.String()
}

func TestTable(t *testing.T) {
	smallFound := smallFound()
	// A small table has too few equal rows to be recognised.
	fit := strings.Replace(smallTable, "http://g.example/7\r\n", "http://g.example/7,,\r\n", 1)
	fit = strings.Replace(fit, "(http://f.example/6,w", "(http://f.example/6", 1)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(smallTable))
	_ = z.Close()
	wide := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(strings.TrimPrefix(smallTable, "\ufeff"))) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	urls := func(s string) (u []string) {
		for line := range strings.Lines(s) {
			u = append(u, strings.Fields(line)[0])
		}
		return u
	}
	for _, workers := range []int{1, 2} {
		as := extract.Options{Format: extract.Table, Workers: workers}
		if got := places(t, as, []byte(smallTable)); got != smallFound {
			t.Errorf("got\n%swant\n%s", got, smallFound)
		}
		if got := places(t, as, packed.Bytes()); got != smallFound {
			t.Errorf("gzip: got\n%swant\n%s", got, smallFound)
		}
		if got := places(t, as, wide); !slices.Equal(urls(got), urls(smallFound)) {
			t.Errorf("utf-16: got\n%swant\n%s", got, smallFound)
		}
		if got := places(t, extract.Options{Workers: workers}, []byte(fit)); !slices.Equal(urls(got), urls(smallFound)) {
			t.Errorf("recognised: got\n%swant\n%s", got, smallFound)
		}
	}
	for _, kind := range []string{"text/csv", "text/tab-separated-values", "application/octet-stream"} {
		mail := "From: a@b\nContent-Type: " + kind + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(fit)) + "\n"
		if got := places(t, extract.Options{}, []byte(mail)); !slices.Equal(urls(got), urls(smallFound)) {
			t.Errorf("%s: got\n%swant\n%s", kind, got, smallFound)
		}
	}
}

// TestTableEnds reads tables that prose follows, or with a quotation mark that is never closed.
// Every reference that is found in the same text read as plain text must be found.
func TestTableEnds(t *testing.T) {
	rows := "url,name,n\n" + strings.Repeat("http://a.example/1,x,2\n", 300)
	prose := strings.Repeat("Some prose. See http://p.example/q,r (or <http://w.example/\nx,y>), and\nmore of it\nhere.\n", 200)
	for name, text := range map[string]string{
		"prose":  rows + prose,
		"quote":  rows + "http://q.example/,\"never closed\n" + rows,
		"quoted": rows + "\"" + prose + rows,
	} {
		offsets := map[string]bool{}
		warned := 0
		for line := range strings.Lines(places(t, extract.Options{}, []byte(text))) {
			if f := strings.Fields(line); strings.HasPrefix(f[0], "http://") {
				offsets[f[1]] = true
			} else {
				warned++
			}
		}
		lost := 0
		for line := range strings.Lines(places(t, extract.Options{Format: extract.Plain}, []byte(text))) {
			if !offsets[strings.Fields(line)[1]] {
				lost++
			}
		}
		if lost > 0 || warned == 0 {
			t.Errorf("%s: %d references are lost, %d warnings", name, lost, warned)
		}
	}
	whole := places(t, extract.Options{}, []byte(rows+prose))
	if n := strings.Count(whole, "http://p.example/q,r "); n < 190 {
		t.Errorf("%d of 200 references of the prose are whole", n)
	}
}

// TestTableWorkers reads a big table with one worker and with two: results are the same.
func TestTableWorkers(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("id,text,url,more\n")
	for i := range 60000 {
		fmt.Fprintf(&b, "%d,\"two\nlines, \"\"quoted\"\" http://q.example/%d,x\",http://a.example/%d,y\n", i, i, i)
	}
	path := filepath.Join(t.TempDir(), "big.csv")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var found [2]strings.Builder
	for i := range found {
		for r, err := range extractor(t, extract.Options{Workers: i + 1}).Run(t.Context(), extract.Walk(path)) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&found[i], string(r.URL), r.Origin.Offset, r.Origin.Line, r.Origin.Column)
		}
	}
	if found[0].String() != found[1].String() || strings.Count(found[0].String(), "\n") != 120000 {
		t.Errorf("%d and %d lines", strings.Count(found[0].String(), "\n"), strings.Count(found[1].String(), "\n"))
	}
}
