package tarstream

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// mild reports whether err is damage after which Next continues.
func mild(err error) bool {
	d, ok := err.(*damage.Damage)
	return ok && d.Mild
}

// said returns err as text, with its offset in the archive. Damage of a member has only the
// level of the member, and no offset in the archive; for it, said uses the offset that reading
// has reached.
func said(r *Reader, err error) string {
	d, ok := err.(*damage.Damage)
	if !ok {
		return err.Error()
	}
	if d.Class != damage.Pack || d.Stage != damage.StageTar || d.Severity != damage.Error || d.Known != d.Mild || d.Level != 0 && d.Mild {
		return fmt.Sprintf("%#v", d)
	}
	if d.Err == io.ErrUnexpectedEOF {
		return d.Err.Error()
	}
	at := d.Offset
	if !d.Known {
		at, _, _ = r.Counts()
	}
	return fmt.Sprintf("%v at offset %d", d.Err, at)
}

// list reads an archive. It returns a line for each member (name, size, '-' for a regular file and
// '*' for others, the data) and for each error.
func list(r *Reader, in io.Reader) string {
	var b strings.Builder
	r.Reset(bufio.NewReaderSize(in, 16), 0)
	for range 1000 {
		name, size, regular, err := r.Next()
		if mild(err) {
			fmt.Fprintf(&b, "! %s\n", said(r, err))
			continue
		}
		if err != nil {
			fmt.Fprintf(&b, "%s\n", said(r, err))
			if _, _, _, again := r.Next(); again != err {
				fmt.Fprintf(&b, "then %v\n", again)
			}
			return b.String()
		}
		kind := '*'
		if regular {
			kind = '-'
		}
		fmt.Fprintf(&b, "%s %d %c", name, size, kind)
		if regular {
			data, err := io.ReadAll(r)
			if len(data) > 60 {
				data = fmt.Appendf(nil, "(%d)", len(data))
			}
			fmt.Fprintf(&b, " %s", strings.ReplaceAll(strings.TrimSpace(string(text(data))), "\n", "/"))
			if err != nil {
				fmt.Fprintf(&b, " ! %s", said(r, err))
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + "no end\n"
}

var long = "dir/" + strings.Repeat("long-", 30) + "name.txt"

var files = map[string]string{
	"gnu.tar": `
a.txt 25 - see http://a.example/one
dir/ 0 *
dir/b.txt 1000 - (1000)
` + long + ` 27 - see http://c.example/three
sparse.bin 4117 - (8213)
link 0 *
hard 0 *
empty 0 - 
EOF
`,
	"pax.tar": `
a.txt 25 - see http://a.example/one
dir/ 0 *
dir/b.txt 1000 - (1000)
` + long + ` 27 - see http://c.example/three
sparse.bin 4117 - (8213)
link 0 *
hard 0 *
empty 0 - 
EOF
`,
	"v7.tar": `
a.txt 25 - see http://a.example/one
dir/b.txt 1000 - (1000)
link 0 *
hard 0 *
empty 0 - 
EOF
`,
	"ustar.tar": `
a-directory-whose-name-is-long/and-another-one/and-a-third-one/and-a-fourth-one/a.txt 25 - see http://a.example/one
a-directory-whose-name-is-long/and-another-one/and-a-third-one/and-a-fourth-one/dir/b.txt 1000 - (1000)
EOF
`,
	"python.tar": `
grüße/ü` + strings.Repeat("x", 120) + `.txt 28 - see http://f.example/python
EOF
`,
}

func TestFiles(t *testing.T) {
	r := new(Reader)
	for name, want := range files {
		in, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		want = want[1:]
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(in),
			"bytes": iotest.OneByteReader(bytes.NewReader(in)),
			"late":  iotest.DataErrReader(bytes.NewReader(in)),
			"twice": io.MultiReader(bytes.NewReader(in), bytes.NewReader(in)),
		} {
			want := want
			if how == "twice" {
				want = strings.TrimSuffix(want, "EOF\n") + want
			}
			if got := list(r, from); got != want {
				t.Errorf("%s, %s:\n%s", name, how, got)
			}
		}
		if is, wait := Sniff(in, true); !is || wait {
			t.Errorf("%s: no archive", name)
		}
		for n := range blockSize {
			if is, wait := Sniff(in[:n], false); is || !wait {
				t.Fatalf("%s: %v, %v after %d bytes", name, is, wait, n)
			}
		}
	}
}

// TestLeadingZeros recognises archives after blocks of zeros.
func TestLeadingZeros(t *testing.T) {
	abc := archive(t, tar.FormatUSTAR, "a", "b", "c")
	for blocks := range 8 {
		in := append(make([]byte, blocks*blockSize), abc...)
		if is, wait := Sniff(in[:4096], true); !is || wait {
			t.Errorf("%d blocks: %v, %v", blocks, is, wait)
		}
		for n := range (blocks + 1) * blockSize {
			if is, wait := Sniff(in[:n], false); is || !wait {
				t.Fatalf("%d blocks: %v, %v after %d bytes", blocks, is, wait, n)
			}
		}
		if is, wait := Sniff(in[:blocks*blockSize], true); is || wait {
			t.Errorf("only %d blocks of zeros: %v, %v", blocks, is, wait)
		}
		if got := list(new(Reader), bytes.NewReader(in)); got != list(new(Reader), bytes.NewReader(abc)) {
			t.Errorf("%d blocks: %s", blocks, got)
		}
	}
}

// archive returns an archive of small files with these names and texts.
func archive(t testing.TB, format tar.Format, names ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		text := "text of " + name
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644, Format: format}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDamage(t *testing.T) {
	abc := archive(t, tar.FormatUSTAR, "a", "b", "c") // blocks: a, text, b, text, c, text, 0, 0
	deep := archive(t, tar.FormatPAX, strings.Repeat("d", 120))
	cut := func(b []byte, lo, hi int) []byte { return append(bytes.Clone(b[:lo]), b[hi:]...) }
	set := func(b []byte, at int, s string) []byte {
		b = bytes.Clone(b)
		copy(b[at:], s)
		return b
	}
	sum := func(b []byte, at int) []byte { // sum corrects the checksum of the header at this offset
		h := (*block)(b[at:])
		copy(h.sum(), "        ")
		n := 0
		for _, c := range h {
			n += int(c)
		}
		copy(h.sum(), fmt.Sprintf("%06o\x00 ", n))
		return b
	}
	const bad = "! no header of a member at offset "
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"nothing", nil, "EOF"},
		{"only zeros", make([]byte, 10240), "EOF"},
		{"whole", abc, "a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"no zeros", abc[:3072], "a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"no padding", abc[:2569], "a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"cut in data", abc[:2568], "a 9 - text of a|b 9 - text of b|c 9 - text of ! unexpected EOF|unexpected EOF"},
		{"cut in a header", abc[:2559], "a 9 - text of a|b 9 - text of b|unexpected EOF"},
		{"cut in zeros", abc[:3333], "a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"bad sum", set(abc, 1024, "B"), "a 9 - text of a|" + bad + "1024|c 9 - text of c|EOF"},
		{"bad first", set(abc, 0, "A"), bad + "0|b 9 - text of b|c 9 - text of c|EOF"},
		{"bad last", set(abc, 2048, "C"), "a 9 - text of a|b 9 - text of b|" + bad + "2048|EOF"},
		{"a block lost", cut(abc, 512, 1024), "a 9 - b|" + bad + "1024|c 9 - text of c|EOF"},
		{"a header lost", cut(abc, 1024, 1536), "a 9 - text of a|" + bad + "1024|c 9 - text of c|EOF"},
		{"size too large", sum(set(abc, 124, "00000002000\x00"), 0), "a 1024 - (1024)|" + bad + "1536|c 9 - text of c|EOF"},
		{"size absurd", sum(set(abc, 1024+124, "77777777777\x00"), 1024), "a 9 - text of a|b 8589934591 - (2560) ! unexpected EOF|unexpected EOF"},
		{"size beyond", sum(set(abc, 124, "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"), 0),
			"! impossible size of a member at offset 0|b 9 - text of b|c 9 - text of c|EOF"},
		{"size negative", sum(set(abc, 124, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), 0),
			"! impossible size of a member at offset 0|b 9 - text of b|c 9 - text of c|EOF"},
		{"size no number", sum(set(abc, 124, "000000000x9\x00"), 0),
			"! impossible size of a member at offset 0|b 9 - text of b|c 9 - text of c|EOF"},
		{"size in base 256", sum(set(abc, 124, "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x09"), 0),
			"a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"signed sum", set(abc, 0, "\xe4"), bad + "0|b 9 - text of b|c 9 - text of c|EOF"},
		{"a file that is one block of zeros", append(bytes.Clone(abc[:1024]), append(make([]byte, 512), abc[1024:]...)...),
			"a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"zeros before it", append(make([]byte, 1024), abc...), "a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"zeros and text before it", append(append(make([]byte, 1024), strings.Repeat("1234567\n", 128)...), abc...),
			"! blocks after the end of the archive at offset 1024|a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"zeros between members", slices.Concat(abc[:1024], make([]byte, 5120), abc[1024:]), "a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"garbage between members", slices.Concat(abc[:1024], bytes.Repeat([]byte("garbage\n"), 128), abc[1024:]),
			"a 9 - text of a|" + bad + "1024|b 9 - text of b|c 9 - text of c|EOF"},
		// Headers are searched for at the offsets of blocks, as GNU tar does.
		{"garbage that is not whole blocks", slices.Concat(abc[:1024], []byte("garbage\n"), abc[1024:]), "a 9 - text of a|" + bad + "1024|EOF"},
		{"garbage twice", slices.Concat(abc[:1024], []byte("garbage\n"), abc[1024:2048], bytes.Repeat([]byte("x"), 504), abc[2048:]),
			"a 9 - text of a|" + bad + "1024|c 9 - text of c|EOF"},
		{"text after it", append(bytes.Clone(abc), strings.Repeat("http://x.example/", 100)...),
			"a 9 - text of a|b 9 - text of b|c 9 - text of c|! blocks after the end of the archive at offset 4096|EOF"},
		{"text between", append(append(bytes.Clone(abc), strings.Repeat("1234567\n", 128)...), abc[:3072]...),
			"a 9 - text of a|b 9 - text of b|c 9 - text of c|! blocks after the end of the archive at offset 4096|" +
				"a 9 - text of a|b 9 - text of b|c 9 - text of c|EOF"},
		{"pax", deep, strings.Repeat("d", 120) + " 128 - (128)|EOF"},
		{"pax length 0", set(deep, 512, "000"), "! bad record in a pax header at offset 516|" + strings.Repeat("d", 100) + " 128 - (128)|EOF"},
		{"pax length too large", set(deep, 512, "999"), "! bad record in a pax header at offset 516|" + strings.Repeat("d", 100) + " 128 - (128)|EOF"},
		{"pax no length", set(deep, 512, "x"), "! bad record in a pax header at offset 513|" + strings.Repeat("d", 100) + " 128 - (128)|EOF"},
		{"pax no key", set(deep, 512, "130 path "), "! bad record in a pax header at offset 641|" + strings.Repeat("d", 100) + " 128 - (128)|EOF"},
		{"pax of nothing", deep[:1024], "unexpected EOF"},
		{"pax cut", deep[:600], "unexpected EOF"},
		{"pax before damage", set(deep, 1024, "D"), bad + "1024|EOF"},
	} {
		r := new(Reader)
		want := strings.ReplaceAll(c.want, "|", "\n") + "\n"
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(c.in),
			"bytes": iotest.OneByteReader(bytes.NewReader(c.in)),
		} {
			if got := list(r, from); got != want {
				t.Errorf("%s, %s:\n%swant\n%s", c.name, how, got, want)
			}
		}
	}
	// The checksum may be the sum of signed bytes.
	signed := set(abc, 0, "\xe4")
	sum(signed, 0)
	n, _ := number((*block)(signed).sum())
	copy((*block)(signed).sum(), fmt.Sprintf("%06o\x00 ", n-256))
	if got := list(new(Reader), bytes.NewReader(signed[:1024])); got != "\xe4 9 - text of a\nEOF\n" {
		t.Errorf("signed: %s", got)
	}
	failing := errors.New("failing")
	for n := range len(abc) {
		got := list(new(Reader), io.MultiReader(bytes.NewReader(abc[:n]), iotest.ErrReader(failing)))
		if !strings.HasSuffix(got, "failing\n") || strings.Contains(got, "!") && !strings.Contains(got, "! failing") {
			t.Fatalf("%d bytes: %s", n, got)
		}
	}
}

// TestCuts checks that exactly the data in front of a cut is read.
func TestCuts(t *testing.T) {
	r := new(Reader)
	for name := range files {
		in, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		whole := strings.Split(list(r, bytes.NewReader(in)), "\n")
		for n := 0; n < len(in); n += 7 {
			got := strings.Split(list(r, bytes.NewReader(in[:n])), "\n")
			for i, line := range got[:max(0, len(got)-3)] { // the last member may be truncated; the end and "" follow it
				if line != whole[i] {
					t.Fatalf("%s: %d bytes: %q, want %q", name, n, line, whole[i])
				}
			}
		}
	}
}

// TestSkips checks that Next skips members, and parts of members, that were not read.
func TestSkips(t *testing.T) {
	in := archive(t, tar.FormatGNU, "a", "b", strings.Repeat("x", 300), "c")
	r := new(Reader)
	for n := range 5 {
		r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
		var names []string
		for {
			name, _, _, err := r.Next()
			if err != nil {
				break
			}
			names = append(names, name[:1])
			if _, err := io.ReadFull(r, make([]byte, n)); err != nil {
				t.Error(err)
			}
		}
		if got := strings.Join(names, ""); got != "abxc" {
			t.Errorf("%d bytes of each: %s", n, got)
		}
	}
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head string
		wait bool
	}{
		{"", true}, {"a", true}, {"README", true}, {"größe/\xfc", true}, {"a\x00", true}, {"\x00", true}, {"\x00a", false},
		{"Hello, world\n", false}, {"see http://", false}, {"<a", true}, {"From: x", true}, {"a\tb", false},
		{"a\x7f", false}, {"h\x00t", false}, {"a:b", true}, {"a/b//c", true}, {strings.Repeat("a", 100), true},
		{strings.Repeat("a", 101), false}, {strings.Repeat("a", 100) + "0000644", true}, {"a" + strings.Repeat("\x00", 99) + "  644 ", true},
		{"a" + strings.Repeat("\x00", 99) + "0000x", false}, {"a" + strings.Repeat("\x00", 99) + "\xff", false},
		{"a" + strings.Repeat("\x00", 511), false}, {strings.Repeat("\x00", 512), true}, {strings.Repeat("\x00", 511) + "a", false},
		{strings.Repeat("\x00", 512) + "README", true}, {strings.Repeat("\x00", 512) + "Hello, world\n", false}, {strings.Repeat("\x00", 3000), true},
		{strings.Repeat("\x00", 600) + "a", false},
	} {
		if is, wait := Sniff([]byte(c.head), false); is || wait != c.wait {
			t.Errorf("%q: %v, %v", c.head, is, wait)
		}
		if is, wait := Sniff([]byte(c.head), true); is || wait {
			t.Errorf("%q, whole: %v, %v", c.head, is, wait)
		}
	}
}

func TestAllocatesNothing(t *testing.T) {
	in := archive(t, tar.FormatPAX, "a", "b", strings.Repeat("long", 50), "c", "d")
	r, src, buf, p := new(Reader), bytes.NewReader(nil), bufio.NewReader(nil), make([]byte, 512)
	n := testing.AllocsPerRun(10, func() {
		src.Reset(in)
		buf.Reset(src)
		r.Reset(buf, 0)
		for {
			if _, _, _, err := r.Next(); err != nil {
				break
			}
			for {
				if _, err := r.Read(p); err != nil {
					break
				}
			}
		}
	})
	if n > 5 {
		t.Errorf("%v allocations for 5 names", n)
	}
}

// hostile returns archives that repeat one piece.
func hostile(t testing.TB) map[string][]byte {
	set := func(kind byte, size string, data string) []byte {
		b := archive(t, tar.FormatUSTAR, "a")[:blockSize]
		b[156] = kind
		copy(b[124:], size)
		h := (*block)(b)
		copy(h.sum(), "        ")
		n := 0
		for _, c := range h {
			n += int(c)
		}
		copy(h.sum(), fmt.Sprintf("%06o\x00 ", n))
		b = append(b, data...)
		return append(b, make([]byte, -len(b)&(blockSize-1))...)
	}
	more := make([]byte, blockSize)
	more[504] = 1
	return map[string][]byte{
		"members":   set('0', "00000000000", ""),
		"zeros":     make([]byte, blockSize),
		"garbage":   bytes.Repeat([]byte("0123456 "), blockSize/8),
		"names":     set('L', "00000002000", strings.Repeat("x", 1024)),
		"pax":       set('x', "00000000005", "5 a=\n"),
		"paths":     set('x', "00000001750", "1000 path="+strings.Repeat("x", 989)+"\n"),
		"records":   set('x', "00000001750", strings.Repeat("5 a=\n", 200)),
		"sizes":     set('x', "00000001750", strings.Repeat("9 size=8\n", 111)+"\n"),
		"keys":      set('x', "00000001750", "1000 "+strings.Repeat("x", 995)),
		"damage":    append(set('0', "00000000000", ""), bytes.Repeat([]byte("x"), blockSize)...),
		"no sizes":  set('0', "zzzzzzzzzzz", ""),
		"holes":     more,
		"no record": set('x', "00000001750", ""),
	}
}

// TestHostile doubles the length of hostile archives. The time may about double, and the memory
// must not grow.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	const n = 1 << 21
	first := hostile(t)["members"]
	first[156], first[482] = 'S', 1
	h := (*block)(first)
	sum, _ := number(h.sum())
	copy(h.sum(), fmt.Sprintf("%06o\x00 ", sum+'S'-'0'+1))
	r := new(Reader)
	run := func(name string, in []byte, n int) time.Duration {
		in = bytes.Repeat(in, n/len(in))
		if name == "holes" {
			in = append(bytes.Clone(first), in...)
		}
		best := time.Hour
		for range 2 {
			start := clock()
			r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
			for {
				_, _, _, err := r.Next()
				if err != nil && !mild(err) {
					break
				}
			}
			best = min(best, clock()-start)
		}
		return best
	}
	for name, in := range hostile(t) {
		var one, two time.Duration
		for range 5 { // try again, because the machine may be busy
			one, two = run(name, in, n), run(name, in, 2*n)
			if two <= one*5/2+4*time.Millisecond {
				break
			}
		}
		if two > one*5/2+4*time.Millisecond || one > n*time.Microsecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
		if got := cap(r.path) + cap(r.ext.name); got > 3*maxName {
			t.Errorf("%s: room for names of %d bytes", name, got)
		}
	}
}

