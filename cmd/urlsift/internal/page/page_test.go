package page

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// made returns the page that is made for text.
func made(t testing.TB, text string, memory int64) string {
	t.Helper()
	return madeWith(t, text, Options{Memory: memory})
}

func madeWith(t testing.TB, text string, o Options) string {
	t.Helper()
	x, err := extract.New(extract.Options{LogTimes: true, Refused: true, Subjects: true, Workers: 1, Delimit: delimit.Options{MaxLen: 2 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	o.Title, o.Grammar, o.Paths = "the <title> \u202e", "uri-2002", []string{"a \u202e<b>"}
	c := New(o)
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
			if scripts != 2 { // one of them is data
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
				if a := token.Attr; len(a) > 0 && (a[0].Key != "type" || a[0].Val != "application/json") {
					t.Errorf("a script with %v", a)
				}
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
	for _, want := range []string{"http://a.example/0", "%7B%7B.Title%7D%7D", "References by day", "a.example", "the <title>", `\xe2\x80\xae`, "without a date"} {
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
	return regexp.MustCompile(`<time>[^<]*`).ReplaceAllString(page, "")
}

// TestBoundedPage checks that the size of the page is bounded, and that it says what was left out.
func TestBoundedPage(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "<s%d://h%d.example/%s/%d> \n", i, i, strings.Repeat("&\"'", 200), i)
	}
	for _, c := range []struct{ rows, most int }{{0, 16 << 20}, {500, 1 << 20}} {
		page := madeWith(t, b.String(), Options{Memory: 8 << 20, Rows: c.rows})
		if len(page) > c.most {
			t.Errorf("%d rows: %d bytes", c.rows, len(page))
		}
		if !strings.Contains(page, `"distinct":20000`) {
			t.Error("the script does not know how many URLs there are")
		}
		text := contents(t, page)
		for _, want := range []string{"The 100 most frequent of 20\u202f000", "The 20 most frequent of 20\u202f000"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d rows: nothing of %q", c.rows, want)
			}
		}
	}
}

// TestMerge checks that facts in one unit of time become one.
func TestMerge(t *testing.T) {
	c := New(Options{})
	defer c.Close()
	h := &held{c: c, unit: days}
	r := &row{}
	h.rows = []*row{r}
	day := int64(86400)
	for _, at := range []int64{5*day + 7, 5*day + 3, 5 * day, 40 * day, count.NoTime, 400 * day, count.NoTime} {
		f := fact{source: 2, sender: 3}
		f.Count, f.First, f.Last = 1, at, at
		if at == count.NoTime {
			f.First, f.Last = 1, 0
		}
		r.facts = append(r.facts, f)
	}
	for u, want := range []int{days: 4, months: 4, years: 3, always: 2} {
		if want == 0 {
			continue
		}
		h.unit = unit(u)
		h.merge()
		var sum int64
		for _, f := range r.facts {
			sum += f.Count
		}
		if len(r.facts) != want || h.facts != want || sum != 7 {
			t.Errorf("%s: %v", h.unit, r.facts)
		}
	}
	other := r.facts[0]
	other.sender = 9
	r.facts = append(r.facts, other)
	h.alone = true
	if h.merge(); len(r.facts) != 2 || h.facts != 2 {
		t.Errorf("URLs alone: %v", r.facts)
	}
	if f := r.facts[0]; f.First != 5*day && f.First != 1 {
		t.Errorf("%v", f)
	}
}

// TestSpans checks that a time line has few rows, also if some dates are wrong, and says where it is empty.
func TestSpans(t *testing.T) {
	at := func(text string) int64 {
		when, err := time.Parse("2006-01-02T15", text)
		if err != nil {
			t.Fatal(err)
		}
		return when.Unix()
	}
	show := func(c *calendar) string {
		u, rows := c.timeline()
		text := u.String()
		for _, s := range rows {
			text += " " + u.name(s.begin)
			if s.count == 0 {
				text += ".." + u.name(s.end-1)
			} else {
				text += fmt.Sprint("=", s.count)
			}
		}
		return text
	}
	c := newCalendar()
	if got := show(c); got != "hour" {
		t.Error(got)
	}
	for _, text := range []string{"2001-02-03T04", "2001-02-03T04", "2001-02-03T06", "2001-02-03T23"} {
		c.add(at(text), 1)
	}
	if got := show(c); got != "hour 2001-02-03T04=2 2001-02-03T05..2001-02-03T05 2001-02-03T06=1 2001-02-03T07..2001-02-03T22 2001-02-03T23=1" {
		t.Error(got)
	}
	c.add(at("1980-01-01T00"), 1)
	if got := show(c); got != "day 1980-01-01=1 1980-01-02..2001-02-02 2001-02-03=4" {
		t.Error(got)
	}
	for year := 1990; year < 2010; year++ {
		for month := 1; month < 13; month++ {
			c.add(at(fmt.Sprintf("%d-%02d-11T00", year, month)), 1)
		}
	}
	if got := show(c); !strings.HasPrefix(got, "year 1980=1 1981..1989 1990=12 ") || !strings.HasSuffix(got, " 2001=16 2002=12 2003=12 2004=12 2005=12 2006=12 2007=12 2008=12 2009=12") {
		t.Error(got)
	}
}

// TestList checks that what does not fit in a list is counted.
func TestList(t *testing.T) {
	l := newList()
	l.room = 250
	var got []uint32
	for _, name := range []string{"", "a", "b", "a", "", "c", "d", "b"} {
		n := l.number(name)
		l.counts[n]++
		got = append(got, n)
	}
	if fmt.Sprint(got) != "[0 2 3 2 0 1 1 3]" || fmt.Sprint(l.counts) != "[2 2 2 2]" {
		t.Error(got, l.counts)
	}
}

func TestEmptyPage(t *testing.T) {
	page := made(t, "", 0)
	if text := contents(t, page); !strings.Contains(text, "No references were found.") || !strings.Contains(page, `data-facet="scheme" hidden`) {
		t.Error(text)
	}
}

// TestRoom checks that a URL that comes when there is no more room for places gets some if it occurs often, and that
// all sums stay exact.
func TestRoom(t *testing.T) {
	x, err := extract.New(extract.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{})
	defer c.Close()
	c.room = 1
	text := "http://a.example/ http://seldom.example/ " + strings.Repeat("http://often.example/ ", 30)
	for r, err := range x.Read(t.Context(), "a", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	m, err := newModel(c, x.Stats())
	if err != nil {
		t.Fatal(err)
	}
	var data struct{ Rows [][]any }
	if err := json.Unmarshal([]byte(m.Data), &data); err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range data.Rows {
		held := 0
		for i := 5; i < len(r[7].([]any)); i += 6 {
			held += int(r[7].([]any)[i].(float64))
		}
		got += fmt.Sprint(r[0], " ", r[3], " ", held, " ", len(r[8].([]any))/5, "; ")
	}
	if got != "http://often.example/ 30 27 20; http://a.example/ 1 1 1; http://seldom.example/ 1 0 0; " {
		t.Error(got)
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
