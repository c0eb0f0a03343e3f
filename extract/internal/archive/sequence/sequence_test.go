package sequence

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
	"time"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// list reads an archive. It returns a line for each file (name, data) and for each error. Damage of the
// archive has its offset there.
func list(r *Reader, in io.Reader) string {
	var b strings.Builder
	r.Reset(bufio.NewReaderSize(in, 128), 0)
	for range 1000 {
		name, err := r.Next()
		m, _ := err.(*damage.Damage)
		switch {
		case m != nil && m.Mild:
			fmt.Fprintf(&b, "! %v\n", m)
			continue
		case err != nil:
			all, passed, sought := r.Counts()
			fmt.Fprintf(&b, "%v, %d bytes, %d passed, %d sought\n", err, all, passed, sought)
			if _, again := r.Next(); again != err {
				fmt.Fprintf(&b, "then %v\n", again)
			}
			return b.String()
		case name == "":
			continue
		}
		data, err := io.ReadAll(r)
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

// readerOf returns a Reader for the archive that begins with head.
func readerOf(head []byte) *Reader {
	if bytes.HasPrefix(head, []byte(ArMagic)) {
		return NewAr()
	}
	return NewCpio()
}

const (
	long      = "a-name-of-more-than-sixteen-bytes.txt"
	cpioFiles = "a.txt: see http://a.example/one\ndir/b.txt: (1000)\n" + long + ": http://c.example/three\nempty: \n"
)

// files are the files in testdata. Directories, links and tables are passed, but these have no data, or
// are read for the names.
var files = map[string]string{
	"gnu.a":       "a.txt: see http://a.example/one\n" + long + ": http://c.example/three\nempty: \nEOF, 338 bytes, 0 passed, 0 sought\n",
	"bsd.a":       "a.txt: see http://a.example/one\n" + long + ": http://c.example/three\nempty: \nEOF, 274 bytes, 0 passed, 0 sought\n",
	"symbols.a":   "a-name-of-more-than-sixteen-bytes.o: (1096)\nEOF, 1332 bytes, 10 passed, 0 sought\n",
	"x.deb":       "debian-binary: 2.0\ncontrol.tar.zst: (205)\ndata.tar.zst: (147)\nEOF, 546 bytes, 0 passed, 0 sought\n",
	"newc.cpio":   cpioFiles + "EOF, 2048 bytes, 5 passed, 0 sought\n", // what the link refers to
	"crc.cpio":    cpioFiles + "EOF, 2048 bytes, 5 passed, 0 sought\n",
	"odc.cpio":    cpioFiles + "EOF, 2048 bytes, 5 passed, 0 sought\n",
	"bsdtar.cpio": "a.txt: see http://a.example/one\ndir/b.txt: (1000)\nempty: \nEOF, 1744 bytes, 5 passed, 0 sought\n",
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
		r := readerOf(in)
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(in),
			"bytes": iotest.OneByteReader(bytes.NewReader(in)),
			"late":  iotest.DataErrReader(bytes.NewReader(in)),
		} {
			if got := list(r, from); got != want {
				t.Errorf("%s, %s:\n%swant\n%s", name, how, got, want)
			}
		}
	}
}

// TestSniff checks that archives are recognised by their first header, and nothing else is.
func TestSniff(t *testing.T) {
	for _, name := range []string{"newc.cpio", "crc.cpio", "odc.cpio", "bsdtar.cpio"} {
		in, size := testdata(t, name), newcHead
		if name == "odc.cpio" {
			size = odcHead
		}
		for n := range len(in) {
			if is, wait := SniffCpio(in[:n], false); is != (n >= size) || wait != (n < size) {
				t.Fatalf("%s: %t, %t after %d bytes", name, is, wait, n)
			}
			if is, wait := SniffCpio(in[:n], true); is != (n >= size) || wait {
				t.Fatalf("%s: %t, %t for %d bytes", name, is, wait, n)
			}
		}
	}
	for _, text := range []string{
		"070701 is a number", "070707" + strings.Repeat("8", 70), "070701" + strings.Repeat("0", 104), "070703" + strings.Repeat("1", 104), "0707010000000g",
	} {
		if is, wait := SniffCpio([]byte(text), false); is || wait {
			t.Errorf("%q: %t, %t", text, is, wait)
		}
	}
}

