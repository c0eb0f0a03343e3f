package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// A faulty reader returns data, a KiB at a time, and then calls then.
type faulty struct {
	data     []byte
	then     func(p []byte) (int, error)
	close    func() error
	deadline func()
}

func (f *faulty) Read(p []byte) (int, error) {
	if len(f.data) == 0 {
		return f.then(p)
	}
	n := copy(p[:min(len(p), 1<<10)], f.data)
	f.data = f.data[n:]
	return n, nil
}

func (f *faulty) Close() error {
	if f.close != nil {
		return f.close()
	}
	return nil
}

func (f *faulty) SetReadDeadline(time.Time) error {
	if f.deadline != nil {
		f.deadline()
	}
	return nil
}

var errFaulty = errors.New("faulty")

// TestFaultyReader reads sources that break the rules. Each is an Error that follows what was found
// before. The sources before and after it are read.
func TestFaultyReader(t *testing.T) {
	defer extract.AheadFrom(1)()
	text := sample(2000)
	faults := map[string]struct {
		stage, cause string
		then         func(p []byte) (int, error)
	}{
		"panic":        {"read", "panic: faulty", func([]byte) (int, error) { panic(errFaulty) }},
		"index":        {"read", "out of range", func(p []byte) (int, error) { return int(p[len(p)]), nil }},
		"negative":     {"read", "returned -1", func([]byte) (int, error) { return -1, nil }},
		"negative end": {"read", "returned -5", func([]byte) (int, error) { return -5, io.EOF }},
		"too many":     {"read", "returned", func(p []byte) (int, error) { return len(p) + 1, nil }},
		"nothing":      {"read", io.ErrNoProgress.Error(), func([]byte) (int, error) { return 0, nil }},
	}
	for name, fault := range faults {
		for _, format := range []string{"plain", "gzip", "zstd", "lz4"} {
			data := pack(t, format, text)
			data = data[:len(data)*3/4]
			for _, workers := range []int{1, 2, 4} {
				for _, at := range []int{0, len(data)} {
					sources := []extract.Source{
						memory("a", []byte("http://a.example/")),
						{Name: "faulty", Size: -1, Open: func() (io.ReadCloser, error) { return &faulty{data: data[:at], then: fault.then}, nil }},
						memory("z", []byte("http://z.example/")),
					}
					x := extractor(t, extract.Options{Workers: workers})
					urls, errs := all(t, x.Run(t.Context(), slices.Values(sources)))
					n := len(urls)
					if n < 2 || urls[0] != "http://a.example/" || urls[n-1] != "http://z.example/" || at > 0 && n < 900 {
						t.Errorf("%s, %s, %d workers: %d are found", name, format, workers, n)
					}
					if len(errs) != 1 || errs[0].Stage != fault.stage || errs[0].Origin.Source != "faulty" || !strings.Contains(errs[0].Error(), fault.cause) {
						t.Errorf("%s, %s, %d workers: %v", name, format, workers, errs)
					} else if name == "panic" && !errors.Is(errs[0], errFaulty) {
						t.Errorf("%v does not hold what it panicked with", errs[0])
					}
				}
			}
		}
	}
}

// TestFaultyOpen has sources that panic when they are opened, when they are closed, and when Close
// ends a waiting Read.
func TestFaultyOpen(t *testing.T) {
	eof := func([]byte) (int, error) { return 0, io.EOF }
	for _, workers := range []int{1, 3} {
		x := extractor(t, extract.Options{Workers: workers})
		urls, errs := all(t, x.Run(t.Context(), slices.Values([]extract.Source{
			{Name: "open", Open: func() (io.ReadCloser, error) { panic("no") }},
			{Name: "close", Open: func() (io.ReadCloser, error) {
				return &faulty{data: []byte("http://a.example/"), then: eof, close: func() error { panic("no") }}, nil
			}},
			{Name: "nil"},
			memory("z", []byte("http://z.example/")),
		})))
		var reported []string
		for _, e := range errs {
			reported = append(reported, e.Origin.Source+" "+e.Stage)
		}
		if fmt.Sprint(urls) != "[http://a.example/ http://z.example/]" || fmt.Sprint(reported) != "[open open close close nil open]" {
			t.Errorf("%d workers: %v, %v", workers, urls, errs)
		}
		over := make(chan bool)
		hang := func([]byte) (int, error) { <-over; return 0, io.EOF }
		for range x.Run(t.Context(), slices.Values([]extract.Source{{Name: "waits", Size: -1, Open: func() (io.ReadCloser, error) {
			once := sync.OnceFunc(func() { close(over) })
			return &faulty{data: []byte("http://a.example/ http://b.example/\n"), then: hang, deadline: func() { once(); panic("no") }}, nil
		}}})) {
			if workers == 1 {
				close(over) // the Read runs in this goroutine, and must return before the loop ends
			}
			break
		}
	}
}

// TestFaultySequence has a sequence of sources that panics. The results found before are yielded,
// and then the panic reaches the caller.
func TestFaultySequence(t *testing.T) {
	sources := func(yield func(extract.Source) bool) {
		for i := range 20 {
			if !yield(memory(fmt.Sprint(i), sample(100))) {
				return
			}
		}
		panic(errFaulty)
	}
	for _, workers := range []int{1, 2, 5} {
		for _, unordered := range []bool{false, true} {
			x := extractor(t, extract.Options{Workers: workers, Unordered: unordered})
			found := 0
			func() {
				defer func() {
					if v := recover(); v != error(errFaulty) {
						t.Errorf("%d workers: the caller got %v", workers, v)
					}
				}()
				for _, err := range x.Run(t.Context(), sources) {
					must(t, err)
					found++
				}
			}()
			if found != 2000 {
				t.Errorf("%d workers: %d are found", workers, found)
			}
			for range x.Run(t.Context(), sources) {
				break // either none or all of them were read
			}
		}
	}
}

