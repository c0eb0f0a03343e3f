package progress

import (
	"bytes"
	"context"
	"iter"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
)

// A screen is a writer that may be read while it is written to.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// progressTo returns a Progress that draws on s, which may count as a terminal.
func progressTo(t *testing.T, s *screen, terminal bool) *Progress {
	t.Helper()
	x, err := extract.New(extract.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := New(Always, output.New(s, s, false), x)
	p.terminal, p.plain, p.width = terminal, true, func() int { return 81 }
	t.Cleanup(func() { p.out.Close() })
	return p
}

// sized returns sources of the given sizes. Opening one is an error.
func sized(sizes ...int64) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		for _, n := range sizes {
			if !yield(extract.Source{Name: "-", Size: n}) {
				return
			}
		}
	}
}

// TestProgressEnds checks that after the end no goroutine runs, and that no bar remains on a
// terminal.
func TestProgressEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := new(screen)
	p := progressTo(t, s, true)
	p.Start(context.Background(), sized(100, 200))
	for began := time.Now(); !strings.Contains(s.String(), "of 300 B"); time.Sleep(time.Millisecond) {
		if time.Since(began) > 5*time.Second {
			t.Fatalf("there is no bar: %q", s)
		}
	}
	p.Stop(true)
	if got := s.String(); !strings.HasSuffix(got, "left\r\x1b[K") || !strings.Contains(got, "  0% [------") {
		t.Errorf("%q", got)
	}
}

// TestProgressLines checks that a complete run ends at 100 %, and an incomplete one does not.
func TestProgressLines(t *testing.T) {
	for _, complete := range []bool{true, false} {
		s := new(screen)
		p := progressTo(t, s, false)
		p.Start(context.Background(), sized(100, -1))
		p.out.Printed.Add(3)
		p.Stop(complete)
		whole := regexp.MustCompile(`^100% 0 B .* 3 found  done in 0:00\n$`).MatchString(s.String())
		if whole != complete || !complete && s.String() != "" {
			t.Errorf("complete %v: %q", complete, s)
		}
	}
}

// TestProgressStops checks that the end of the progress also ends an endless walk.
func TestProgressStops(t *testing.T) {
	defer goleak.VerifyNone(t)
	p := progressTo(t, new(screen), true)
	p.Start(context.Background(), func(yield func(extract.Source) bool) {
		for yield(extract.Source{Size: 1}) {
		}
	})
	p.Stop(false)
}

func TestRate(t *testing.T) {
	var r rate
	for i := range 200 {
		r.at(int64(i)*100, time.Duration(i)*100*time.Millisecond)
	}
	if got := r.at(20000, 20*time.Second); got < 990 || got > 1010 {
		t.Errorf("steady: %v", got)
	}
	if got := r.at(20000, 50*time.Second); got > 200 {
		t.Errorf("after a long pause: %v", got)
	}
}
