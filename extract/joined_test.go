package extract_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// TestJoined reads inputs whose bases make references longer: pages, messages, attachments. What is
// over Limits.Joined has no Target, and an Err that says why; it is found all the same, and there is
// one Error for each message or source.
func TestJoined(t *testing.T) {
	const links = 200
	long := "http://a.example/" + strings.Repeat("x", 4000) + "/"
	page := func(base string) string { return `<base href="` + base + `">` + strings.Repeat("<a href=b>", links) }
	message := func(base, body string) string {
		return "From a@b Mon Mar  1 10:00:00 1999\nFrom: a@b\nMIME-Version: 1.0\nContent-Base: " + base + "\nContent-Type: text/html\n\n" + body + "\n\n"
	}
	part := func(body string) string { return "--b\nContent-Type: text/html\n\n" + body + "\n" }
	parted := message(long, "")
	parted = strings.Replace(parted, "text/html\n\n", "multipart/mixed; boundary=b\n\n"+strings.Repeat(part(strings.Repeat("<a href=b>", 4)), links/4)+"--b--\n", 1)
	var members []string
	for i := range links {
		members = append(members, fmt.Sprint(i, ".html"), "<html><a href=b>")
	}
	zipped := message(long, "")
	zipped = strings.Replace(zipped, "text/html\n\n", "application/zip\nContent-Transfer-Encoding: base64\n\n"+
		b64(string(zipOf(t, members...))), 1)

	for _, c := range []struct {
		name, data string
		opts       extract.Options
		found      int
		resolved   func(n int) bool
		errors     int
		place      string // of the first error
	}{
		{"a page with a short base", "<html>" + page("http://a.example/x/"), extract.Options{}, links, between(links, links), 0, ""},
		{"a page with a long base", "<html>" + page(long), extract.Options{}, links, between(4, 20), 1, "data:1:"},
		{"the same, with a larger limit", "<html>" + page(long), extract.Options{Limits: extract.Limits{Joined: 1000}}, links, between(links, links), 0, ""},
		{"absolute references", "<html>" + strings.ReplaceAll(page(long), "href=b", "href=http://b.example/"), extract.Options{}, links, between(0, 0), 0, ""},
		{"two long bases in a tar", string(tarOf(t, "a.html", "<html>"+page(long), "b.html", "<html>"+page(long))), extract.Options{}, 2 * links, between(4, 20), 1, "data!a.html:1:"},
		{"messages", strings.Repeat(message(long, strings.Repeat("<a href=b>", links)), 3), extract.Options{}, 3 * links, between(12, 60), 3, "data#1["},
		{"a message of many parts", parted, extract.Options{}, links, between(4, 20), 1, "data#1["},
		{"many members of an attachment", zipped, extract.Options{}, links, between(4, 20), 1, "data!1!"},
		{"a base of the caller", "<html>" + strings.Repeat("<a href=b>", links), extract.Options{Base: uri.MustParse(long)}, links, between(links, links), 0, ""},
	} {
		for _, workers := range []int{1, 4} {
			c.opts.Workers = workers
			found, resolved, said := 0, 0, []*extract.Error{}
			for r, err := range extractor(t, c.opts).Run(t.Context(), slices.Values([]extract.Source{memory("data", []byte(c.data))})) {
				var e *extract.Error
				switch {
				case errors.As(err, &e):
					said = append(said, e)
				case r.BaseSource == 0 && strings.HasPrefix(string(r.URL), "http://a.example"): // the base itself
				case string(r.URL) == "a@b":
				default:
					found++
					if r.Target != nil {
						resolved++
					} else if string(r.URL) == "b" && (!errors.As(r.Err, &e) || e.Limit != "Joined") {
						t.Errorf("%s: %v says why there is no target", c.name, r.Err)
					}
				}
			}
			if found != c.found || !c.resolved(resolved) || len(said) != c.errors {
				t.Errorf("%s, %d workers: %d found, %d resolved, errors: %v", c.name, workers, found, resolved, said)
				continue
			}
			for i, e := range said {
				if e.Limit != "Joined" || e.Value != 64 || e.Stage != "base" || e.Severity != extract.Lost || i == 0 && !strings.HasPrefix(e.Error(), c.place) {
					t.Errorf("%s: %+v, %v", c.name, e, e)
				}
			}
		}
	}
}

// TestJoinedWorkers reads a mailbox of many messages with long bases, which several workers divide.
// The results and errors must be the same.
func TestJoinedWorkers(t *testing.T) {
	var box strings.Builder
	for i := range 600 {
		fmt.Fprintf(&box, "From a@b Mon Mar  1 10:00:00 1999\nFrom: a@b\nMIME-Version: 1.0\nContent-Base: http://a.example/%s/\nContent-Type: text/html\n\n%s\n\n",
			strings.Repeat("x", 3000+i), strings.Repeat("<a href=b>text</a> ", i%40))
	}
	source := []extract.Source{memory("box", []byte(box.String()))}
	want := run(t, extractor(t, extract.Options{Workers: 1}), slices.Values(source))
	if n := strings.Count(want, "base: bases add"); n < 100 || n > 500 {
		t.Fatalf("%d messages are over the limit", n)
	}
	for _, workers := range []int{2, 3, 8} {
		if (raceEnabled || !long) && workers != 3 {
			continue
		}
		if got := run(t, extractor(t, extract.Options{Workers: workers}), slices.Values(source)); got != want {
			t.Errorf("%d workers find something else", workers)
		}
	}
}

func between(a, b int) func(int) bool { return func(n int) bool { return a <= n && n <= b } }

// TestJoinedBases reads nested parts whose Content-Location is relative to that of the part around
// them, so that each base is longer than the one before, and would be made again for each of many parts.
func TestJoinedBases(t *testing.T) {
	var mail strings.Builder
	mail.WriteString("From: a@b\nMIME-Version: 1.0\nContent-Base: http://a.example/\n")
	for i := range 60 {
		fmt.Fprintf(&mail, "Content-Location: %s/\nContent-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", strings.Repeat("x", 7000), i, i)
	}
	const parts = 2000
	mail.WriteString(strings.Repeat("Content-Location: y\nContent-Type: text/html\n\n<a href=b>\n--b59\n", parts))
	began := clock()
	found, resolved, limits := 0, 0, 0
	for r, err := range extractor(t, extract.Options{Workers: 1}).Read(t.Context(), "data", strings.NewReader(mail.String())) {
		var e *extract.Error
		switch {
		case errors.As(err, &e) && e.Limit == "Joined":
			limits++
		case err == nil && string(r.URL) == "b":
			if found++; r.Target != nil {
				resolved++
			}
		}
	}
	if took := clock() - began; took > time.Second && !raceEnabled { // it took 2.5 s
		t.Errorf("took %v", took)
	}
	if found != parts || resolved > 100 || limits != 1 {
		t.Errorf("%d found, %d resolved, %d errors", found, resolved, limits)
	}
}
