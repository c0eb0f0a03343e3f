package xz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// files has the text of each file in testdata.
var files = map[string][]byte{
	"crc64": prose(), "crc32": prose(), "sha256": prose(), "none": prose(), "blocks": prose(), "sized": prose(),
	"props": prose(), "streams": prose(), "empty": nil,
	"x86": code(), "powerpc": code(), "ia64": code(), "arm": code(), "armthumb": code(), "sparc": code(), "arm64": code(),
	"start": code(), "chain": code(),
}

// filtered has the files with filters for machine code. If such a file is truncated, the filter has
// not decoded the last bytes.
var filtered = map[string]bool{"x86": true, "powerpc": true, "ia64": true, "arm": true, "armthumb": true, "sparc": true, "arm64": true, "start": true, "chain": true}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".xz"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read decompresses in with r.
func read(r *Reader, in io.Reader) ([]byte, error) {
	r.Reset(bufio.NewReaderSize(in, 16))
	return io.ReadAll(r)
}

// small decompresses with Reads of few bytes.
func small(r *Reader, in io.Reader) (text []byte, err error) {
	r.Reset(bufio.NewReader(in))
	p := make([]byte, 7)
	for i := 0; err == nil; i++ {
		var n int
		n, err = r.Read(p[:1+i%7])
		text = append(text, p[:n]...)
	}
	if err == io.EOF {
		err = nil
	}
	return text, err
}

func TestFiles(t *testing.T) {
	r := &Reader{MaxDict: 64 << 20}
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
		if got, err := small(r, bytes.NewReader(data)); !bytes.Equal(got, want) || err != nil {
			t.Errorf("%s, into few bytes: %d bytes, %v", name, len(got), err)
		}
	}
}

// TestCut truncates files at many bytes. All text in front of the cut must be returned, and more
// data must never give less text.
func TestCut(t *testing.T) {
	r := &Reader{MaxDict: 64 << 20}
	for name, want := range files {
		data, before := file(t, name), 0
		ends := 0
		for n := range data {
			if (!long && n%37 != 0 || n%5 != 0) && n < len(data)-1 {
				continue
			}
			got, err := read(r, bytes.NewReader(data[:n]))
			if err == nil {
				ends++ // the cut is between two streams
			} else if err != io.ErrUnexpectedEOF {
				t.Fatalf("%s, cut at %d: %v", name, n, err)
			}
			whole := len(got)
			if filtered[name] {
				whole = max(0, whole-16)
			}
			if !bytes.HasPrefix(want, got[:whole]) || len(got) < before {
				t.Fatalf("%s, cut at %d: %d bytes, %d before", name, n, len(got), before)
			}
			before = len(got)
			if n%(23*5) != 0 {
				continue
			}
			few, fewErr := small(r, iotest.OneByteReader(bytes.NewReader(data[:n])))
			if !bytes.Equal(few, got) || !errors.Is(fewErr, err) {
				t.Fatalf("%s, cut at %d: %d bytes, %v; in small reads %d, %v", name, n, len(got), err, len(few), fewErr)
			}
		}
		if before != len(want) {
			t.Errorf("%s: without its last byte %d bytes, want %d", name, before, len(want))
		}
		if most := 6; ends > most || name != "streams" && ends > 0 {
			t.Errorf("%s: %d ends", name, ends)
		}
	}
}

// TestFlip flips each bit. If a file with a check returns different text, there must be an error.
func TestFlip(t *testing.T) {
	r := &Reader{MaxDict: 1 << 20}
	for _, name := range []string{"crc32", "sha256", "sized", "streams", "chain"} {
		data, want := file(t, name), files[name]
		for i := range 8 * len(data) {
			if !long && i%11 != 0 {
				continue
			}
			data[i/8] ^= 1 << (i % 8)
			got, err := read(r, bytes.NewReader(data))
			var damage *Error
			switch {
			case err == nil:
				t.Errorf("%s: bit %d is not noticed (%v)", name, i, bytes.Equal(got, want))
			case errors.As(err, &damage) && (damage.Offset > int64(len(data)) || damage.What == ""):
				t.Errorf("%s: bit %d: %v", name, i, err)
			}
			data[i/8] ^= 1 << (i % 8)
		}
	}
}