// TestFaultyBody panics in the body of the loop, also where that is called within a Read.
func TestFaultyBody(t *testing.T) {
	body := func(what string, loop func()) {
		defer func() {
			if v := recover(); v != error(errFaulty) {
				t.Errorf("%s: the caller got %v", what, v)
			}
		}()
		loop()
	}
	encoder := func() extract.Encoder {
		return func(dst []byte, r *extract.Result) []byte { return append(dst, r.URL...) }
	}
	for _, format := range []string{"plain", "gzip", "zstd", "s2"} {
		for _, workers := range []int{1, 2} {
			x := extractor(t, extract.Options{Workers: workers})
			sources := slices.Values([]extract.Source{memory("a", pack(t, format, sample(5000)))})
			body("Run "+format, func() {
				for range x.Run(t.Context(), sources) {
					panic(errFaulty)
				}
			})
			body("Encode "+format, func() {
				for range x.Encode(t.Context(), sources, encoder) {
					panic(errFaulty)
				}
			})
		}
	}
}

// TestOwnGoroutines examines all goroutines while each kind of compression is read. No library may
// start one, because a panic in it would end the program.
func TestOwnGoroutines(t *testing.T) {
	defer extract.AheadFrom(1)()
	foreign := regexp.MustCompile(`created by (github\.com/(?:klauspost|pierrec|ulikunitz)[^\n]*)`)
	stack := make([]byte, 1<<20)
	look := func(what string) {
		if by := foreign.FindSubmatch(stack[:runtime.Stack(stack, true)]); by != nil {
			t.Errorf("%s: a goroutine is of %s", what, by[1])
		}
	}
	text := sample(4000)
	dir := t.TempDir()
	for _, format := range packed {
		data := pack(t, format, text)
		path := filepath.Join(dir, format)
		must(t, os.WriteFile(path, bytes.Repeat(data, 4), 0o600))
		for _, workers := range []int{1, 3} {
			what := fmt.Sprintf("%s, %d workers", format, workers)
			looking := extract.Source{Name: "a", Size: -1, Open: func() (io.ReadCloser, error) {
				return &faulty{data: data, then: func([]byte) (int, error) { look(what); return 0, io.EOF }}, nil
			}}
			x := extractor(t, extract.Options{Workers: workers})
			found := 0
			for _, err := range x.Run(t.Context(), slices.Values([]extract.Source{looking})) {
				must(t, err)
				if found++; found%1000 == 1 {
					look(what)
				}
			}
			for _, err := range x.Run(t.Context(), extract.Walk(path)) {
				if err == nil {
					found++
				}
				if found%1000 == 1 {
					look(what)
				}
			}
			if found < 8000 {
				t.Errorf("%s: %d are found", what, found)
			}
		}
	}
}

// TestSeverity expects a warning if nothing was lost, and an error if something was lost or not
// read.
func TestSeverity(t *testing.T) {
	message := "From: a@b\nDate: Mon, 3 Jan 2000 12:00:00 +0000\n"
	for _, c := range []struct {
		name, data string
		limits     extract.Limits
		stage      string
		want       extract.Severity
	}{
		{"8-bit header", message + "Subject: caf\xe9\n\nhttp://a/\n", extract.Limits{}, "header", extract.Warning},
		{"no end of a multipart", message + "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a/\n", extract.Limits{}, "mime", extract.Warning},
		{"unknown charset", message + "Content-Type: text/plain; charset=klingon\n\nhttp://a/\n", extract.Limits{}, "mime", extract.Warning},
		{"stray =", message + "Content-Transfer-Encoding: quoted-printable\n\nhttp://a/?b=\xff=\nc =zz\n", extract.Limits{}, "quoted-printable", extract.Warning},
		{"nested too deep", message + "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nhttp://a/\n--c--\n--b--\n", extract.Limits{Nesting: 1}, "mime", extract.Lost},
		{"cut", string(pack(t, "gzip", sample(100))[:300]), extract.Limits{}, "gzip", extract.Lost},
		{"too long", string(sample(100)), extract.Limits{Size: 100}, "size", extract.Lost},
		{"half a unit", "\xff\xfea\x00b", extract.Limits{}, "utf-16le", extract.Lost},
	} {
		x := extractor(t, extract.Options{Limits: c.limits, Workers: 1})
		_, errs := all(t, x.Read(t.Context(), "data", strings.NewReader(c.data)))
		if len(errs) != 1 || errs[0].Stage != c.stage || errs[0].Severity != c.want {
			t.Errorf("%s: %v", c.name, errs)
			continue
		}
		if s := x.Stats(); s.ErrorsAll != 1 || (s.Warnings == 1) != (c.want == extract.Warning) {
			t.Errorf("%s: %d errors, %d of them warnings", c.name, s.ErrorsAll, s.Warnings)
		}
		if limit := c.name == "nested too deep" || c.name == "too long"; (errs[0].Limit != "") != limit || (errs[0].Value > 0) != limit {
			t.Errorf("%s: limit %q of %d", c.name, errs[0].Limit, errs[0].Value)
		}
	}
}
