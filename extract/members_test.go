package extract_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/extract"
)

// gzipMembers returns text as gzip members of random sizes up to most. Some are empty,
// and some contain bytes that look like a member.
func gzipMembers(t testing.TB, rnd *rand.Rand, text []byte, most int) []byte {
	t.Helper()
	var b bytes.Buffer
	for len(text) > 0 {
		level := gzip.DefaultCompression
		n := min(len(text), 1+rnd.IntN(most))
		piece := text[:n]
		text = text[n:]
		switch rnd.IntN(8) {
		case 0: // verbatim
			level = gzip.NoCompression
			piece = append(bytes.Clone(piece), pack(t, "gzip", []byte("see http://false.example/ there\n"))...)
		case 1:
			b.Write(pack(t, "gzip", nil))
		}
		z := gzipWriter(&b, level)
		_, _ = z.Write(piece)
		_ = z.Close()
	}
	return b.Bytes()
}

// zstdMembers is gzipMembers for frames of zstd.
func zstdMembers(t testing.TB, rnd *rand.Rand, text []byte, most int) (data []byte) {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		t.Fatal(err)
	}
	for len(text) > 0 {
		n := min(len(text), 1+rnd.IntN(most))
		piece := text[:n]
		text = text[n:]
		switch rnd.IntN(8) {
		case 0: // a frame of random bytes, which are stored verbatim
			noise := make([]byte, 300)
			for i := range noise {
				noise[i] = byte(rnd.Uint32())
			}
			piece = append(append(bytes.Clone(piece), noise...), pack(t, "zstd", []byte("see http://false.example/ there\n"))...)
		case 1:
			data = z.EncodeAll(nil, data)
		case 2:
			data = append(data, skippable(rnd.IntN(40))...)
		case 3:
			data = append(data, skippable(4)...)
		}
		data = z.EncodeAll(piece, data)
	}
	return data
}

// TestMembersLong reads members that are too long for parts.
func TestMembersLong(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var data, text []byte
	members, lines := 4, 8000
	if raceEnabled {
		members, lines = 3, 4500 // still longer than 1 MiB when packed
	}
	for range members {
		text = text[:0]
		for i := range lines {
			for range 30 {
				text = append(strconv.AppendUint(text, rnd.Uint64(), 16), ' ')
			}
			text = fmt.Appendf(text, " http://h%d.example/%x\n", i, rnd.Uint64())
		}
		data = append(data, pack(t, "gzip", text)...)
	}
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, data, 0o600))
	rounds := 6
	if !long {
		rounds = 1
	}
	one := extractor(t, extract.Options{Workers: 1})
	want := run(t, one, extract.Walk(path))
	for range rounds {
		for _, workers := range []int{3, 5} {
			x := extractor(t, extract.Options{Workers: workers})
			if got := run(t, x, extract.Walk(path)); got != want {
				t.Fatalf("%d workers: %s", workers, firstOther(got, want))
			}
			if x.Stats() != one.Stats() {
				t.Errorf("%d workers: %+v, want %+v", workers, x.Stats(), one.Stats())
			}
		}
	}
}

// TestMembersFalse reads a file with a false frame in each stretch, after a skippable frame that
// declares a size beyond the file. No worker may take it for a part.
func TestMembersFalse(t *testing.T) {
	const stretch = 256 << 10
	frame := pack(t, "zstd", []byte("see http://a.example/ there\n"))
	skip := []byte(zstdSkip + "\xff\xff\xff\xff")
	fake := append(pack(t, "zstd", []byte("false\n")), skip...)
	data := append(bytes.Clone(frame), frame...)
	for k := 1; k < 256; k++ {
		body := make([]byte, k*stretch+stretch/2-len(data)-8)
		copy(body[k*stretch+10-len(data)-8:], fake)
		data = binary.LittleEndian.AppendUint32(append(data, zstdSkip...), uint32(len(body)))
		data = append(append(data, body...), frame...)
	}
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, data, 0o600))
	want := run(t, extractor(t, extract.Options{Workers: 1}), extract.Walk(path))
	for range 3 {
		if got := run(t, extractor(t, extract.Options{Workers: 4}), extract.Walk(path)); got != want {
			t.Fatal(firstOther(got, want))
		}
	}
}

// zstdSkip begins a skippable frame; its length follows.
const zstdSkip = "\x50\x2a\x4d\x18"
