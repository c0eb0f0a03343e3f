//go:build unix

package state

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// A mailboxLife is a folder with mailboxes that programs rewrite, and what runs have printed of them.
type mailboxLife struct {
	t       *testing.T
	pick    *rand.Rand
	dir     string
	exact   bool // only changes after which nothing is printed twice
	n       int  // URLs so far
	boxes   map[string][]*letter
	packed  map[string]bool // boxes that are compressed
	printed map[string]int
	steps   []string
}

// A letter is a message.
type letter struct {
	from, header, body string
	marks              []string
	urls               []string
}

func (w *mailboxLife) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%v after %q", err, w.steps)
	}
}

func (w *mailboxLife) path(name string) string { return filepath.Join(w.dir, "in", name) }

// url returns a new URL.
func (w *mailboxLife) url(l *letter) string {
	w.n++
	u := fmt.Sprintf("http://u.example/%d", w.n)
	l.urls = append(l.urls, u)
	return u
}

// cut returns the beginning of a compressed file.
var cut = sync.OnceValue(func() []byte {
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	for i := range 3000 {
		fmt.Fprintln(g, i*i)
	}
	_ = g.Close()
	return z.Bytes()[:2000]
})

// letter returns a new message.
func (w *mailboxLife) letter() *letter {
	l := &letter{from: fmt.Sprintf("From a@b.example Mon Nov 23 00:%02d:00 2026", w.n%60), header: fmt.Sprintf("From: a@b.example\nSubject: %d\n", w.n)}
	kind := w.pick.IntN(12)
	if w.exact {
		kind = w.pick.IntN(8)
	}
	if kind == 10 && w.pick.IntN(8) > 0 {
		kind = 0
	}
	switch kind {
	case 0:
		l.body = strings.Repeat("text\n", w.pick.IntN(1000)) + w.url(l) + "\n"
	case 1:
		l.header += "Content-Type: multipart/mixed; boundary=BB\n"
		l.body = "--BB\n\n" + w.url(l) + "\n--BB\nContent-Type: text/html\n\n<a href='" + w.url(l) + "'>x</a>\n--BB--\n"
	case 2:
		l.header += "List-Post: <" + w.url(l) + ">\n"
	case 3:
		l.body = "x\n>From here " + w.url(l) + "\n\n\n"
	case 4:
		for range w.pick.IntN(50) {
			l.body += w.url(l) + "\n"
		}
	case 5:
		l.header = "Status: O\n" + l.header
		l.body = w.url(l)
	case 6:
		l.body = "a\nStatus: RO " + w.url(l) + "\n"
	case 7, 8: // a damaged attachment
		l.header += "Content-Type: multipart/mixed; boundary=BB\n"
		l.body = "--BB\n\n" + w.url(l) + "\n--BB\nContent-Type: application/gzip; name=x.gz\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString(cut()) + "\n--BB--\n\n" + w.url(l) + "\n"
	case 9: // a line that only Content-Length shows to be text
		l.body = w.url(l) + "\n\nFrom x@y.example Mon Nov 23 00:10:00 2026\n\n" + w.url(l) + "\n"
		l.header += fmt.Sprintf("Content-Length: %d\n", len(l.body))
	case 10: // more than is held
		for range 5000 {
			l.body += w.url(l) + "\n"
		}
	default: // marked with a URL
		l.marks = append(l.marks, "X-Keywords: "+w.url(l))
	}
	return l
}

