package extract_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

const manualPage = ".\\\" http://comment.example/\n.TH A 1\n.SH SEE\nsee http://a\\&.example/b\\-c, and\n" +
	".UR http://b.example/\\:d\\-e.\nthe page\n.UE .\n.BR http://c.example/ .\n.MT x@d.example\n.ME\n"

const texDocument = "% http://comment.example/\n\\documentclass{article}\nSee \\url{http://a.example/b\\_c.},\n" +
	"\\href{http://b.example/\\#d}{http://c.example/\\_e}.\n@misc{k, howpublished = {see http://d.example/}, url = {http://e.example/}}\n"

// tableOfPage has references in cells of a table, which are frames (rule 25), and in running text.
const tableOfPage = "<html><table><tr><td>http://a.example/C言語</td><th> http://b.example/x. </th><td>see http://c.example/C言語</td></tr></table>\n" +
	"<p>http://d.example/C言語を</p></html>\n"

// TestMarkup checks each reference of a manual page, a TeX document and a page, with its form and its
// source text.
func TestMarkup(t *testing.T) {
	for _, c := range []struct {
		text string
		as   extract.Format
		want string // URL, form, source
	}{
		{manualPage, extract.Roff, "http://comment.example/ none http://comment.example/\n" +
			"http://a.example/b-c none http://a\\&.example/b\\-c\nhttp://b.example/d-e. attribute http://b.example/\\:d\\-e.\n" +
			"http://c.example/ none http://c.example/\n"},
		{texDocument, extract.TeX, "http://comment.example/ none http://comment.example/\n" +
			"http://a.example/b_c. attribute http://a.example/b\\_c.\nhttp://b.example/#d attribute http://b.example/\\#d\n" +
			"http://c.example/_e none http://c.example/\\_e\nhttp://d.example/ none http://d.example/\nhttp://e.example/ attribute http://e.example/\n"},
		{tableOfPage, extract.HTML, "http://a.example/C%E8%A8%80%E8%AA%9E none http://a.example/C言語\n" +
			"http://b.example/x none http://b.example/x\nhttp://c.example/C none http://c.example/C\nhttp://d.example/C none http://d.example/C\n"},
	} {
		for _, as := range []extract.Format{extract.Auto, c.as} {
			var b strings.Builder
			for r, err := range extractor(t, extract.Options{Format: as}).Run(t.Context(), one(memory("x", []byte(c.text)).Open)) {
				if err != nil {
					t.Fatal(err)
				}
				o := r.Origin
				b.WriteString(string(r.URL) + " " + r.Candidate.Form.String() + " " + c.text[o.Offset:o.Offset+o.Length] + "\n")
				if line := 1 + strings.Count(c.text[:o.Offset], "\n"); int64(line) != o.Line || !o.Exact {
					t.Errorf("%s: line %d, want %d; exact %v", r.URL, o.Line, line, o.Exact)
				}
			}
			if b.String() != c.want {
				t.Errorf("as %v: got\n%swant\n%s", as, b.String(), c.want)
			}
		}
	}
	n := 0
	for r := range extractor(t, extract.Options{Delimit: delimit.Options{Extras: delimit.Address}}).Run(t.Context(), one(memory("x", []byte(manualPage)).Open)) {
		if string(r.URL) == "mailto:x@d.example" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d addresses in .MT, want 1", n)
	}
}

// TestMarkupBinary checks that files that only begin like a manual page or like TeX give
// the results of plain reading.
func TestMarkupBinary(t *testing.T) {
	rest := strings.Repeat("\x00\x01\xff http://a.example/1 \\\\ <http://b.example/2> .UR\n\\url{ \\h' \\[ \n", 2000)
	for _, head := range []string{".TH X 1\n", "\\documentclass{x}\n", ".TH X 1\n.UR " + strings.Repeat("x", 10000), "\\begin{x}\\url{" + strings.Repeat("x", 10000)} {
		n := 0
		for _, err := range extractor(t, extract.Options{}).Run(t.Context(), one(memory("x", []byte(head+rest)).Open)) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 4000 {
			t.Errorf("%.20q: %d references, want 4000", head, n)
		}
	}
}

// TestXMLBase checks which base is in force in each element.
func TestXMLBase(t *testing.T) {
	deep := "<a xml:base='" + strings.Repeat("b/'><a xml:base='", 70) + "b/'><link href='c'/>" + strings.Repeat("</a>", 70) + "<link href='d'/>"
	for _, c := range []struct{ data, want string }{
		{"<feed xml:base='http://a.example/b/'><e xml:base='c/'><x href='1'/><y><x href='2'></x></y></e><x href='3'/></feed><x href='4'/>",
			"http://a.example/b/ http://a.example/b/c/ http://a.example/b/c/1 http://a.example/b/c/2 http://a.example/b/3 4"},
		{"<feed xml:base='http://a.example/b/'><x xml:base='http://c.example/' href='1'/><x href='2'/>", "http://a.example/b/ http://c.example/ http://c.example/1 http://a.example/b/2"},
		{"<feed xml:base='http://a.example/b/'><e xml:base=''><x href='1'/></e></z></feed><x href='2'/>", "http://a.example/b/ http://a.example/b/1 2"},
		{"<feed xml:base='{'><x href='1'/></feed><x href='2'/>", "%7B 1 2"},
		{"</feed><e xml:base='http://a.example/'></e></e><x href='1'/>", "http://a.example/ 1"},
		{"<feed><!-- <e xml:base='http://c.example/'> --><x href='1'/></feed>", "http://c.example/ 1"},
	} {
		data := "<?xml version='1.0'?>" + c.data
		for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data))} {
			var urls []string
			for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", r) {
				must(t, err)
				if url := r.Target; url != nil {
					urls = append(urls, string(url))
				} else {
					urls = append(urls, string(r.URL))
				}
			}
			if got := strings.Join(urls, " "); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.data, got, c.want)
			}
		}
	}
	found := 0
	for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", strings.NewReader("<?xml version='1.0'?><a xml:base='http://a.example/'>"+deep)) {
		must(t, err)
		if found++; string(r.URL) == "c" && string(r.Target) != "http://a.example/"+strings.Repeat("b/", 63)+"c" || string(r.URL) == "d" && string(r.Target) != "http://a.example/b/d" {
			t.Errorf("%s is %s", r.URL, r.Target)
		}
	}
	if found != 74 {
		t.Errorf("%d references", found)
	}
}
