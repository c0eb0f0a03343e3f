package extract_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// These tests fail if the code of a compression or an archive was added without its tests,
// documents and fixtures. Each failure says what is missing, and where to add it.

// stagesOf returns the constants of internal/damage/stage.go, which are the stages of damage.
func stagesOf(t *testing.T) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), "internal/damage/stage.go", nil, parser.SkipObjectResolution)
	must(t, err)
	stages := make(map[string]string)
	for _, decl := range parsed.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			must(t, err)
			stages[v.Names[0].Name] = s
		}
	}
	return stages
}

// documents are the texts that must name each format.
var documents = map[string]string{
	"internal/doc.go":                       "the table under Memory",
	"../cmd/urlsift/doc/formats.md":         "the table",
	"../cmd/urlsift/internal/flags/help.go": "description",
}

// documented fails if a document does not contain name.
func documented(t *testing.T, name string) {
	t.Helper()
	for file, where := range documents {
		named(t, file, name, where)
	}
}

// named fails if file does not contain name as a word: "tar" does not name "ar". where says to which
// place in file name belongs.
func named(t *testing.T, file, name, where string) {
	t.Helper()
	matches(t, file, `\b`+regexp.QuoteMeta(name)+`\b`, name, where)
}

// matches fails if file does not match pattern, which what describes.
func matches(t *testing.T, file, pattern, what, where string) {
	t.Helper()
	all, err := os.ReadFile(file)
	must(t, err)
	if !regexp.MustCompile(pattern).Match(all) {
		t.Errorf("%s does not have %s: add it (%s)", file, what, where)
	}
}

// TestEveryCompression checks each compression against the steps in CONTRIBUTING.md, "Add a
// compression format".
func TestEveryCompression(t *testing.T) {
	inFixtures := make(map[string]bool)
	must(t, filepath.WalkDir(fixtures, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		is, _ := compress.Match(text, true)
		inFixtures[is.String()] = true
		if is == compress.NewsBatch { // the line "#! …unbatch" is one kind, the data after it another
			_, rest, _ := bytes.Cut(text, []byte("\n"))
			is, _ = compress.Match(rest, true)
			inFixtures[is.String()] = true
		}
		return nil
	}))
	for _, name := range kinds() {
		if !inFixtures[name] {
			t.Errorf("no file in fixtures is compressed with %s: add a row to formats in benchmarks/pack/formats.go, and run it", name)
		}
		if name != "batch" { // formats.md describes it in the section on news
			documented(t, name)
		}
		switch c := compressionOf(name); {
		case c == nil:
			t.Errorf("%s: add a row to compressions in compressions_test.go", name)
		case c.suffix != "": // a batch has none
			matches(t, "../cmd/urlsift/internal/state/keys.go", regexp.QuoteMeta(strconv.Quote(c.suffix)), c.suffix, "isSuffix")
		case name != "batch":
			t.Errorf("%s: its row in compressions in compressions_test.go has no suffix", name)
		}
	}
}

// TestEveryArchive checks each archive against the steps in CONTRIBUTING.md, "Add an archive".
func TestEveryArchive(t *testing.T) {
	skipRace(t)
	for name, isArchive := range document.DataFormats() {
		if !isArchive {
			continue
		}
		if makers[name] == nil {
			t.Errorf("%s: add to makers in adding_test.go a function that makes such an archive", name)
			continue
		}
		documented(t, name)
		named(t, "../README.md", name, "the list of formats")
		data := makers[name](t, "a.txt", "http://a.example/\n", "b.txt", "http://b.example/\n")
		if urls, errs := read(t, extractor(t, extract.Options{}), data); len(urls) != 2 || errs != nil {
			t.Errorf("%s: %v, errors %v", name, urls, errs)
		}
		// A member that is cut is damaged, and all in front of it is read.
		for n := range data {
			x := extractor(t, extract.Options{Workers: 1})
			urls, errs := read(t, x, data[:n])
			if len(urls) < 2 && len(errs) == 0 && bytes.Contains(data[:n], []byte("b.txt")) {
				t.Errorf("%s, %d bytes: %v, errors %v", name, n, urls, errs)
			}
			balanced(t, fmt.Sprintf("%s, %d bytes", name, n), x.Stats())
		}
		// An archive nested 20 levels deep exceeds the limit of depth.
		for range 20 {
			data = makers[name](t, "in", string(data))
		}
		urls, errs := read(t, extractor(t, extract.Options{}), data)
		if len(urls) != 0 || len(errs) != 1 || errs[0].Limit != "Depth" {
			t.Errorf("20 archives of %s, one in another: %v, errors %v, want the limit Depth", name, urls, errs)
		}
	}
}

