package state

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// long selects the long form of the tests; see CONTRIBUTING.md.
var long, full = os.Getenv("URLSIFT_LONG") != "", os.Getenv("URLSIFT_LONG") == "full"

// filled returns the path of a state with files and URLs that were saved in several transactions.
// In between some files were replaced and removed, so that there are free pages.
func filled(t testing.TB, files, urls int) string {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(Options{Path: filepath.Join(dir, "s")})
	if err != nil {
		t.Fatal(err)
	}
	s.Written = func() (OutputFile, error) {
		return OutputFile{Path: "out", Device: 1, Inode: 2, Length: 12345, Form: "text"}, nil
	}
	pick := rand.New(rand.NewPCG(1, uint64(files)))
	for i := range files {
		name := fmt.Sprintf("/var/log/%d/app.%d", i%7, i)
		p := &pending{entry: entry{name: name, device: 1, inode: uint64(1000 + i), size: 100, modified: 1e18, read: 1, run: s.run,
			place: extract.Place{Stored: 100, Text: 100, Results: 1, Whole: true}}}
		s.note(&extract.File{Note: p}, &p.place)
		if i%50 == 1 {
			p.fresh = make([]uint64, i)
		}
		if i%500 == 499 {
			s.Save()
			s.run++
		}
	}
	s.Save()
	for i := 0; i < files; i += 10 {
		if err := s.update(func(tx *bolt.Tx) error {
			for j := i; j < min(i+10, files); j += 5 {
				r, err := entryAt(tx.Bucket(filesBucket), fmt.Appendf(nil, "/var/log/%d/app.%d", j%7, j))
				if err == nil && j%10 == 0 {
					err = removeFile(tx, r, 0)
				} else if err == nil {
					err = putFormer(tx, r)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if i > 200 {
			break
		}
	}
	for range urls {
		var u URL
		for i := range u {
			u[i] = byte(pick.Uint32())
		}
		s.Printed(u)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return s.path
}

// content returns everything in the state at path.
func content(path string) (text string, err error) {
	db, err := open(path, true)
	if err != nil {
		return "", err
	}
	s := &store{path: path, db: db}
	defer s.close()
	var b bytes.Buffer
	err = s.view(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			return err
		}
		return tx.ForEach(func(name []byte, bucket *bolt.Bucket) error {
			fmt.Fprintf(&b, "%s\n", name) // without its sequence, which may be larger than needed
			return bucket.ForEach(func(k, v []byte) error {
				fmt.Fprintf(&b, "%x %x\n", k, v)
				return nil
			})
		})
	})
	return b.String(), err
}

// A damager changes a state and compares what is found with what it was.
type damager struct {
	t    *testing.T
	path string
	good []byte
	text string // what the state has
	metaData
	tried, found, harmless int
}

func newDamager(t *testing.T, path string) *damager {
	t.Helper()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &damager{t: t, path: path, good: good}
	if d.text, err = content(path); err != nil {
		t.Fatal(err)
	}
	if d.metaData, err = readMeta(bytes.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	return d
}

// check checks bad, which is a state that was changed. It must be refused with a message about
// damage, or have everything that it had, and be usable: what was changed is not in use.
func (d *damager) check(what string, bad []byte) {
	d.t.Helper()
	d.tried++
	var err error
	for try := range 3 { // the machine may be busy
		began := time.Now()
		err = checkPages(bytes.NewReader(bad), int64(len(bad)))
		if took := time.Since(began); took <= time.Second {
			break
		} else if try == 2 {
			d.t.Errorf("%s: the check takes %v", what, took)
		}
	}
	if err != nil {
		d.found++
		var other otherVersion
		if errors.Is(err, errForeign) || errors.As(err, &other) {
			d.t.Errorf("%s: %v", what, err)
		}
		return
	}
	d.harmless++
	path := filepath.Join(d.t.TempDir(), "s")
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		d.t.Fatal(err)
	}
	text, err := content(path)
	if err != nil || text != d.text {
		at := 0
		for at < min(len(text), len(d.text)) && text[at] == d.text[at] {
			at++
		}
		d.t.Fatalf("%s: the state is changed, which was not noticed: %.200q, was %.200q; %v", what, text[at:], d.text[at:], err)
	}
	if d.harmless%20 != 1 {
		return
	}
	s, err := Open(Options{Path: path})
	if err != nil {
		d.t.Fatalf("%s: %v", what, err)
	}
	s.Written = func() (OutputFile, error) { return OutputFile{}, nil }
	if err := s.Close(); err != nil {
		d.t.Fatalf("%s: %v", what, err)
	}
}

// flips flips each step-th bit of the headers and elements of all pages in use. A flip that the
// check of its own page finds needs no check of the whole state, which would find it too.
func (d *damager) flips(step int) {
	d.t.Helper()
	bad := bytes.Clone(d.good)
	c := &checker{f: bytes.NewReader(bad), size: int64(len(bad)), metaData: d.metaData, used: make([]uint64, d.pages/64+1)}
	skip := 0
	flip := func(from, to int64, isFound func() bool) {
		for bit := range 8 * (to - from) {
			if skip++; skip < step {
				continue
			}
			skip = 0
			at := from + bit/8
			bad[at] ^= 1 << (bit % 8)
			if c.window = nil; isFound != nil && isFound() {
				d.tried++
				d.found++
			} else {
				d.check(fmt.Sprintf("bit %d of byte %d of page %d", bit%8, at%d.pageSize, at/d.pageSize), bad)
			}
			bad[at] ^= 1 << (bit % 8)
		}
		c.window = nil
	}
	list, err := c.bucketsOf(d.root)
	if err != nil {
		d.t.Fatal(err)
	}
	clear(c.used)
	flip(0, pageHeaderLen+metaLen, nil)
	flip(d.pageSize, d.pageSize+pageHeaderLen+metaLen, nil)
	free := int64(d.free) * d.pageSize
	flip(free, free+pageHeaderLen+8*int64(binary.NativeEndian.Uint16(d.good[free+10:])), nil)

	each := func(root uint64, leaf leafFunc) {
		for open := []branch{{page: root}}; len(open) > 0; {
			b := open[len(open)-1]
			visit := func() ([]branch, error) {
				clear(c.used)
				return c.visit(open[:len(open)-1:len(open)-1], b, leaf)
			}
			next, err := visit()
			if err != nil {
				d.t.Fatal(err)
			}
			at, n := int64(b.page)*d.pageSize, int64(len(c.elements))
			flip(at, at+pageHeaderLen+n*elementLen, func() bool { _, err := visit(); return err != nil })
			open = next
		}
	}
	each(d.root, func(_, value []byte, e *element) error {
		if e.flags != isBucket || len(value) < bucketLen {
			return errPages
		}
		return nil
	})
	for _, name := range buckets {
		b := list[string(name)]
		if b.root != 0 {
			each(b.root, sealed(b))
		}
		long := min(b.end-b.at, pageHeaderLen)
		if long > 0 {
			long += elementLen * int64(binary.NativeEndian.Uint16(d.good[b.at+10:]))
		}
		flip(b.at-bucketLen, b.at+long, nil)
	}
}

// TestPagesFlipped flips the bits of the headers and elements of three states: in the short form
// some of them, in the long form all, or of the state with many URLs, which has 8 million, every 13th.
func TestPagesFlipped(t *testing.T) {
	for _, c := range []struct{ files, urls, step, fullStep int }{{40, 0, 3, 1}, {2000, 0, 193, 1}, {100, 20_000, 2003, 13}} {
		switch {
		case full:
			c.step, c.urls = c.fullStep, 5*c.urls
		case long:
			c.step, c.urls = (c.step+1)/2, 5*c.urls
		default:
			c.step *= 2
		}
		t.Run(fmt.Sprintf("%d files, %d URLs", c.files, c.urls), func(t *testing.T) {
			d := newDamager(t, filled(t, c.files, c.urls))
			d.flips(c.step)
			t.Logf("%d pages: %d flips, of which %d are found, %d change nothing that is in use", d.pages, d.tried, d.found, d.harmless)
			if d.harmless > 600 {
				t.Errorf("%d flips change nothing", d.harmless)
			}
		})
	}
}

// TestPagesDamaged overwrites one or more bytes anywhere in a state.
func TestPagesDamaged(t *testing.T) {
	n := 40
	switch {
	case full:
		n = 2000
	case long:
		n = 400
	}
	pick := rand.New(rand.NewPCG(3, 4))
	for _, path := range []string{filled(t, 40, 50), filled(t, 1200, 2000)} {
		d := newDamager(t, path)
		for range n {
			bad := bytes.Clone(d.good)
			at, k := pick.IntN(len(bad)), 1
			if pick.IntN(3) == 0 {
				k = 1 + pick.IntN(5000)
			}
			for i := at; i < min(at+k, len(bad)); i++ {
				bad[i] = byte(pick.Uint32())
			}
			d.check(fmt.Sprintf("%d bytes from %d", k, at), bad)
		}
		t.Logf("%d times, of which %d are found", d.tried, d.found)
	}
}

// TestPagesCircle makes pages point to themselves, to one another, and to pages of other buckets. No
// checksum shows that.
func TestPagesCircle(t *testing.T) {
	d := newDamager(t, filled(t, 2000, 5000))
	var branches []uint64
	for page := uint64(2); page < d.pages; page++ {
		if binary.NativeEndian.Uint16(d.good[int64(page)*d.pageSize+8:]) == branchPage {
			branches = append(branches, page)
		}
	}
	point := func(bad []byte, from, to uint64, element int) {
		binary.NativeEndian.PutUint64(bad[int64(from)*d.pageSize+pageHeaderLen+int64(element)*elementLen+8:], to)
	}
	for i, page := range branches {
		for _, element := range []int{0, 1} {
			for _, to := range []uint64{page, branches[(i+1)%len(branches)], 0, 1, 2, d.free, d.pages, 1 << 63} {
				bad := bytes.Clone(d.good)
				if point(bad, page, to, element); bytes.Equal(bad, d.good) {
					continue
				}
				d.check(fmt.Sprintf("page %d points to %d", page, to), bad)
			}
			bad := bytes.Clone(d.good)
			other := branches[(i+1)%len(branches)]
			point(bad, page, other, element)
			point(bad, other, page, element)
			d.check(fmt.Sprintf("pages %d and %d point to each other", page, other), bad)
		}
	}
	// A root that is its own child, and the free list that has pages in use; with right checksums of the meta pages.
	for name, change := range map[string]func(meta []byte){
		"the free list as root":     func(m []byte) { binary.NativeEndian.PutUint64(m[16:], d.free) },
		"the root as free list":     func(m []byte) { binary.NativeEndian.PutUint64(m[32:], d.root) },
		"no free list":              func(m []byte) { binary.NativeEndian.PutUint64(m[32:], 1<<64-1) },
		"more pages than bytes":     func(m []byte) { binary.NativeEndian.PutUint64(m[40:], 1<<50) },
		"fewer pages than in use":   func(m []byte) { binary.NativeEndian.PutUint64(m[40:], d.root) },
		"pages of another length":   func(m []byte) { binary.NativeEndian.PutUint32(m[8:], 2048) },
		"pages of no length":        func(m []byte) { binary.NativeEndian.PutUint32(m[8:], 0) },
		"pages of an odd length":    func(m []byte) { binary.NativeEndian.PutUint32(m[8:], 4095) },
		"pages of a great length":   func(m []byte) { binary.NativeEndian.PutUint32(m[8:], 1<<31) },
		"the root as its own child": func(m []byte) { binary.NativeEndian.PutUint64(m[16:], branches[0]) },
	} {
		bad := bytes.Clone(d.good)
		for _, at := range []int64{0, d.pageSize} {
			m := bad[at+pageHeaderLen:][:metaLen]
			change(m)
			sum := fnv.New64a()
			sum.Write(m[:metaSumAt])
			binary.NativeEndian.PutUint64(m[metaSumAt:], sum.Sum64())
		}
		point(bad, branches[0], branches[0], 0)
		d.check(name, bad)
	}
	if d.harmless > 0 {
		t.Errorf("%d of %d were not found", d.harmless, d.tried)
	}
}

// TestPagesCut cuts a state at each page, and in the middle of pages.
func TestPagesCut(t *testing.T) {
	d := newDamager(t, filled(t, 400, 100))
	for n := int64(0); n < int64(d.pages)*d.pageSize; n += d.pageSize / 4 {
		d.check(fmt.Sprintf("%d bytes", n), d.good[:n])
	}
	if d.harmless > 0 {
		t.Errorf("%d of %d were not found", d.harmless, d.tried)
	}
}

// TestPagesGood makes random changes to a database, and checks it after each transaction: a state
// that is as bbolt has written it must never be refused.
func TestPagesGood(t *testing.T) {
	rounds := 60
	if long {
		rounds = 2000
	}
	pick := rand.New(rand.NewPCG(5, 6))
	path := filepath.Join(t.TempDir(), "s")
	if _, err := create(path); err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{FreelistType: bolt.FreelistMapType, NoSync: true, InitialMmapSize: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	errBack := errors.New("rolled back")
	var readers [3]*bolt.Tx
	defer func() {
		for _, tx := range readers {
			if tx != nil {
				_ = tx.Rollback()
			}
		}
	}()
	for round := range rounds {
		if pick.IntN(5) == 0 { // pages that a reader uses are free only later
			i := pick.IntN(len(readers))
			if readers[i] != nil {
				_ = readers[i].Rollback()
			}
			if readers[i], err = db.Begin(false); err != nil {
				t.Fatal(err)
			}
		}
		grows := round/20%2 == 0
		err := db.Update(func(tx *bolt.Tx) error {
			for range 1 + pick.IntN(400) {
				bucket := tx.Bucket(buckets[1+pick.IntN(3)])
				bucket.FillPercent = fillPercent
				key := fmt.Appendf(nil, "%0*d", 1+pick.IntN(60), pick.IntN(3000))
				if pick.IntN(4) == 0 == grows {
					if err := bucket.Delete(key); err != nil {
						return err
					}
					continue
				}
				n := pick.IntN(300)
				if pick.IntN(100) == 0 {
					n = pick.IntN(40000)
				}
				if err := put(bucket, key, make([]byte, n)); err != nil {
					return err
				}
			}
			if pick.IntN(10) == 0 {
				name := buckets[1+pick.IntN(3)]
				if err := tx.DeleteBucket(name); err != nil {
					return err
				}
				if _, err := tx.CreateBucket(name); err != nil {
					return err
				}
			}
			if pick.IntN(10) == 0 {
				return errBack
			}
			return nil
		})
		if err != nil && err != errBack {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err == nil {
			err = checkPages(f, info.Size())
		}
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}

// TestForeign checks that a database of another program is not called a damaged state.
func TestForeign(t *testing.T) {
	for _, options := range []*bolt.Options{{NoSync: true}, {NoSync: true, NoFreelistSync: true}} {
		for n := range 3 {
			path := filepath.Join(t.TempDir(), "db")
			db, err := bolt.Open(path, 0o600, options)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 100 * n * n {
				if err := db.Update(func(tx *bolt.Tx) error {
					b, err := tx.CreateBucketIfNotExists([]byte("meta"))
					if err == nil {
						err = b.Put(fmt.Append(nil, i), make([]byte, 200))
					}
					return err
				}); err != nil {
					t.Fatal(err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(Options{Path: path}); !errors.Is(err, errForeign) {
				t.Errorf("%d: %v", n, err)
			}
		}
	}
}

// BenchmarkPages checks states of several sizes.
func BenchmarkPages(b *testing.B) {
	for _, c := range []struct{ files, urls int }{{2000, 0}, {100_000, 0}, {100, 100_000}, {100, 3_000_000}} {
		b.Run(fmt.Sprintf("%d files, %d URLs", c.files, c.urls), func(b *testing.B) {
			f, err := os.Open(filled(b, c.files, c.urls))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(info.Size())
			for b.Loop() {
				if err := checkPages(f, info.Size()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
