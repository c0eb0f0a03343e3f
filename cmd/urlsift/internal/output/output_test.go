package output

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A screen is a writer that counts writes.
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

// TestOutputGathers checks that all records are written, many in one write.
func TestOutputGathers(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := new(screen)
	o := New(s, s, false)
	record := []byte(strings.Repeat("x", 99) + "\n")
	for range 10000 {
		if err := o.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	o.Write(bytes.Repeat(record, 2000)) // more than the buffer holds
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	if s.String() != strings.Repeat(string(record), 12000) {
		t.Error("something is missing or out of order")
	}
	if s.writes > 200 {
		t.Errorf("%d writes", s.writes)
	}
}

// TestOutputRecords checks that records are written in order, whether they are copied
// first or not, that they are counted, and that nothing is written after an error.
func TestOutputRecords(t *testing.T) {
	s := new(screen)
	o := New(s, s, false)
	want, n := "", int64(0)
	for i := range 100 {
		some := strings.Repeat(string(rune('a'+i%26)), 1<<(i%17)) + "\n"
		if err := o.Records([]byte(some), i); err != nil {
			t.Fatal(err)
		}
		want, n = want+some, n+int64(i)
	}
	o.Flush()
	if s.String() != want || o.Printed.Load() != n {
		t.Errorf("%d bytes and %d results, not %d and %d", len(s.String()), o.Printed.Load(), len(want), n)
	}
	s.err, s.writes = errors.New("full"), 0
	for range 3 {
		if err := o.Records(make([]byte, BufferSize), 1); !errors.Is(err, s.err) {
			t.Errorf("%v", err)
		}
	}
	if err := o.Close(); !errors.Is(err, s.err) || s.writes != 1 {
		t.Errorf("%v after %d writes", err, s.writes)
	}
}

// TestOutputPrompt checks that a record is written without waiting for the next.
func TestOutputPrompt(t *testing.T) {
	s := new(screen)
	o := New(s, s, false)
	defer o.Close()
	for i, text := range []string{"a\n", "b\n"} {
		o.Write([]byte(text))
		for began := time.Now(); !strings.Contains(s.String(), text); time.Sleep(time.Millisecond) {
			if time.Since(began) > 5*time.Second {
				t.Fatalf("record %d is not there", i)
			}
		}
	}
}

// TestOutputFails checks that nothing is written after an error.
func TestOutputFails(t *testing.T) {
	s := &screen{err: errors.New("full")}
	o := New(s, s, true)
	for range 3 {
		if err := o.Write([]byte("a\n")); !errors.Is(err, s.err) {
			t.Errorf("%v", err)
		}
	}
	if err := o.Close(); !errors.Is(err, s.err) || s.writes != 1 {
		t.Errorf("%v after %d writes", err, s.writes)
	}
}

// TestOutputBar checks that records are not printed on the line of the progress bar.
func TestOutputBar(t *testing.T) {
	s := new(screen)
	o := New(s, s, true)
	o.Draw("[#-]", "<")
	o.Write([]byte("a\n"))
	o.Write([]byte("b\n"))
	o.Draw("[##]", "<")
	o.Message("x\ny")
	o.Draw("[###]", "<")
	o.Draw("[####]", "<")
	o.Wipe()
	o.Wipe()
	if want := "[#-]<a\nb\n[##]<urlsift: x\\x0ay\n[###]<[####]<"; s.String() != want {
		t.Errorf("%q, not %q", s.String(), want)
	}
}
