package extract_test

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/urlsift/urlsift/extract"
)

// Small inputs that expand to large, deep or endless ones. Each is read with the default
// limits.

// A bomb is such an input.
type bomb struct {
	name   string
	data   []byte
	found  int              // number of references in it
	limits map[string]int   // for each field of Limits, how many errors name it
	other  int              // number of other errors
	raw    int64            // lower bound of RawAll; 0 for none
	memory int64            // MiB that reading it may take; 0 means 32
	opts   *extract.Options // nil for the defaults
}

// zeros returns n zeros, compressed with gzip.
func zeros(t testing.TB, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	must(t, err)
	_, err = io.CopyN(w, zero{}, n)
	must(t, err)
	must(t, w.Close())
	return b.Bytes()
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// again compresses data with gzip n times.
func again(t testing.TB, data []byte, n int) []byte {
	for range n {
		data = pack(t, "gzip", data)
	}
	return data
}

// nest puts data in nested archives, with width copies at each level.
func nest(t testing.TB, data []byte, width, depth int) []byte {
	for level := range depth {
		var files []string
		for i := range width {
			files = append(files, fmt.Sprintf("level%d file%d.zip", level, i), string(data))
		}
		data = zipOf(t, files...)
	}
	return data
}

// quine returns a gzip stream that decompresses to itself, except for its checksum. The idea is
// from Russ Cox, "Zip Files All The Way Down". The stream is a sequence of pieces of 5 bytes; only
// the first and the last piece have other lengths. put(n) is the header of n verbatim bytes,
// again(n) repeats the last n bytes.
func quine(t testing.TB) []byte {
	t.Helper()
	put := func(n int) string {
		return string([]byte{0, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)})
	}
	again := func(n int) string { // two matches of 7 to 10 bytes each, 17 to 20 bytes back
		var bits uint64
		var have int
		add := func(v uint64, n int) { bits |= v << have; have += n }
		code := func(v uint64, n int) { // the highest bit of a Huffman code comes first
			for i := n - 1; i >= 0; i-- {
				add(v>>i&1, 1)
			}
		}
		add(0b010, 3) // a block with the fixed codes, not the last one
		for _, half := range []int{n / 2, n - n/2} {
			code(uint64(half-2), 7) // 257 means a length of 3
			code(8, 5)              // distances from 17 on
			add(uint64(n-17), 3)
		}
		code(0, 7)
		if have != 40 {
			t.Fatalf("%d bits", have)
		}
		return string(binary.LittleEndian.AppendUint64(nil, bits)[:5])
	}
	p := "\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xffq\x00"
	s := "\x01\x00\x00\xff\xff" + strings.Repeat("\x00", 8)
	lp, rp := put(len(p)+5), again(len(p)+5)
	l1, l4, r4 := put(5), put(20), again(20)
	ls, rs := put(len(s)+5), again(len(s)+5)
	q := p + lp + p + lp + rp +
		l1 + rp + l1 + l1 + l4 + rp + l1 + l1 + l4 +
		r4 + l4 + r4 + l4 + r4 + l4 + r4 + l4 + r4 + put(0) + put(0) + ls +
		r4 + put(0) + put(0) + ls + rs + s + rs + s
	out, err := io.ReadAll(flate.NewReader(strings.NewReader(q[len(p):])))
	if err != nil || string(out) != q {
		t.Fatalf("%v: %d bytes become %d", err, len(q), len(out))
	}
	return []byte(q)
}

