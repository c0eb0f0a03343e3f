package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// sparseTar returns a tar archive of GNU with a sparse file "f". data is what is stored, real the size
// with holes, and stretches are offset and size of each stretch of data, at most four.
func sparseTar(t testing.TB, data string, real int, stretches ...int) []byte {
	t.Helper()
	b := tarOf(t, "f", data)
	b[156] = 'S'
	copy(b[257:], "ustar  \x00")
	for i, n := range stretches {
		copy(b[386+12*i:], fmt.Sprintf("%011o", n))
	}
	copy(b[483:], fmt.Sprintf("%011o", real))
	copy(b[148:], "        ")
	sum := 0
	for _, c := range b[:512] {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

// TestSparseMembers finds URLs in sparse files. A hole ends a URL, and a wrapper does not continue over
// it. What is found is what is found in the file with its holes.
func TestSparseMembers(t *testing.T) {
	x := extractor(t, extract.Options{})
	found := func(data []byte) (urls []string) {
		for r, err := range x.Read(t.Context(), "data", strings.NewReader(string(data))) {
			must(t, err)
			urls = append(urls, fmt.Sprintf("%s %d:%d", r.URL, r.Origin.Line, r.Origin.Offset))
		}
		return urls
	}
	const first = "see\nhttp://a.example/one"
	for _, second := range []string{"two there\nhttp://b.example/", "?q=1> <http://b.example/x>", "\nhttp://b.example/"} {
		for _, begin := range []string{first, "see\n<http://a.example/one", "<URL:http://a.example/one\n", "\"http://a.example/one"} {
			for _, hole := range []int{1, 511, 4096, 4097, 5000, 1 << 20} {
				real := begin + strings.Repeat("\x00", hole) + second
				want := found([]byte(real))
				got := found(sparseTar(t, begin+second, len(real), 0, len(begin), len(begin)+hole, len(second)))
				if hole > 4096 { // only 4096 zeros and less than a block are read
					for i, s := range want {
						url, place, _ := strings.Cut(s, " ")
						var line, at int
						_, err := fmt.Sscanf(place, "%d:%d", &line, &at)
						must(t, err)
						if at > len(begin) {
							at -= hole - 4096 - hole%512
						}
						want[i] = fmt.Sprintf("%s %d:%d", url, line, at)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q, hole of %d, %q:\n got %q\nwant %q", begin, hole, second, got, want)
				}
			}
		}
	}
	// An archive in a sparse file is aligned after a long hole, so its headers are found, or read as
	// text. Its end is missing.
	inner := tarOf(t, "z", strings.Repeat("\x00", 100<<10)+"http://z.example/\n", "b", "http://b.example/\n")
	hole := len(inner) - len(strings.ReplaceAll(string(inner), strings.Repeat("\x00", 99<<10), ""))
	at := strings.Index(string(inner), strings.Repeat("\x00", 99<<10))
	urls, errs := read(t, x, sparseTar(t, string(inner[:at])+string(inner[at+hole:]), len(inner), 0, at, at+hole, len(inner)-at-hole))
	if len(urls) != 2 || len(errs) != 1 || errs[0].Stage != "tar" {
		t.Errorf("archive in a sparse file: %v, %v", urls, errs)
	}
}
