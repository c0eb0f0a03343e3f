package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
)

// TestLostBlock damages every fifth bzip2 block of running text, a mailbox and an HTML page. The
// references of the other blocks are found. Each damaged block has one error, which comes after the
// references in front of the block and before those after it.
func TestLostBlock(t *testing.T) {
	const blocks, each = 40, 30
	for name, piece := range map[string]func(n int) string{
		"text": func(n int) string { return fmt.Sprintf("see http://a.example/%d there\n", n) },
		"mail": func(n int) string {
			return fmt.Sprintf("From a@b.example Mon Mar  1 10:00:00 1999\nSubject: %d\n\nsee http://a.example/%d\n\n", n, n)
		},
		"page": func(n int) string {
			return strings.Repeat("<html>", max(0, 1-n)) + fmt.Sprintf("<p><a href=\"http://a.example/%d\">there</a>\n", n)
		},
	} {
		w := bzipWriter{level: 9}
		w.header()
		var begins []int
		for k := range blocks {
			var b strings.Builder
			for i := range each {
				b.WriteString(piece(k*each + i))
			}
			begins = append(begins, len(w.out))
			w.block([]byte(b.String()))
		}
		data := w.end()
		var want []string
		for k, at := range begins {
			if k%5 == 3 {
				if k%2 == 0 {
					data[at+2] ^= 0x11 // the magic number
				} else {
					data[at+11] = 0xff // the origin of the Burrows-Wheeler transform
				}
				continue
			}
			for i := range each {
				want = append(want, fmt.Sprintf("http://a.example/%d", k*each+i))
			}
		}
		for _, workers := range []int{1, 2, 4} {
			x := extractor(t, extract.Options{Workers: workers})
			x.SetBlocks(2000, 1, linger)
			sources := stored(t, data)
			if workers == 2 {
				sources = one(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
			}
			var got []string
			errs := 0
			for r, err := range x.Run(t.Context(), sources) {
				if err == nil {
					got = append(got, string(r.URL))
					continue
				}
				if errs++; !strings.Contains(err.Error(), "bzip2") {
					t.Errorf("%s, %d workers: %v", name, workers, err)
				}
				if n := (errs*5 - 2 - (errs - 1)) * each; name != "page" && len(got) != n && len(got) != n-1 {
					t.Errorf("%s, %d workers: error %d after %d references, want %d", name, workers, errs, len(got), n)
				}
			}
			if errs != blocks/5 || !slices.Equal(got, want) {
				t.Errorf("%s, %d workers: %d errors, %d references, want %d", name, workers, errs, len(got), len(want))
			}
		}
	}
}

// TestLostBlockParts damages some bytes in each of a few files. Several workers must return the
// same results, errors and positions as one.
func TestLostBlockParts(t *testing.T) {
	rounds := 24
	if !long {
		rounds = 5
	}
	letters := func() []byte {
		var b bytes.Buffer
		for i := range 600 {
			fmt.Fprintf(&b, "From a@b.example Mon Mar  1 10:00:00 1999\nSubject: %d\n\nsee http://a.example/%d\n\n", i, i)
		}
		return b.Bytes()
	}()
	var handed int64
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 11))
		text := sample(1200)
		if seed%2 == 1 {
			text = letters
		}
		data := bzipMembers(t, rnd, text, 3000)
		for range 1 + rnd.IntN(8) {
			data[14+rnd.IntN(len(data)-14)] ^= 1 << rnd.IntN(8)
		}
		l := sameInBlocks(t, fmt.Sprint("seed ", seed), inTurn(seed), extract.Options{}, stored(t, data), 1000+rnd.IntN(3000))
		handed += l
	}
	if handed == 0 {
		t.Error("no blocks")
	}
}

// TestShortStreams reads streams that end soon after their last block begins, with several
// workers. Such blocks have their parts, too.
func TestShortStreams(t *testing.T) {
	data, err := os.ReadFile("internal/compress/bzip2/testdata/short.bz2")
	if err != nil {
		t.Fatal(err)
	}
	var handed int64
	for i, at := range []int{-1, len(data) / 2} { // where the header of the next stream is damaged; -1: nowhere
		if !long && at < 0 {
			continue
		}
		bad := bytes.Clone(data)
		if at >= 0 {
			bad[at+bytes.Index(data[at:], []byte("BZh"))+1] ^= 8
		}
		for range 50 { // a worker that gets no processor time reads no block
			l := sameInBlocks(t, fmt.Sprint("damage at ", at), inTurn(1+i), extract.Options{}, stored(t, bad), 300)
			if handed += l; handed > 0 {
				break
			}
		}
	}
	if handed == 0 {
		t.Error("no blocks")
	}
}
