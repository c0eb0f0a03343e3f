package schedule_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract/internal/schedule"
)

// The jobs of these tests are texts. Their results are words with line numbers. Long texts are cut into blocks in front of a letter; in a block with the
// word "bad" a worker fails.
type (
	batch struct{ words []string }
	block struct {
		file       *file
		begin, end int
	}
	delta      struct{ lines int }
	producer   = schedule.Producer[string, batch, *block, delta]
	sharedFile = schedule.SharedFile[batch, *block, delta]
)

// A file is a text that is cut.
type file struct {
	sharedFile
	text string
	next int
}

const least = 16 // bytes of a block

var config = schedule.Config[string, batch, *block, delta]{
	Hint:  func(job *string) schedule.Hint { return schedule.Hint{Size: int64(len(*job)), File: true} },
	New:   func(b *batch) { b.words = make([]string, 0, 4) },
	Empty: func(b *batch) { b.words = b.words[:0] },
	Add:   func(a, b delta) delta { return delta{a.lines + b.lines} },
	Whole: 2 * least,
}

// A reader is a Worker. It sometimes yields the processor, so that other workers run.
type reader struct {
	out    *producer
	turns  int
	blocks *atomic.Int64 // that were read
	closed *atomic.Int64 // files
}

func (r *reader) Idle() {}

func (r *reader) RunJobs(jobs []string) {
	for i, text := range jobs {
		f := &file{text: text}
		f.Close = func() { r.closed.Add(1) }
		if b, last := f.cut(1); last {
			r.out.Settled()
			r.read(b)
		} else {
			f.Next = f.cut
			r.out.Share(&f.sharedFile)
			n, failed := r.read(b)
			r.out.EndFirst(&f.sharedFile, n, failed)
		}
		jobs[i] = ""
		r.out.Order++
	}
}

// cut is SharedFile.Next.
func (f *file) cut(together int) (*block, bool) {
	b := &block{f, f.next, f.next + together*least}
	for b.end < len(f.text) && (f.text[b.end] < 'a' || f.text[b.end-1] >= 'a') {
		b.end++
	}
	b.end = min(b.end, len(f.text))
	f.next = b.end
	return b, b.end == len(f.text)
}

func (r *reader) Block(b *block) {
	r.blocks.Add(1)
	n, failed := r.read(b)
	r.out.Counted(n, failed, nil)
}

// read reads b, and counts its lines from 0. failed says that it has met the word "bad", where it ends.
func (r *reader) read(b *block) (n delta, failed bool) {
	for line := range strings.Lines(b.file.text[b.begin:b.end]) {
		for _, word := range strings.Fields(line) {
			if r.turns++; r.turns%7 == 0 {
				runtime.Gosched()
			}
			if word == "bad" {
				return n, true
			}
			if !r.emit(fmt.Sprintf("%s %d", word, n.lines)) {
				return n, false
			}
		}
		n.lines += strings.Count(line, "\n")
	}
	return n, false
}

func (r *reader) emit(word string) bool {
	b := r.out.Batch()
	if b == nil || len(b.words) == cap(b.words) {
		if !r.out.Next() {
			return false
		}
		b = r.out.Batch()
	}
	b.words = append(b.words, word)
	return true
}

// do returns the results of jobs with that many workers. It stops after most results.
func do(ctx context.Context, jobs iter.Seq[string], c schedule.Config[string, batch, *block, delta], workers, most int) (words []string, blocks, closed int64) {
	var read, ended atomic.Int64
	c.Workers = workers
	schedule.Do(ctx, jobs, c, func(p *producer) schedule.Worker[string, *block] {
		return &reader{out: p, blocks: &read, closed: &ended}
	},
		func(b *batch, by delta) bool {
			for _, w := range b.words {
				var text string
				var line int
				_, _ = fmt.Sscan(w, &text, &line)
				words = append(words, fmt.Sprintf("%s %d", text, line+by.lines))
			}
			return len(words) < most
		})
	return words, read.Load(), ended.Load()
}

// wordsOf returns the results of jobs.
func wordsOf(jobs []string) (words []string) {
	for _, text := range jobs {
		text, _, _ = strings.Cut(text, "bad")
		n := 0
		for line := range strings.Lines(text) {
			for _, word := range strings.Fields(line) {
				words = append(words, fmt.Sprintf("%s %d", word, n))
			}
			n++
		}
	}
	return words
}

