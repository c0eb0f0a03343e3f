package extract_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestSevenzip reads a 7z archive from a file. From other sources, and in other files, it is an error.
func TestSevenzip(t *testing.T) {
	const path = "internal/archive/sevenzip/testdata/solid.7z"
	data, err := os.ReadFile(path)
	must(t, err)
	packed := filepath.Join(t.TempDir(), "solid.7z.gz")
	must(t, os.WriteFile(packed, pack(t, "gzip", data), 0o600))
	for name, sources := range map[string][]extract.Source{
		"a file":      slices.Collect(extract.Walk(path)),
		"many files":  slices.Collect(extract.Walk(path, path, path)),
		"an os.File":  {{Name: "data", Size: int64(len(data)), Open: func() (io.ReadCloser, error) { return os.Open(path) }}},
		"a Reader":    {memory("data", data)},
		"compressed":  slices.Collect(extract.Walk(packed)),
		"in a tar":    {memory("data", tarOf(t, "a.7z", string(data)))},
		"in mail":     {memory("data", []byte("Subject: a\nContent-Type: application/octet-stream; name=a.7z\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n"+b64(string(data))))},
		"as a table":  slices.Collect(extract.Walk(path)),
		"some memory": slices.Collect(extract.Walk(path)),
	} {
		opts := extract.Options{Workers: 1}
		switch name {
		case "as a table":
			opts.Format = extract.Table
		case "some memory":
			opts.Limits.Window = 1 << 10
		}
		x := extractor(t, opts)
		var members, failed []string
		for r, err := range x.Run(t.Context(), slices.Values(sources)) {
			if err != nil {
				failed = append(failed, err.Error())
				continue
			}
			if len(members) == 0 || members[len(members)-1] != r.Origin.Member {
				members = append(members, r.Origin.Member)
			}
			if r.Origin.Member == "a.txt" && (r.Origin.Offset != 4 || r.Origin.Line != 1 || r.Origin.Column != 5) {
				t.Errorf("%s: %v", name, r.Origin)
			}
		}
		balanced(t, name, x.Stats())
		got := strings.Join(members, " ")
		want, says := strings.TrimSpace(strings.Repeat("a-name-of-more-than-sixteen-bytes.txt a.txt dir/b.txt ", len(sources))), ""
		switch name {
		case "a Reader", "compressed", "in a tar", "in mail":
			want, says = "", "only from a file"
		case "some memory":
			want, says = "", "a dictionary over the limit of 1024 bytes"
		}
		if got != want || (says == "") != (failed == nil) || says != "" && !strings.Contains(failed[0], says) {
			t.Errorf("%s: %q, errors %q", name, got, failed)
		}
	}
}
