package sevenzip

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

const window = 1 << 20

// list reads an archive. It returns a line for each file (name, data) and for each error.
func list(in []byte, from io.Reader, window int64) string {
	var b strings.Builder
	var r Reader
	r.Reset(bufio.NewReader(from), 0)
	r.SetFile(bytes.NewReader(in), window)
	for range 1000 {
		name, err := r.Next()
		m, _ := err.(*damage.Damage)
		switch {
		case m != nil && m.Mild:
			fmt.Fprintf(&b, "! %v\n", m)
			continue
		case err != nil:
			fmt.Fprintf(&b, "%v\n", err)
			if all, passed, _ := r.Counts(); err == io.EOF && all != int64(len(in)) || passed > all {
				fmt.Fprintf(&b, "%d bytes of %d, %d passed\n", all, len(in), passed)
			}
			if _, again := r.Next(); again != err {
				fmt.Fprintf(&b, "then %v\n", again)
			}
			return b.String()
		case name == "":
			continue
		}
		data, err := io.ReadAll(&r)
		if len(data) > 60 {
			data = fmt.Appendf(nil, "(%d)", len(data))
		}
		fmt.Fprintf(&b, "%s: %s", name, strings.TrimSpace(string(data)))
		if err != nil {
			fmt.Fprintf(&b, " ! %v", err)
		}
		b.WriteByte('\n')
	}
	return b.String() + "no end\n"
}

const (
	long = "a-name-of-more-than-sixteen-bytes.txt: http://c.example/three\n"
	all  = long + "a.txt: see http://a.example/one\ndir/b.txt: (1000)\nEOF\n"
)

// files are the files in testdata. 7-Zip sorts what it packs. Directories and empty files have no data.
var files = map[string]string{
	"solid.7z":               all,
	"plain-directory.7z":     all,
	"nonsolid.7z":            all,
	"lzma.7z":                all,
	"copy.7z":                all,
	"deflate.7z":             all,
	"bzip2.7z":               all,
	"filters.7z":             all,
	"ppmd.7z":                "! 7z: a folder packed by PPMd; its files are not read: 3 at offset 32\nEOF\n",
	"encrypted.7z":           "! 7z: an encrypted folder; its files are not read: 1 at offset 32\n! 7z: an encrypted folder; its files are not read: 1 at offset 64\n! 7z: an encrypted folder; its files are not read: 1 at offset 96\nEOF\n",
	"encrypted-directory.7z": "7z: the directory is not read: an encrypted folder at offset 0\n",
	"nothing.7z":             "EOF\n",
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	in, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestFiles(t *testing.T) {
	for name, want := range files {
		in := testdata(t, name)
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(in),
			"bytes": iotest.OneByteReader(bytes.NewReader(in)),
			"late":  iotest.DataErrReader(bytes.NewReader(in)),
		} {
			if got := list(in, from, window); got != want {
				t.Errorf("%s, %s:\n%swant\n%s", name, how, got, want)
			}
		}
	}
}

// step is how far apart the bytes are at which files are cut or changed. The long form of the tests tries every byte.
var step = func() int {
	if os.Getenv("URLSIFT_LONG") != "" {
		return 1
	}
	return 5
}()

// TestCut reads each beginning of each archive: without its end, it has no directory.
func TestCut(t *testing.T) {
	for name := range files {
		in := testdata(t, name)
		for n := 0; n < len(in); n += step {
			if got := list(in[:n], bytes.NewReader(in[:n]), window); got != "7z: unexpected EOF\n" {
				t.Fatalf("%s, %d bytes: %s", name, n, got)
			}
		}
	}
}

