package extract_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// targets returns the targets that x finds in text, which was retrieved from base.
func targets(t *testing.T, x *extract.Extractor, text, base string) string {
	t.Helper()
	s := extract.Source{Name: "s", Size: int64(len(text)), Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(text))), nil }}
	if base != "" {
		s.Base = uri.MustParse(base)
	}
	var found []string
	for r, err := range x.Run(context.Background(), func(yield func(extract.Source) bool) { yield(s) }) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, fmt.Sprintf("%s=%s (%v)", r.URL, r.Target, r.BaseSource))
	}
	return strings.Join(found, " ")
}

// TestRetrievalBase checks the order of bases in section 5.1 of the drafts of 1997 and 2002: the
// base in the document, the base of the enclosing entity, the URL by which it was retrieved, and
// the default. Section 5.1.1 is about header fields. In 1993 and 1994, the section "News" has a
// partial form within an article.
func TestRetrievalBase(t *testing.T) {
	const (
		page    = "<html><body><a href=\"x\">\n"
		based   = "<html><base href=\"http://own/\"><a href=\"x\">\n"
		message = "From: a@b.example\nSubject: s\nContent-Location: http://own/d/e\nX-Page: <URL:../x>\nContent-Type: text/plain\n\n<URL:y>\n"
		article = "Path: a!b\nFrom: a@b.example\nNewsgroups: n.g\nMessage-ID: <id%1@h.example>\nSubject: s\n\n<URL:comp.x> <URL:other@h/> <URL:a/b>\n"
		// Only <URL:456@h.org> is a partial reference to another article.
		another = "Newsgroups: n.g\nMessage-ID: <1@h>\n\n<URL:456@h.org> <URL:4 5@h> <URL:4@5@h> <URL:..> <URL:a@h?b> 456@h.org <456@h.org>\n"
		mail    = "From: a@b.example\nSubject: s\nMessage-ID: <1@h>\n\n<URL:456@h.org> <URL:comp.x>\n"
		// Parts of a multipart belong to the article. A message in a part does not; it is a
		// separate article if it has the header fields of an article (RFC 2046, sections 5.1 and
		// 5.2.1).
		mime = "Newsgroups: n.g\nMessage-ID: <1@h>\nContent-Type: multipart/mixed; boundary=B\n\n<URL:0@h>\n" +
			"--B\n\n<URL:2@h> <URL:comp.z>\n" +
			"--B\nContent-Type: multipart/alternative; boundary=C\n\n--C\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\nPFVSTDozQGg+IHRoaXMgaXMgdGV4dAo=\n--C--\n" +
			"--B\nContent-Type: message/rfc822\n\nFrom: a@b.example\nMessage-ID: <x@h>\n\n<URL:4@h> <URL:comp.z>\n" +
			"--B\n\n<URL:5@h>\n--B--\n"
		within = "From: a@b.example\nMessage-ID: <1@h>\nContent-Type: multipart/digest; boundary=B\n\n<URL:0@h>\n" +
			"--B\n\nNewsgroups: n.g\nMessage-ID: <9@h>\nContent-Type: multipart/mixed; boundary=C\n\n--C\n\n<URL:2@h>\n--C--\n" +
			"--B\n\nSubject: s\nContent-Type: multipart/mixed; boundary=C\n\n--C\nNewsgroups: n.g\nMessage-ID: <1@h>\n\n<URL:3@h>\n--C--\n--B--\n<URL:4@h>\n"
		html = "Newsgroups: n.g\nMessage-ID: <1@h>\nContent-Type: text/html\n\n<p>&lt;URL:456@h.org>\n"
	)
	for _, c := range []struct {
		text, retrieval, option, want string
		grammar                       uri.Grammar // 0: the default
	}{
		{page, "", "", "x= ()", 0},
		{page, "", "http://option/", "x=http://option/x (option)", 0},
		{page, "http://from/a/b", "http://option/", "x=http://from/a/x (retrieval)", 0},
		{page, "../b", "http://option/", "x=http://option/x (option)", 0},
		{based, "http://from/", "http://option/", "http://own/= () x=http://own/x (html)", 0},
		{message, "http://from/", "", "http://own/d/e= () ../x=http://own/x (content-location) y=http://own/d/y (content-location)", 0},
		{article, "", "", "comp.x=news:comp.x (article) other@h/= () a/b= ()", 0},
		{article, "http://from/1", "", "comp.x=http://from/comp.x (retrieval) other@h/=http://from/other@h/ (retrieval) a/b=http://from/a/b (retrieval)", 0},
		{another, "", "", "456@h.org=news:456@h.org (article) ..= ()", 0},
		{another, "", "", "456@h.org=news:456@h.org (article) ..= ()", uri.URL1993},
		{another, "", "", "456@h.org=news:456@h.org (article)", uri.URL1994},
		{another, "http://from/1", "", "456@h.org=news:456@h.org (article)", uri.URL1994},
		{another, "http://from/1", "", "456@h.org=news:456@h.org (article) ..=http://from/ (retrieval)", uri.RFC3986},
		{article, "", "", "comp.x=news:comp.x (article)", uri.URL1994},
		{article, "", "", "comp.x=news:comp.x (article) other@h/= () a/b= ()", uri.URL1993 | uri.URL1994},
		{mail, "", "", "comp.x= ()", 0},
		{mail, "", "", "", uri.URL1994},
		{html, "", "", "", 0},
		{mime, "", "", "0@h=news:0@h (article) 2@h=news:2@h (article) comp.z=news:comp.z (article) 3@h=news:3@h (article) comp.z= () 5@h=news:5@h (article)", 0},
		{mime, "", "http://o/", "0@h=news:0@h (article) 2@h=news:2@h (article) comp.z=http://o/comp.z (option) 3@h=news:3@h (article) comp.z=http://o/comp.z (option) 5@h=news:5@h (article)", 0},
		{within, "", "", "2@h=news:2@h (article)", 0},
		{article, "", "http://o/", "comp.x=http://o/comp.x (option) other@h/=http://o/other@h/ (option) a/b=http://o/a/b (option)", 0},
	} {
		for _, workers := range []int{1, 3} {
			o := extract.Options{Workers: workers, Grammar: c.grammar}
			if c.option != "" {
				o.Base = uri.MustParse(c.option)
			}
			x, err := extract.New(o)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time, the worker has already read a source with another base
				if got := targets(t, x, c.text, c.retrieval); got != c.want {
					t.Errorf("%q retrieved by %q, option %q, %v: %s, want %s", c.text, c.retrieval, c.option, c.grammar, got, c.want)
				}
				targets(t, x, page, "http://else/")
			}
			for r, err := range x.Read(t.Context(), "page", strings.NewReader(page)) {
				if err != nil || r.BaseSource == extract.FromRetrieval {
					t.Errorf("Read has the base of another source: %v, %v", r, err)
				}
			}
		}
	}
}
