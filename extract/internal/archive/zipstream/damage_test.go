package zipstream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// entry returns a local header with these fields, and data.
func entry(name string, flags, method uint16, csize, usize uint32, data string) string {
	b := []byte(sigLocal)
	b = binary.LittleEndian.AppendUint16(b, 20)
	b = binary.LittleEndian.AppendUint16(b, flags)
	b = binary.LittleEndian.AppendUint16(b, method)
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(data)))
	b = binary.LittleEndian.AppendUint32(b, csize)
	b = binary.LittleEndian.AppendUint32(b, usize)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	b = binary.LittleEndian.AppendUint16(b, 0)
	return string(b) + name + data
}

// stored returns a correct entry that is not compressed.
func stored(name, data string) string {
	return entry(name, 0, Store, uint32(len(data)), uint32(len(data)), data)
}

// withExtra adds an extra field to an entry whose name has one letter.
func withExtra(entry, extra string) string {
	return entry[:28] + string([]byte{byte(len(extra)), 0}) + entry[30:31] + extra + entry[31:]
}

const end = sigEnd + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00bye"

func TestDamage(t *testing.T) {
	a, b := stored("a", "text of a"), stored("b", "text of b")
	zip64 := func(sizes ...uint64) string {
		f := []byte{9, 9, 2, 0, 7, 7, 1, 0, byte(8 * len(sizes)), 0} // the extra field comes after another one
		for _, n := range sizes {
			f = binary.LittleEndian.AppendUint64(f, n)
		}
		return string(f)
	}
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", "EOF"},
		{"empty archive", end, "EOF"},
		{"whole", a + b + end, "a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"no directory", a + b, "a 9 m0 text of a|b 9 m0 text of b|unexpected EOF"},
		{"in one piece", sigOnePiece + a + end, "a 9 m0 text of a|EOF"},
		{"in pieces", sigDescriptor + a + end, "a 9 m0 text of a|EOF"},
		{"an archive after it", a + end + b + end, "a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"zeros after it", a + end + "\x00\x00\x00" + b + end + "\x00", "a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"text after it", a + end + "Hello, PK!" + b + end, "a 9 m0 text of a|! bytes after the archive, at offset 65|b 9 m0 text of b|EOF"},
		{"text before", "Hello, PK!" + a + end, "! no header of an entry: 48 65 6c 6c, at offset 0|a 9 m0 text of a|EOF"},
		{"text between", a + "PK" + b + end, "a 9 m0 text of a|! no header of an entry: 50 4b 50 4b, at offset 40|b 9 m0 text of b|EOF"},
		{"only text", "PK, it said.", "! no header of an entry: 50 4b 2c 20, at offset 0|EOF"},
		{"wrong text", a[:39] + "A" + b + end, "a 9 m0 text of A ! CRC-32 is e6f8d354 and should be dd96f39c, at offset 40|b 9 m0 text of b|EOF"},
		{"size too small", entry("a", 0, Store, 5, 5, "text of a") + b + end,
			"a 5 m0 text ! CRC-32 is ec5713f1 and should be dd96f39c, at offset 36|! no header of an entry: 6f 66 20 61, at offset 36|b 9 m0 text of b|EOF"},
		{"sizes that differ", entry("a", 0, Store, 9, 5, "text of a") + b + end,
			"a 9 m0 text of a ! 9 bytes decompressed that should be 5, at offset 40|b 9 m0 text of b|EOF"},
		{"size too large", entry("a", 0, Store, math.MaxUint32, 5, "text of a") + b + end,
			"a 4294967295 m0 (74 59283f2a) ! unexpected EOF|unexpected EOF"},
		{"deflate of another size", entry("a", 0, Deflate, 5, 4, deflated("text")) + b + end,
			"a 5 m8 text ! 10 bytes of data that should be 5, at offset 41|b 9 m0 text of b|EOF"},
		{"no deflate", entry("a", 0, Deflate, 9, 9, "\xff\xff\xff\xff\xff\xff\xff\xff\xff") + b + end,
			"a 9 m8  ! deflate: flate: corrupt input before offset 1, at offset 32|b 9 m0 text of b|EOF"},
		{"unknown method", entry("a", 0, 99, 9, 9, "text of a") + b + end, "a 9 m99 [0] ! entry compressed by method 99, at offset 31|b 9 m0 text of b|EOF"},
		{"no method", entry("a", 0, 77, 9, 9, "text of a") + b + end, "! impossible header of an entry, at offset 0|b 9 m0 text of b|EOF"},
		{"encrypted, size too large", entry("a", 1, Store, 1e6, 9, "text of a") + b + end, "a 1000000 m0 ! encrypted entry, at offset 31|unexpected EOF"},
		{"encrypted, size too small", entry("a", 1, Store, 4, 9, "text of a") + b + end,
			"a 4 m0 ! encrypted entry, at offset 31|! no header of an entry: 20 6f 66 20, at offset 35|b 9 m0 text of b|EOF"},
		{"name with NUL", stored("a\x00", "") + b + end, "! header of an entry that holds another record, at offset 0|b 9 m0 text of b|EOF"},
		{"no name", stored("", "text") + b + end, " 4 m0 text|b 9 m0 text of b|EOF"},
		{"zip64", withExtra(entry("a", 0, Store, math.MaxUint32, math.MaxUint32, "text of a"), zip64(9, 9)) + b + end,
			"a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"zip64, one size", withExtra(entry("a", 0, Store, math.MaxUint32, 9, "text of a"), zip64(9)) + b + end,
			"a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"zip64, negative", withExtra(entry("a", 0, Store, math.MaxUint32, 9, "text of a"), zip64(1<<63)) + b + end,
			"! impossible size of an entry, at offset 0|b 9 m0 text of b|EOF"},
		{"zip64, absurd", withExtra(entry("a", 0, Store, math.MaxUint32, 9, "text of a"), zip64(1<<62)) + b + end,
			"a 4611686018427387904 m0 (74 59283f2a) ! unexpected EOF|unexpected EOF"},
		{"padded extra field", withExtra(a, "\x00\x00\x00") + b + end, "a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"directory that is cut", a + sigDirectory + "\x00\x00", "a 9 m0 text of a|EOF"},
		{"damage in the directory", a + sigDirectory + strings.Repeat("\x00", 42) + "junk" + end, "a 9 m0 text of a|! no header of an entry: 6a 75 6e 6b, at offset 86|EOF"},
		{"sizes and a descriptor", entry("a", flagDescriptor, Store, 9, 9, "text of a") + sigDescriptor + a[14:18] + "\x09\x00\x00\x00\x09\x00\x00\x00" + b + end,
			"a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"sizes for a descriptor", entry("a", flagDescriptor, Store, 9, 9, "text of a") + b + end, "a 9 m0 text of a|b 9 m0 text of b|EOF"},
		{"no descriptor", entry("a", flagDescriptor, Deflate, 0, 0, deflated("text of a")) + b + end,
			"a -1 m8 text of a ! no descriptor after the data, at offset 46|b 9 m0 text of b|EOF"},
	} {
		r := new(Reader)
		want := strings.ReplaceAll(c.want, "|", "\n") + "\n"
		for how, from := range map[string]io.Reader{
			"whole": strings.NewReader(c.in),
			"bytes": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			if got := list(r, from); got != want {
				t.Errorf("%s, %s:\n%swant\n%s", c.name, how, got, want)
			}
		}
	}
}

func TestEntry(t *testing.T) {
	r := new(Reader)
	r.Reset(bufio.NewReader(strings.NewReader(entry("\xc3\xa4/", flagUTF8, Deflate, 2, 0, "\x03\x00")+stored("\xe4", "x")+end)), 0)
	if e, err := r.Next(); err != nil || *e != (Entry{Name: "ä/", Dir: true, Method: Deflate}) {
		t.Errorf("%+v, %v", e, err)
	}
	if e, err := r.Next(); err != nil || *e != (Entry{Name: "Σ", Size: 1, Offset: 35}) {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestSniff(t *testing.T) {
	a := stored("a", "text")
	for _, c := range []struct {
		head     string
		is, wait bool
	}{
		{"", false, true}, {"P", false, true}, {"PK", false, true}, {"PK, it said", false, false}, {"PK\x03", false, true},
		{"PK\x03 ", false, false}, {"p", false, false}, {a, true, false}, {a[:29], false, true}, {sigOnePiece + a, true, false},
		{"PK0", false, true}, {"PK01", false, false}, {sigOnePiece, false, true}, {sigOnePiece + "P", false, true},
		{sigOnePiece + "x", false, false}, {sigDescriptor + a, true, false}, {end, true, false}, {sigEnd + "\x00", false, true},
		{sigEnd + "\x00\x01", false, false}, {sigDirectory, false, false}, {sigLocal + "text, perhaps", false, false},
		{sigLocal + "\x14\x00\x00\x00\x4d", false, true}, {sigLocal + "\x14\x00\x00\x00\x4d\x00", false, false},
	} {
		if is, wait := Sniff([]byte(c.head), false); is != c.is || wait != c.wait {
			t.Errorf("%q: %v, %v", c.head, is, wait)
		}
		if _, wait := Sniff([]byte(c.head), true); wait {
			t.Errorf("%q, whole: wait", c.head)
		}
	}
}

// TestPrompt checks that bytes from a pipe are returned at once, except bytes that may be a data
// descriptor.
func TestPrompt(t *testing.T) {
	text := "http://a.example/ and some bytes to be kept back"
	for _, in := range []string{
		entry("a", 0, Store, 1000, 1000, text),
		entry("a", flagDescriptor, Store, 0, 0, text),
		entry("a", flagDescriptor, Deflate, 0, 0, deflated(text)),
	} {
		from, to := io.Pipe()
		done := make(chan string)
		go func() {
			r := new(Reader)
			r.Reset(bufio.NewReader(from), 0)
			if _, err := r.Next(); err != nil {
				t.Error(err)
			}
			p := make([]byte, 100)
			n, _ := r.Read(p)
			done <- string(p[:n])
		}()
		if _, err := io.WriteString(to, in); err != nil {
			t.Fatal(err)
		}
		if got := <-done; !strings.HasPrefix(got, text[:len(text)-keepBack]) {
			t.Errorf("%q", got)
		}
		_ = to.Close()
	}
}

func TestAllocatesNothing(t *testing.T) {
	var ins [][]byte
	for _, in := range kinds(t) {
		ins = append(ins, in)
	}
	r, src, buf, p := new(Reader), bytes.NewReader(nil), bufio.NewReader(nil), make([]byte, 4<<10)
	if n := testing.AllocsPerRun(10, func() {
		for _, in := range ins {
			src.Reset(in)
			buf.Reset(src)
			r.Reset(buf, 0)
			for {
				if _, err := r.Next(); err != nil {
					break
				}
				for {
					if _, err := r.Read(p); err != nil {
						break
					}
				}
			}
		}
	}); n > float64(3*len(ins)) {
		t.Errorf("%v allocations for %d names", n, 3*len(ins))
	}
}

// hostile has archives. Each begins with the part in front of the mark and then repeats the part
// after it.
var hostile = map[string]string{
	"bytes":       "|a",
	"PK":          "|PK",
	"headers":     "|" + stored("", ""),
	"cut headers": "|" + sigLocal,
	"names":       "|" + stored("a", "")[:26] + "\xff\xef\x00\x00",
	"directory":   "|" + sigDirectory + strings.Repeat("\x00", 42),
	"ends":        "|" + end,
	"stored":      entry("a", flagDescriptor, Store, 0, 0, "") + "|text",
	"stored P":    entry("a", flagDescriptor, Store, 0, 0, "") + "|P",
	"stored PK":   entry("a", flagDescriptor, Store, 0, 0, "") + "|" + sigLocal,
	"descriptors": entry("a", flagDescriptor, Store, 0, 0, "") + "|" + sigDescriptor + "............",
	"both":        entry("a", flagDescriptor, Store, 0, 0, "") + "|" + sigDescriptor + "............" + sigLocal,
	"no deflate":  "|" + entry("a", 0, Deflate, 0, 0, "\xff"),
	"no blocks":   entry("a", 0, Deflate, 0, 0, "") + "|\x00\x00\x00\xff\xff",
	"bombs":       "|" + entry("a", flagDescriptor, Deflate, 0, 0, deflated(strings.Repeat("\x00", 1<<10))),
}

// TestHostile doubles the length of hostile archives. The time may about double.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	const n = 1 << 19
	r, p := new(Reader), make([]byte, 4<<10)
	run := func(s string, n int) time.Duration {
		first, again, _ := strings.Cut(s, "|")
		in := first + strings.Repeat(again, n/len(again))
		best := time.Hour
		for range 2 {
			start := clock()
			r.Reset(bufio.NewReader(strings.NewReader(in)), 0)
			for {
				_, err := r.Next()
				if err != nil && !mild(err) {
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
	for name, s := range hostile {
		var one, two time.Duration
		for range 5 { // try again, because the machine may be busy
			one, two = run(s, n), run(s, 2*n)
			if two <= one*5/2+4*time.Millisecond {
				break
			}
		}
		if two > one*5/2+4*time.Millisecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
		if one > n*500*time.Nanosecond {
			t.Errorf("%s: %v for %d bytes", name, one, n)
		}
	}
}

// FuzzZip checks that the results do not depend on the sizes of reads. If the directory is
// complete, the entries that archive/zip finds in it must be found.
func FuzzZip(f *testing.F) {
	for _, in := range kinds(f) {
		f.Add(in)
	}
	f.Add([]byte(stored("a", "text") + end + entry("b", 1, Deflate, 5, 5, "hello")))
	r, again := new(Reader), new(Reader)
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 8<<10 {
			return
		}
		whole := list(r, bytes.NewReader(in))
		if bytewise := list(again, iotest.OneByteReader(bytes.NewReader(in))); bytewise != whole {
			t.Fatalf("%s\n%s", whole, bytewise)
		}
		if strings.HasSuffix(whole, "no end\n") {
			t.Fatal(whole)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	text := strings.Repeat("see http://www.example.org/index.html, and others\n", 1<<14)
	for name, in := range map[string]string{
		"stored":  stored("a", text) + end,
		"sought":  entry("a", flagDescriptor, Store, 0, 0, text),
		"deflate": entry("a", 0, Deflate, 0, 0, deflated(text)) + end,
		"small":   strings.Repeat(stored("a", text[:500]), 1000) + end,
		"seek":    strings.Repeat("Pack PK\x01", 1<<17),
	} {
		b.Run(name, func(b *testing.B) {
			r, src, buf, p := new(Reader), strings.NewReader(""), bufio.NewReader(nil), make([]byte, 32<<10)
			b.SetBytes(int64(max(len(text), len(in))))
			for b.Loop() {
				src.Reset(in)
				buf.Reset(src)
				r.Reset(buf, 0)
				for {
					_, err := r.Next()
					if err != nil && !mild(err) {
						break
					}
					for {
						if _, err := r.Read(p); err != nil {
							break
						}
					}
				}
			}
		})
	}
}