// read reads an archive, of which nothing is damaged but its end. It returns each name and its data, and the
// error that ended it.
func read(t *testing.T, r *Reader, in []byte) (members [][2]string, end error) {
	t.Helper()
	r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
	for range 1000 {
		name, err := r.Next()
		if err != nil {
			return members, err
		}
		if name != "" {
			data, _ := io.ReadAll(r) // Next returns the error, too
			members = append(members, [2]string{name, string(data)})
		}
	}
	t.Fatal("no end")
	return nil, nil
}

// TestCut reads each beginning of each archive: all that is in front of the cut is read, and the end is an
// error. Only ar may end after any member.
func TestCut(t *testing.T) {
	for name := range files {
		in := testdata(t, name)
		r := readerOf(in)
		whole, _ := read(t, r, in)
		for n := r.magic; n < len(in); n++ {
			got, err := read(t, r, in[:n])
			if all, _, _ := r.Counts(); all != int64(n) {
				t.Fatalf("%s, %d bytes: %d counted", name, n, all)
			}
			for i, m := range got {
				last := i == len(got)-1 && err != io.EOF
				if m[0] != whole[i][0] || !strings.HasPrefix(whole[i][1], m[1]) || !last && m != whole[i] {
					t.Fatalf("%s, %d bytes: %q, want %q", name, n, m, whole[i])
				}
			}
			switch complete := len(got) == len(whole); {
			case err == io.EOF && (complete || !r.trailer):
			case !errors.Is(err, io.ErrUnexpectedEOF):
				t.Fatalf("%s, %d bytes: %v", name, n, err)
			}
		}
	}
}

// arOf and cpioOf make archives of alternating names and data. The names are short.
func arOf(files ...string) string {
	s := ArMagic
	for i := 0; i < len(files); i += 2 {
		s += arMember(files[i], len(files[i+1])) + files[i+1] + strings.Repeat("\n", len(files[i+1])&1)
	}
	return s
}

func arMember(name string, size int) string {
	return fmt.Sprintf("%-16s0           0     0     644     %-10d`\n", name, size)
}

func cpioOf(files ...string) (s string) {
	for i := 0; i < len(files); i += 2 {
		s += cpioMember("070701", files[i], len(files[i+1]), 0) + files[i+1] + strings.Repeat("\x00", -len(files[i+1])&3)
	}
	return s + cpioMember("070701", "TRAILER!!!", 0, 0)
}

func cpioMember(magic, name string, size, sum int) string {
	h := fmt.Sprintf("%s%08x%08x%024x%08x%08x%032x%08x%08x%s\x00", magic, 1, 0o100644, 1, 0, size, 0, len(name)+1, sum, name)
	return h + strings.Repeat("\x00", -len(h)&3)
}