// TestLongNames checks that long names are truncated.
func TestLongNames(t *testing.T) {
	for _, format := range []tar.Format{tar.FormatGNU, tar.FormatPAX} {
		name := strings.Repeat("n", maxName+1000)
		r := new(Reader)
		r.Reset(bufio.NewReader(bytes.NewReader(archive(t, format, name, "b"))), 0)
		if got, _, _, err := r.Next(); got != name[:maxName] || err != nil {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		if got, _, _, err := r.Next(); got != "b" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// FuzzTar checks that reading ends, and that the results do not depend on the sizes of reads.
func FuzzTar(f *testing.F) {
	for _, format := range []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
		f.Add(archive(f, format, "a", strings.Repeat("b", 90)))
	}
	f.Add(archive(f, tar.FormatPAX, strings.Repeat("b", 190)))
	f.Add(archive(f, tar.FormatGNU, strings.Repeat("b", 190)))
	for _, form := range forms {
		s := file("f", 4000, region{0, "one"}, region{1000, "two"}, region{2000, "three"}, region{2500, "four"}, region{3000, "five"})
		f.Add(append(s.write(form), archive(f, tar.FormatUSTAR, "a")...))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 16<<10 {
			return
		}
		// Headers with a wrong checksum are rejected. So correct the checksums, to test the code
		// after that check.
		for at := 0; at+blockSize <= len(in); at += blockSize {
			h := (*block)(in[at:])
			if in[at+148] == '0' && in[at+155] == ' ' {
				copy(h.sum(), "        ")
				n := 0
				for _, c := range h {
					n += int(c)
				}
				copy(h.sum(), fmt.Sprintf("%06o\x00 ", n))
			}
		}
		r := new(Reader)
		whole := list(r, bytes.NewReader(in))
		if bytewise := list(r, iotest.OneByteReader(bytes.NewReader(in))); bytewise != whole {
			t.Fatalf("%s\n%s", whole, bytewise)
		}
		if strings.HasSuffix(whole, "no end\n") {
			t.Fatal(whole)
		}
	})
}

func BenchmarkLost(b *testing.B) {
	in := append(archive(b, tar.FormatUSTAR, "a"), bytes.Repeat([]byte("garbage 012345 \n"), 1<<16)...)
	r, src, buf := new(Reader), bytes.NewReader(nil), bufio.NewReader(nil)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		src.Reset(in)
		buf.Reset(src)
		r.Reset(buf, 0)
		for {
			if _, _, _, err := r.Next(); err == io.EOF {
				break
			}
		}
	}
}

func BenchmarkMembers(b *testing.B) {
	var names []string
	for i := range 2000 {
		names = append(names, fmt.Sprint("name", i))
	}
	in := archive(b, tar.FormatUSTAR, names...)
	r, src, buf, p := new(Reader), bytes.NewReader(nil), bufio.NewReader(nil), make([]byte, 4<<10)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		src.Reset(in)
		buf.Reset(src)
		r.Reset(buf, 0)
		for {
			if _, _, _, err := r.Next(); err != nil {
				break
			}
			for {
				if _, err := r.Read(p); err != nil {
					break
				}
			}
		}
	}
}
