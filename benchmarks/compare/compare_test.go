package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/urlsift/urlsift/benchmarks"
)

// These tests measure nothing. They check what is computed from measurements.

func TestCountLines(t *testing.T) {
	for text, want := range map[string]count{
		"":                                {},
		"http://a/\n":                     {all: 1, web: 1},
		"HTTPS://a/\nftp://b/\n\nhttps\n": {all: 4, web: 1},
		"httpx://a/\nhttp:\n":             {all: 2, web: 1},
	} {
		got, err := countLines(iotest.OneByteReader(strings.NewReader(text)))
		if err != nil || got != want {
			t.Errorf("countLines(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

// rowOf returns a row for size bytes that took these seconds, with twice the processor time.
func rowOf(name string, size int64, seconds ...float64) row {
	r := row{job: job{name: name, size: size}}
	for _, s := range seconds {
		d := time.Duration(s * float64(time.Second))
		r.runs = append(r.runs, measure{wall: d, cpu: 2 * d})
	}
	return r
}

func TestSpread(t *testing.T) {
	if got, want := rowOf("", 0, 3, 1, 10, 2).wall(), (spread{1, 2.5, 10}); got != want {
		t.Errorf("wall = %v, want %v", got, want)
	}
	if got, want := rowOf("", 0, 3, 1, 10).cpu(), (spread{2, 6, 20}); got != want {
		t.Errorf("cpu = %v, want %v", got, want)
	}
}

func TestRatios(t *testing.T) {
	a, b := rowOf("a", 100, 1, 2, 3), rowOf("b", 300, 3, 4, 5)
	if got, want := b.times(a), (ratio{2, 3, 3}); got != want {
		t.Errorf("times = %v, want %v", got, want)
	}
	if got, want := b.speeds(a), (ratio{1.5, 1, 1}); got != want {
		t.Errorf("speeds = %v, want %v", got, want)
	}
	to := paired([]row{a, b}, row.speeds)
	if got, want := to(b), (ratio{1.5, 1, 1}); got != want {
		t.Errorf("paired: %v, want %v", got, want)
	}
	if got, want := to(a), (ratio{1, 1, 1}); got != want {
		t.Errorf("paired: the first is %v, want %v", got, want)
	}
}

func TestSlope(t *testing.T) {
	x := []float64{1, 4, 16, 64}
	for _, power := range []float64{1, 2, 0.5} {
		var y []float64
		for _, v := range x {
			y = append(y, 3*math.Pow(v, power))
		}
		if got := slope(x, y); math.Abs(got-power) > 1e-9 {
			t.Errorf("slope of x^%g = %g", power, got)
		}
	}
	if got := slope([]float64{1, 2, 0}, []float64{1, -2, 4}); !math.IsNaN(got) {
		t.Errorf("slope of one point = %g, want none", got)
	}
}

func TestGrowth(t *testing.T) {
	nothing := rowOf("nothing", 0, 1)
	rows := []row{rowOf("1", 1e6, 1.5), rowOf("4", 4e6, 2), rowOf("16", 16e6, 5), rowOf("64", 64e6, 17)}
	rows = append(rows, row{job: job{size: 256e6}, over: true, runs: []measure{{wall: time.Minute}}})
	if got, n := growth(nothing, rows, row.wall); n != 3 || math.Abs(got-1) > 1e-9 {
		t.Errorf("growth = %g over %d sizes, want 1 over 3", got, n)
	}
	if got, want := sizes(100), []int64{1e6, 4e6, 16e6, 64e6}; !slices.Equal(got, want) {
		t.Errorf("sizes(100) = %v, want %v", got, want)
	}
}

func TestGoal(t *testing.T) {
	for _, c := range []struct {
		g    *goal
		want string
	}{
		{atLeast("", 0.9, 0.9), ">= 0.9 met"},
		{atLeast("", 0.9, 0.89), ">= 0.9 missed"},
		{atMost("", 1.05, 1.05), "<= 1.05 met"},
		{atMost("", 10, 10.1), "<= 10 missed"},
		{atMost("", 10, math.NaN()), "<= 10 missed"},
	} {
		if got := c.g.String(); got != c.want {
			t.Errorf("goal = %q, want %q", got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	var out bytes.Buffer
	b := &bench{config: config{limit: time.Minute}, out: &out, section: "plain"}
	a, peer, stopped := rowOf("urlsift", 2e6, 1, 2, 4), rowOf("rg", 2e6, 1, 1, 1), rowOf("slow", 2e6, 60)
	stopped.over = true
	a.counts, a.count = true, count{all: 3, web: 2}
	to := func(r row) ratio { return r.speeds(peer) }
	a.goal = atLeast("speed", 0.9, to(a).median)
	b.table("t: 2.0 MB", []row{a, peer, stopped}, speedColumns, ratios(to), []column{goalColumn}, foundColumns)
	want := `
t: 2.0 MB
                             MB/s median  least  greatest  ratio  of best  of CPU           goal  found  http(s)
                    urlsift            1      0         2   0.50     1.00    1.00  >= 0.9 missed      3        2
                         rg            2      2         2   1.00     1.00    1.00                     -        -
  slow (stopped after 1m0s)            0      0         0   0.02     0.02    0.02                     -        -
`
	if got := out.String(); got != want {
		t.Errorf("table is\n%swant\n%s", got, want)
	}
	if len(b.goals) != 1 || !strings.HasPrefix(b.goals[0], "plain ") || !strings.HasSuffix(b.goals[0], "0.500 >= 0.9 missed") {
		t.Errorf("goals are %q", b.goals)
	}
}

func TestChoose(t *testing.T) {
	all, err := choose("")
	if err != nil || len(all) != len(sections) {
		t.Errorf("choose of nothing: %s, %v", names(all), err)
	}
	some, err := choose("mail,plain")
	if err != nil || names(some) != "plain, mail" {
		t.Errorf("choose: %s, %v", names(some), err)
	}
	if _, err := choose("plain,plane"); err == nil {
		t.Error("a section that is none was taken")
	}
}

func TestLine(t *testing.T) {
	if got, want := line("rg", []string{"-a", `x"y`, "FILE"}), `rg -a 'x"y' FILE`; got != want {
		t.Errorf("line = %s, want %s", got, want)
	}
}

func TestSlug(t *testing.T) {
	h := hardware{"Intel(R) Xeon(R) Gold 6130 CPU @ 2.10GHz", 2}
	if got, want := h.slug(), "intel-xeon-gold-6130-2.10ghz-2cpu"; got != want {
		t.Errorf("slug = %q, want %q", got, want)
	}
}

// TestJob runs pipelines of cat. The output must be the input, with the right count and checksum. A
// run over its time limit is stopped, and a missing program is an error.
func TestJob(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if err != nil {
		t.Skip(err)
	}
	text := "http://a/\nb\n"
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	j := job{stages: []stage{{cat, []string{file}}, {cat, nil}, {cat, nil}}, sum: sha256.New}
	want := count{all: 2, web: 1, sum: fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}
	if c, err := j.counted(t.Context(), time.Minute); err != nil || c != want {
		t.Errorf("counted = %v, %v, want %v", c, err, want)
	}
	if m, err := j.measure(t.Context(), time.Minute); err != nil || m.wall <= 0 {
		t.Errorf("measure = %v, %v", m, err)
	}
	j.stages[1].path = file + ".none"
	if _, err := j.measure(t.Context(), time.Minute); err == nil || err == errOver {
		t.Errorf("a missing program: %v", err)
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	waits := job{stages: []stage{{cat, []string{fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), r.Fd())}}}}
	if _, err := waits.measure(t.Context(), 50*time.Millisecond); err != errOver {
		t.Errorf("a run over its limit: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := waits.measure(ctx, time.Minute); err != context.Canceled {
		t.Errorf("an interrupted run: %v", err)
	}
}

func TestReport(t *testing.T) {
	var r report
	if err := r.read(strings.NewReader("1500 7\n")); err != nil || r.took != 1500 || r.found != 7 {
		t.Errorf("report = %v, %v", r, err)
	}
	if err := r.read(strings.NewReader("killed\n")); err == nil {
		t.Error("a report that is none was taken")
	}
}

func TestInput(t *testing.T) {
	dir := t.TempDir()
	in := input{name: "in", file: filepath.Join(dir, "in")}
	text := "From a\nbcd\nef"
	if err := os.WriteFile(in.file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := in.prepare(); err != nil || in.size != int64(len(text)) || !in.mailbox {
		t.Errorf("prepare: %+v, %v", in, err)
	}
	for _, c := range []struct {
		make func() (input, error)
		want string
	}{
		{func() (input, error) { return in.sampled(dir, 9) }, "From a\n"},
		{func() (input, error) { return in.sampled(dir, 3) }, "Fro"},
		{func() (input, error) { return in.sampled(dir, 99) }, "From a\nbcd\n"},
		{func() (input, error) { return in.resized(dir, 4) }, "From"},
		{func() (input, error) { return in.resized(dir, 30) }, text + text + "From"},
	} {
		got, err := c.make()
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(got.file)
		if err != nil || string(b) != c.want || got.size != int64(len(b)) {
			t.Errorf("%q of size %d, %v, want %q", b, got.size, err, c.want)
		}
	}
	if err := os.WriteFile(in.file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := in.prepare(); err == nil {
		t.Error("an empty input was taken")
	}
}

func TestWriteHostile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "hostile")
	n, err := writeHostile(name, benchmarks.Hostile{Unit: "ab\n", Head: "head\n"}, 40_000)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(string(b), "head\n")
	if !ok || int64(len(b)) != n || n < 40_000 || strings.ReplaceAll(rest, "ab\n", "") != "" {
		t.Errorf("%d bytes, reported %d, begin %q", len(b), n, b[:10])
	}
}

func TestWriteDistinct(t *testing.T) {
	name := filepath.Join(t.TempDir(), "distinct")
	if err := writeDistinct(name, 5000); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(b))
	slices.Sort(lines)
	if n := len(slices.Compact(lines)); n != 5000 {
		t.Errorf("%d different lines, want 5000", n)
	}
}

// TestBeside checks that a stage runs several times at once when it is measured, and once when its
// output is counted.
func TestBeside(t *testing.T) {
	name := filepath.Join(t.TempDir(), "runs")
	j := job{stages: []stage{{"sh", []string{"-c", "echo ran >>" + name + "; echo out"}}}, beside: 3, counts: true}
	if _, err := j.measure(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "ran\nran\nran\n" {
		t.Errorf("measured: %q, %v", got, err)
	}
	c, err := j.counted(t.Context(), time.Minute)
	if got, _ := os.ReadFile(name); err != nil || c.all != 1 || string(got) != "ran\nran\nran\nran\n" {
		t.Errorf("counted: %+v, %q, %v", c, got, err)
	}
}
