package lzw

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// read decodes in with r.
func read(r *Reader, in io.Reader) (string, error) {
	if err := r.Reset(bufio.NewReaderSize(in, 16)); err != nil {
		return "", err
	}
	out, err := io.ReadAll(r)
	return string(out), err
}

func TestFiles(t *testing.T) {
	r := new(Reader)
	for name, want := range map[string]string{"b10.Z": string(plain()), "b16.Z": string(plain()), "clears.Z": string(clears())} {
		in, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(in),
			"bytes": iotest.OneByteReader(bytes.NewReader(in)),
			"late":  iotest.DataErrReader(bytes.NewReader(in)),
		} {
			if got, err := read(r, from); got != want || err != nil {
				t.Errorf("%s, %s: %d bytes, %v", name, how, len(got), err)
			}
		}
		if out, n, _ := slow(in); string(out) != want || (n > 0) != (name == "clears.Z") {
			t.Errorf("%s: the slow twin differs, or %d codes CLEAR", name, n)
		}
	}
}

var texts = map[string]string{
	"nothing": "",
	"a byte":  "a",
	"two":     "ab",
	"again":   strings.Repeat("a", 3000), // each code is the one that was just added to the table
	"period":  strings.Repeat("abcabd", 700),
	"urls":    string(plain()[:6000]),
	"noise":   string(clears()[len(plain()):][:6000]),
	"zeros":   strings.Repeat("\x00\xff", 900),
}

func TestWidths(t *testing.T) {
	r := new(Reader)
	for name, text := range texts {
		for bits := 9; bits <= 16; bits++ {
			for _, block := range []bool{true, false} {
				for _, every := range []int{0, 1, 7, 1000} {
					in := compress([]byte(text), bits, block, every)
					got, err := read(r, bytes.NewReader(in))
					if got != text || err != nil {
						t.Errorf("%s, %d bits, block %v, CLEAR at %d: %d bytes of %d, %v",
							name, bits, block, every, len(got), len(text), err)
					}
				}
			}
		}
	}
}

// TestCuts checks that the text in front of a cut is read.
func TestCuts(t *testing.T) {
	r := new(Reader)
	in := compress(plain()[:2000], 12, true, 700)
	for n := range in {
		got, err := read(r, bytes.NewReader(in[:n]))
		switch {
		case n < 3:
			if err != io.ErrUnexpectedEOF {
				t.Errorf("a header of %d bytes: %v", n, err)
			}
			continue
		case err != nil && err != io.ErrUnexpectedEOF: // most cuts cannot be recognised
			t.Fatalf("%d bytes: %v", n, err)
		}
		if want, _, _ := slow(in[:n]); got != string(want) {
			t.Fatalf("%d bytes: %q, want %q", n, got, want)
		}
	}
}

