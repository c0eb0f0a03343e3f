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

// The jobs of these tests are texts. Their results are words with line numbers. Words between "("
// and ")" are not results, so the reader of a segment has to guess whether it begins inside
// parentheses.
type (
	batch struct{ words []string }
	edge  struct {
		file string
		open bool // within parentheses
		line int
	}
	delta    struct{ lines int }
	producer = schedule.Producer[string, batch, edge, delta]
	segment  = schedule.Segment[batch, edge, delta]
	file     = schedule.DividedFile[batch, edge, delta]
)

const split = 16 // bytes

var config = schedule.Config[string, batch, edge, delta]{
	Hint:      func(job *string) schedule.Hint { return schedule.Hint{Size: int64(len(*job)), File: true} },
	New:       func(b *batch) { b.words = make([]string, 0, 4) },
	Empty:     func(b *batch) { b.words = b.words[:0] },
	Add:       func(a, b delta) delta { return delta{a.lines + b.lines} },
	SplitSize: split,
}

// A reader is a Worker. It sometimes yields the processor, so that other workers run.
type reader struct {
	out   *producer
	turns int
}

func (r *reader) Idle() {}

func (r *reader) RunJobs(jobs []string) {
	for i, text := range jobs {
		var f *file
		if len(text) > 2*split {
			f = &file{State: edge{file: text}, SplitSize: split, Last: (len(text) - 1) / split, Close: func() {}}
			r.out.Offer(f)
		} else {
			r.out.Settled()
		}
		atSplit := r.read(f, text, 0, 0, edge{})
		if f != nil {
			r.out.Share.Leave(atSplit, func() {})
		}
		jobs[i] = ""
		r.out.Order++
	}
}

func (r *reader) Segment(s *segment) func() {
	text := s.State.file
	warm := max(0, int(s.Begin)-5) // the warm-up usually shows whether the segment begins inside parentheses
	e := edge{file: text, open: strings.LastIndexByte(text[warm:s.Begin], '(') > strings.LastIndexByte(text[warm:s.Begin], ')')}
	s.State = e
	close(s.Ready)
	atSplit := r.read(s.File, text, int(s.Begin), int(s.Begin), e)
	return func() { r.out.Share.Leave(atSplit, func() {}) }
}

// read reads text from the offset at. It reports whether it ended at a split point.
func (r *reader) read(f *file, text string, at, begin int, e edge) (atSplit bool) {
	word := 0
	for ; at <= len(text); at++ {
		if r.turns++; r.turns%7 == 0 {
			runtime.Gosched()
		}
		if f != nil && at > begin && at < len(text) && at%split == 0 && word == 0 {
			if s := r.out.Share.Reach(int64(at)); s != nil {
				if !r.out.Share.Await(s.Ready) {
					return false
				}
				switch r.out.Share.Resolve(s, s.State.open == e.open, delta{}) {
				case schedule.EndHere:
					r.out.Follow(s, delta{e.line - s.State.line})
					return true
				case schedule.GiveUp:
					return false
				}
			}
		}
		c := byte(' ')
		if at < len(text) {
			c = text[at]
		}
		switch {
		case c > ' ' && c != '(' && c != ')':
			if word++; at+1 == len(text) || text[at+1] <= ')' || (at+1)%split == 0 { // words also end at split points
				if !e.open && !r.emit(fmt.Sprintf("%s %d", text[at+1-word:at+1], e.line)) {
					return false
				}
				word = 0
			}
		case c == '(':
			e.open = true
		case c == ')':
			e.open = false
		case c == '\n':
			e.line++
		}
		if r.out.Stop.Is() || r.out.Share.Discarded() {
			return false
		}
	}
	return false
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
func do(ctx context.Context, jobs iter.Seq[string], c schedule.Config[string, batch, edge, delta], workers, most int) (words []string) {
	c.Workers = workers
	schedule.Do(ctx, jobs, c, func(p *producer) schedule.Worker[string, batch, edge, delta] { return &reader{out: p} },
		func(b *batch, by delta) bool {
			for _, w := range b.words {
				var text string
				var line int
				_, _ = fmt.Sscan(w, &text, &line)
				words = append(words, fmt.Sprintf("%s %d", text, line+by.lines))
			}
			return len(words) < most
		})
	return words
}

// TestOrder does jobs, some of them big, with one to seven workers. The results must be the same,
// in the order of the jobs, even if the guess for a segment was wrong.
func TestOrder(t *testing.T) {
	var jobs []string
	for i := range 60 {
		text := fmt.Sprintf("a%d b (c)\n", i)
		if i%9 == 4 {
			text = strings.Repeat(text+"one ( two\nthree ) four (\n five\n six)\n", 30)
		}
		jobs = append(jobs, text)
	}
	want := do(t.Context(), slices.Values(jobs), config, 1, 1<<30)
	if len(want) < 1000 {
		t.Fatalf("%d words", len(want))
	}
	var settled [2]atomic.Int64
	c := config
	c.Outcome = func(committed bool) {
		if committed {
			settled[1].Add(1)
		} else {
			settled[0].Add(1)
		}
	}
	for workers := 2; workers <= 7; workers++ {
		for range 5 {
			if got := do(t.Context(), slices.Values(jobs), c, workers, 1<<30); !slices.Equal(got, want) {
				t.Fatalf("%d workers: %d words of %d", workers, len(got), len(want))
			}
		}
	}
	if settled[0].Load() == 0 || settled[1].Load() == 0 {
		t.Errorf("%d segments were discarded, %d committed", settled[0].Load(), settled[1].Load())
	}
	c.Unordered = true
	got := do(t.Context(), slices.Values(jobs), c, 3, 1<<30)
	slices.Sort(got)
	sorted := slices.Sorted(slices.Values(want))
	if !slices.Equal(got, sorted) {
		t.Errorf("unordered: %d words of %d", len(got), len(want))
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
		if got := do(t.Context(), endless, config, workers, 500); len(got) < 500 || len(got) > 600 {
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
	}, c, func(p *producer) schedule.Worker[string, batch, edge, delta] { return &reader{out: p} }, func(b *batch, _ delta) bool {
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

func (s *shifter) Segment(*segment) func() { return func() {} }

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
			schedule.Do(t.Context(), slices.Values([]string{"a"}), c, func(p *producer) schedule.Worker[string, batch, edge, delta] { return &shifter{p} }, func(b *batch, d delta) bool {
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
