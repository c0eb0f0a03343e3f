package main

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A screen is a writer that tells how often it was written to.
type screen struct {
	mu     sync.Mutex
	b      bytes.Buffer
	writes int
	err    error
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	if s.err != nil {
		return 0, s.err
	}
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestOutputGathers holds that records are written many at a time, and all.
func TestOutputGathers(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := new(screen)
	o := newOutput(s, s, false)
	record := []byte(strings.Repeat("x", 99) + "\n")
	for range 10000 {
		if err := o.write(record); err != nil {
			t.Fatal(err)
		}
	}
	o.write(bytes.Repeat(record, 2000)) // more than the buffer holds
	if err := o.close(); err != nil {
		t.Fatal(err)
	}
	if s.String() != strings.Repeat(string(record), 12000) {
		t.Error("something is missing or out of order")
	}
	if s.writes > 200 {
		t.Errorf("%d writes", s.writes)
	}
}

// TestOutputRecords holds that records are written in order, whether they are copied
// before or not, that they are counted, and that nothing is written behind an error.
func TestOutputRecords(t *testing.T) {
	s := new(screen)
	o := newOutput(s, s, false)
	want, n := "", int64(0)
	for i := range 100 {
		some := strings.Repeat(string(rune('a'+i%26)), 1<<(i%17)) + "\n"
		if err := o.records([]byte(some), i); err != nil {
			t.Fatal(err)
		}
		want, n = want+some, n+int64(i)
	}
	o.flush()
	if s.String() != want || o.printed.Load() != n {
		t.Errorf("%d bytes and %d results, not %d and %d", len(s.String()), o.printed.Load(), len(want), n)
	}
	s.err, s.writes = errors.New("full"), 0
	for range 3 {
		if err := o.records(make([]byte, bufferSize), 1); !errors.Is(err, s.err) {
			t.Errorf("%v", err)
		}
	}
	if err := o.close(); !errors.Is(err, s.err) || s.writes != 1 {
		t.Errorf("%v after %d writes", err, s.writes)
	}
}

// TestOutputPrompt holds that a record does not wait for another.
func TestOutputPrompt(t *testing.T) {
	s := new(screen)
	o := newOutput(s, s, false)
	defer o.close()
	for i, text := range []string{"a\n", "b\n"} {
		o.write([]byte(text))
		for began := time.Now(); !strings.Contains(s.String(), text); time.Sleep(time.Millisecond) {
			if time.Since(began) > 5*time.Second {
				t.Fatalf("record %d is not there", i)
			}
		}
	}
}

// TestOutputFails holds that nothing is written behind an error.
func TestOutputFails(t *testing.T) {
	s := &screen{err: errors.New("full")}
	o := newOutput(s, s, true)
	for range 3 {
		if err := o.write([]byte("a\n")); !errors.Is(err, s.err) {
			t.Errorf("%v", err)
		}
	}
	if err := o.close(); !errors.Is(err, s.err) || s.writes != 1 {
		t.Errorf("%v after %d writes", err, s.writes)
	}
}

// TestOutputBar holds that what is printed does not stand in the bar's line.
func TestOutputBar(t *testing.T) {
	s := new(screen)
	o := newOutput(s, s, true)
	o.draw("[#-]", "<")
	o.write([]byte("a\n"))
	o.write([]byte("b\n"))
	o.draw("[##]", "<")
	o.message("x\ny")
	o.draw("[###]", "<")
	o.draw("[####]", "<")
	o.wipe()
	o.wipe()
	if want := "[#-]<a\nb\n[##]<urlsift: x\\x0ay\n[###]<[####]<"; s.String() != want {
		t.Errorf("%q, not %q", s.String(), want)
	}
}

func TestBar(t *testing.T) {
	s := snapshot{read: 1 << 30, total: 4 << 30, found: 12345, rate: 300 << 20, time: 65 * time.Second}
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, " 25% 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{100, " 25% [########----------------------] 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{79, " 25% [#####-------------] 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{60, " 25% 1.0 GiB of 4.0 GiB  300 MiB/s  12345 found  0:10 left"},
		{50, " 25% 1.0 GiB of 4.0 GiB  12345 found  0:10 left"},
		{30, " 25% 12345 found  0:10 left"},
		{20, " 25% 12345 found"},
		{8, " 25%"},
		{2, ""},
	} {
		got := strings.TrimPrefix(s.line(c.width, true), "")
		if strings.TrimSpace(got) != strings.TrimSpace(c.want) || c.width > 0 && len(got) > c.width {
			t.Errorf("%d columns: %q, not %q", c.width, got, c.want)
		}
	}
	if got := s.line(100, false); !strings.Contains(got, "\x1b[32m########---") {
		t.Errorf("no colour in %q", got)
	}
	s.total = -1
	if got := s.line(0, true); got != "1.0 GiB  300 MiB/s  12345 found  after 1:05" {
		t.Errorf("%q", got)
	}
	s.over = true
	if got := s.line(0, true); got != "100% 1.0 GiB  300 MiB/s  12345 found  done in 1:05" {
		t.Errorf("%q", got)
	}
	s.total, s.over, s.read = 1, false, 2 // it grew
	if got := s.line(0, true); !strings.HasPrefix(got, "100% 2 B of 1 B") {
		t.Errorf("%q", got)
	}
}
