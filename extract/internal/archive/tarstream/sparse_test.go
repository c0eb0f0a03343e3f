package tarstream

import (
	"archive/tar"
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// A region is a stored stretch of a sparse file.
type region struct {
	offset int64
	data   string
}

// forms are the ways to write the map of a sparse file.
var forms = []string{"gnu", "0.0", "0.1", "1.0"}

// padded fills b up to whole blocks.
func padded(b []byte) []byte { return append(b, make([]byte, -len(b)&(blockSize-1))...) }

// sealed returns the header of a member, with its checksum.
func sealed(kind byte, magic, name string, size int, set func(h *block)) []byte {
	h := new(block)
	copy(h[:], name)
	copy(h[100:], "0000644\x000000000\x000000000\x00")
	copy(h[124:], fmt.Sprintf("%011o", size))
	copy(h[136:], "00000000000")
	h[156] = kind
	copy(h[257:], magic)
	if set != nil {
		set(h)
	}
	copy(h.sum(), "        ")
	n := 0
	for _, c := range h {
		n += int(c)
	}
	copy(h.sum(), fmt.Sprintf("%06o\x00 ", n))
	return h[:]
}

// records returns the records of an extended header.
func records(pairs ...string) (b []byte) {
	for i := 0; i < len(pairs); i += 2 {
		rest := " " + pairs[i] + "=" + pairs[i+1] + "\n"
		n := len(rest)
		for n != len(fmt.Sprint(n))+len(rest) {
			n = len(fmt.Sprint(n)) + len(rest)
		}
		b = append(b, fmt.Sprint(n)+rest...)
	}
	return b
}

// A sparseFile is a member to be written. Tests change its numbers to make the map wrong.
type sparseFile struct {
	name    string
	real    int64
	regions []region
	offsets []int64 // the offsets and sizes that are in the map
	sizes   []int64
	stored  string
}

// file returns a sparse file with a true map.
func file(name string, real int64, regions ...region) *sparseFile {
	f := &sparseFile{name: name, real: real, regions: regions}
	for _, g := range regions {
		f.offsets, f.sizes = append(f.offsets, g.offset), append(f.sizes, int64(len(g.data)))
		f.stored += g.data
	}
	return f
}

// gnuNumber returns n in a field of 12 bytes: octal, or in base 256 if it is long.
func gnuNumber(n int64) string {
	if n < 1<<33 {
		return fmt.Sprintf("%011o\x00", n)
	}
	return "\x80\x00\x00\x00" + string(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// write returns the member in one of the forms.
func (f *sparseFile) write(form string) (b []byte) {
	if form == "gnu" {
		var entries [][]byte
		for i := range f.offsets {
			entries = append(entries, []byte(gnuNumber(f.offsets[i])+gnuNumber(f.sizes[i])))
		}
		inHeader := min(4, len(entries))
		b = sealed('S', "ustar  \x00", f.name, len(f.stored), func(h *block) {
			copy(h[386:], bytes.Join(entries[:inHeader], nil))
			copy(h[483:], gnuNumber(f.real))
			if len(entries) > inHeader {
				h[482] = 1
			}
		})
		for entries = entries[inHeader:]; len(entries) > 0; {
			n := min(21, len(entries))
			var more block
			copy(more[:], bytes.Join(entries[:n], nil))
			if entries = entries[n:]; len(entries) > 0 {
				more[504] = 1
			}
			b = append(b, more[:]...)
		}
		return append(b, padded([]byte(f.stored))...)
	}
	var list, lines []string
	for i := range f.offsets {
		offset, size := fmt.Sprint(f.offsets[i]), fmt.Sprint(f.sizes[i])
		list, lines = append(list, offset, size), append(lines, offset, size)
	}
	var pax, head []byte
	n := fmt.Sprint(len(f.offsets))
	name := "./GNUSparseFile.1/f"
	switch form {
	case "0.0":
		pax = records("GNU.sparse.size", fmt.Sprint(f.real), "GNU.sparse.numblocks", n)
		for i := 0; i < len(list); i += 2 {
			pax = append(pax, records("GNU.sparse.offset", list[i], "GNU.sparse.numbytes", list[i+1])...)
		}
		name = f.name
	case "0.1":
		pax = records("GNU.sparse.size", fmt.Sprint(f.real), "GNU.sparse.numblocks", n, "GNU.sparse.name", f.name, "GNU.sparse.map", strings.Join(list, ","))
	case "1.0":
		pax = records("GNU.sparse.major", "1", "GNU.sparse.minor", "0", "GNU.sparse.name", f.name, "GNU.sparse.realsize", fmt.Sprint(f.real))
		head = padded([]byte(strings.Join(append([]string{n}, lines...), "\n") + "\n"))
	}
	b = append(sealed('x', "ustar\x0000", "./PaxHeaders/f", len(pax), nil), padded(pax)...)
	b = append(b, sealed('0', "ustar\x0000", name, len(head)+len(f.stored), nil)...)
	return append(b, padded(append(head, f.stored...))...)
}

// want returns the data that is read: that of the file, with short zeros in place of long holes.
func (f *sparseFile) want() string {
	var b strings.Builder
	end := int64(0)
	for _, g := range append(slices.Clone(f.regions), region{f.real, ""}) {
		b.WriteString(strings.Repeat("\x00", int(shortened(g.offset-end))) + g.data)
		end = g.offset + int64(len(g.data))
	}
	return b.String()
}

// contents reads an archive, and returns a name, the data and the error of each member.
func contents(t *testing.T, in io.Reader, buffer int) (out []string) {
	t.Helper()
	r := new(Reader)
	r.Reset(bufio.NewReaderSize(in, buffer), 0)
	for {
		name, _, regular, err := r.Next()
		if err == io.EOF {
			return out
		}
		if err != nil && !mild(err) {
			return append(out, "end: "+said(r, err))
		}
		if err != nil {
			out = append(out, "next: "+said(r, err))
			continue
		}
		if !regular {
			t.Errorf("%s is not read", name)
		}
		data, err := io.ReadAll(r)
		got := name + ": " + string(data)
		if err != nil {
			got += " ! " + err.Error()
			if _, again := r.Read(make([]byte, 1)); again == nil || again.Error() != err.Error() {
				t.Errorf("%s: %v, then %v", name, err, again)
			}
		}
		out = append(out, got)
	}
}

// TestSparse reads sparse files in all forms. If holes are short, archive/tar must read the same.
func TestSparse(t *testing.T) {
	const gib = 1 << 30
	many := make([]region, 100)
	for i := range many {
		many[i] = region{int64(i) * 1000, fmt.Sprintf("piece %d", i)}
	}
	for _, f := range []*sparseFile{
		file("no data", 100),
		file("nothing", 0),
		file("no hole", 4, region{0, "text"}),
		file("in front", 104, region{100, "text"}),
		file("in the middle", 204, region{0, "one"}, region{200, "text"}),
		file("at the end", 204, region{0, "one"}),
		file("everywhere", 8192, region{1000, "one"}, region{2000, strings.Repeat("two ", 200)}, region{8000, "three"}),
		file("four", 4000, region{0, "a"}, region{1000, "b"}, region{2000, "c"}, region{3000, "d"}),
		file("five", 5000, region{0, "a"}, region{1000, "b"}, region{2000, "c"}, region{3000, "d"}, region{4000, "e"}),
		file("end marked", 3000, region{0, "a"}, region{3000, ""}),
		file("adjacent", 6, region{0, "abc"}, region{3, "def"}),
		file("longest hole", maxHole+1, region{maxHole, "x"}),
		file("longer hole", maxHole+2, region{maxHole + 1, "x"}),
		file("many", 200_000, many...),
		file("huge", 1<<62, region{5*gib + 3, "one"}, region{700 * gib, "text"}),
	} {
		for _, form := range forms {
			in := slices.Concat(archive(t, tar.FormatUSTAR, "a")[:1024], f.write(form), archive(t, tar.FormatUSTAR, "b"))
			want := []string{"a: text of a", f.name + ": " + f.want(), "b: text of b"}
			for _, buffer := range []int{16, 4096, 1 << 16} {
				for how, from := range map[string]io.Reader{"whole": bytes.NewReader(in), "bytes": iotest.OneByteReader(bytes.NewReader(in)), "late": iotest.DataErrReader(bytes.NewReader(in))} {
					if got := contents(t, from, buffer); !slices.Equal(got, want) {
						t.Errorf("%s, %s, %s:\n got %.300q\nwant %.300q", f.name, form, how, got, want)
					}
				}
			}
			// Members that are skipped, or read in part.
			for n := range 3 {
				r := new(Reader)
				r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
				names := ""
				for name, _, _, err := r.Next(); err == nil; name, _, _, err = r.Next() {
					names += name + "/"
					_, _ = r.Read(make([]byte, n))
				}
				if names != "a/"+f.name+"/b/" {
					t.Errorf("%s, %s: skipping finds %s", f.name, form, names)
				}
			}
			if f.real > gib || len(f.regions) == 0 { // archive/tar reads nothing of a file without data
				continue
			}
			other := tar.NewReader(bytes.NewReader(in))
			for range 2 {
				if _, err := other.Next(); err != nil {
					t.Fatalf("%s, %s: %v", f.name, form, err)
				}
			}
			if data, err := io.ReadAll(other); err != nil || strings.ReplaceAll(string(data), "\x00", "") != strings.ReplaceAll(f.want(), "\x00", "") || int64(len(data)) != f.real {
				t.Errorf("%s, %s: archive/tar reads %d bytes, %v", f.name, form, len(data), err)
			}
		}
	}
}

// TestSparseDamage reads maps that are wrong. What is in front of the wrong stretch is read, and the
// next member too.
func TestSparseDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *sparseFile)
		want   string // data in front of the damage, without zeros, and the error
		forms  []string
	}{
		{"overlap", func(f *sparseFile) { f.offsets[1] = 2 }, "one ! tar: a map of holes that goes backwards", forms},
		{"backwards", func(f *sparseFile) { f.offsets[2] = 0 }, "onetwo ! tar: a map of holes that goes backwards", forms},
		{"first too long", func(f *sparseFile) { f.sizes[0] = 10000 }, "onetwothree ! tar: a map of holes that goes backwards", forms},
		{"more than there is", func(f *sparseFile) { f.sizes[2], f.real = 1000, 1<<20 }, "onetwothree ! tar: a map of holes for more data than there is", forms},
		{"much more", func(f *sparseFile) { f.sizes[2], f.real = 1<<60, 1<<62 }, "onetwothree ! tar: a map of holes for more data than there is", forms},
		{"less than there is", func(f *sparseFile) { f.sizes[2] = 2 }, "onetwoth ! tar: data that is not in the map of holes", forms},
		{"longer than the file", func(f *sparseFile) { f.real = 4 }, "onetwothree ! tar: a map of holes that is longer than the file", forms},
		{"beyond all numbers", func(f *sparseFile) { f.offsets[2], f.sizes[2] = 1<<62, 1<<62 }, "onetwo ! tar: an impossible number in a map of holes", forms},
		{"no map", func(f *sparseFile) { f.offsets, f.sizes = nil, nil }, " ! tar: data that is not in the map of holes", forms},
	} {
		for _, form := range c.forms {
			f := file("f", 4000, region{0, "one"}, region{1000, "two"}, region{3000, "three"})
			c.change(f)
			in := append(f.write(form), archive(t, tar.FormatUSTAR, "b")...)
			want := []string{"f: " + c.want, "b: text of b"}
			for how, from := range map[string]io.Reader{"whole": bytes.NewReader(in), "bytes": iotest.OneByteReader(bytes.NewReader(in))} {
				got := contents(t, from, 16)
				for i := range got {
					got[i] = strings.ReplaceAll(got[i], "\x00", "")
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s, %s: got %q, want %q", c.name, form, how, got, want)
				}
			}
		}
	}
}