// write writes a mailbox, in place or as a new file.
func (w *mailboxLife) write(name string) {
	var b bytes.Buffer
	for _, l := range w.boxes[name] {
		fmt.Fprintf(&b, "%s\n", l.from)
		for _, m := range l.marks {
			fmt.Fprintf(&b, "%s\n", m)
		}
		fmt.Fprintf(&b, "%s\n%s\n\n", l.header, strings.TrimSuffix(l.body, "\n"))
	}
	if w.packed[name] {
		var z bytes.Buffer
		g := gzip.NewWriter(&z)
		_, _ = g.Write(b.Bytes())
		w.must(g.Close())
		b = z
		if w.pick.IntN(2) == 0 { // a run reads it while it is written
			w.must(os.WriteFile(w.path(name), z.Bytes()[:w.pick.IntN(z.Len())], 0o666))
			w.run(time.Minute, -1)
			w.must(os.WriteFile(w.path(name), z.Bytes(), 0o666))
			return
		}
	}
	if w.pick.IntN(2) == 0 {
		w.must(os.WriteFile(w.path(name), b.Bytes(), 0o666))
		return
	}
	w.must(os.WriteFile(w.path(name)+"~", b.Bytes(), 0o666))
	w.must(os.Rename(w.path(name)+"~", w.path(name)))
}

// step changes a mailbox.
func (w *mailboxLife) step() {
	names := []string{"box", "inbox"}
	name := names[w.pick.IntN(2)]
	other := names[0]
	if name == other {
		other = names[1]
	}
	list := w.boxes[name]
	kind := w.pick.IntN(16)
	if w.exact {
		kind = w.pick.IntN(8)
	}
	w.steps = append(w.steps, fmt.Sprint(kind, name))
	switch kind {
	case 0, 1, 2:
		for range 1 + w.pick.IntN(4) {
			list = append(list, w.letter())
		}
	case 3, 4, 5:
		marks := []string{"Status: RO", "Status: O", "X-Status: A", "X-UID: 17", "X-Keywords: $Label   ", "X-Mozilla-Keys: abc\n  def", "X-Mozilla-Status: 0001", "Lines: 3"}
		for _, l := range list {
			if w.pick.IntN(2) == 0 && (len(l.marks) == 0 || !strings.Contains(l.marks[0], "http:")) {
				l.marks = []string{marks[w.pick.IntN(len(marks))]}
			}
		}
	case 6:
		list = slices.DeleteFunc(slices.Clone(list), func(*letter) bool { return w.pick.IntN(4) == 0 })
	case 7:
		w.pick.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	case 8:
		if len(list) > 0 { // edited
			l := *list[w.pick.IntN(len(list))]
			l.urls = slices.Clone(l.urls)
			l.body += "edited\n" + w.url(&l) + "\n"
			list = append(list, &l)
		}
	case 9:
		list = list[:w.pick.IntN(len(list)+1)]
	case 10:
		if len(list) > 0 {
			list = append(list, list[w.pick.IntN(len(list))])
		}
	case 11:
		list = append(list, w.boxes[other]...)
	case 12:
		w.packed[name] = !w.packed[name]
	case 13: // rotated
		w.rename(name, name+".1")
		list = []*letter{w.letter()}
	case 14: // a hard link keeps the old file
		_ = os.Remove(w.path(name + "-link"))
		w.must(os.Link(w.path(name), w.path(name+"-link")))
		w.boxes[name+"-link"], w.packed[name+"-link"] = nil, false // it may be changed with the other one
	case 15: // exchanged
		w.rename(name, "t~")
		w.rename(other, name)
		w.rename("t~", other)
		return
	}
	w.boxes[name] = list
	w.write(name)
}

// rename renames a mailbox.
func (w *mailboxLife) rename(old, now string) {
	w.must(os.Rename(w.path(old), w.path(now)))
	w.boxes[now], w.packed[now] = w.boxes[old], w.packed[old]
	delete(w.boxes, old)
	delete(w.packed, old)
}