// TestShorter reads archives that have become shorter since the directory was read.
func TestShorter(t *testing.T) {
	for name, whole := range files {
		in := testdata(t, name)
		for n := headSize; n < len(in); n += step {
			got := list(in, bytes.NewReader(in[:n]), window)
			if strings.HasSuffix(got, "no end\n") {
				t.Fatalf("%s, %d bytes: %s", name, n, got)
			}
			if strings.HasPrefix(whole, long) && !strings.HasPrefix(got, whole[:len(whole)-len("EOF\n")]) && !strings.HasSuffix(got, "unexpected EOF\n") {
				t.Fatalf("%s, %d bytes: %s", name, n, got)
			}
		}
		broken := errors.New("broken")
		got := list(in, io.MultiReader(bytes.NewReader(in[:40]), iotest.ErrReader(broken)), window)
		if strings.HasPrefix(whole, long) && !strings.HasSuffix(got, "broken\n") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestFlipped flips a bit of each byte. If anything else is read then, damage is reported. A folder that is damaged
// does not damage another.
func TestFlipped(t *testing.T) {
	for name, whole := range files {
		if !strings.HasPrefix(whole, long) {
			continue
		}
		in := testdata(t, name)
		for at := 0; at < len(in); at += step {
			bad := bytes.Clone(in)
			bad[at] ^= 1 << (at % 8)
			got := list(bad, bytes.NewReader(bad), window)
			if got != whole && !strings.Contains(got, "7z: ") || strings.HasSuffix(got, "no end\n") {
				t.Fatalf("%s, byte %d: %s", name, at, got)
			}
		}
	}
	in := testdata(t, "nonsolid.7z")
	in[headSize+5] ^= 0x10 // in the first of three folders
	if got := list(in, bytes.NewReader(in), window); !strings.Contains(got, " ! 7z: ") || !strings.HasSuffix(got, all[len(long):]) {
		t.Errorf("a damaged folder: %s", got)
	}
	in = testdata(t, "solid.7z")
	in[headSize+60] ^= 0x10 // in the only one
	if got := list(in, bytes.NewReader(in), window); !strings.Contains(got, " ! 7z: ") {
		t.Errorf("a damaged folder: %s", got)
	}
}

// made returns an archive with this directory, and with packed data in front of it.
func made(packed, directory []byte) []byte {
	var start []byte
	start = binary.LittleEndian.AppendUint64(start, uint64(len(packed)))
	start = binary.LittleEndian.AppendUint64(start, uint64(len(directory)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(directory))
	b := binary.LittleEndian.AppendUint32([]byte(Magic+"\x00\x04"), crc32.ChecksumIEEE(start))
	return append(append(append(b, start...), packed...), directory...)
}

// solid returns a directory of n files of these sizes in one folder, with this coder, and the size that
// the coder returns.
func solid(coder string, unpacked, packed int, names []string, sizes ...int) []byte {
	var b []byte
	number := func(n int) {
		if n < 0x80 {
			b = append(b, byte(n))
		} else {
			b = binary.LittleEndian.AppendUint32(append(b, 0xf0), uint32(n))
		}
	}
	b = append(b, tagHeader, tagStreams, tagPacked, 0, 1, tagSize)
	number(packed)
	b = append(b, tagEnd, tagFolders, tagFolder, 1, 0, 1)
	b = append(append(b, coder...), tagUnpackedSizes)
	number(unpacked)
	b = append(b, tagEnd, tagSubStreams, tagCounts)
	number(len(names))
	if len(sizes) > 0 {
		b = append(b, tagSize)
	}
	for _, n := range sizes {
		number(n)
	}
	b = append(b, tagEnd, tagEnd, tagFiles)
	number(len(names))
	b = append(b, tagNames)
	n := 1
	for _, name := range names {
		n += 2*len(name) + 2
	}
	number(n)
	b = append(b, 0)
	for _, name := range names {
		for _, c := range []byte(name + "\x00") {
			b = append(b, c, 0)
		}
	}
	return append(b, tagEnd, tagEnd)
}

const (
	copying = "\x01\x00"
	lzmaBig = "\x23\x03\x01\x01\x05\x5d\x00\x00\x00\x10" // a dictionary of 256 MiB
	lzma2s  = "\x21\x21\x01"                             // the size of the dictionary follows
)

// TestMade reads archives that 7-Zip does not write.
func TestMade(t *testing.T) {
	ab := []string{"a", "b"}
	text := []byte("onetwo")
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"two files", made(text, solid(copying, 6, 6, ab, 3)), "a: one|b: two|EOF"},
		{"an empty one", made(text, solid(copying, 6, 6, ab, 6)), "a: onetwo|b: |EOF"},
		{"a size beyond the folder", made(text, solid(copying, 6, 6, ab, 60)), "a: onetwo|b: |EOF"},
		{"no sizes", made(text, solid(copying, 6, 6, ab)), "7z: the directory is damaged at offset 0"},
		{"a folder that ends early", made(text, solid(copying, 9, 6, []string{"a", "b", "c"}, 3, 5)), "a: one|b: two ! 7z: unexpected EOF|! 7z: 1 more files in the damaged folder are not read at offset 32|EOF"},
		{"an unknown method", made(text, solid("\x01\x55", 6, 6, ab, 3)), "! 7z: a folder packed by method 55; its files are not read: 2 at offset 32|EOF"},
		{"a dictionary over the limit", made(text, solid(lzmaBig, 1<<27, 6, ab, 3)), "! 7z: a dictionary over the limit of 1048576 bytes; its files are not read: 2 at offset 32|EOF"},
		{"the same of LZMA2", made(text, solid(lzma2s+"\x20", 1<<27, 6, ab, 3)), "! 7z: a dictionary over the limit of 1048576 bytes; its files are not read: 2 at offset 32|EOF"},
		{"one that a small folder does not need", made([]byte("\x01\x00\x05onetwo\x00"), solid(lzma2s+"\x28", 6, 10, ab, 3)), "a: one|b: two|EOF"},
		{"properties that are none", made(text, solid(lzma2s+"\x29", 6, 6, ab, 3)), "! 7z: impossible properties of LZMA2; its files are not read: 2 at offset 32|EOF"},
		{"a directory that is packed too often", made(bytes.Repeat([]byte{tagEncoded}, 6), []byte{tagEncoded}), "7z: the directory is damaged at offset 0"},
		{"no directory", made(nil, nil), "EOF"},
		{"a name for each of 2^32 files", made(text, []byte{tagHeader, tagFiles, 0xf0, 0xff, 0xff, 0xff, 0xff, tagEnd, tagEnd}), "7z: the directory is damaged at offset 0"},
	} {
		got := strings.ReplaceAll(strings.TrimSuffix(list(c.in, bytes.NewReader(c.in), window), "\n"), "\n", "|")
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestHostile gives each number of a directory other values. Reading ends, and takes little memory.
func TestHostile(t *testing.T) {
	text := []byte("onetwo")
	dir := solid(copying, 6, 6, []string{"a", "b"}, 3)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runs := 0
	for at := range dir {
		for _, v := range []string{"\x00", "\x7f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\xf0\xff\xff\xff\xff", "\xff\x00\x00\x00\x00\x00\x00\x00\x10", "\xfe\xff\xff\xff\xff\xff\xff\x3f"} {
			in := made(text, append(append(bytes.Clone(dir[:at]), v...), dir[at+1:]...))
			if got := list(in, bytes.NewReader(in), window); strings.HasSuffix(got, "no end\n") {
				t.Fatalf("byte %d is %q: %s", at, v, got)
			}
			runs++
		}
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / uint64(runs); got > 256<<10 {
		t.Errorf("%d bytes for an archive of %d", got, len(dir))
	}
}

// FuzzSevenzip reads archives with any directory and any packed data.
func FuzzSevenzip(f *testing.F) {
	for name := range files {
		in := testdata(f, name)
		at := binary.LittleEndian.Uint64(in[12:])
		f.Add(in[headSize:headSize+at], in[headSize+at:])
	}
	f.Add([]byte("onetwo"), solid(copying, 6, 6, []string{"a", "b"}, 3))
	f.Fuzz(func(t *testing.T, packed, directory []byte) {
		if len(packed) > 4<<10 || len(directory) > 4<<10 {
			return
		}
		in := made(packed, directory)
		whole := list(in, bytes.NewReader(in), window)
		if bytewise := list(in, iotest.OneByteReader(bytes.NewReader(in)), window); bytewise != whole || strings.HasSuffix(whole, "no end\n") {
			t.Fatalf("%s\n%s", whole, bytewise)
		}
	})
}
