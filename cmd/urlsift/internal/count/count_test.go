package count

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// An event has the arguments of one call of Add.
type event struct {
	key        string
	source, at int64
}

// plain counts events in a map. It is the slow twin of a Counter.
func plain(events []event, order Order) (rows []string) {
	type sums struct {
		Sum
		sources map[int64]bool
	}
	m := make(map[string]*sums)
	for _, e := range events {
		s := m[e.key]
		if s == nil {
			s = &sums{Sum: Sum{First: noFirst, Last: noLast}, sources: make(map[int64]bool)}
			m[e.key] = s
		}
		s.Count++
		if e.at != NoTime {
			s.First, s.Last = min(s.First, e.at), max(s.Last, e.at)
		}
		s.sources[e.source] = true
	}
	keys := make([]string, 0, len(m))
	for key, s := range m {
		s.Sources = int64(len(s.sources))
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		x, y := m[a], m[b]
		late := func(s *sums) int { // rows without times come last
			if s.Timed() {
				return 0
			}
			return 1
		}
		c := 0
		switch order {
		case ByCount:
			c = cmp.Compare(y.Count, x.Count)
		case ByFirst:
			c = cmp.Or(late(x)-late(y), cmp.Compare(x.First, y.First))
		case ByLast:
			c = cmp.Or(late(x)-late(y), cmp.Compare(y.Last, x.Last))
		}
		return cmp.Or(c, strings.Compare(a, b))
	})
	for _, key := range keys {
		rows = append(rows, show([]byte(key), &m[key].Sum))
	}
	return rows
}

// show returns a row as text.
func show(key []byte, s *Sum) string {
	if !s.Timed() {
		return fmt.Sprintf("%q %d - %d", key, s.Count, s.Sources)
	}
	return fmt.Sprintf("%q %d %d..%d %d", key, s.Count, s.First, s.Last, s.Sources)
}

// counted counts events with the given number of counters, each with the memory of o.
func counted(t testing.TB, events []event, order Order, top, counters int, o Options) (rows []string) {
	t.Helper()
	list := make([]*Counter, counters)
	for i := range list {
		list[i] = New(o)
		defer list[i].Close()
	}
	for _, e := range events {
		c := list[hashOf([]byte(e.key))%uint64(counters)]
		if err := c.Add([]byte(e.key), e.source, e.at); err != nil {
			t.Fatal(err)
		}
	}
	for row, err := range Rows(order, top, list...) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, show(row.Key, &row.Sum))
	}
	return rows
}

// same fails at the first difference of two lists of rows.
func same(t testing.TB, got, want []string, what string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: row %d is %s, want %s", what, i, got[i], want[i])
		}
	}
}

// events returns n events with keys of several kinds: with common beginnings, with zeros,
// long ones, empty ones.
func events(n int, seed uint64) (some []event) {
	r := rand.New(rand.NewPCG(seed, 1))
	long := strings.Repeat("http://a.example/long/", 400)
	source := int64(0)
	for range n {
		if r.IntN(50) == 0 {
			source += r.Int64N(3)
		}
		e := event{source: source, at: r.Int64N(1000) - 500}
		switch k := r.IntN(n/3 + 2); r.IntN(8) {
		case 0:
			e.key = strings.Repeat("\x00", k%40)
		case 1:
			e.key = fmt.Sprintf("http://%d.example/%d", k%7, k)
		case 2:
			e.key = long[:k%len(long)]
		case 3:
			e.key = string(byte(k))
		default:
			e.key = fmt.Sprintf("http://www.example.org/a/common/beginning/%d", k)
		}
		if k := len(e.key); k%5 == 0 {
			e.at = NoTime
		}
		some = append(some, e)
	}
	return some
}

func TestEqualToAMap(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 1000} {
		some := events(n, uint64(n))
		for order := ByCount; order <= ByLast; order++ {
			want := plain(some, order)
			for _, memory := range []int64{1, 300, 2000, 20_000, 1 << 30} {
				for _, counters := range []int{1, 3} {
					o := Options{Memory: memory, Dir: t.TempDir()}
					what := fmt.Sprintf("%d events, by %s, %d bytes, %d counters", n, Orders[order], memory, counters)
					same(t, counted(t, some, order, 0, counters, o), want, what)
					for _, top := range []int{1, 10, fewRows + 1} {
						same(t, counted(t, some, order, top, counters, o), want[:min(top, len(want))], what+fmt.Sprintf(", top %d", top))
					}
				}
			}
		}
	}
}