func TestDamage(t *testing.T) {
	pack := func(flags byte, codes ...int) string {
		w := &writer{out: []byte{0x1f, 0x9d, flags}, width: 9}
		for _, c := range codes {
			w.put(c)
		}
		w.flush(false)
		return string(w.out)
	}
	for _, c := range []struct{ name, in, out, err string }{
		{"empty", "", "", "unexpected EOF"},
		{"no header", "GIF89a", "", "no header of compress: 47 49 46 at offset 0"},
		{"8 bits", "\x1f\x9d\x88", "", "no header of compress: 1f 9d 88 at offset 0"},
		{"17 bits", "\x1f\x9d\x91", "", "no header of compress: 1f 9d 91 at offset 0"},
		{"unknown bit", "\x1f\x9d\xd0", "", "no header of compress: 1f 9d d0 at offset 0"},
		{"nothing", "\x1f\x9d\x90", "", ""},
		{"first too great", pack(0x90, 300), "", "code 300 beyond the table at offset 3"},
		{"first is the next", pack(0x90, 257), "", "code 257 beyond the table at offset 3"},
		{"first CLEAR", pack(0x90, 256, 0, 0, 0, 0, 0, 0, 0, 'a'), "a", ""},
		{"CLEAR twice", pack(0x90, 256, 0, 0, 0, 0, 0, 0, 0, 256, 0, 0, 0, 0, 0, 0, 0, 'a'), "a", ""},
		{"no CLEAR", pack(0x10, 'a', 256, 'b'), "aaab", ""},
		{"second", pack(0x90, 'a', 259), "a", "code 259 beyond the table at offset 4"},
		{"after CLEAR", pack(0x90, 'a', 'b', 257, 256, 0, 0, 0, 0, 257), "abab", "code 257 beyond the table at offset 12"},
		{"cut in a code", pack(0x90, 'a', 'b')[:5], "a", ""}, // 7 bits remain of the last byte
		{"cut after 8 bits", pack(0x90, 'a', 'b')[:4], "", "unexpected EOF"},
		{"end in padding", pack(0x90, 'a', 256) + "\x00", "a", ""},
	} {
		r := new(Reader)
		got, err := read(r, strings.NewReader(c.in))
		said := ""
		if err != nil {
			said = err.Error()
		}
		if got != c.out || said != c.err {
			t.Errorf("%s: %q, %q, want %q, %q", c.name, got, said, c.out, c.err)
		}
		if n, again := r.Read(make([]byte, 9)); n != 0 || err != nil && again != err || err == nil && again != io.EOF {
			t.Errorf("%s: then %d, %v", c.name, n, again)
		}
	}
	bad := errors.New("bad")
	in := pack(0x90, 'a', 'b')
	if got, err := read(new(Reader), io.MultiReader(strings.NewReader(in), iotest.ErrReader(bad))); got != "ab" || err != bad {
		t.Errorf("%q, %v", got, err)
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head     string
		whole    bool
		is, wait bool
	}{
		{"", false, false, true}, {"", true, false, false}, {"\x1f", false, false, true}, {"\x1f", true, false, false},
		{"\x1f\x9d", false, false, true}, {"\x1f\x8b", false, false, false}, {"\x1f\x9d\x90", false, true, false},
		{"\x1f\x9d\x8f...", false, true, false}, {"\x1f\x9d\x20", false, false, false}, {"h", false, false, false},
	} {
		if is, wait := Sniff([]byte(c.head), c.whole); is != c.is || wait != c.wait {
			t.Errorf("%q: %v, %v", c.head, is, wait)
		}
	}
}

// TestPrompt checks that text is returned at once from a pipe that stays open without more data.
func TestPrompt(t *testing.T) {
	in := compress([]byte("http://a.example/ "), 16, true, 0)
	from, to := io.Pipe()
	done := make(chan string)
	go func() {
		r := new(Reader)
		if err := r.Reset(bufio.NewReader(from)); err != nil {
			t.Error(err)
		}
		p := make([]byte, 100)
		n, _ := r.Read(p)
		done <- string(p[:n])
	}()
	if _, err := to.Write(in); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got != "http://a.example/ " {
		t.Errorf("%q", got)
	}
	_ = to.Close()
}

func TestAllocatesNothing(t *testing.T) {
	in := compress(clears(), 13, true, 50000)
	r, src, buf, p := new(Reader), bytes.NewReader(nil), bufio.NewReader(nil), make([]byte, 4<<10)
	if n := testing.AllocsPerRun(5, func() {
		src.Reset(in)
		buf.Reset(src)
		if err := r.Reset(buf); err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := r.Read(p); err != nil {
				break
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzLZW compares with the slow decoder. The text must not depend on the sizes of reads.
func FuzzLZW(f *testing.F) {
	for name, text := range texts {
		f.Add(compress([]byte(text)[:min(len(text), 900)], 9+len(name)%8, len(name)%2 == 0, 100))
	}
	r := new(Reader)
	f.Fuzz(func(t *testing.T, in []byte) {
		if is, _ := Sniff(in, true); !is || len(in) > 4<<10 {
			return
		}
		want, _, bad := slow(in)
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(in),
			"bytes": iotest.OneByteReader(bytes.NewReader(in)),
			"two":   io.MultiReader(bytes.NewReader(in[:len(in)/2]), bytes.NewReader(in[len(in)/2:])),
		} {
			got, err := read(r, from)
			var damage *Error
			if got != string(want) || errors.As(err, &damage) != bad {
				t.Fatalf("%s: %d bytes, %v, want %d, bad %v", how, len(got), err, len(want), bad)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	for _, bits := range []int{12, 16} {
		var text []byte
		for i := range 30000 {
			text = fmt.Appendf(text, "%d from http://www.example.org/%x/\n", i, i*7919%99991)
		}
		in := compress(text, bits, true, 0)
		b.Run(fmt.Sprint(bits), func(b *testing.B) {
			r, src, buf, p := new(Reader), bytes.NewReader(nil), bufio.NewReader(nil), make([]byte, 32<<10)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				src.Reset(in)
				buf.Reset(src)
				_ = r.Reset(buf)
				for {
					if _, err := r.Read(p); err != nil {
						break
					}
				}
			}
		})
	}
}