// TestDamage checks the messages of errors, and their offsets.
func TestDamage(t *testing.T) {
	r := &Reader{MaxDict: 1 << 30}
	for _, c := range []struct {
		name, file string
		change     func(b []byte) []byte
		text       int
		want       string
	}{
		{"not a file", "empty", func(b []byte) []byte { b[0] = 'x'; return b }, 0, "no header of a stream at offset 12"},
		{"header", "empty", func(b []byte) []byte { b[8]++; return b }, 0, "header of a stream does not match its checksum at offset 12"},
		{"block header", "crc32", func(b []byte) []byte { b[14]++; return b }, 0, "block header does not match its checksum at offset 24"},
		{"check", "crc32", func(b []byte) []byte { b[len(b)-28]++; return b }, len(prose()), "block check does not match at offset 2968"},
		{"index", "crc32", func(b []byte) []byte { b[len(b)-20]++; return b }, len(prose()), "index does not match the blocks at offset "},
		{"footer", "crc32", func(b []byte) []byte { b[len(b)-1]++; return b }, len(prose()), "no footer of a stream at offset 2992"},
		{"trailing", "crc32", func(b []byte) []byte { return append(b, "more http://a/"...) }, len(prose()), "trailing bytes that begin no stream at offset 2992"},
		{"padding", "crc32", func(b []byte) []byte { return append(b, 0, 0) }, len(prose()), io.ErrUnexpectedEOF.Error()},
		{"distance", "crc32", func(b []byte) []byte { copy(b[64:], "\xff\xff\xff\xff\xff\xff\xff\xff"); return b }, -1, " at offset "},
	} {
		b := c.change(file(t, c.file))
		got, err := read(r, bytes.NewReader(b))
		if err == nil || !strings.Contains(err.Error(), c.want) || c.text >= 0 && len(got) != c.text {
			t.Errorf("%s: %d bytes, %v; want %d, %s", c.name, len(got), err, c.text, c.want)
		}
	}
}

// seal makes the last 4 bytes of b the CRC32 of those before.
func seal(b []byte) {
	n := len(b) - 4
	binary.LittleEndian.PutUint32(b[n:], crc32.ChecksumIEEE(b[:n]))
}

// TestUnknownFilter checks that an unknown filter is an error.
func TestUnknownFilter(t *testing.T) {
	data := file(t, "arm64")
	data[14] = 0x0c
	seal(data[12:24])
	got, err := read(&Reader{MaxDict: 64 << 20}, bytes.NewReader(data))
	if err == nil || err.Error() != "unknown filter, or bad properties of one at offset 24" || len(got) > 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestUnknownCheck reads a stream with an undefined type of check.
func TestUnknownCheck(t *testing.T) {
	b := file(t, "crc32")
	b[7], b[len(b)-3] = 2, 2
	seal(b[6:12])
	binary.LittleEndian.PutUint32(b[len(b)-12:], crc32.ChecksumIEEE(b[len(b)-8:len(b)-2]))
	if got, err := read(&Reader{MaxDict: 1 << 20}, bytes.NewReader(b)); err != nil || !bytes.Equal(got, prose()) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestMaxDict checks that a block whose header declares a dictionary over the limit is an error,
// even if it needs less.
func TestMaxDict(t *testing.T) {
	r := &Reader{MaxDict: 64<<20 - 1}
	if got, err := read(r, bytes.NewReader(file(t, "blocks"))); err != ErrDictionary || len(got) > 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	r.MaxDict++
	for _, name := range []string{"blocks", "sized"} { // these need little of the 64 MiB that they declare
		data, fresh := file(t, name), &Reader{MaxDict: r.MaxDict}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		fresh.Reset(bufio.NewReader(bytes.NewReader(data)))
		_, err := io.Copy(io.Discard, fresh)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err != nil || took > 256<<10 {
			t.Errorf("%s: %v, %d bytes", name, err, took)
		}
	}
}

// TestAllocs reads files repeatedly. The library may allocate some hundred bytes for a block, but
// the dictionary must be reused.
func TestAllocs(t *testing.T) {
	r, buf, in := &Reader{MaxDict: 64 << 20}, bufio.NewReader(nil), bytes.NewReader(nil)
	for name := range files {
		data := file(t, name)
		pass := func() {
			in.Reset(data)
			buf.Reset(in)
			r.Reset(buf)
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Fatal(err)
			}
		}
		pass()
		const n, most = 20, 40 << 10 // io.Copy allocates 32 KiB of it
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			pass()
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / n; each > most {
			t.Errorf("%s: %d bytes", name, each)
		}
	}
}
