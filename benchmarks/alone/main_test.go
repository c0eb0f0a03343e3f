package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func TestUnpack(t *testing.T) {
	for name, open := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	} {
		var b bytes.Buffer
		w, err := open(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(bytes.Repeat([]byte("http://a/ "), 100_000)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := unpack(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Truncate(file, int64(b.Len()/2)); err != nil {
			t.Fatal(err)
		}
		if err := unpack(file); err == nil {
			t.Errorf("%s: half a file was taken for a whole one", name)
		}
	}
}

func TestParse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mbox")
	text := "From a\nSubject: x\n\nabc\nFrom here\n\nFrom b\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Transfer-Encoding: base64\n\nYWI=\n--b--\n\nFrom c\n\nd"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := parse(&out, file); err != nil || out.String() != "15\n0\n2\n1\n" {
		t.Errorf("parse printed %q, %v", out.String(), err)
	}
}
