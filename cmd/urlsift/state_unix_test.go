//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A world is a folder with files that change as those of a mail and web server do, and a
// list of all URLs that were ever written to them. Each URL is written once.
type world struct {
	t     *testing.T
	pick  *rand.Rand
	dir   string
	n     int      // URLs so far
	wrote []string // URLs that are written completely
	rest  map[string]string
	steps []string // the steps so far
	runs  int
	kills int
	once  bool // results go to a file with -o
}

// url returns a new URL.
func (w *world) url() string {
	w.n++
	u := fmt.Sprintf("http://u%d.example/%d/%s", w.n%7, w.n, strings.Repeat("x", w.pick.IntN(30)))
	w.wrote = append(w.wrote, u)
	return u
}

// lines returns some lines with URLs.
func (w *world) lines() string {
	var b strings.Builder
	for range 1 + w.pick.IntN(30) {
		switch w.pick.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "2026-11-23T00:%02d:00 GET %s 200\n", w.n%60, w.url())
		case 1:
			fmt.Fprintf(&b, "see <%s> and (%s)\n", w.url(), w.url())
		case 2:
			fmt.Fprintf(&b, "%s\n", w.url())
		default:
			b.WriteString("nothing here, " + strings.Repeat("word ", w.pick.IntN(40)) + "\n")
		}
	}
	return b.String()
}

// message returns a message of a mailbox or a spool.
func (w *world) message(mbox bool) string {
	var b strings.Builder
	if mbox {
		b.WriteString("From a@b.example Mon Nov 23 00:10:00 2026\n")
	}
	fmt.Fprintf(&b, "Message-ID: <%d@x.example>\nSubject: %d\nFrom: a@b.example\nContent-Type: text/plain\n\n%s\n", w.n, w.n, w.lines())
	return b.String()
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) path(name string) string { return filepath.Join(w.dir, "in", name) }

// exists reports whether the file exists.
func (w *world) exists(name string) bool {
	_, err := os.Lstat(w.path(name))
	return err == nil
}