// TestLevels merges more runs than a level has, twice.
func TestLevels(t *testing.T) {
	const n = fanIn*fanIn + fanIn + 3
	c := New(Options{Memory: 1, Dir: t.TempDir()})
	defer c.Close()
	for i := range int64(n) {
		if err := c.Add(fmt.Appendf(nil, "%d", i%97), i/10, i); err != nil {
			t.Fatal(err)
		}
		if runs := c.spool.count(); runs > 3*fanIn {
			t.Fatalf("%d runs", runs)
		}
	}
	if len(c.spool.levels) != 3 {
		t.Errorf("%d levels", len(c.spool.levels))
	}
	var sum int64
	for row, err := range Rows(ByKey, 0, c) {
		if err != nil {
			t.Fatal(err)
		}
		sum += row.Count
	}
	if sum != n {
		t.Errorf("%d events, want %d", sum, n)
	}
}

// TestSorted sorts keys that are hard for our sort, and compares with the sort of Go's library.
func TestSorted(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, key := range map[string]func(i int) string{
		"ascending":     func(i int) string { return fmt.Sprintf("%09d", i) },
		"descending":    func(i int) string { return fmt.Sprintf("%09d", 1<<20-i) },
		"organ pipes":   func(i int) string { return fmt.Sprintf("%09d", min(i, 5000-i)*2+i/2500) },
		"nested":        func(i int) string { return long[:i%3000] + fmt.Sprint(i/3000) },
		"zeros":         func(i int) string { return strings.Repeat("\x00", i%600) + string(rune('a'+i/600)) },
		"long in front": func(i int) string { return long + fmt.Sprint(i) },
	} {
		var tab sumTable
		want := make([]string, 5000)
		for i := range want {
			want[i] = key(i)
			k := []byte(want[i])
			if h := hashOf(k); tab.find(k, h) == nil {
				tab.insert(k, h, &Sum{})
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		var got []string
		for _, it := range tab.sorted() {
			got = append(got, string(tab.key(tab.entry(it.at))))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: wrong order", name)
		}
	}
}

// TestMemory compares the memory of a table with the result of costWith.
func TestMemory(t *testing.T) {
	const most = 8 << 20
	c := New(Options{Memory: most, Dir: t.TempDir()})
	defer c.Close()
	runs := 0
	for i := range int64(400_000) {
		if err := c.Add(fmt.Appendf(nil, "http://www.example.org/%d/%d", i%1000, i), 1, i); err != nil {
			t.Fatal(err)
		}
		if n := c.spool.count(); n > runs {
			runs = n
			tab := &c.table
			held := int64(len(tab.entries)*entriesPerChunk)*entrySize + int64(len(tab.keys))*keyChunk +
				int64(len(tab.numbers))*mapSize + int64(cap(tab.items))*itemSize
			if held > most+most/10 {
				t.Fatalf("the table has %d bytes", held)
			}
			if held < most/2 {
				t.Fatalf("the table has only %d bytes of %d", held, most)
			}
		}
	}
	if runs < 3 {
		t.Errorf("%d runs", runs)
	}
}

// A weak file fails at some operation, like a file on a full disk.
type weak struct {
	file
	writes, reads *int
}

func (w weak) WriteAt(p []byte, at int64) (int, error) {
	if *w.writes--; *w.writes < 0 {
		n, _ := w.file.WriteAt(p[:len(p)/2], at)
		return n, &os.PathError{Op: "write", Path: "nameless", Err: syscall.ENOSPC}
	}
	return w.file.WriteAt(p, at)
}

func (w weak) ReadAt(p []byte, at int64) (int, error) {
	if *w.reads--; *w.reads < 0 {
		return len(p) / 2, io.ErrUnexpectedEOF
	}
	return w.file.ReadAt(p, at)
}

// TestFullDisk lets each write and each read fail once. There must be an error, and no wrong row.
func TestFullDisk(t *testing.T) {
	some := events(300, 7)
	want := plain(some, ByCount)
	dir := t.TempDir()
	use := func(writes, reads int) error {
		c := New(Options{Memory: 2000, Dir: dir, create: func(dir string) (file, error) {
			f, err := createTemp(dir)
			return weak{f, &writes, &reads}, err
		}})
		defer c.Close()
		for _, e := range some {
			if err := c.Add([]byte(e.key), e.source, e.at); err != nil {
				if c.Add(nil, 1<<20, 0) != err {
					t.Error("the error is not returned again")
				}
				return err
			}
		}
		n := 0
		for row, err := range Rows(ByCount, 0, c) {
			if err != nil {
				return err
			}
			if got := show(row.Key, &row.Sum); got != want[n] {
				t.Fatalf("row %d is %s, want %s", n, got, want[n])
			}
			n++
		}
		return nil
	}
	const enough = 1 << 20
	for n := 0; ; n++ {
		err := use(n, enough)
		if err == nil {
			break
		}
		if !errors.Is(err, syscall.ENOSPC) || err.Error() != "temporary file in "+dir+": write: no space left on device" {
			t.Fatalf("write %d: %v", n, err)
		}
	}
	for n := 0; ; n++ {
		err := use(enough, n)
		if err == nil {
			break
		}
		var e *Error
		if !errors.As(err, &e) || e.Op != "read" {
			t.Fatalf("read %d: %v", n, err)
		}
	}
	c := New(Options{Memory: 1, Dir: dir + "/none"})
	_ = c.Add([]byte("a"), 1, 1)
	if err := c.Add([]byte("b"), 1, 1); err == nil || err.Error() != "temporary file in "+dir+"/none: create: no such file or directory" {
		t.Errorf("%v", err)
	}
}

// TestCorrupt changes each byte of a run. The result must be an error or the same rows.
func TestCorrupt(t *testing.T) {
	some := events(60, 9)
	c := New(Options{Dir: t.TempDir()})
	defer c.Close()
	for _, e := range some {
		if err := c.Add([]byte(e.key), e.source, e.at); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.spill(); err != nil {
		t.Fatal(err)
	}
	want := plain(some, ByKey)
	l := &c.spool.levels[0]
	var b [1]byte
	found := 0
	for at := range l.size {
		_, _ = l.f.ReadAt(b[:], at)
		_, _ = l.f.WriteAt([]byte{b[0] ^ 0x55}, at)
		var got []string
		for row, err := range Rows(ByKey, 0, c) {
			if err != nil {
				found++
				c.failed = nil
				got = want
				break
			}
			got = append(got, show(row.Key, &row.Sum))
		}
		same(t, got, want, fmt.Sprintf("byte %d", at))
		_, _ = l.f.WriteAt(b[:], at)
	}
	if found < int(l.size)*9/10 {
		t.Errorf("%d of %d found", found, l.size)
	}
}

// FuzzCounter compares a Counter with a map. A byte says how many of the following ones are
// a key, and whether it is another source.
func FuzzCounter(f *testing.F) {
	f.Add([]byte("\x03abc\x83abd\x00\x03abc"), uint16(100), uint8(0), uint8(2))
	f.Add(bytes.Repeat([]byte("\x05ab\x00\x00\x00\x04ab\x00\x00\x85abcde"), 20), uint16(700), uint8(3), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, memory uint16, order, counters uint8) {
		var some []event
		source := int64(0)
		for len(data) > 0 {
			length := min(int(data[0]&0x7f), len(data)-1)
			source += int64(data[0] >> 7)
			e := event{string(data[1:][:length]), source, int64(len(data) % 13)}
			if length%3 == 0 {
				e.at = NoTime
			}
			some = append(some, e)
			data = data[1+length:]
		}
		o := Order(order % 4)
		got := counted(t, some, o, 0, int(counters%3)+1, Options{Memory: int64(memory) + 1, Dir: t.TempDir()})
		same(t, got, plain(some, o), "fuzz")
	})
}

func BenchmarkAdd(b *testing.B) {
	for _, memory := range []int64{1 << 40, 32 << 20} {
		b.Run(fmt.Sprint(memory>>20, "M"), func(b *testing.B) {
			c := New(Options{Memory: memory, Dir: b.TempDir()})
			defer c.Close()
			var key []byte
			r := rand.New(rand.NewPCG(1, 2))
			for i := 0; b.Loop(); i++ {
				key = fmt.Appendf(key[:0], "http://www.example.org/%d/%d", r.IntN(1000), i)
				if err := c.Add(key, 1, 1); err != nil {
					b.Fatal(err)
				}
			}
			for _, err := range Rows(ByCount, 0, c) {
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
