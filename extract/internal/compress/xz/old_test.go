package xz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"
	"testing/iotest"

	old "github.com/ulikunitz/xz"
)

// These tests compare with another library, and with the program xz if it is installed.

// TestWindows reads streams that the other library has written, with windows of many sizes. Most
// are much smaller than the text, one is larger.
func TestWindows(t *testing.T) {
	var text []byte
	size := 3 << 20
	if !long {
		size = 5 << 18 // a little more than the longest distance
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for line := prose(); len(text) < size; {
		at := rnd.IntN(len(line) - 100)
		text = append(text, line[at:at+1+rnd.IntN(99)]...)
		if len(text) > 1<<20 && rnd.IntN(10) == 0 { // repeat text from far back
			at := len(text) - 1<<20 + rnd.IntN(1<<10)
			text = append(text, text[at:at+300]...)
		}
	}
	r := &Reader{MaxDict: 8 << 20}
	for _, size := range []int{4 << 10, 6 << 10, 64 << 10, 96 << 10, 1 << 20, 8 << 20} {
		var b bytes.Buffer
		w, err := old.WriterConfig{DictCap: size, BlockSize: int64(size * 2 / 3)}.NewWriter(&b)
		if err == nil {
			_, err = w.Write(text)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(r, &b); err != nil || !bytes.Equal(got, text) {
			t.Errorf("window %d: %d bytes, %v", size, len(got), err)
		}
	}
}

// FuzzXZ reads arbitrary bytes, as a file or as the data of a block with correct headers. Small and
// large reads must give the same. If the other library has no error, the text must equal its text.
func FuzzXZ(f *testing.F) {
	head := file(f, "none")[:24]
	for name := range files {
		f.Add(file(f, name), false)
		f.Add(file(f, name)[min(24, len(file(f, name))):], true)
	}
	r := &Reader{MaxDict: 8 << 20}
	f.Fuzz(func(t *testing.T, data []byte, bare bool) {
		if bare {
			data = slices.Concat(head, data)
		}
		r.Reset(bufio.NewReader(bytes.NewReader(data)))
		const most = 1 << 18
		got, err := io.ReadAll(io.LimitReader(r, most))
		if len(got) == most {
			return // reading so much text three times takes too long
		}
		few, fewErr := small(r, iotest.OneByteReader(bytes.NewReader(data)))
		if !bytes.Equal(few, got) || (err == nil) != (fewErr == nil) || err != nil && err.Error() != fewErr.Error() {
			t.Fatalf("%d bytes, %v; in small reads %d, %v", len(got), err, len(few), fewErr)
		}
		if err == ErrDictionary {
			return
		}
		text, oldErr := theirs(data)
		if err == io.ErrUnexpectedEOF || !hasFooter(data) {
			oldErr = io.ErrUnexpectedEOF // the other library may treat an early end, even of a chunk, as the end of the file
		}
		if oldErr == nil && (err != nil || !bytes.Equal(text, got)) {
			t.Errorf("%d bytes, %v; the other library has %d", len(got), err, len(text))
		}
	})
}

// hasFooter reports whether data ends with a footer whose checksum is correct, and zeros.
func hasFooter(data []byte) bool {
	data = bytes.TrimRight(data, "\x00")
	if len(data) < 12 || !bytes.HasSuffix(data, []byte(footerMagic)) {
		return false
	}
	footer := data[len(data)-12:]
	return binary.LittleEndian.Uint32(footer) == crc32.ChecksumIEEE(footer[4:10])
}

// theirs decompresses data with the other library.
func theirs(data []byte) ([]byte, error) {
	r, err := old.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// TestProgram damages files and compares with xz(1). The text must be the same. After damage, it
// may be shorter: xz then decodes bytes after the chunk as if they were in it.
func TestProgram(t *testing.T) {
	program, err := exec.LookPath("xz")
	if err != nil {
		t.Skip(err)
	}
	unpack := func(data []byte) ([]byte, error) {
		cmd := exec.Command(program, "-dcq")
		cmd.Stdin = bytes.NewReader(data)
		return cmd.Output()
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	r := &Reader{MaxDict: 1 << 32}
	for name, whole := range files {
		data := file(t, name)
		n := 12
		if !long {
			n = 2
		}
		for i := range n {
			spoiled := bytes.Clone(data)
			switch {
			case i == 0:
			case i%2 == 0:
				spoiled = spoiled[:rnd.IntN(len(spoiled))]
			default:
				spoiled[rnd.IntN(len(spoiled))] ^= 1 << rnd.IntN(8)
			}
			want, failed := unpack(spoiled)
			got, err := read(r, bytes.NewReader(spoiled))
			if (failed == nil) != (err == nil) {
				t.Errorf("%s, %d: %v, but xz says %v", name, i, err, failed)
			}
			least := len(want)
			var damage *Error
			if errors.As(err, &damage) { // xz does not compare the size of a chunk until it has decoded the text
				least -= textSize
			}
			// In front of damage, xz returns the last text with the filter still applied, and the Reader
			// does not return that text.
			if err != nil && filtered[name] {
				least -= lostFiltered
			}
			same := min(len(got), len(want))
			if (err == nil || !filtered[name]) && !bytes.Equal(got[:same], want[:same]) || len(got) < least {
				t.Errorf("%s, %d: %d bytes differ from %d of xz", name, i, len(got), len(want))
			}
			if i == 0 && !bytes.Equal(got, whole) {
				t.Errorf("%s: %d bytes", name, len(got))
			}
		}
	}
}

// TestProgramWrites reads what xz(1) writes with all presets, checks, filters and extreme properties, in blocks and
// in several streams.
func TestProgramWrites(t *testing.T) {
	program, err := exec.LookPath("xz")
	if err != nil {
		t.Skip(err)
	}
	text := bytes.Repeat(slices.Concat(prose(), code()), 4)
	text = append(text, bytes.Repeat([]byte{0}, 100_000)...)
	const lzma2 = "--lzma2=preset=6,dict=64KiB"
	ways := [][]string{
		{"--check=none"}, {"--check=crc32"}, {"--check=crc64"}, {"--check=sha256"},
		{"--block-size=10000"}, {"-T2", "--block-size=10000"}, {"--block-list=1,2,3000"},
		{"--delta=dist=1", lzma2}, {"--delta=dist=4", lzma2}, {"--delta=dist=256", lzma2},
		{"--x86", "--delta=dist=3", lzma2}, {"--arm64", "--x86", "--delta=dist=3", lzma2}, {"--x86", "--x86", "--ia64", lzma2},
		{"--x86=start=4294967290", lzma2}, {"--armthumb=start=2", lzma2}, {"--ia64=start=4294967280", lzma2}, {"--arm64=start=4294967292", lzma2},
		{"--lzma2=preset=6,dict=4KiB"}, {"--lzma2=preset=6,nice=273,mf=bt4"}, {"--lzma2=preset=1,mode=fast,mf=hc3,nice=2"},
	}
	for i := range 10 {
		ways = append(ways, []string{"-" + string(rune('0'+i))})
	}
	for _, i := range "0369" {
		ways = append(ways, []string{"-e", "-" + string(i)})
	}
	for _, f := range []string{"x86", "powerpc", "ia64", "arm", "armthumb", "sparc", "arm64"} {
		ways = append(ways, []string{"--" + f, lzma2}, []string{"--block-size=4099", "--" + f + "=start=65536", lzma2})
	}
	for _, p := range []string{"lc=0,lp=0,pb=0", "lc=4,lp=0,pb=0", "lc=0,lp=4,pb=0", "lc=0,lp=0,pb=4", "lc=4,lp=0,pb=4", "lc=0,lp=4,pb=4", "lc=2,lp=2,pb=2", "lc=1,lp=3,pb=1"} {
		ways = append(ways, []string{lzma2 + "," + p})
	}
	r := &Reader{MaxDict: 1 << 32}
	for i, way := range ways {
		if !long && i%6 != 5 {
			continue
		}
		cmd := exec.Command(program, append([]string{"-c"}, way...)...)
		cmd.Stdin = bytes.NewReader(text)
		data, err := cmd.Output()
		if err != nil {
			t.Fatal(way, err)
		}
		twice := slices.Concat(data, make([]byte, 8), data)
		want := slices.Concat(text, text)
		if got, err := read(r, bytes.NewReader(twice)); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%v: %d bytes, %v", way, len(got), err)
		}
		r.Reset(bufio.NewReaderSize(bytes.NewReader(twice), 64<<10))
		if got, err := io.ReadAll(r); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%v, large buffer: %d bytes, %v", way, len(got), err)
		}
	}
}

// lostFiltered is how much text a chain of three filters for machine code holds back.
const lostFiltered = 3 * 16