// add appends text to a file. It first writes the rest of the text that was added before. Sometimes
// it leaves a part of text for the next call.
func (w *world) add(name, text string) {
	text = w.rest[name] + text
	cut := len(text)
	if w.pick.IntN(3) == 0 {
		cut = w.pick.IntN(len(text) + 1)
	}
	w.rest[name] = text[cut:]
	f, err := os.OpenFile(w.path(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	w.must(err)
	_, err = f.WriteString(text[:cut])
	w.must(err)
	w.must(f.Close())
}

// finish writes the rest of the text for a file.
func (w *world) finish(name string) {
	if rest := w.rest[name]; rest != "" {
		f, err := os.OpenFile(w.path(name), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		w.must(err)
		_, err = f.WriteString(rest)
		w.must(err)
		w.must(f.Close())
	}
	delete(w.rest, name)
}

// shift makes room for log.1 as logrotate does, with delaycompress.
func (w *world) shift(log string) {
	for i := 6; i > 0; i-- {
		for _, suffix := range []string{"", ".gz"} {
			if from := fmt.Sprintf("%s.%d%s", log, i, suffix); w.exists(from) {
				w.must(os.Rename(w.path(from), w.path(fmt.Sprintf("%s.%d%s", log, i+1, suffix))))
			}
		}
	}
	if w.exists(log + ".2") {
		w.compress(log + ".2")
	}
	for i := 5; i < 8; i++ { // the oldest are removed after they were read
		if name := fmt.Sprintf("%s.%d.gz", log, i); w.exists(name) {
			w.settled()
			w.must(os.Remove(w.path(name)))
		}
	}
}

// compress replaces a file by a compressed one.
func (w *world) compress(name string) {
	text, err := os.ReadFile(w.path(name))
	w.must(err)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text)
	w.must(z.Close())
	w.must(os.WriteFile(w.path(name+".gz"), b.Bytes(), 0o666))
	if w.pick.IntN(4) == 0 {
		w.run() // both files exist
	}
	w.must(os.Remove(w.path(name)))
}

// settled reads everything to its end, so that a file may be removed.
func (w *world) settled() {
	for name := range w.rest {
		w.finish(name)
	}
	w.command(false, "--settle", "0s")
}

// run runs the command, and perhaps kills it.
func (w *world) run() { w.command(w.pick.IntN(3) == 0) }

// command runs the command with flags.
func (w *world) command(kill bool, flags ...string) {
	w.t.Helper()
	args := append([]string{"--state", filepath.Join(w.dir, "state"), fmt.Sprintf("-j%d", 1+w.pick.IntN(3))}, flags...)
	if w.once {
		spelling := [...]string{"", "./"}[w.runs%2]
		args = append(args, "-o", w.dir+"/"+spelling+"out")
	}
	cmd := exec.Command(built(w.t), append(args, filepath.Join(w.dir, "in"))...)
	out, err := os.OpenFile(filepath.Join(w.dir, "stdout"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	w.must(err)
	defer out.Close()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &said
	w.must(cmd.Start())
	w.runs++
	if kill {
		time.Sleep(time.Duration(w.pick.IntN(40)) * time.Millisecond)
		_ = cmd.Process.Kill()
	}
	err = cmd.Wait()
	switch status := cmd.ProcessState.ExitCode(); {
	case status < 0:
		w.kills++
		w.steps = append(w.steps, "killed")
	case status > 1 || said.Len() > 0:
		w.t.Fatalf("status %d, %v: %s\nafter %q", status, err, said.String(), w.steps)
	case w.once:
		text, err := os.ReadFile(filepath.Join(w.dir, "out"))
		w.must(err)
		got := strings.Split(string(text), "\n")
		slices.Sort(got)
		if twice := without(got, slices.Compact(slices.Clone(got))); len(twice) > 0 {
			w.t.Fatalf("printed twice: %q\nafter %q", twice, w.steps)
		}
	}
}

// step makes one random change.
func (w *world) step() {
	logs := []string{"access.log", "sub/error.log", "app"}
	log := logs[w.pick.IntN(len(logs))]
	do := w.pick.IntN(18)
	w.steps = append(w.steps, fmt.Sprint(do, log))
	switch do {
	case 0, 1, 2, 3:
		w.add(log, w.lines())
	case 4: // renamed; the writing program uses the old file for another moment
		if w.exists(log) {
			w.shift(log)
			w.must(os.Rename(w.path(log), w.path(log+".1")))
			w.rest[log+".1"] = w.rest[log]
			delete(w.rest, log)
			if w.pick.IntN(2) == 0 {
				w.run()
			}
			w.add(log+".1", w.lines())
			w.finish(log + ".1")
		}
	case 5: // copytruncate
		if w.exists(log) {
			w.finish(log)
			w.shift(log)
			text, err := os.ReadFile(w.path(log))
			w.must(err)
			w.must(os.WriteFile(w.path(log+".1"), text, 0o666))
			w.must(os.Truncate(w.path(log), 0))
			w.add(log, w.lines())
		}
	case 6, 7:
		w.add("mail.mbox", w.message(true))
	case 8: // a news spool like INN's
		w.must(os.WriteFile(w.path(fmt.Sprintf("spool/comp/lang/%d", w.n)), []byte(w.message(false)), 0o666))
	case 9: // a maildir
		name := fmt.Sprintf("%d.M1P2.host", w.n)
		w.must(os.WriteFile(w.path("Maildir/tmp/"+name), []byte(w.message(false)), 0o666))
		w.must(os.Rename(w.path("Maildir/tmp/"+name), w.path("Maildir/new/"+name)))
	case 10:
		list, err := os.ReadDir(w.path("Maildir/new"))
		w.must(err)
		for _, e := range list {
			w.must(os.Rename(w.path("Maildir/new/"+e.Name()), w.path("Maildir/cur/"+e.Name()+":2,S")))
		}
	case 11: // members are added
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(w.lines()))
		w.must(z.Close())
		w.add("grows.gz", b.String())
	case 12: // rewritten with the same beginning, as by an editor
		if w.exists(log) {
			w.finish(log)
			text, err := os.ReadFile(w.path(log))
			w.must(err)
			w.must(os.WriteFile(w.path(".made"), append(text, w.lines()...), 0o666))
			w.must(os.Rename(w.path(".made"), w.path(log)))
		}
	case 13: // replaced by another text, after it was read
		if w.exists(log) {
			w.finish(log)
			w.settled()
			w.must(os.WriteFile(w.path(".made"), []byte(w.lines()), 0o666))
			w.must(os.Rename(w.path(".made"), w.path(log)))
		}
	case 14: // removed, after it was read
		if w.exists("mail.mbox") && w.pick.IntN(4) == 0 {
			w.finish("mail.mbox")
			w.settled()
			w.must(os.Remove(w.path("mail.mbox")))
		}
	case 16, 17: // a mail program marks messages, and removes one that was read
		if w.exists("mail.mbox") {
			w.finish("mail.mbox")
			w.settled()
			w.add("mail.mbox", w.message(true))
			w.finish("mail.mbox")
			text, err := os.ReadFile(w.path("mail.mbox"))
			w.must(err)
			list := marked(strings.SplitAfter(string(text), "\n\nFrom "), w.n)
			if w.pick.IntN(2) == 0 && len(list) > 2 {
				list = slices.Delete(list, 1, 2)
			}
			w.must(os.WriteFile(w.path("mail.mbox"), []byte(strings.Join(list, "")), 0o666))
		}
	default: // a page, and a table
		w.must(os.WriteFile(w.path(fmt.Sprintf("page%d.html", w.n)), []byte("<html><a href=\""+w.url()+"\">x</a></html>\n"), 0o666))
	}
}

// marked gives a status to messages, which are divided after "From ".
func marked(list []string, n int) []string {
	for i, m := range list {
		from, rest, _ := strings.Cut(m, "\n")
		if strings.HasPrefix(rest, "Status: ") {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		list[i] = fmt.Sprintf("%s\nStatus: R%d\n%s", from, n, rest)
	}
	return list
}

// lived changes a world, with runs in between, and checks that all URLs are printed.
func lived(t *testing.T, seed uint64, steps int, once bool) (kills int) {
	w := &world{t: t, pick: rand.New(rand.NewPCG(seed, 21)), dir: t.TempDir(), rest: map[string]string{}, once: once}
	for _, sub := range []string{"sub", "spool/comp/lang", "Maildir/new", "Maildir/cur", "Maildir/tmp"} {
		w.must(os.MkdirAll(w.path(sub), 0o777))
	}
	for range steps {
		w.step()
		if w.pick.IntN(2) == 0 {
			w.run()
		}
	}
	w.settled()
	w.settled()
	file := "stdout"
	if once {
		file = "out"
	}
	text, err := os.ReadFile(filepath.Join(w.dir, file))
	w.must(err)
	got := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	slices.Sort(got)
	slices.Sort(w.wrote)
	if !once {
		got = slices.Compact(got)
	}
	if !slices.Equal(got, w.wrote) {
		t.Errorf("seed %d: %d are printed of %d in %d runs, of which %d were killed\nnot printed: %q\ntoo often or never written: %q\nafter %q",
			seed, len(got), len(w.wrote), w.runs, w.kills, without(w.wrote, got), without(got, w.wrote), w.steps)
	}
	return w.kills
}

// without returns some strings that are in a more often than in b. Both are sorted.
func without(a, b []string) (list []string) {
	for _, s := range a {
		i := slices.Index(b, s)
		if i < 0 {
			list = append(list, s)
		} else {
			b = slices.Delete(slices.Clone(b), i, i+1)
		}
		if len(list) == 5 {
			break
		}
	}
	return list
}

// TestStateLives appends to files, rotates, compresses, empties, replaces and removes them, and
// adds files to spools and maildirs, while runs are killed. The long form kills some 200 runs.
func TestStateLives(t *testing.T) {
	seeds, steps := uint64(2), 20
	switch {
	case full:
		seeds, steps = 16, 100
	case long:
		seeds, steps = 6, 60
	}
	kills := 0
	for seed := range seeds {
		kills += lived(t, 2*seed, steps, true)
		kills += lived(t, 2*seed+1, steps, false)
	}
	t.Logf("%d runs were killed", kills)
}

// TestStateMessagesKilled kills runs while they save the identities of messages, marks and removes messages in between, and
// lets one run end. Each URL must be printed once.
func TestStateMessagesKilled(t *testing.T) {
	rounds, count := 2, 2000
	switch {
	case full:
		rounds = 40
	case long:
		rounds = 5
	}
	dir := t.TempDir()
	w := &world{t: t, pick: rand.New(rand.NewPCG(1, 33)), dir: dir, rest: map[string]string{}, once: true}
	w.must(os.Mkdir(w.path(""), 0o777))
	w.command(false) // makes the state
	var list []string
	for n := range rounds {
		for range count {
			list = append(list, fmt.Sprintf("a@b.example Mon Nov 23 00:10:00 2026\nSubject: %d\nFrom: a@b.example\n\n%s\n\nFrom ", len(w.wrote), w.url()))
		}
		marked(list, n)
		w.must(os.WriteFile(w.path("mail.mbox"), []byte("From "+strings.TrimSuffix(strings.Join(list, ""), "From ")), 0o666))
		for range 4 {
			cmd := exec.Command(built(t), "--state", filepath.Join(dir, "state"), "--settle", "0s", "-o", filepath.Join(dir, "out"), w.path("mail.mbox"))
			before, err := os.Stat(filepath.Join(dir, "state"))
			w.must(err)
			w.must(cmd.Start())
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for until := time.Now().Add(20 * time.Second); len(ended) == 0 && time.Now().Before(until); time.Sleep(50 * time.Microsecond) {
				now, err := os.Stat(filepath.Join(dir, "state"))
				w.must(err)
				if now.ModTime() != before.ModTime() || now.Size() != before.Size() {
					break
				}
			}
			time.Sleep(time.Duration(w.pick.IntN(3000)) * time.Microsecond)
			_ = cmd.Process.Kill()
			if <-ended != nil {
				w.kills++
			}
		}
		w.command(false, "--settle", "0s")
		list = slices.Delete(list, count/3, count/2)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out"))
	w.must(err)
	got := strings.Fields(string(text))
	slices.Sort(got)
	slices.Sort(w.wrote)
	if !slices.Equal(got, w.wrote) {
		t.Errorf("%d URLs are printed, not %d, after %d kills; not printed: %q; too often: %q", len(got), len(w.wrote), w.kills, without(w.wrote, got), without(got, w.wrote))
	}
	t.Logf("%d runs were killed", w.kills)
}
