package main

import (
	"bytes"
	"compress/bzip2"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// sample returns n articles. Some of their lines look like the beginning of an article.
func sample(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "From: a%d\nSubject: b\n\nFrom here on\n>From there\n\n\nFrom: said he\nand so on, = and é\n\n", i)
	}
	return b.String()
}

func TestArticles(t *testing.T) {
	text := sample(3)
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		var got []string
		for a, err := range articles(r) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(a))
		}
		if len(got) != 3 || strings.Join(got, "") != text || !strings.HasPrefix(got[2], "From: a2\n") {
			t.Errorf("articles are %q", got)
		}
	}
	broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrClosedPipe))
	var last error
	for _, last = range articles(broken) {
	}
	if last != io.ErrClosedPipe {
		t.Errorf("a failing reader ends with %v", last)
	}
}

func TestWriteMessage(t *testing.T) {
	for text, want := range map[string]string{
		"From: a\n\nFrom b\n>From c\n>>From d\n From e\n": "From: a\n\n>From b\n>>From c\n>>>From d\n From e\n\n",
		"A: b\n\nc": "A: b\n\nc\n\n",
	} {
		var b strings.Builder
		if err := writeMessage(&b, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if want = "From - Thu Jan  1 00:00:00 1970\n" + want; b.String() != want {
			t.Errorf("message is %q, want %q", b.String(), want)
		}
	}
}

// TestPacked checks that decompressing the output of each packer gives the text, and that it has as
// many pieces as its name says.
func TestPacked(t *testing.T) {
	text := sample(40_000) // some MB; the last piece is not full
	pieces := (len(text) + memberSize - 1) / memberSize
	for name, want := range map[string]int{"gz": 1, "members": pieces, "bgzf": (len(text)+blockSize-1)/blockSize + 1, "zst": 1, "xz": 1, "bz2": 1, "frames": pieces} {
		packed := made(t, name, text)
		var got []byte
		n := 0
		if strings.HasPrefix(packed, "\x1f\x8b") {
			r := strings.NewReader(packed)
			z, err := gzip.NewReader(r)
			for ; err == nil; err = z.Reset(r) {
				z.Multistream(false)
				b, err := io.ReadAll(z)
				if err != nil {
					t.Fatal(err)
				}
				got, n = append(got, b...), n+1
			}
			if err != io.EOF {
				t.Errorf("%s: %v", name, err)
			}
		} else if name == "xz" || name == "bz2" {
			var z io.Reader = bzip2.NewReader(strings.NewReader(packed))
			if name == "xz" {
				var err error
				if z, err = xz.NewReader(strings.NewReader(packed)); err != nil {
					t.Fatal(err)
				}
			}
			b, err := io.ReadAll(z)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got, n = b, 1
		} else {
			n = strings.Count(packed, "\x28\xb5\x2f\xfd") // the bytes do not occur within frames by chance
			z, err := zstd.NewReader(strings.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			if got, err = io.ReadAll(z); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			z.Close()
		}
		if string(got) != text || n != want {
			t.Errorf("%s: %d bytes in %d pieces, want %d in %d", name, len(got), n, len(text), want)
		}
	}
}

// TestBGZF follows the lengths in the extra fields from block to block.
func TestBGZF(t *testing.T) {
	rest := made(t, "bgzf", sample(5000))
	for len(rest) > 0 {
		if rest[:4] != "\x1f\x8b\x08\x04" || rest[12:16] != "BC\x02\x00" {
			t.Fatalf("a block begins %q", rest[:18])
		}
		n := int(binary.LittleEndian.Uint16([]byte(rest[16:]))) + 1
		if n == len(rest) && rest[n-4:] != "\x00\x00\x00\x00" {
			t.Error("the last block is not empty")
		}
		rest = rest[n:]
	}
}

func TestEncoded(t *testing.T) {
	// No line needs quoting, which is tested above and cannot be reversed here.
	text := strings.NewReplacer("From ", "from ", "\nand", " and").Replace(sample(3000))
	for kind, decode := range map[string]func(io.Reader) io.Reader{
		"qp":     func(r io.Reader) io.Reader { return quotedprintable.NewReader(r) },
		"base64": func(r io.Reader) io.Reader { return base64.NewDecoder(base64.StdEncoding, r) },
	} {
		var got []byte
		for m := range strings.SplitSeq(made(t, kind, text), "From - Thu Jan  1 00:00:00 1970\n") {
			if m == "" {
				continue
			}
			message, err := mail.ReadMessage(strings.NewReader(m))
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(decode(message.Body))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, b...)
		}
		// A message ends with a line end, even if its text does not.
		clean := func(s string) string { return strings.ReplaceAll(s, "\n", "") }
		if clean(string(got)) != clean(text) {
			t.Errorf("%s: the text comes out as %d bytes, want %d", kind, len(got), len(text))
		}
	}
}

// TestDerive checks that existing files are kept, that files older than their haystack are made
// again, that a folder of articles contains them, and that no incomplete file is left.
func TestDerive(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "hay")
	if err := os.WriteFile(file, []byte(sample(inFolder+1)), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := derive(&out, dir, "spool,mbox", []string{file}); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), file+".spool\n"+file+".mbox\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	last, err := os.ReadFile(filepath.Join(file+".spool", "1", "0"))
	if err != nil || !strings.HasPrefix(string(last), fmt.Sprintf("From: a%d\n", inFolder)) {
		t.Errorf("the last article is %q, %v", last, err)
	}
	if _, err := os.Stat(file + ".mbox.part"); err == nil {
		t.Error("a part is left")
	}

	mark := func() {
		if err := os.WriteFile(file+".mbox", []byte("kept"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again := func() string {
		if err := derive(io.Discard, dir, "mbox", []string{file}); err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(file + ".mbox")
		return string(b)
	}
	if mark(); again() != "kept" {
		t.Error("what is young was made anew")
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	if mark(); again() == "kept" {
		t.Error("what is old was kept")
	}

	if err := derive(io.Discard, dir, "rar", []string{file}); err == nil {
		t.Error("a kind that is none was made")
	}
	none := filepath.Join(dir, "none")
	if err := os.WriteFile(none, []byte("no articles\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := derive(io.Discard, dir, "spool", []string{none}); err == nil {
		t.Error("a spool was made of no articles")
	}
}

// made returns the file of the named kind for a text.
func made(t *testing.T, name, text string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "to")
	for _, k := range kinds {
		if k.name == name {
			if err := k.make(to, strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	b, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