// TestDamage reads archives with one thing wrong.
func TestDamage(t *testing.T) {
	abc, xyz := arOf("a/", "one", "b/", "four", "c/", "five!"), cpioOf("a", "one", "b", "four", "c", "five!")
	replaced := func(s, old, with string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(s, old, with, 1)
	}
	const noHeader = "no header of a member at offset "
	for _, c := range []struct{ name, in, want string }{
		{"ar", abc, "a: one|b: four|c: five!|EOF"},
		{"ar without members", ArMagic, "EOF"},
		{"ar without the last padding", abc[:len(abc)-1], "a: one|b: four|c: five!|EOF"},
		{"ar and line ends", abc + "\n\n", "a: one|b: four|c: five!|EOF"},
		{"ar and text", abc + "text", "a: one|b: four|c: five!|ar: unexpected EOF"},
		{"a damaged header", replaced(abc, "b/      ", "b/\x00\x00    "), "a: one|! ar: " + noHeader + "72|c: five!|EOF"},
		{"a damaged mark", replaced(abc, "4         `", "4         '"), "a: one|! ar: " + noHeader + "72|c: five!|EOF"},
		{"no size", replaced(abc, "4         `", "          `"), "a: one|! ar: " + noHeader + "72|c: five!|EOF"},
		{"a negative size", replaced(abc, "4         `", "-4        `"), "a: one|! ar: " + noHeader + "72|c: five!|EOF"},
		{"a size too small", replaced(abc, "4         `", "2         `"), "a: one|b: fo|! ar: " + noHeader + "134|c: five!|EOF"},
		{"a size too large", replaced(abc, "4         `", "9         `"), "a: one|b: fourc/|! ar: " + noHeader + "142|EOF"},
		{"the largest size", replaced(abc, "4         `", "9999999999`"), "a: one|b: (70) ! ar: unexpected EOF|ar: unexpected EOF"},
		{"no magic after all", ArMagic + "is how it begins, and it is followed by more than sixty bytes of text.", "! ar: " + noHeader + "8|EOF"},
		{"a name of BSD", arOf("#1/5", "a\x00\x00\x00\x00one"), "a: one|EOF"},
		{"one longer than the data", arOf("#1/9", "a\x00\x00one"), "#1/9: a\x00\x00one|EOF"},
		{"a table of BSD", arOf("#1/12", "__.SYMDEF\x00\x00\x00xx", "a", "one"), "a: one|EOF"},
		{"names of GNU", arOf("//", "first/\nsecond/\n", "/0", "one", "/7", "two"), "first: one|second: two|EOF"},
		{"names of System V", arOf("//", "first\x00second\x00", "/0", "one", "/6", "two"), "first: one|second: two|EOF"},
		{"no such name", arOf("//", "first/\n", "/7", "one", "/-1", "two", "/x", "three"), "/7: one|/-1: two|/x: three|EOF"},
		{"no table", arOf("/0", "one"), "/0: one|EOF"},
		{"tables of symbols", arOf("/", "xxxx", "/SYM64/", "xxxx", "/<ECSYMBOLS>/", "xxxx", "a/", "one"), "a: one|EOF"},

		{"cpio", xyz, "a: one|b: four|c: five!|EOF"},
		{"zeros after it", xyz + strings.Repeat("\x00", 500), "a: one|b: four|c: five!|EOF"},
		{"another one", xyz + strings.Repeat("\x00", 500) + cpioOf("d", "two"), "a: one|b: four|c: five!|d: two|EOF"},
		{"something else", xyz + "\x00\x00something else", "a: one|b: four|c: five!|! cpio: bytes after the end of the archive at offset 478|EOF"},
		{"no trailer", xyz[:len(xyz)-124], "a: one|b: four|c: five!|cpio: unexpected EOF"},
		{"a damaged magic", xyz[:116] + "07070x" + xyz[122:], "a: one|! cpio: " + noHeader + "116|c: five!|EOF"},
		{"a damaged number", xyz[:130] + "-" + xyz[131:], "a: one|! cpio: " + noHeader + "116|c: five!|EOF"},
		{"no name", xyz[:116+94] + "00000000" + xyz[116+102:], "a: one|! cpio: " + noHeader + "116|c: five!|EOF"},
		{"a name without end", xyz[:116+94] + "ffffffff" + xyz[116+102:], "a: one|! cpio: " + noHeader + "116|c: five!|EOF"},
		{"a size too small", xyz[:116+54] + "00000000" + xyz[116+62:], "a: one|b: |! cpio: " + noHeader + "228|c: five!|EOF"},
		{"a size too large", xyz[:116+54] + "00000009" + xyz[116+62:], "a: one|b: four07070|! cpio: " + noHeader + "240|EOF"},
		{"the largest size", xyz[:116+54] + "ffffffff" + xyz[116+62:], "a: one|b: (248) ! cpio: unexpected EOF|cpio: unexpected EOF"},
		{"sums", cpioMember("070702", "a", 2, 'x'+'y') + "xy\x00\x00" + cpioMember("070702", "b", 2, 1) + "xy\x00\x00" + cpioMember("070702", "TRAILER!!!", 0, 0),
			"a: xy|b: xy ! cpio: the sum of the bytes is 000000f1 and should be 00000001|EOF"},
	} {
		r := readerOf([]byte(c.in))
		got := list(r, strings.NewReader(c.in))
		var lines []string
		for line := range strings.Lines(got) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
		last := len(lines) - 1
		end, counts, _ := strings.Cut(lines[last], ", ")
		lines[last] = end
		if s := strings.Join(lines, "|"); s != c.want || !strings.HasPrefix(counts, fmt.Sprint(len(c.in))) {
			t.Errorf("%s:\n got %q, %s\nwant %q, %d bytes", c.name, s, counts, c.want, len(c.in))
		}
		if bytewise := list(r, iotest.OneByteReader(strings.NewReader(c.in))); bytewise != got {
			t.Errorf("%s, byte by byte: %s\nwant %s", c.name, bytewise, got)
		}
	}
}