// overlapping returns a zip archive of n entries that all end with the same data. Each entry also
// contains the headers and data of the entries after it, so programs that use the directory read
// the data n times.
func overlapping(n int, data string) []byte {
	var b, directory bytes.Buffer
	tail := bytes.NewBufferString("")
	headers := make([][]byte, n)
	rest := []byte(data)
	for i := n - 1; i >= 0; i-- {
		name := fmt.Sprintf("f%04d", i)
		h := []byte("PK\x03\x04\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00")
		h = binary.LittleEndian.AppendUint32(h, crc32.ChecksumIEEE(rest))
		h = binary.LittleEndian.AppendUint32(h, uint32(len(rest)))
		h = binary.LittleEndian.AppendUint32(h, uint32(len(rest)))
		h = append(h, byte(len(name)), 0, 0, 0)
		h = append(h, name...)
		headers[i] = h
		rest = append(h, rest...)
	}
	b.Write(rest)
	at := 0
	for i, h := range headers {
		d := append([]byte("PK\x01\x02\x14\x00"), h[4:26]...)
		d = append(d, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
		d = binary.LittleEndian.AppendUint32(d, uint32(at))
		directory.Write(append(d, fmt.Sprintf("f%04d", i)...))
		at += len(h)
	}
	end := append([]byte("PK\x05\x06\x00\x00\x00\x00"), byte(n), byte(n>>8), byte(n), byte(n>>8))
	end = binary.LittleEndian.AppendUint32(end, uint32(directory.Len()))
	end = binary.LittleEndian.AppendUint32(end, uint32(b.Len()))
	tail.Write(append(end, 0, 0))
	b.Write(directory.Bytes())
	b.Write(tail.Bytes())
	return b.Bytes()
}

// sized returns a tar archive of two members. The first declares the given size but has little
// data.
func sized(t testing.TB, size []byte, whole bool) []byte {
	t.Helper()
	data := tarOf(t, "a", "http://a.example/", "b", "http://b.example/")
	copy(data[124:136], size)
	copy(data[148:156], "        ")
	var sum int
	for _, c := range data[:512] {
		sum += int(c)
	}
	copy(data[148:156], fmt.Sprintf("%06o\x00 ", sum))
	if !whole {
		data = data[:1024]
	}
	return data
}

// partTree returns a message of at least n parts: nested multiparts of ten parts each.
func partTree(n int) []byte {
	var b bytes.Buffer
	b.WriteString("From: a@example.org\nMIME-Version: 1.0\n")
	left, boundary := n, 0
	var grow func(depth int)
	grow = func(depth int) {
		boundary++
		mark := fmt.Sprintf("b%d", boundary)
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=%s\n\n", mark)
		for range 10 {
			fmt.Fprintf(&b, "--%s\n", mark)
			if depth > 1 && left > 0 {
				grow(depth - 1)
				continue
			}
			left--
			b.WriteString("\nhttp://part.example/\n")
		}
		fmt.Fprintf(&b, "--%s--\n", mark)
	}
	depth := 1
	for m := 10; m < n; m *= 10 {
		depth++
	}
	grow(depth)
	return b.Bytes()
}

// manyMembers returns an archive of n members with one reference each.
func manyMembers(t testing.TB, kind string, n int) []byte {
	t.Helper()
	var files []string
	for i := range n {
		files = append(files, fmt.Sprintf("dir/%d", i), "http://member.example/\n")
	}
	return makers[kind](t, files...)
}

// longNames returns a tar archive of n members, nested in depth other archives. All names have 60
// KB.
func longNames(t testing.TB, depth, n int) []byte {
	t.Helper()
	name := func(i int) string { return fmt.Sprintf("%d", i) + strings.Repeat("n", 60<<10) }
	var files []string
	for i := range n {
		files = append(files, name(i), "http://named.example/\n")
	}
	data := tarOf(t, files...)
	for i := range depth {
		data = tarOf(t, name(i), string(data))
	}
	return data
}

// repeated returns n copies of text.
func repeated(text string, n int) []byte { return bytes.Repeat([]byte(text), n) }

func bombs(t *testing.T) []bomb {
	t.Helper()
	const mib = 1 << 20
	url := []byte("see http://a.example/ there\n")
	xz := pack(t, "xz", url)
	xz[bytes.Index(xz, []byte("\x21\x01"))+2] = 40 // a dictionary of 4 GiB
	size := 4*int(xz[12]) + 4                      // size of the block header, including its checksum
	binary.LittleEndian.PutUint32(xz[12+size-4:], crc32.ChecksumIEEE(xz[12:12+size-4]))
	window := func(exponent byte) []byte {
		return append([]byte("\x28\xb5\x2f\xfd\x00"+string([]byte{exponent << 3})+"\xe1\x00\x00"), url...) // a last block of 28 verbatim bytes
	}
	const head = "From: a@example.org\nMIME-Version: 1.0\n"
	from := func(length string) string {
		return "From a@example.org Mon Mar  1 10:00:00 1999\nFrom: a@example.org\nContent-Length: " + length + "\n\nhttp://mail.example/\n\n"
	}
	many, fields, inside, ratio := 10_000, 60_000, int64(64*mib), 1000
	if long {
		many, fields, inside, ratio = 100_000, 300_000, 256*mib, 10_000
	}
	list := []bomb{
		{name: "zeros in gzip in gzip", data: again(t, zeros(t, inside), 1), raw: inside},
		{name: "gzip 16 times", data: again(t, url, 16), found: 1},
		{name: "gzip 17 times", data: again(t, url, 17), limits: map[string]int{"Depth": 1}},
		{name: "gzip of itself", data: quine(t), limits: map[string]int{"Depth": 1}},
		{name: "gzip of itself in zip", data: zipOf(t, "q", string(quine(t)), "b", string(url)), found: 1, limits: map[string]int{"Depth": 1}},
		{name: "zips of zips", data: nest(t, zipOf(t, "0", string(make([]byte, 64<<10))), 8, 4), raw: 4096 * 64 << 10},
		{name: "zips of zips, endless", data: nest(t, zipOf(t, "0", string(make([]byte, 4*mib))), 16, 4), limits: map[string]int{"Ratio": 1}, raw: 1 << 30 / 10_000 * int64(ratio), opts: &extract.Options{Limits: extract.Limits{Ratio: ratio}}},
		{name: "zips 20 deep", data: nest(t, url, 1, 20), limits: map[string]int{"Depth": 1}},
		{name: "overlapping entries", data: overlapping(10, strings.Repeat(string(url), 1000)), found: 1000, other: 9},
		{name: "overlapping entries, many", data: overlapping(1000, strings.Repeat(string(url), 1000)), limits: map[string]int{"Depth": 1}, other: 15},
		{name: "tar of 2^62 bytes", data: sized(t, []byte("\xc0\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00"), true), other: 1, found: 1},
		{name: "tar of 8 GiB", data: sized(t, []byte("77777777777\x00"), false), other: 1, found: 1},
		{name: "tar of 2^60 bytes", data: sized(t, []byte("\x80\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00"), false), other: 1, found: 1},
		{name: "zstd with a window of 2 TiB", data: window(31), limits: map[string]int{"Window": 1}},
		{name: "zstd with a window of 256 MiB", data: window(18), limits: map[string]int{"Window": 1}},
		{name: "zstd with a window of 128 MiB", data: window(17), found: 1, memory: 160},
		{name: "the same in gzip", data: pack(t, "gzip", window(17)), found: 1, memory: 160},
		{name: "the same in gzip in gzip", data: pack(t, "gzip", pack(t, "gzip", window(17))), limits: map[string]int{"Window": 1}},
		{name: "xz with a dictionary of 4 GiB", data: xz, limits: map[string]int{"Window": 1}},
		{name: "parts in a row", data: append([]byte(head+"Content-Type: multipart/mixed; boundary=b\n\n"), append(repeated("--b\n\nhttp://part.example/\n", many), "--b--\n"...)...), found: many},
		{name: "a tree of parts", data: partTree(many), found: many},
		{name: "multiparts 1000 deep", data: append([]byte(head), append(repeated("Content-Type: multipart/mixed; boundary=b\n\n--b\n", 1000), "\nhttp://deep.example/\n"...)...), found: 1, limits: map[string]int{"Nesting": 1}, other: 1},
		{name: "a header without end", data: append([]byte(head), repeated("X-Field: http://field.example/\n", fields)...), found: fields, other: 1},
		{name: "a field without end", data: append([]byte(head+"X-Field:"), repeated(" http://field.example/\n", fields)...), found: fields, other: 1},
		{name: "Content-Length of 10^18", data: repeated(from("999999999999999999"), 1000), found: 1000, opts: &extract.Options{Format: extract.Mbox}},
		{name: "Content-Length below 0", data: repeated(from("-5"), 1000), found: 1000, opts: &extract.Options{Format: extract.Mbox}},
		{name: "Content-Length over the next message", data: repeated(from("160"), 1000), found: 1000, opts: &extract.Options{Format: extract.Mbox}},
		{name: "rnews of 10^18", data: repeated("#! rnews 999999999999999999\nFrom: a\nNewsgroups: x\n\nhttp://news.example/\n", 1000), found: 1000, other: 1},
		{name: "rnews of 10^30", data: repeated("#! rnews 999999999999999999999999999999\nFrom: a\nNewsgroups: x\n\nhttp://news.example/\n", 1000), found: 1000, other: 1000},
		{name: "rnews of 10", data: repeated("#! rnews 10\nFrom: a\nNewsgroups: x\n\nhttp://news.example/\n", 1000), found: 1000, other: 1000},
		{name: "ar of 9999999999 bytes", data: []byte("!<arch>\na/              0           0     0     644     9999999999`\nhttp://a.example/\n"), other: 1, found: 1},
		{name: "ar with a name of 4 GiB", data: []byte("!<arch>\n#1/4294967295   0           0     0     644     9999999999`\nhttp://a.example/\n"), other: 1, found: 1},
		{name: "cpio of 4 GiB", data: fmt.Appendf(nil, "070701%08x%08x%032x%08x%032x%08x%08xa\x00http://a.example/\n", 1, 0o100644, 1, uint32(1<<32-1), 0, 2, 0), other: 1, found: 1},
		{name: "names of 60 KB", data: longNames(t, 14, 100), found: 100},
	}
	for kind := range makers {
		list = append(list, bomb{name: "many members in " + kind, data: manyMembers(t, kind, many), found: many})
	}
	for i, kind := range kinds() {
		if !long && i%2 == 0 {
			continue
		}
		data, n := zerosOf(t, kind)
		list = append(list, bomb{name: "zeros in " + kind, data: data, raw: n})
	}
	return list
}

// TestBombs reads all bombs with one worker. Each may take 32 MiB of memory, unless it has another
// bound, and the errors must name the limits.
func TestBombs(t *testing.T) {
	if raceEnabled {
		t.Skip("reads much")
	}
	for i, b := range bombs(t) {
		if !long && i%2 > 0 && len(b.data) > 1<<10 {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			if !long && b.limits["Ratio"] > 0 {
				defer extract.RatioFrom(b.raw)()
			}
			opts := extract.Options{}
			if b.opts != nil {
				opts = *b.opts
			}
			opts.Workers = 1
			x := extractor(t, opts)
			found, other, limits := 0, 0, map[string]int{}
			var last error
			began := clock()
			most := watch(func() {
				for r, err := range x.Run(t.Context(), slices.Values([]extract.Source{memory("bomb", b.data)})) {
					var limit *extract.Error
					switch {
					case r != nil:
						found++
						if n := len(r.Origin.Member); n > 17<<10 {
							t.Fatalf("the name of a member has %d bytes", n)
						}
					case errors.As(err, &limit) && limit.Limit != "":
						limits[limit.Limit]++
						last = err
					case limit != nil && limit.Stage == "binary": // zeros
					default:
						other++
						last = err
					}
				}
			})
			took, s := clock()-began, x.Stats()
			t.Logf("%d KiB, %d MB raw, %d found, %v and %d errors, %v, %d MiB; the last: %v", len(b.data)>>10, s.RawAll/1e6, found, limits, other, took.Round(time.Millisecond), most>>20, last)
			if found != b.found || other != b.other || fmt.Sprint(limits) != fmt.Sprint(b.limits) {
				t.Errorf("%d references, limits %v, %d other errors; want %d, %v, %d", found, limits, other, b.found, b.limits, b.other)
			}
			if b.memory == 0 {
				b.memory = 32
			}
			if most > b.memory<<20 {
				t.Errorf("%d MiB", most>>20)
			}
			if s.RawAll < b.raw || b.limits["Ratio"] > 0 && s.RawText > b.raw+b.raw/8 {
				t.Errorf("%d bytes read", s.RawAll)
			}
			balanced(t, b.name, s)
			if s.StoredRead+s.StoredNotRead != int64(len(b.data)) {
				t.Errorf("%d bytes read, %d left of %d", s.StoredRead, s.StoredNotRead, len(b.data))
			}
		})
	}
}

