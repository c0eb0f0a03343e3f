package extract_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract"
)

// A Source can be anything that can be opened. Here Sources are texts in memory; they could also be
// objects in a store. The worker that reads the Source calls Open.
func ExampleSource() {
	texts := map[string]string{
		"letters/1": "see http://example.org/1",
		"letters/2": "and http://example.org/2",
	}
	sources := func(yield func(extract.Source) bool) {
		for _, name := range []string{"letters/1", "letters/2"} {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(texts[name])), nil }
			if !yield(extract.Source{Name: name, Size: int64(len(texts[name])), Open: open}) {
				return
			}
		}
	}
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Run(context.Background(), sources) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", r.Origin.Source, r.URL)
	}
	// Output:
	// letters/1: http://example.org/1
	// letters/2: http://example.org/2
}

// An Error says which step has failed, and which limit was exceeded. The other sources are still
// read.
func ExampleError() {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, "http://example.org/first ", strings.Repeat(" ", 1<<20), " http://example.org/last")
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	errLost := errors.New("the store has no such object")
	source := func(name string, data []byte, err error) extract.Source {
		return extract.Source{Name: name, Size: -1, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), err
		}}
	}
	sources := []extract.Source{
		source("lost", nil, errLost),
		source("big.gz", packed.Bytes(), nil),
		source("cut.gz", packed.Bytes()[:64], nil),
	}
	x, err := extract.New(extract.Options{Workers: 1, Limits: extract.Limits{Size: 64 << 10}})
	if err != nil {
		log.Fatal(err)
	}
	for r, err := range x.Run(context.Background(), slices.Values(sources)) {
		var e *extract.Error
		switch {
		case err == nil:
			fmt.Printf("%s: %s\n", r.Origin.Source, r.URL)
		case !errors.As(err, &e): // of the context
			log.Fatal(err)
		case e.Limit != "":
			fmt.Printf("%s: more than Limits.%s, which is %d\n", e.Origin.Source, e.Limit, e.Value)
		case e.Stage == extract.StageOpen:
			fmt.Println(e.Origin.Source, "is not open:", errors.Is(err, errLost))
		default:
			fmt.Println(e.Severity, "in", e.Stage, "of", e.Origin.Source)
		}
	}
	// Output:
	// lost is not open: true
	// big.gz: http://example.org/first
	// big.gz: more than Limits.Size, which is 65536
	// cut.gz: http://example.org/first
	// error in gzip of cut.gz
}

// TestStages checks the Stage of errors from walking, opening, reading and closing, and of an error
// in Options, against the exported constants.
func TestStages(t *testing.T) {
	failing := errors.New("fails")
	opened := func(r io.Reader, end error) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) { return failingEnd{r, end}, nil }
	}
	folder := t.TempDir()
	for stage, sources := range map[string]iter.Seq[extract.Source]{
		extract.StageWalk:  (&extract.Walker{Globs: []string{"[z-"}}).Walk(folder),
		extract.StageOpen:  extract.Walk(filepath.Join(folder, "missing")),
		extract.StageRead:  slices.Values([]extract.Source{{Name: "read", Size: -1, Open: opened(iotest.ErrReader(failing), nil)}}),
		extract.StageClose: slices.Values([]extract.Source{{Name: "close", Size: -1, Open: opened(strings.NewReader("text"), failing)}}),
	} {
		x, err := extract.New(extract.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var stages []string
		for _, err := range x.Run(t.Context(), sources) {
			var e *extract.Error
			if errors.As(err, &e) {
				stages = append(stages, e.Stage)
			}
		}
		if !slices.Equal(stages, []string{stage}) {
			t.Errorf("stages of errors: %q, want %q", stages, stage)
		}
	}
	_, err := extract.New(extract.Options{Workers: -1})
	var e *extract.Error
	if !errors.As(err, &e) || e.Stage != extract.StageOptions {
		t.Errorf("the error of Options is %v", err)
	}
}

// A failingEnd is a source whose Close panics with end, unless that is nil.
type failingEnd struct {
	io.Reader
	end error
}

func (f failingEnd) Close() error {
	if f.end != nil {
		panic(f.end)
	}
	return nil
}

// What was lost, and what only breaks the rules.
func ExampleIsWarning() {
	x, err := extract.New(extract.Options{})
	if err != nil {
		log.Fatal(err)
	}
	const mail = "From: a@h.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nhttp://a.example/\n"
	for r, err := range x.Read(context.Background(), "mail", strings.NewReader(mail)) {
		switch {
		case extract.IsWarning(err):
			fmt.Println("warning:", err)
		case err != nil:
			fmt.Println("lost:", err)
		default:
			fmt.Printf("%s\n", r.URL)
		}
	}
	// Output:
	// http://a.example/
	// warning: mail#1:8:1: mime: multipart without a closing boundary
}