// TestSparseSyntax reads maps with bad numbers.
func TestSparseSyntax(t *testing.T) {
	member := func(data string, pairs ...string) []byte {
		pax := records(pairs...)
		b := append(sealed('x', "ustar\x0000", "x", len(pax), nil), padded(pax)...)
		b = append(b, sealed('0', "ustar\x0000", "f", len(data), nil)...)
		return append(b, padded([]byte(data))...)
	}
	lines := func(s string) string { return string(padded([]byte(s))) + "text" }
	version := []string{"GNU.sparse.major", "1", "GNU.sparse.minor", "0"}
	gnu := func(magic string, set func(h *block)) []byte {
		return append(sealed('S', magic, "f", 4, set), padded([]byte("text"))...)
	}
	const number, line, unknown, left = " ! tar: a bad number in a map of holes", " ! tar: a bad line in a map of holes", " ! tar: a sparse file of an unknown format", " ! tar: data that is not in the map of holes"
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"offset", member("text", "GNU.sparse.offset", "x"), number},
		{"empty offset", member("text", "GNU.sparse.offset", ""), number},
		{"offset and more", member("text", "GNU.sparse.offset", "1 "), number},
		{"negative", member("text", "GNU.sparse.numbytes", "-1"), number},
		{"too large", member("text", "GNU.sparse.numbytes", "99999999999999999999999"), number},
		{"map of one number", member("text", "GNU.sparse.map", "0"), number},
		{"map of three numbers", member("text", "GNU.sparse.map", "0,2,3"), "te" + number},
		{"map without a number", member("text", "GNU.sparse.map", "0,,"), number},
		{"empty map", member("text", "GNU.sparse.map", ""), left},
		{"map", member("text", "GNU.sparse.map", "0,4"), "text"},
		{"map with a comma at its end", member("text", "GNU.sparse.map", "0,4,"), "text"},
		{"unknown key", member("text", "GNU.sparse.more", "x", "GNU.sparse.map", "0,4"), "text"},
		{"lines", member(lines("1\n0\n4\n"), version...), "text"},
		{"fewer lines", member(lines("2\n0\n4\n"), version...), "text" + line},
		{"no lines", member(lines(""), version...), line},
		{"no data", member("", version...), line},
		{"letters", member(lines("1\n0\nx\n"), version...), line},
		{"count too large", member("999999999\n"+strings.Repeat("0\n0\n", 400), version...), line},
		{"version", member(lines("1\n0\n4\n"), "GNU.sparse.major", "2", "GNU.sparse.minor", "0"), unknown},
		{"star", gnu("ustar\x00", nil), unknown},
		{"gnu", gnu("ustar  \x00", func(h *block) { copy(h[386:], "00000000000\x0000000000004\x00"); copy(h[483:], "00000000004") }), "text"},
		{"gnu, no number", gnu("ustar  \x00", func(h *block) { copy(h[386:], "0000000000x\x0000000000004\x00") }), " ! tar: an impossible number in a map of holes"},
		{"gnu, negative", gnu("ustar  \x00", func(h *block) { copy(h[386:], "00000000000\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") }), " ! tar: an impossible number in a map of holes"},
	} {
		in := append(c.in, archive(t, tar.FormatUSTAR, "b")...)
		if got, want := contents(t, bytes.NewReader(in), 16), []string{"f: " + c.want, "b: text of b"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}

// TestSparseCuts cuts an archive of sparse files at each byte. What is read is the beginning of what
// is read of the whole.
func TestSparseCuts(t *testing.T) {
	f := file("f", 4000, region{0, "one"}, region{1000, "two"}, region{3000, strings.Repeat("three", 200)})
	for _, form := range forms {
		in := f.write(form)
		for n := range in {
			got := contents(t, bytes.NewReader(in[:n]), 16)
			for _, s := range got {
				s, _, _ = strings.Cut(s, " ! tar: unexpected EOF")
				if !strings.HasPrefix("f: "+f.want(), s) && s != "end: unexpected EOF" {
					t.Fatalf("%s, %d of %d bytes: %q", form, n, len(in), got)
				}
			}
			if data := len(in) - len(padded([]byte(f.stored))); form != "1.0" && n < data && n > 0 && len(got) != 1 {
				t.Fatalf("%s, %d of %d bytes: %q", form, n, len(in), got)
			}
		}
	}
}

// TestManyStretches reads a file with more stretches than are kept.
func TestManyStretches(t *testing.T) {
	var regions []region
	for i := range int64(maxStretches + 100) {
		regions = append(regions, region{10 + i*20, "x"})
	}
	f := file("f", 10+int64(len(regions))*20, regions...)
	for _, form := range forms {
		r := new(Reader)
		r.Reset(bufio.NewReader(bytes.NewReader(append(f.write(form), archive(t, tar.FormatUSTAR, "b")...))), 0)
		_, _, _, _ = r.Next()
		data, err := io.ReadAll(r)
		const last = 100 + 1 // the last stretch that is kept, and those after it
		if err == nil || err.Error() != "tar: more than 8192 holes: the rest was read without its holes" ||
			bytes.Count(data, []byte("x")) != len(regions) || !bytes.Contains(data, []byte("\x00"+strings.Repeat("x", last)+"\x00")) {
			t.Errorf("%s: %d bytes, %v", form, len(data), err)
		}
		if name, _, _, err := r.Next(); name != "b" || err != nil {
			t.Errorf("%s: then %q, %v", form, name, err)
		}
		if cap(r.sparse.list) > 2*maxStretches {
			t.Errorf("%s: room for %d stretches", form, cap(r.sparse.list))
		}
	}
}

// TestSparseHostile doubles the number of holes. The time may about double.
func TestSparseHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	read := func(in []byte) time.Duration {
		best := time.Hour
		r, p := new(Reader), make([]byte, 32<<10)
		for range 2 {
			start := clock()
			r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
			for {
				if _, _, _, err := r.Next(); err != nil && !mild(err) {
					break
				}
				for {
					if _, err := r.Read(p); err != nil {
						break
					}
				}
			}
			best = min(best, clock()-start)
		}
		return best
	}
	const n = 1 << 13
	for _, form := range forms {
		for name, step := range map[string]int64{"short holes": 2, "long holes": 1 << 40, "no holes": 1} {
			make := func(n int) []byte {
				f := &sparseFile{name: "f", real: int64(n) * step, stored: strings.Repeat("x", n)}
				for i := range n {
					f.offsets, f.sizes = append(f.offsets, int64(i)*step), append(f.sizes, 1)
				}
				return f.write(form)
			}
			one, two := make(n), make(2*n)
			var first, second time.Duration
			for range 5 { // try again, because the machine may be busy
				if first, second = read(one), read(two); second <= first*5/2+4*time.Millisecond {
					break
				}
			}
			if second > first*5/2+4*time.Millisecond || first > 5*time.Second {
				t.Errorf("%s, %s: %v for %d holes, %v for twice as many", form, name, first, n, second)
			}
		}
	}
}

// TestSparseRandom compares with archive/tar.
func TestSparseRandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for range 60 {
		var regions []region
		at := int64(0)
		for range 1 + rnd.IntN(40) {
			at += rnd.Int64N(maxHole + 1)
			g := region{at, strings.Repeat("text ", 1+rnd.IntN(400))}
			regions, at = append(regions, g), at+int64(len(g.data))
		}
		f := file("f", at+rnd.Int64N(maxHole), regions...)
		for _, form := range forms {
			in := f.write(form)
			other := tar.NewReader(bytes.NewReader(in))
			if _, err := other.Next(); err != nil {
				t.Fatal(err)
			}
			want, err := io.ReadAll(other)
			if got := contents(t, bytes.NewReader(in), 512); err != nil || len(got) != 1 || got[0] != "f: "+string(want) {
				t.Errorf("%s: %d bytes, %v", form, len(want), err)
			}
		}
	}
}