// TestReadError passes on an error of the reader.
func TestReadError(t *testing.T) {
	for name := range files {
		in, broken := testdata(t, name), errors.New("broken")
		r := readerOf(in)
		for n := r.magic; n < len(in); n++ {
			got := list(r, io.MultiReader(bytes.NewReader(in[:n]), iotest.ErrReader(broken)))
			if !strings.Contains(got, "\nbroken, ") && !strings.HasPrefix(got, "broken, ") || strings.Contains(got, "EOF") {
				t.Fatalf("%s, %d bytes: %s", name, n, got)
			}
		}
	}
}

// TestLongNames checks that long names, and tables of names, are cut off.
func TestLongNames(t *testing.T) {
	name := strings.Repeat("n", 2*arTable)
	for in, want := range map[string]string{
		arOf("#1/524288", name+"one", "b", "two"):              name[:maxName],
		arOf("//", "a/\n"+name+"/\n", "/3", "one", "b", "two"): name[:arTable-3],
	} {
		if got, end := read(t, NewAr(), []byte(in)); len(got) != 2 || end != io.EOF || got[0][0] != want || got[0][1] != "one" || got[1] != [2]string{"b", "two"} {
			t.Errorf("%d members, %v", len(got), end)
		}
	}
}

// TestHostile doubles the length of hostile archives. The time may about double, and memory must not grow.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	for name, in := range map[string]string{
		"members":      arMember("a/", 0),
		"marks":        strings.Repeat("`\n", 64),
		"names":        arMember("//", 60),
		"sizes":        arMember("#1/9999999", 60),
		"garbage":      "garbage 01234567\n",
		"cpio members": cpioMember("070701", "a", 0, 0),
		"trailers":     cpioMember("070701", "TRAILER!!!", 0, 0),
		"cpio marks":   "07070",
	} {
		first := ArMagic
		if strings.HasPrefix(in, "07070") {
			first = cpioMember("070701", "a", 0, 0)
		}
		run := func(n int) time.Duration {
			data := first + strings.Repeat(in, n/len(in))
			r, best := readerOf([]byte(data)), time.Hour
			for range 2 {
				start := clock()
				r.Reset(bufio.NewReader(strings.NewReader(data)), 0)
				for {
					_, err := r.Next()
					if m, _ := err.(*damage.Damage); err != nil && (m == nil || !m.Mild) {
						break
					}
				}
				best = min(best, clock()-start)
			}
			if got := cap(r.table) + cap(r.text); got > 2*arTable+2*maxName {
				t.Errorf("%s: room for names of %d bytes", name, got)
			}
			return best
		}
		const n = 1 << 19
		var one, two time.Duration
		for range 5 { // try again, because the machine may be busy
			if one, two = run(n), run(2*n); two <= one*5/2+4*time.Millisecond {
				break
			}
		}
		if two > one*5/2+4*time.Millisecond || one > n*time.Microsecond {
			t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
		}
	}
}

// FuzzAr and FuzzCpio check that reading ends, that all bytes are counted, and that the results do not depend on the sizes of
// reads.
func FuzzAr(f *testing.F) {
	fuzz(f, NewAr(), arOf("a/", "one", "b/", "four"), arOf("#1/5", "a\x00\x00\x00\x00one"), arOf("//", "first/\nsecond/\n", "/0", "one", "/7", "two"))
}

func FuzzCpio(f *testing.F) {
	fuzz(f, NewCpio(), cpioOf("a", "one", "b", "four"), cpioOf("a", "one")+"\x00\x00text", cpioMember("070702", "a", 2, 'x'+'y')+"xy")
}

func fuzz(f *testing.F, r *Reader, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	for name := range files {
		if in := testdata(f, name); readerOf(in).stage == r.stage {
			f.Add(in)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 16<<10 || len(in) < r.magic {
			return
		}
		whole := list(r, bytes.NewReader(in))
		if bytewise := list(r, iotest.OneByteReader(bytes.NewReader(in))); bytewise != whole {
			t.Fatalf("%s\n%s", whole, bytewise)
		}
		if all, passed, sought := r.Counts(); strings.HasSuffix(whole, "no end\n") || all != int64(len(in)) || passed+sought > all {
			t.Fatal(whole)
		}
	})
}
