package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract"
)

// share returns approximately how much of text is in front of the cut. References are
// spread evenly, and all compress equally well.
func share(text, packed []byte, cut int) int { return len(text) * cut / len(packed) }

// TestCut truncates streams at many places. All text in front is read, the cut is one
// error with the right stage, and the next source is read.
func TestCut(t *testing.T) {
	skipRace(t)
	text := sample(4000)
	want, _ := read(t, extractor(t, extract.Options{}), text)
	for _, format := range packed {
		t.Run(format, func(t *testing.T) {
			data := pack(t, format, text)
			// Cuts in the magic number are left out: what remains is read as text.
			step := 7
			if long {
				step = 1
			}
			for i := 0; i < 100; i += step {
				cut := 24 + (len(data)-25)*i/99
				damaged(t, format, data[:cut], want, func(n int) {
					line := len(text) / 4000
					if least := (share(text, data, cut)-compressionOf(format).lost)/line - 400; n < least {
						t.Errorf("cut at %d of %d: %d references, want %d at least", cut, len(data), n, least)
					}
				})
			}
		})
	}
}

// TestFlip flips a bit at many places. If the bit is in a header, or no checksum covers it,
// the stream may still be complete.
func TestFlip(t *testing.T) {
	skipRace(t)
	text := sample(4000)
	for _, format := range packed {
		t.Run(format, func(t *testing.T) {
			data := pack(t, format, text)
			silent := 0
			for i := 0; i < 100; i += flipStride() {
				at := 12 + (len(data)-13)*i/99
				spoiled := bytes.Clone(data)
				spoiled[at] ^= 1 << (i % 8)
				x := extractor(t, extract.Options{Workers: 1})
				urls, errs := all(t, x.Run(t.Context(), slices.Values([]extract.Source{memory("a", spoiled), memory("b", []byte("http://next/"))})))
				if len(urls) == 0 || urls[len(urls)-1] != "http://next/" {
					t.Fatalf("flipped at %d: the next source is not read", at)
				}
				if len(errs) > 1 {
					t.Errorf("flipped at %d: errors %v", at, errs)
				}
				if len(errs) == 0 {
					silent++
				}
			}
			if silent > 4 {
				t.Errorf("%d of 100 damages are not reported", silent)
			}
		})
	}
}

// damaged reads data, which is damaged or truncated, and then another source.
func damaged(t *testing.T, format string, data []byte, want []string, check func(n int)) {
	t.Helper()
	for _, r := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data))} {
		x := extractor(t, extract.Options{Workers: 1})
		a := extract.Source{Name: "a", Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
		urls, errs := all(t, x.Run(t.Context(), slices.Values([]extract.Source{a, memory("b", []byte("http://next/"))})))
		if len(urls) == 0 || urls[len(urls)-1] != "http://next/" {
			t.Fatalf("cut at %d: the next source is not read", len(data))
		}
		urls = urls[:len(urls)-1]
		if len(errs) != 1 || errs[0].Stage != format || errs[0].Origin.Source != "a" || errs[0].Origin.Line == 0 {
			t.Fatalf("cut at %d: errors %v (%d references)", len(data), errs, len(urls))
		}
		// The last reference may itself be truncated.
		n := len(urls)
		if n > 0 && n <= len(want) && urls[n-1] != want[n-1] {
			urls = urls[:n-1]
		}
		if len(urls) > len(want) || !slices.Equal(urls, want[:len(urls)]) {
			t.Fatalf("cut at %d: %d references, and not those of the text", len(data), n)
		}
		check(n)
	}
}

// TestReadError checks that the error of a source is returned.
func TestReadError(t *testing.T) {
	broken := errors.New("disk is wet")
	for _, format := range []string{"plain", "gzip", "zstd", "xz", "lz4"} {
		data := pack(t, format, sample(4000))
		r := io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(broken))
		urls, errs := all(t, extractor(t, extract.Options{}).Read(t.Context(), "data", r))
		if len(urls) < 1000 || len(errs) != 1 || errs[0].Stage != "read" || !errors.Is(errs[0], broken) {
			t.Errorf("%s: %d references, errors %v", format, len(urls), errs)
		}
	}
}

// TestPanic reads from readers that panic. Each panic is an error of that source.
func TestPanic(t *testing.T) {
	data := pack(t, "gzip", sample(4000))
	r := io.MultiReader(bytes.NewReader(data[:len(data)/2]), panicReader{})
	urls, errs := all(t, extractor(t, extract.Options{}).Read(t.Context(), "data", r))
	if len(urls) < 1000 || len(errs) != 1 || errs[0].Stage != "read" {
		t.Errorf("%d references, errors %v", len(urls), errs)
	}
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("no such luck") }

// TestErrorText checks the form of errors.
func TestErrorText(t *testing.T) {
	data := pack(t, "gzip", []byte("one\ntwo http://a/ three"))
	_, errs := read(t, extractor(t, extract.Options{}), data[:len(data)-8])
	if got, want := fmt.Sprint(errs), "[data:2:20: gzip: unexpected EOF]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	_, errs = all(t, extractor(t, extract.Options{}).Run(t.Context(), extract.Walk("testdata/none")))
	if got, want := fmt.Sprint(errs), "[testdata/none: open: no such file or directory]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	e := &extract.Error{Origin: extract.Origin{Source: "spool/a.tar", Member: "x", Message: 3, Part: "1.2", Line: 88, Column: 17}, Stage: "base64", Err: io.ErrUnexpectedEOF}
	if got, want := e.Error(), "spool/a.tar!x#3[1.2]:88:17: base64: unexpected EOF"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// stride is the distance between two damaged places in tests where each place takes little time.
// All places are tried; with the race detector only every tenth.
func stride() int {
	if raceEnabled {
		return 10
	}
	return 1
}

// flipStride is stride for flipped bits: the short form flips one bit in three.
func flipStride() int {
	if long {
		return 1
	}
	return max(3, stride())
}
