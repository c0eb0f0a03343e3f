package extract_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract"
)

// TestBinary reads data that is not text. It is a warning if nothing is found in it, wherever it is;
// in attachments, and if plain text was asked for, it is none.
func TestBinary(t *testing.T) {
	skipRace(t)
	const report = "binary: this is not text, and nothing was found in it"
	data, url := "\x7fELF\x01\x00\x02 and more", "see http://a.example/ there\n"
	mail := "From: a@b.example\nContent-Type: application/octet-stream; name=x\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(pack(t, "gzip", []byte(data))) + "\n"
	for _, c := range []struct {
		name, data string
		opts       extract.Options
		found      int
		want       []string
	}{
		{name: "data", data: data, want: []string{"data: " + report}},
		{name: "one byte", data: "\x00", want: []string{"data: " + report}},
		{name: "zeros", data: strings.Repeat("\x00", 100_000), want: []string{"data: " + report}},
		{name: "compressed", data: string(pack(t, "gzip", []byte(data))), want: []string{"data: " + report}},
		{name: "in tar", data: string(tarOf(t, "a", data, "b", url, "c", "text", "d", data)), found: 1, want: []string{"data!a: " + report, "data!d: " + report}},
		{name: "in zip in tar", data: string(tarOf(t, "z", string(zipOf(t, "a", data)))), want: []string{"data!z!a: " + report}},
		{name: "a URL", data: data + url, found: 1},
		{name: "a URL far away", data: data + strings.Repeat("\x01", 1<<20) + url, found: 1},
		{name: "a URL that is refused", data: data + "<http://[x]/>"},
		{name: "text", data: "no URL in it\n"},
		{name: "no text", data: ""},
		{name: "text at the beginning", data: strings.Repeat("x", 256) + data},
		{name: "data after a mark", data: "\xef\xbb\xbf\x01\x02", want: []string{"data: " + report}},
		{name: "utf-16", data: "\xff\xfeh\x00i\x00"},
		{name: "utf-16 without a mark", data: "h\x00i\x00", want: []string{"data: " + report}},
		{name: "utf-16 that was said", data: "h\x00i\x00", opts: extract.Options{Charset: "utf-16le"}},
		{name: "plain", data: data, opts: extract.Options{Format: extract.Plain}},
		{name: "page", data: data, opts: extract.Options{Format: extract.HTML}},
		{name: "attachment", data: mail},
		{name: "searched", data: "*mbx*\r\n\x00", want: []string{"data: mbx: mailboxes of this kind cannot be read; searched as text"}},
		{name: "over a limit", data: data + data, opts: extract.Options{Limits: extract.Limits{Size: 20}}, want: []string{"data:1:21: size: longer than the limit of 20 bytes; the rest is not read"}},
	} {
		for how, r := range map[string]io.Reader{"whole": strings.NewReader(c.data), "bytes": iotest.OneByteReader(strings.NewReader(c.data))} {
			found := 0
			var got []string
			c.opts.Workers = 1
			for r, err := range extractor(t, c.opts).Read(t.Context(), "data", r) {
				if r != nil {
					found++
					continue
				}
				got = append(got, err.Error())
			}
			if found != c.found || !slices.Equal(got, c.want) {
				t.Errorf("%s, %s: %d found, %q, want %d, %q", c.name, how, found, got, c.found, c.want)
			}
		}
	}
}

// TestBinaryWorkers reads large data with several workers, and counts what they report.
func TestBinaryWorkers(t *testing.T) {
	none := bytes.Repeat([]byte("\x01\x02 some data\n"), 400_000)
	some := append(bytes.Clone(none), "http://a.example/\n"...)
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a": none, "b": some, "c.gz": pack(t, "gzip", none), "d.zst": pack(t, "zstd", some), "e": sample(60_000)} {
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	want := run(t, extractor(t, extract.Options{Workers: 1}), extract.Walk(dir))
	if n := strings.Count(want, "nothing was found in it"); n != 2 {
		t.Errorf("%d reports", n)
	}
	for range 3 {
		if got := run(t, extractor(t, extract.Options{Workers: 4}), extract.Walk(dir)); got != want {
			t.Fatal(firstOther(got, want))
		}
	}
}
