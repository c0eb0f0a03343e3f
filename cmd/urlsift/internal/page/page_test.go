package page

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// made returns the page that is made for text.
func made(t testing.TB, text string, memory int64) string {
	t.Helper()
	x, err := extract.New(extract.Options{LogTimes: true, Refused: true, Workers: 1, Delimit: delimit.Options{MaxLen: 2 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Title: "the <title> \u202e", Grammar: "uri-2002", Memory: memory})
	defer c.Close()
	for r, err := range x.Read(t.Context(), "a \u202e<b>", strings.NewReader(text)) {
		if err != nil {
			c.Problem(err)
		} else if err := c.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	page, err := c.Page(x.Stats())
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// hostile returns a mailbox with text that could break a page.
func hostile() string {
	var b strings.Builder
	for i, date := range []string{"Mon, 1 Jan 102 00:00:00 +0000", "Mon, 1 Jan 3609 00:00:00 +0000", "Thu, 1 Jan 1998 00:00:00 +0000", "Fri, 2 Jan 1998 00:00:00 +0000", "<script>alert(1)</script>"} {
		fmt.Fprintf(&b, "From a Thu Jan  1 00:00:00 1998\nDate: %s\n\n", date)
		fmt.Fprintf(&b, "http://a.example/%d <http://b.example/<script>alert(1)</script>> \"http://c.example/]]>-->\" http://d.example/'onload='x\n", i)
		b.WriteString("\"http://e.example/\u202e\u0007x\" <http://[x]/> {{.Title}} <http://f.example/{{.Title}}>\n\n")
	}
	b.WriteString("http://" + strings.Repeat("h.", 500_000) + "example/\n")
	return b.String()
}

// contents returns the text of the page outside of style and script, and fails if there is
// an element or an attribute that should not be there.
func contents(t *testing.T, page string) string {
	t.Helper()
	var text strings.Builder
	scripts, tag := 0, ""
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if scripts != 1 {
				t.Errorf("%d scripts", scripts)
			}
			return text.String()
		case html.TextToken:
			if tag != "style" && tag != "script" {
				text.WriteString(html.UnescapeString(string(z.Raw())))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			tag = token.Data
			switch tag {
			case "script":
				scripts++
			case "a", "img", "link", "iframe", "object", "form", "base":
				t.Errorf("an element %s", tag)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" || a.Key == "style" {
					t.Errorf("%s has an attribute %s", tag, a.Key)
				}
			}
		case html.EndTagToken:
			tag = ""
		}
	}
}

func TestHostilePage(t *testing.T) {
	page := made(t, hostile(), 0)
	text := contents(t, page)
	for _, want := range []string{"http://a.example/0", "%7B%7B.Title%7D%7D", "References by year", "a.example", "the <title>", `\xe2\x80\xae`, "without a date"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing of %q", want)
		}
	}
	if bad := regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f]|\p{Cf}`).FindString(page); bad != "" {
		t.Errorf("%q is on the page", bad)
	}
	if len(page) > 200_000 {
		t.Errorf("%d bytes", len(page))
	}
	if spilled := made(t, hostile(), 1); noTime(spilled) != noTime(page) {
		t.Error("with little memory the page is another one")
	}
}

// noTime returns the page without its creation time.
func noTime(page string) string {
	return regexp.MustCompile(`made [^<]*`).ReplaceAllString(page, "")
}

// TestBoundedPage checks that the size of the page is bounded, and that it says what was left out.
func TestBoundedPage(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "<s%d://h%d.example/%s/%d> \n", i, i, strings.Repeat("&\"'", 200), i)
	}
	page := made(t, b.String(), 8<<20)
	if len(page) > 2<<20 {
		t.Errorf("%d bytes", len(page))
	}
	if text := contents(t, page); !strings.Contains(text, "The 500 most frequent of 20\u202f000") || !strings.Contains(text, "The 20 most frequent of 20\u202f000") {
		t.Error("the page does not say what is missing")
	}
}

func TestEmptyPage(t *testing.T) {
	if text := contents(t, made(t, "", 0)); !strings.Contains(text, "No references were found.") || strings.Contains(text, "Schemes") {
		t.Error(text)
	}
}

// TestClip checks that months at both ends of the chart are left out if they have at most one of
// 400 references.
func TestClip(t *testing.T) {
	m := newMonths()
	for year := 2000; year < 2010; year++ {
		m.add(fmt.Appendf(nil, "%d-05\x00http", year), 1000)
	}
	m.add([]byte("1975-01\x00http"), 20)
	m.add([]byte("2024-12\x00http"), 25)
	line := m.timeline(7)
	if got := fmt.Sprintf("%s %s..%s %d %q", line.Unit, line.Columns[0].Name, line.Columns[len(line.Columns)-1].Name, len(line.Columns), line.Notes); got != `year 2000..2009 10 ["7 without a date" "45 outside of this time"]` {
		t.Error(got)
	}
	m = newMonths()
	m.add([]byte("2001-11\x00http"), 3)
	m.add([]byte("2002-02\x00http"), 4)
	line = m.timeline(0)
	if got := fmt.Sprint(line.Unit, len(line.Columns), line.Columns[1].Name, line.Columns[3].Name); got != "month42001-122002-02" {
		t.Error(got)
	}
	if newMonths().timeline(3) != nil {
		t.Error("a chart of nothing")
	}
}

// TestPolicy checks that the hashes in the Content-Security-Policy match the style and scripts of
// the page.
func TestPolicy(t *testing.T) {
	page := made(t, "http://a.example/", 0)
	for _, text := range []string{style, script} {
		policy := strings.ReplaceAll(hash(text), "+", "&#43;")
		if !strings.Contains(page, text) || !strings.Contains(page, policy) {
			t.Errorf("%.40q is not in the page, or not its hash %s", text, policy)
		}
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("html/template has refused a value")
	}
	if name := os.Getenv("URLSIFT_PAGE"); name != "" { // writes the page to a file, for a person to see
		if err := os.WriteFile(name, []byte(made(t, hostile(), 0)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
