package bzip2

import (
	"bufio"
	"bytes"
	twin "compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// plain returns text with all bytes, and runs of all lengths that the run-length encoding
// distinguishes.
func plain() []byte {
	var b bytes.Buffer
	for i := range 150 {
		fmt.Fprintf(&b, "line %d: see http://host%d.example.org/%d\n", i, i%9, i*i)
	}
	for i, n := range []int{3, 4, 5, 258, 259, 260, 100000} {
		b.WriteString(strings.Repeat(string(rune('a'+i)), n))
	}
	for i := range 4 * 256 {
		b.WriteByte(byte(i))
	}
	b.WriteString("\x00\x00\x00\x00")
	return b.Bytes()
}

var files = map[string][]byte{"blocks": plain(), "streams": plain(), "empty": nil}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".bz2"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read reads all of in with r.
func read(r *Reader, in io.Reader) ([]byte, error) {
	r.Reset(bufio.NewReaderSize(in, 16))
	return io.ReadAll(r)
}

func TestFiles(t *testing.T) {
	r := new(Reader)
	for name, want := range files {
		data := file(t, name)
		for how, in := range map[string]io.Reader{
			"whole": bytes.NewReader(data),
			"bytes": iotest.OneByteReader(bytes.NewReader(data)),
			"late":  iotest.DataErrReader(bytes.NewReader(data)),
		} {
			if got, err := read(r, in); !bytes.Equal(got, want) || err != nil {
				t.Errorf("%s, %s: %d bytes, %v", name, how, len(got), err)
			}
		}
		r.Reset(bufio.NewReader(bytes.NewReader(data)))
		if got, err := io.ReadAll(iotest.OneByteReader(r)); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%s, into one byte: %d bytes, %v", name, len(got), err)
		}
	}
}

// TestCut truncates files at each byte. The text must be that of compress/bzip2.
func TestCut(t *testing.T) {
	r := new(Reader)
	for name := range files {
		data := file(t, name)
		for n := range data {
			if !long && n%7 != 0 {
				continue
			}
			got, err := read(r, bytes.NewReader(data[:n]))
			same := data[:n]
			if name == "streams" {
				same = unpadded(t, n)
			}
			want, twinErr := io.ReadAll(twin.NewReader(bytes.NewReader(same)))
			if !bytes.Equal(got, want) || (err == nil) != (twinErr == nil) || err != nil && err != io.ErrUnexpectedEOF {
				t.Fatalf("%s, cut at %d: %d bytes, %v; compress/bzip2 has %d, %v", name, n, len(got), err, len(want), twinErr)
			}
		}
	}
}

// unpadded returns the first n bytes of streams.bz2 without the zeros, 5 after the empty
// stream and 3 at the end, which compress/bzip2 does not read.
func unpadded(t *testing.T, n int) []byte {
	data, empty := file(t, "streams"), file(t, "empty")
	pad, end := bytes.Index(data, empty)+len(empty), len(data)-3
	return slices.Concat(data[:min(n, pad)], data[min(n, pad+5, end):min(n, end)])
}

// TestFlip flips each bit: text that differs is never returned without an error.
func TestFlip(t *testing.T) {
	r := new(Reader)
	data := file(t, "blocks")
	for i := range 8 * len(data) {
		if !long && i%29 != 0 {
			continue
		}
		data[i/8] ^= 1 << (i % 8)
		got, err := read(r, bytes.NewReader(data))
		var damage *Error
		switch {
		case err == nil && !bytes.Equal(got, plain()):
			t.Errorf("bit %d is not noticed", i)
		case errors.As(err, &damage) && (damage.Offset > int64(len(data)) || damage.What == ""):
			t.Errorf("bit %d: %v", i, err)
		}
		data[i/8] ^= 1 << (i % 8)
	}
}

func TestDamage(t *testing.T) {
	r := new(Reader)
	for _, c := range []struct {
		name string
		data []byte
		text int
		want string
	}{
		{"not a file", []byte("BZx9"), 0, "no header of a stream at offset 3"},
		{"level", []byte("BZh0"), 0, "no header of a stream at offset 4"},
		{"trailing", append(file(t, "empty"), "\x00\x00more"...), 0, "trailing bytes that begin no stream at offset 16"},
		{"part of a header", append(file(t, "empty"), "BZ"...), 0, io.ErrUnexpectedEOF.Error()},
		{"checksum of the stream", append(file(t, "empty")[:13], 1), 0, "checksum of a stream does not match at offset 14"},
		{"checksum of a block", slices.Replace(file(t, "blocks"), 10, 11, 0), len(plain()), "block checksum does not match at offset"},
		{"block", []byte("BZh9abcdefgh"), 0, "no header of a block at offset 10"},
		{"randomized", append(file(t, "blocks")[:14], 0xff, 0xff), 0, "randomized block at offset 15"},
	} {
		got, err := read(r, bytes.NewReader(c.data))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(got) > c.text {
			t.Errorf("%s: %d bytes, %v; want %d, %s", c.name, len(got), err, c.text, c.want)
		}
	}
}

// TestAllocs reads files repeatedly. Memory must be reused.
func TestAllocs(t *testing.T) {
	r, buf, in := new(Reader), bufio.NewReader(nil), bytes.NewReader(nil)
	data := file(t, "streams")
	if n := testing.AllocsPerRun(20, func() {
		in.Reset(data)
		buf.Reset(in)
		r.Reset(buf)
		if _, err := io.Copy(io.Discard, r); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// program returns the output of bzip2(1) for data. It may contain a part of the text of a damaged
// block.
func program(t *testing.T, data []byte) []byte {
	path, err := exec.LookPath("bzip2")
	if err != nil {
		t.Skip("bzip2 is not installed, so nothing decides between two readings of a damaged block")
	}
	cmd := exec.Command(path, "-dc")
	cmd.Stdin = bytes.NewReader(data)
	text, _ := cmd.Output() // its exit status is 2 after damage
	return text
}

// FuzzBzip2 compares with compress/bzip2 on any bytes. Without an error the text must be equal;
// with damage, at least as much must be returned.
func FuzzBzip2(f *testing.F) {
	for name := range files {
		f.Add(file(f, name))
	}
	for name := range larger {
		data := file(f, name)
		f.Add(data)
		f.Add(data[:len(data)/2])
		bad := bytes.Clone(data)
		bad[len(bad)/2] ^= 16
		f.Add(bad)
	}
	r := new(Reader)
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 20
		r.Reset(bufio.NewReader(bytes.NewReader(data)))
		got, err := io.ReadAll(io.LimitReader(r, most))
		want, twinErr := io.ReadAll(io.LimitReader(twin.NewReader(bytes.NewReader(data)), most))
		if twinErr == nil && (err != nil || !bytes.Equal(got, want)) {
			t.Errorf("%d bytes, %v; compress/bzip2 has %d", len(got), err, len(want))
		}
		if on, _ := readOn(r, data); len(got) < most && !bytes.HasPrefix(on, got) {
			t.Errorf("%d bytes; others of %d come if it reads on", len(got), len(on))
		}
		if random := bytes.Contains([]byte(fmt.Sprint(err)), []byte("randomized")); !random && !bytes.HasPrefix(got, want) {
			// compress/bzip2 reads incomplete codes in its own way, so compare with bzip2(1).
			if theirs := program(t, data); twinErr != nil && len(theirs) > 0 && bytes.HasPrefix(got, theirs[:min(len(theirs), most)]) {
				return
			}
			t.Errorf("%d bytes, %v; compress/bzip2 has %d others, %v", len(got), err, len(want), twinErr)
		}
	})
}