// watch runs work. It measures the memory in use from time to time, and returns the
// largest increase.
func watch(work func()) (most int64) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	debris()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	before := int64(m.HeapAlloc)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			runtime.ReadMemStats(&m)
			most = max(most, int64(m.HeapAlloc)-before)
			select {
			case <-quit:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	work()
	close(quit)
	<-done
	return most
}

// TestBombsLinear makes hostile inputs four times as large. Reading them may take at most eight
// times the processor time.
func TestBombsLinear(t *testing.T) {
	if raceEnabled {
		t.Skip("takes its time")
	}
	for i, c := range []struct {
		name string
		data func(n int) []byte
		less int
	}{
		{"tree", partTree, 2500},
		{"tar", func(n int) []byte { return manyMembers(t, "tar", n) }, 1000},
		{"zip", func(n int) []byte { return manyMembers(t, "zip", n) }, 1000},
		{"ar", func(n int) []byte { return manyMembers(t, "ar", n) }, 1000},
		{"cpio", func(n int) []byte { return manyMembers(t, "cpio", n) }, 1000},
		{"names", func(n int) []byte { return longNames(t, 14, n) }, 30},
		{"overlapping", func(n int) []byte { return overlapping(n, "http://a.example/\n") }, 500},
		{"rnews", func(n int) []byte { return repeated("#! rnews 10\nFrom: a\n\nhttp://news.example/\n", n) }, 2500},
		{"zips", func(n int) []byte { return nest(t, zipOf(t, "0", string(make([]byte, n))), 8, 2) }, 64 << 10},
	} {
		if !long && i%3 > 0 {
			continue
		}
		fourfold(t, c.name, c.less, 3, func(n int) func() {
			data := c.data(n)
			return func() {
				for range extractor(t, extract.Options{Workers: 1}).Read(t.Context(), c.name, bytes.NewReader(data)) {
				}
			}
		})
	}
}