// run reads the mailboxes. If it does not stop early, everything in them must have been printed when they have rested.
func (w *mailboxLife) run(settle time.Duration, stop int) {
	w.t.Helper()
	w.steps = append(w.steps, fmt.Sprint("run ", settle, " ", stop))
	s, err := Open(Options{Path: filepath.Join(w.dir, "s"), Settle: settle})
	w.must(err)
	s.db.NoSync = true
	var waiting []string
	s.Written = func() (OutputFile, error) {
		for _, u := range waiting {
			w.printed[u]++
		}
		waiting = nil
		return OutputFile{}, nil
	}
	x, err := extract.New(extract.Options{Resume: s.Resume(), Workers: 1 + w.pick.IntN(2)})
	w.must(err)
	seen := 0
	for r, err := range x.Run(context.Background(), s.Sources(extract.Walk(w.path("")))) {
		if err == nil {
			waiting = append(waiting, string(r.URL))
		}
		if seen++; seen == stop {
			if w.pick.IntN(2) == 0 {
				s.Save()
			}
			break
		}
	}
	if seen == stop { // as if it were killed
		w.must(s.close())
		return
	}
	w.must(s.Close())
	w.noneLeft()
	if w.exact {
		for u, n := range w.printed {
			if n > 1 {
				w.t.Fatalf("%s is printed %d times after %q", u, n, w.steps)
			}
		}
	}
	if settle > 0 {
		return
	}
	for name, list := range w.boxes {
		for _, l := range list {
			for _, u := range l.urls {
				if w.printed[u] == 0 {
					w.t.Fatalf("%s of %s is not printed after %q", u, name, w.steps)
				}
			}
		}
	}
}

// noneLeft checks that the state has identities only of files that it knows.
func (w *mailboxLife) noneLeft() {
	w.t.Helper()
	s := stateAt(w.t, filepath.Join(w.dir, "s"))
	defer s.db.Close()
	w.must(s.view(func(tx *bolt.Tx) error {
		known := map[uint64]bool{}
		if err := tx.Bucket(filesBucket).ForEach(func(k, _ []byte) error {
			known[xxhash.Sum64(k)] = true
			return nil
		}); err != nil {
			return err
		}
		return tx.Bucket(messagesBucket).ForEach(func(k, _ []byte) error {
			if !known[binary.BigEndian.Uint64(k)] {
				return fmt.Errorf("identities of a file that is not known")
			}
			return nil
		})
	}))
}

// TestMailboxLives changes mailboxes at random, as mail programs and others do. No URL may be lost. If the changes are
// only those of mail programs, none may be printed twice.
func TestMailboxLives(t *testing.T) {
	lives := 10
	switch {
	case full:
		lives = 600
	case long:
		lives = 100
	}
	for seed := range lives {
		w := &mailboxLife{t: t, pick: rand.New(rand.NewPCG(uint64(seed), 33)), dir: t.TempDir(), exact: seed%3 == 0, packed: map[string]bool{}, printed: map[string]int{}, steps: []string{fmt.Sprint(seed)}}
		w.must(os.Mkdir(w.path(""), 0o777))
		w.boxes = map[string][]*letter{"box": {w.letter()}, "inbox": {w.letter(), w.letter()}}
		w.write("box")
		w.write("inbox")
		for range 4 + w.pick.IntN(20) {
			for range 1 + w.pick.IntN(3) {
				w.step()
			}
			settle, stop := time.Duration(0), -1
			if w.pick.IntN(3) == 0 {
				settle = time.Minute
			}
			if !w.exact && w.pick.IntN(4) == 0 {
				stop = 1 + w.pick.IntN(20)
			}
			w.run(settle, stop)
		}
		w.run(0, -1)
		w.run(0, -1)
	}
}

// TestMailboxRenamed renames a mailbox: its messages are known under the new name alone, until it is forgotten.
func TestMailboxRenamed(t *testing.T) {
	w := &mailboxLife{t: t, pick: rand.New(rand.NewPCG(2, 33)), dir: t.TempDir(), exact: true, packed: map[string]bool{}, printed: map[string]int{}}
	w.must(os.Mkdir(w.path(""), 0o777))
	w.boxes = map[string][]*letter{"old": {w.letter(), w.letter(), w.letter()}}
	w.write("old")
	w.run(0, -1)
	w.rename("old", "new")
	w.run(0, -1)
	for _, l := range w.boxes["new"] {
		l.marks = []string{"Status: RO"}
	}
	w.boxes["new"] = append(w.boxes["new"], w.letter())
	w.write("new")
	w.run(0, -1)
	if n, err := Forget(filepath.Join(w.dir, "s"), "*"); n != 1 || err != nil {
		t.Error(n, err)
	}
	w.noneLeft()
}