// TestOrder does jobs, some of them long, with one to seven workers. The results must be the same,
// in the order of the jobs, also if a block has failed: those after it do not count. Each file is closed once.
func TestOrder(t *testing.T) {
	var jobs []string
	for i := range 60 {
		text := fmt.Sprintf("a%d b c\n", i)
		if i%9 == 4 {
			text = strings.Repeat(text+"one two\nthree four\n five\n six\n", 30)
			if i%2 > 0 {
				text = text[:len(text)/(i/9+1)] + " bad\n" + text
			}
		}
		jobs = append(jobs, text)
	}
	want := wordsOf(jobs)
	for workers := 1; workers <= 7; workers++ {
		for range 5 {
			got, blocks, closed := do(t.Context(), slices.Values(jobs), config, workers, 1<<30)
			if !slices.Equal(got, want) || blocks < 20 || closed != 7 {
				t.Fatalf("%d workers: %d words of %d, %d blocks, %d files closed", workers, len(got), len(want), blocks, closed)
			}
		}
	}
	c := config
	c.Unordered = true
	got, _, _ := do(t.Context(), slices.Values(jobs), c, 3, 1<<30)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("unordered: %d words of %d", len(got), len(want))
	}
}

// TestLeave leaves the loop over a long job. Its file is closed all the same.
func TestLeave(t *testing.T) {
	text := strings.Repeat("one two\nthree\n", 1000)
	for most := 1; most < 3000; most += 1 + most/2 {
		if got, _, closed := do(t.Context(), slices.Values([]string{text}), config, 3, most); len(got) < most || closed != 1 {
			t.Errorf("%d words of %d, %d files closed", len(got), most, closed)
		}
	}
}

// TestStop ends a run with endless jobs, by leaving the loop and by its context.
func TestStop(t *testing.T) {
	before := runtime.NumGoroutine()
	endless := func(yield func(string) bool) {
		for yield("one two three\n") {
		}
	}
	for workers := 1; workers < 4; workers++ {
		if got, _, _ := do(t.Context(), endless, config, workers, 500); len(got) < 500 || len(got) > 600 {
			t.Errorf("%d workers: %d words", workers, len(got))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		do(ctx, endless, config, workers, 1<<30)
		cancel()
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestPanic checks that a panic in the jobs reaches the goroutine of the caller, after the results
// found before.
func TestPanic(t *testing.T) {
	defer func() {
		if v := recover(); v != "no more" {
			t.Errorf("recovered %v", v)
		}
	}()
	n := 0
	c := config
	c.Workers = 3
	schedule.Do(t.Context(), func(yield func(string) bool) {
		yield("one")
		panic("no more")
	}, c, func(p *producer) schedule.Worker[string, *block] { return &reader{out: p} }, func(b *batch, _ delta) bool {
		n += len(b.words)
		return true
	})
	t.Errorf("returned after %d words", n)
}

// TestInterrupt checks that the end of a run wakes a job that waits, even if it begins to wait
// after the end.
func TestInterrupt(t *testing.T) {
	var i schedule.Interrupt
	woken := 0
	i.Enter(func() { woken++ })
	i.End()
	i.Leave()
	i.Enter(func() { woken++ })
	i.Leave()
	i.End()
	if woken != 2 || !i.Is() {
		t.Errorf("woken %d times", woken)
	}
}

// A shifter is a Worker that often starts to count at 0 again, between two words.
type shifter struct{ out *producer }

func (s *shifter) Idle() {}

func (s *shifter) Block(*block) {}

func (s *shifter) RunJobs([]string) {
	s.out.Settled()
	for _, word := range []string{"first", "last"} {
		if s.out.Batch() == nil && !s.out.Next() {
			return
		}
		b := s.out.Batch()
		b.words = append(b.words, word)
		if word == "first" {
			for range 1000 {
				s.out.Shift(delta{1})
			}
		}
	}
}

// TestShift checks that what a worker has counted arrives with the next batch, and that a worker does not wait for a caller
// that has stopped.
func TestShift(t *testing.T) {
	c := config
	c.Workers = 2
	for _, stops := range []bool{false, true} {
		var got []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			schedule.Do(t.Context(), slices.Values([]string{"a"}), c, func(p *producer) schedule.Worker[string, *block] { return &shifter{p} }, func(b *batch, d delta) bool {
				for _, word := range b.words {
					got = append(got, fmt.Sprint(word, d.lines))
				}
				return !stops
			})
		}()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatal("the worker waits")
		}
		if want := []string{"first0", "last1000"}; !stops && !slices.Equal(got, want) || stops && !slices.Equal(got, want[:1]) {
			t.Errorf("%v: %q", stops, got)
		}
	}
}