// formatSamples has a text in each format. Auto must recognise it, and Plain reads it differently.
var formatSamples = map[string]string{
	"mbox":     "From a@b.example Mon Nov 23 06:39:13 2026\nSubject: a\n\nhttp://a.example/\n",
	"message":  "From: a@b.example\nSubject: a\nMIME-Version: 1.0\n\nhttp://a.example/\n",
	"news":     "Path: a!b\nNewsgroups: comp.a\nFrom: a@b.example\nSubject: a\nMessage-ID: <1@b.example>\n\nhttp://a.example/\n",
	"rnews":    "#! rnews 49\nNewsgroups: comp.a\nSubject: a\n\nhttp://a.example/\n",
	"html":     "<html><a href=\"http://a.example/?a&amp;b\">a</a></html>\n",
	"csv":      "name,url,a,b\n1,http://a.example/,b,3\n1,http://b.example/,b,3\n1,http://c.example/,b,3\n",
	"roff":     ".TH A 1\n.SH NAME\n.UR http://a.example/a\\:b\n.UE\n",
	"calendar": "BEGIN:VCARD\nURL:http://a.exam\n ple/\n",
	"warc":     "WARC/1.0\r\nWARC-Target-URI: http://a.example/\r\nWARC-Record-ID: <urn:uuid:1>\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
	"markdown": "[a](b_\\(c\\).html)\n",
	"tex":      "\\documentclass{article}\n\\url{http://a.example/\\textasciitilde b}\n",
}

// TestEveryFormat checks each Format against the steps in CONTRIBUTING.md, "Add a text format".
func TestEveryFormat(t *testing.T) {
	found := func(f extract.Format, text string) (lines []string) {
		for r, err := range extractor(t, extract.Options{Format: f}).Read(t.Context(), "a.md", strings.NewReader(text)) { // the suffix of Markdown, which overrides no first bytes
			must(t, err)
			lines = append(lines, fmt.Sprintf("%d[%s] %s", r.Origin.Message, r.Origin.Part, r.URL))
		}
		return lines
	}
	formats := 0
	for f := extract.Auto; f.String() != ""; f++ {
		formats++
		if f == extract.Auto || f == extract.Plain {
			continue
		}
		name := f.String()
		word := `(?i)\b` + name + `s?\b` // HTML, calendars
		matches(t, "doc.go", word, name, "section What is read")
		matches(t, "../cmd/urlsift/doc/formats.md", word, name, "the table")
		sample, ok := formatSamples[name]
		if !ok {
			t.Errorf("%s: add a short text in this format to formatSamples in adding_test.go", name)
			continue
		}
		as, auto, plain := found(f, sample), found(extract.Auto, sample), found(extract.Plain, sample)
		if len(as) == 0 || slices.Equal(as, plain) {
			t.Errorf("%s: the sample gives %q, and as plain text %q", name, as, plain)
		}
		if !slices.Equal(as, auto) {
			t.Errorf("%s: Auto finds %q, not %q: see sniffers in internal/document/recognise.go", name, auto, as)
		}
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), "options.go", nil, parser.SkipObjectResolution)
	must(t, err)
	constants := 0
	ast.Inspect(parsed, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Values) == 1 {
			if call, ok := v.Values[0].(*ast.CallExpr); ok {
				if of, ok := call.Fun.(*ast.Ident); ok && of.Name == "Format" {
					constants++
				}
			}
		}
		return true
	})
	if constants != formats {
		t.Errorf("options.go has %d constants of type Format, and internal/document has %d: add the same there", constants, formats)
	}
}

// makers has a function for each kind of archive. It makes an archive from alternating names and
// contents.
var makers = map[string]func(t testing.TB, files ...string) []byte{"tar": tarOf, "zip": zipOf, "ar": arOf, "cpio": cpioOf}

// arOf makes an ar archive of names and contents. Names are in front of the contents, as BSD has them.
func arOf(_ testing.TB, files ...string) []byte {
	b := []byte("!<arch>\n")
	for i := 0; i < len(files); i += 2 {
		data := files[i] + files[i+1]
		b = fmt.Appendf(b, "#1/%-13d0           0     0     644     %-10d`\n%s%s", len(files[i]), len(data), data, "\n"[:len(data)&1])
	}
	return b
}

// cpioOf makes a cpio archive of names and contents.
func cpioOf(_ testing.TB, files ...string) (b []byte) {
	for i := 0; i < len(files)+2; i += 2 {
		name, data := "TRAILER!!!", ""
		if i < len(files) {
			name, data = files[i], files[i+1]
		}
		b = fmt.Appendf(b, "070701%08x%08x%032x%08x%032x%08x%08x%s\x00", i, 0o100644, 1, len(data), 0, len(name)+1, 0, name)
		b = append(b, "\x00\x00\x00"[:-len(b)&3]...)
		b = append(append(b, data...), "\x00\x00\x00"[:-len(data)&3]...)
	}
	return b
}

// zerosOf returns zeros compressed with the named compression, and the number of zeros. The data is
// many consecutive streams, if the format marks the end of a stream.
func zerosOf(t testing.TB, name string) (data []byte, n int64) {
	t.Helper()
	const one = 256 << 10
	switch name {
	case "batch":
		return append([]byte("#! gunbatch\n"), zeros(t, 256*one)...), 256 * one
	case "compress":
		return pack(t, name, make([]byte, 4*one)), 4 * one
	case "lzma": // it has no members
		return pack(t, name, make([]byte, 64*one)), 64 * one
	case "bzip2":
		w := bzipWriter{level: 9}
		w.header()
		w.block(make([]byte, one))
		return bytes.Repeat(w.end(), 256), 256 * one
	}
	return bytes.Repeat(pack(t, name, make([]byte, one)), 256), 256 * one
}