// TestMailboxChanges reads mailboxes before and after single changes. A run with a minute reads a mailbox that has not rested.
func TestMailboxChanges(t *testing.T) {
	letter := func(n int, marks, body string) string {
		return fmt.Sprintf("From a@b.example Mon Nov 23 00:10:00 2026\nSubject: %d\n%s\n%shttp://u.example/%d\n\n", n, marks, body, n)
	}
	const marked = "Status: RO\n"
	damaged := "From a@b.example Mon Nov 23 00:10:00 2026\nContent-Type: application/gzip; name=x.gz\nContent-Transfer-Encoding: base64\n\n" +
		base64.StdEncoding.EncodeToString(cut()) + "\n\n"
	inner := "From a@b.example Mon Nov 23 00:10:00 2026\nContent-Length: 73\n\ntext\n\nFrom x@y.example Mon Nov 23 00:10:00 2026\n\nhttp://u.example/100\n\n"
	for _, c := range []struct {
		what  string
		texts []string        // each takes the place of the one before, then the file of that is kept
		times []time.Duration // of the runs after each
		want  string          // numbers of URLs
	}{
		{"damaged, growing", []string{letter(1, "", "") + damaged + letter(3, "", ""), letter(1, marked, "") + damaged + letter(3, "", "") + letter(4, "", "") + letter(5, "", "") + letter(6, "", "")},
			[]time.Duration{0, time.Minute, 0}, "1 3 4 5 6"},
		{"a line From_ in the text", []string{letter(1, "", "") + inner, letter(1, marked, "") + letter(3, "", "") + inner}, []time.Duration{0, time.Minute, time.Minute, 0}, "1 3 100"},
		{"as before", []string{letter(1, "", ""), letter(1, marked, "") + letter(2, "", "") + letter(3, "", ""), letter(1, "", "") + letter(2, "", "") + letter(3, "", "")}, []time.Duration{0}, "1 2 3"},
		{"a URL among the marks", []string{letter(1, "", ""), letter(1, "X-Keywords: http://u.example/2\n", "")}, []time.Duration{0}, "1 1 2"},
		{"a mark in a byte order mark's mailbox", []string{"\xef\xbb\xbf" + letter(1, "", "") + letter(2, "", ""), "\xef\xbb\xbf" + letter(1, marked, "") + letter(2, "", "") + letter(3, "", "")}, []time.Duration{0}, "1 2 3"},
		{"as much as is held", []string{letter(1, "", strings.Repeat("http://u.example/7\n", maxTimes)), letter(1, marked, strings.Repeat("http://u.example/7\n", maxTimes)) + letter(2, "", "")}, []time.Duration{0},
			"1 2" + strings.Repeat(" 7", maxTimes)},
	} {
		for _, inPlace := range []bool{false, true} {
			w := &mailboxLife{t: t, pick: rand.New(rand.NewPCG(1, 33)), dir: t.TempDir(), printed: map[string]int{}, steps: []string{c.what}}
			w.must(os.Mkdir(w.path(""), 0o777))
			for i, text := range c.texts {
				if i > 0 && !inPlace {
					w.must(os.Rename(w.path("box"), filepath.Join(w.dir, fmt.Sprint("kept", i))))
				}
				w.must(os.WriteFile(w.path("box"), []byte(text), 0o666))
				for _, settle := range c.times {
					if i > 0 || settle == 0 {
						w.run(settle, -1)
					}
				}
			}
			want := map[string]int{}
			for _, n := range strings.Fields(c.want) {
				want["http://u.example/"+n]++
			}
			if !maps.Equal(w.printed, want) {
				t.Errorf("%s, in place %t: printed %v, not %v", c.what, inPlace, w.printed, want)
			}
		}
	}
}

// maxTimes is how often a URL is in a message whose results are all held.
const maxTimes = 4000
