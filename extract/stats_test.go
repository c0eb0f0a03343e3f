package extract_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// balanced checks that the counts of each class of bytes and of errors add up to the totals.
func balanced(t *testing.T, what string, s extract.Stats) {
	t.Helper()
	if sum := s.RawText + s.RawPacked + s.RawFraming + s.RawData + s.RawOverLimit + s.RawDamaged; sum != s.RawAll {
		t.Errorf("%s: the classes have %d bytes of %d: %+v", what, sum, s.RawAll, s)
	}
	if sum := s.ErrorsOpen + s.ErrorsRead + s.ErrorsPacking + s.ErrorsText + s.ErrorsLimit; sum != s.ErrorsAll {
		t.Errorf("%s: %d errors of %d", what, sum, s.ErrorsAll)
	}
	if s.Found+s.Refused != s.Candidates {
		t.Errorf("%s: %d candidates: %d accepted, %d refused", what, s.Candidates, s.Found, s.Refused)
	}
	for _, n := range []int64{s.StoredNotRead, s.RawAll, s.RawText, s.RawPacked, s.RawFraming, s.RawData, s.RawOverLimit, s.RawDamaged} {
		if n < 0 {
			t.Errorf("%s: negative count: %+v", what, s)
		}
	}
}

// statsFiles returns all files of fixtures, and all archives of the tests.
func statsFiles(t testing.TB) (paths []string) {
	t.Helper()
	for _, dir := range []string{fixtures, "testdata", "internal/archive/zipstream/testdata", "internal/archive/sequence/testdata", "internal/archive/sevenzip/testdata", "internal/archive/tarstream/testdata", "internal/compress/lzw/testdata"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// TestStatsBalance reads every file and checks that each byte is in one class, both of
// the stored file and of its content. References and errors must be counted as they are
// yielded.
func TestStatsBalance(t *testing.T) {
	paths := statsFiles(t)
	for i, opts := range []extract.Options{
		{},
		{Format: extract.Mbox},
		{Format: extract.Rnews, Parts: extract.HTMLParts},
		{Parts: extract.PlainParts, Limits: extract.Limits{Depth: 2, Nesting: 1, Size: 3000, Window: 1 << 16}},
	} {
		opts.Refused = true
		for k, path := range paths {
			if !long && k%4 != i {
				continue
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			opts.Workers = 1
			x := extractor(t, opts)
			var found, failures int64
			for _, err := range x.Run(t.Context(), extract.Walk(path)) {
				if err != nil {
					failures++
				} else {
					found++
				}
			}
			s := x.Stats()
			balanced(t, path, s)
			if s.Sources != 1 || s.StoredRead+s.StoredNotRead != info.Size() || s.ErrorsAll == 0 && s.StoredNotRead > 0 {
				t.Errorf("%s: %d bytes read, %d left of %d: %+v", path, s.StoredRead, s.StoredNotRead, info.Size(), s)
			}
			if found != s.Candidates || failures != s.ErrorsAll {
				t.Errorf("%s: %d results, %d errors: %+v", path, found, failures, s)
			}
			if opts.Format == extract.Auto && opts.Limits.Depth == 0 && s.ErrorsAll == 0 && (s.CutStreams > 0 || s.RawOverLimit+s.RawDamaged > 0) {
				t.Errorf("%s: cut in silence: %+v", path, s)
			}
		}
		// Read all files with several workers.
		opts.Workers = 3
		x := extractor(t, opts)
		for range x.Run(t.Context(), extract.Walk(paths...)) {
		}
		balanced(t, "all", x.Stats())
	}
}

// TestStatsChunks checks that the counts do not depend on the size of reads.
func TestStatsChunks(t *testing.T) {
	skipRace(t)
	for i, path := range statsFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 64<<10 || !long && i%2 > 0 {
			continue
		}
		count := func(r io.Reader) extract.Stats {
			x := extractor(t, extract.Options{})
			for range x.Read(t.Context(), path, r) {
			}
			return x.Stats()
		}
		want := count(bytes.NewReader(data))
		balanced(t, path, want)
		if got := count(iotest.OneByteReader(bytes.NewReader(data))); got != want {
			if got.StoredRead = want.StoredRead; want.ErrorsAll > 0 && got == want {
				continue // after damage, only buffered bytes are read
			}
			t.Errorf("%s: a byte at a time: %+v\nwhole: %+v", path, got, want)
		}
	}
}

// TestStatsStopped leaves the loop early. The counts of what was read must add up.
func TestStatsStopped(t *testing.T) {
	for _, path := range []string{"mail/mime4j/mbox.rlug", "mailbox/made/attachments.eml", "compressed/mbox.rlug.gz", "mailbox/made/base64.eml"} {
		path = filepath.Join(fixtures, path)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []int{1, 2, 5, 9} {
			x := extractor(t, extract.Options{Workers: 1})
			for range x.Run(t.Context(), extract.Walk(path)) {
				if after--; after == 0 {
					break
				}
			}
			s := x.Stats()
			balanced(t, path, s)
			if s.StoredRead+s.StoredNotRead != info.Size() {
				t.Errorf("%s: %+v", path, s)
			}
		}
	}
}

// tarOf makes a tar archive of names and contents.
func tarOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		must(t, w.WriteHeader(&tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644}))
		_, err := io.WriteString(w, files[i+1])
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

// zipOf makes a zip archive of names and contents, deflated.
func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		must(t, err)
		_, err = io.WriteString(f, files[i+1])
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestStatsClasses checks the class of each byte of small sources.
func TestStatsClasses(t *testing.T) {
	const url = "see http://a.example/ there\n" // 28 bytes
	const head = "From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n"
	image := "Content-Type: image/png\n\n" + strings.Repeat("data\n", 100)
	uu := "begin 644 x.gif\n" + strings.Repeat("M"+strings.Repeat("A", 60)+"\n", 10) + "`\nend\n"
	message := "From: a@example.org\nSubject: x\nMIME-Version: 1.0\n\n"
	long := "http://long.example/" + strings.Repeat("x", 9000)
	gz := pack(t, "gzip", []byte(url))
	bomb := pack(t, "gzip", bytes.Repeat([]byte(url), 1000))
	for _, c := range []struct {
		name string
		data []byte
		opts extract.Options
		want extract.Stats // the counts of bytes and errors; RawAll is their sum
	}{
		{name: "text", data: []byte(url), want: extract.Stats{RawText: 28}},
		{name: "byte order mark", data: []byte("\ufeff" + url), want: extract.Stats{RawText: 28, RawFraming: 3}},
		{name: "compressed", data: gz, want: extract.Stats{RawText: 28}},
		{name: "too long", data: []byte(long + " " + url), want: extract.Stats{RawText: int64(len(long)) + 29, SkippedRuns: 1, SkippedBytes: int64(len(long))}},
		{name: "cut", data: gz[:len(gz)-4], want: extract.Stats{RawText: 28, CutStreams: 1, ErrorsPacking: 1}},
		{name: "over the limit", data: bomb, opts: extract.Options{Limits: extract.Limits{Size: 100}}, want: extract.Stats{RawText: 100, CutStreams: 1, ErrorsLimit: 1}},
		{name: "tar", data: tarOf(t, "a", url, "b", url), want: extract.Stats{RawText: 56, RawPacked: 56, RawFraming: 2*512 + 2*(512-28) + 1024}},
		{name: "tar over the limit", data: tarOf(t, "a", strings.Repeat(url, 100), "b", url), opts: extract.Options{Limits: extract.Limits{Size: 100}},
			want: extract.Stats{RawText: 128, RawPacked: 128, RawOverLimit: 2700, RawFraming: 2*512 + (3072 - 2800) + (512 - 28) + 1024, CutStreams: 1, ErrorsLimit: 1}},
		{name: "a tar too deep", data: tarOf(t, "a", string(tarOf(t, "b", url))), opts: extract.Options{Limits: extract.Limits{Depth: 1}},
			want: extract.Stats{RawOverLimit: 512 + 512 + 1024, RawFraming: 512 + 1024, CutStreams: 1, ErrorsLimit: 1}},
		{name: "an attachment over the limit of the message", data: []byte(message[:len(message)-1] + "Content-Type: application/zip\n\n" + string(zipOf(t, "a", strings.Repeat(url, 10)))),
			opts: extract.Options{Limits: extract.Limits{Size: 100}},
			want: extract.Stats{RawText: int64(len(message)) - 1 + 30, RawPacked: 100 - int64(len(message)) - 30, RawFraming: 1, CutStreams: 2, ErrorsLimit: 1}},
		{name: "zip", data: zipOf(t, "a", url), want: extract.Stats{RawText: 28, RawPacked: 50, RawFraming: -50}},
		{name: "parts", data: []byte(head + "\n--b\n\n" + url + "--b\n" + image + "--b--\n"),
			want: extract.Stats{RawText: int64(len(head)) + 28 + 24, RawData: 500 - 1, RawFraming: -int64(len(head)) - 28 - 24 - 499}},
		{name: "parts asked for", data: []byte(message + url), opts: extract.Options{Parts: extract.HeaderParts},
			want: extract.Stats{RawText: int64(len(message)) - 1, RawFraming: 1, RawData: 28}},
		{name: "uuencoded", data: []byte(message + url + uu + url), want: extract.Stats{RawText: int64(len(message)) - 1 + 56, RawFraming: 1, RawData: int64(len(uu))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opts.Workers = 1
			x := extractor(t, c.opts)
			for range x.Run(t.Context(), slices.Values([]extract.Source{memory("data", c.data)})) {
			}
			s := x.Stats()
			balanced(t, c.name, s)
			if s.StoredRead+s.StoredNotRead != int64(len(c.data)) {
				t.Errorf("%d bytes read, %d left of %d", s.StoredRead, s.StoredNotRead, len(c.data))
			}
			want := c.want
			if want.RawFraming < 0 { // the rest of the source
				want.RawFraming += int64(len(c.data))
			}
			got := extract.Stats{
				RawText: s.RawText, RawPacked: s.RawPacked, RawFraming: s.RawFraming, RawData: s.RawData, RawOverLimit: s.RawOverLimit, RawDamaged: s.RawDamaged,
				CutStreams: s.CutStreams, SkippedRuns: s.SkippedRuns, SkippedBytes: s.SkippedBytes,
				ErrorsOpen: s.ErrorsOpen, ErrorsRead: s.ErrorsRead, ErrorsPacking: s.ErrorsPacking, ErrorsText: s.ErrorsText, ErrorsLimit: s.ErrorsLimit,
			}
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// TestStatsShort checks the counts of short headers. They are not scanned if their values have no
// colon, but must be counted like other headers.
func TestStatsShort(t *testing.T) {
	head := "From a@b Mon Jan  3 12:00:00 2000\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
	part := "--b\nContent-Type: text/plain;\n charset=utf-8\n%s\nhttp://a/\n" + strings.Repeat("--b\n", 5)
	mailbox := head + strings.ReplaceAll(part, "%s", "") + strings.ReplaceAll(part, "%s", "X: http://b/\n") +
		strings.ReplaceAll(part, "%s", "X: =?utf-8?q?http=3A//c/?=\n") + strings.ReplaceAll(part, "%s", "Content-Location: d\n") + "--b--\n"
	for _, parts := range []extract.PartKinds{0, extract.HeaderParts, extract.PlainParts, extract.HTMLParts} {
		opts := extract.Options{Parts: parts}
		x := extractor(t, opts)
		urls, _ := read(t, x, []byte(mailbox))
		opts.Delimit.Known = delimit.Known
		y := extractor(t, opts)
		want, _ := read(t, y, []byte(mailbox))
		if !slices.Equal(urls, want) || x.Stats() != y.Stats() {
			t.Errorf("%v: %q\n%+v\nwant %q\n%+v", parts, urls, x.Stats(), want, y.Stats())
		}
	}
}
