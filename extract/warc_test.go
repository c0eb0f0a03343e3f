package extract_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/urlsift/urlsift/extract"
)

// warcRecord returns a record of a web archive.
func warcRecord(kind, target, mediaType, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		kind, target, mediaType, len(block), block)
}

// httpMessage returns an HTTP response.
func httpMessage(fields, body string) string {
	return "HTTP/1.1 200 OK\r\n" + strings.ReplaceAll(fields, "\n", "\r\n") + "\r\n" + body
}

// TestWARC checks what is found in web archives, and where: the text at the offset is the reference.
func TestWARC(t *testing.T) {
	const html = "<a href='x?a&amp;b'>a</a> http://b.example/c"
	chunked := "5\r\n<a hr\r\n10\r\nef='x'> http://b\r\na\r\n.example/c\r\n0\r\n\r\n"
	raw := warcRecord("warcinfo", "", "application/warc-fields", "operator: http://o.example/\r\n") +
		warcRecord("request", "http://a.example/d/e", "application/http; msgtype=request", "GET /d/e HTTP/1.1\r\nReferer: http://r.example/\r\n\r\n") +
		warcRecord("response", "http://a.example/d/e", "application/http; msgtype=response", httpMessage("Content-Type: text/html\nLocation: ../f\nLink: <g>; rel=h\nContent-Location: i\n", html)) +
		warcRecord("response", "http://a.example/d/e", "application/http", httpMessage("Content-Type: text/html; charset=utf-7\nTransfer-Encoding: chunked\nX-A: +AGE-\nLocation: j\n", chunked)) +
		warcRecord("response", "http://a.example/d/e.html", "application/http", httpMessage("Content-Type: text/plain; charset=iso-8859-1\nContent-Encoding: gzip\n", string(pack(t, "gzip", []byte("see http://b.example/\xe9 <a href='x'>"))))) +
		warcRecord("response", "http://a.example/d/e", "application/http", httpMessage("Content-Type: image/png\n", "http://no.example/")) +
		warcRecord("conversion", "http://a.example/d/e", "text/plain", "see http://t.example/ <a href='x'>") +
		warcRecord("metadata", "http://a.example/d/e", "application/json", `{"u":"http:\/\/j.example\/"}`)
	want := []string{
		"1[1] http://o.example/",
		"2[WARC] http://a.example/d/e", "2[HEADER] http://r.example/",
		"3[WARC] http://a.example/d/e", "3[HEADER] http://a.example/f", "3[HEADER] http://a.example/d/g", "3[HEADER] http://a.example/d/i", "3[1] http://a.example/d/x?a&b", "3[1] http://b.example/c",
		"4[WARC] http://a.example/d/e", "4[HEADER] http://a.example/d/j", "4[1] http://a.example/d/x", "4[1] http://b.example/c",
		"5[WARC] http://a.example/d/e.html", "5[1] e.html.gz http://b.example/%C3%A9",
		"6[WARC] http://a.example/d/e",
		"7[WARC] http://a.example/d/e", "7[1] http://t.example/",
		"8[WARC] http://a.example/d/e", "8[1] http://j.example/",
	}
	var members strings.Builder // as in a .warc.gz, where each record is compressed by itself
	for rest := raw; rest != ""; {
		k := strings.Index(rest[1:], "WARC/1.0")
		if k < 0 {
			k = len(rest) - 1
		}
		members.Write(pack(t, "gzip", []byte(rest[:k+1])))
		rest = rest[k+1:]
	}
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(raw), "byte by byte": iotest.OneByteReader(strings.NewReader(raw)), "compressed": strings.NewReader(members.String())} {
		var got []string
		for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", r) {
			must(t, err)
			o := &r.Origin
			at := fmt.Sprintf("%d[%s]", o.Message, o.Part)
			if o.Member != "" {
				at += " " + o.Member
			} else if written := raw[o.Offset : o.Offset+o.Length]; string(r.Candidate.Raw) != written && !strings.Contains(written, "&amp;") && !strings.Contains(written, "\r\n") && !strings.Contains(written, `\/`) {
				t.Errorf("%s: %q is written %q", name, r.Candidate.Raw, written)
			}
			url := r.Target
			if url == nil {
				url = r.URL
			}
			got = append(got, at+" "+string(url))
			if when, ok := o.Time(); o.WARCType == "" || o.WARCTarget == "" && o.Message > 1 || !ok || when.Year() != 2024 {
				t.Errorf("%s: %q of %q, %s", name, o.WARCTarget, o.WARCType, when)
			}
			if r.Target != nil && r.BaseSource != extract.FromRecord {
				t.Errorf("%s: the base is from %s", name, r.BaseSource)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
	}
}

// TestWARCParts checks that the records about other records are read with the headers.
func TestWARCParts(t *testing.T) {
	raw := warcRecord("metadata", "http://a.example/", "application/json", `"http://j.example/"`) + warcRecord("resource", "http://a.example/", "text/plain", "http://t.example/")
	for parts, want := range map[extract.PartKinds]string{
		extract.PlainParts:  "http://t.example/",
		extract.HeaderParts: "http://a.example/ http://a.example/",
		extract.AllParts:    "http://a.example/ http://j.example/ http://a.example/ http://t.example/",
	} {
		var got []string
		for r, err := range extractor(t, extract.Options{Parts: parts}).Read(t.Context(), "data", strings.NewReader(raw)) {
			must(t, err)
			got = append(got, string(r.URL))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", parts, s, want)
		}
	}
}

// TestWARCFields checks that references in headers of records and of HTTP have the name of their field.
func TestWARCFields(t *testing.T) {
	data := warcRecord("response", "http://r.example/", "application/http", httpMessage("location: http://b.example/\nLink: <http://c.example/>\n", "text"))
	fields := map[string]string{}
	for r, err := range extractor(t, extract.Options{}).Read(t.Context(), "data", strings.NewReader(data)) {
		must(t, err)
		fields[string(r.URL)] = r.Origin.Field
	}
	for url, want := range map[string]string{"http://r.example/": "WARC-Target-URI", "http://b.example/": "Location", "http://c.example/": "Link"} {
		if got := fields[url]; got != want {
			t.Errorf("%s is in the field %q, not %q", url, got, want)
		}
	}
}
