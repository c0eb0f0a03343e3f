package mail

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// slowNeutral is FirstNeutral, in which each message or record is examined by itself.
func slowNeutral(b []byte, f Framing, from, until, before int) int64 {
	for at := max(from, 1); at < min(until, len(b)); at++ {
		first := max(0, at-before)
		switch {
		case b[at-1] != '\n':
		case f == Mbox:
			if FindMessage(b[:min(len(b), at+lookahead)], at) == at && Neutral(b[first:], at-first) {
				return int64(at)
			}
		case slowRecord(b, at) > 0:
			kept := true
			for i := max(0, at-before+len("\n\r\n")); i < at; i++ {
				kept = kept && slowRecord(b, i) <= int64(at)
			}
			if kept {
				return int64(at)
			}
		}
	}
	return -1
}

// slowRecord returns where the record at b[at] ends; 0 if there is none after a blank line.
func slowRecord(b []byte, at int) int64 {
	above := b[:at]
	if !bytes.HasPrefix(b[at:], []byte("WARC/")) || at > 0 && !bytes.HasSuffix(above, []byte("\n\n")) && !bytes.HasSuffix(above, []byte("\n\r\n")) {
		return 0
	}
	_, next := Record(b[at:])
	if next < 0 {
		return 0
	}
	return int64(at) + next
}

// TestFirstNeutral compares FirstNeutral with slowNeutral.
func TestFirstNeutral(t *testing.T) {
	pieces := map[Framing][]string{
		Mbox: {fromX, "\n", "\n", "Subject: x\n", "Content-Length: %d\n", "content-length:\n %d\n", "Content-Length: 0\n", "a line of text\n", "\n" + fromX + "Subject: x\n\n", "From here on then\n", "Content-Type: message/partial\n", "\r\n", "From a@b\n"},
		WARC: {"WARC/1.0\n", "WARC/1.0\r\n", "\n", "\n", "\r\n", "Content-Length: %d\r\n", "Content-Length: 0\n", "a line of text\n", "\n\nWARC/1.0\nContent-Length: %d\n\n", "WARC/", "x"},
	}
	rounds := 40
	if long {
		rounds = 2000
	}
	found := map[Framing]int{}
	for f, some := range pieces {
		for seed := range rounds {
			rnd := rand.New(rand.NewPCG(uint64(seed), 39))
			var b []byte
			for len(b) < 4000 {
				piece := some[rnd.IntN(len(some))]
				if strings.Contains(piece, "%d") {
					piece = fmt.Sprintf(piece, rnd.IntN(400))
				}
				b = append(b, piece...)
			}
			for range 20 {
				from, before := 1+rnd.IntN(len(b)), 4+rnd.IntN(500)
				until := from + rnd.IntN(len(b))
				got, err := FirstNeutral(bytes.NewReader(b), f, int64(from), int64(until), int64(before))
				if want := slowNeutral(b, f, from, until, before); err != nil || got != want {
					t.Fatalf("seed %d, %v, from %d until %d, %d in front: %d, %v, want %d", seed, f, from, until, before, got, err, want)
				}
				if got >= 0 {
					found[f]++
				}
			}
		}
	}
	if found[Mbox] < rounds || found[WARC] < rounds {
		t.Errorf("found %v", found)
	}
}

// TestFirstNeutralHostile searches texts that have many lines like the beginning of a message or record, and no neutral place.
func TestFirstNeutralHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	const promise = "Content-Length: 999999999\n"
	for name, c := range map[string]struct {
		f    Framing
		unit string
	}{
		"lengths":         {Mbox, fromX + promise + "\n"},
		"lengths, CRLF":   {Mbox, strings.ReplaceAll(fromX+promise+"\n", "\n", "\r\n")},
		"one length":      {Mbox, fromX + promise + "\n|\n" + fromX + "Subject: x\n"},
		"lengths alone":   {Mbox, promise},
		"shorter lengths": {Mbox, fromX + "Content-Length: 90\nContent-Length: 80\n\n"},
		"no headers":      {Mbox, "\nFrom a@b\nSubject\n"},
		"one header":      {Mbox, "\r\n\n" + fromX + "A: x\r\n|" + "\r" + fromX},
		"partial":         {Mbox, "\n" + fromX + "A: message/partial\n"},
		"records":         {WARC, "WARC/1.0\n" + promise + "\n"},
		"no sizes":        {WARC, "\nWARC/1.0\n"},
		"marks":           {WARC, "WARC/1.0\n" + promise + "\n|WARC/\n"},
	} {
		text := func(n int) []byte {
			b, err := io.ReadAll(stream(c.unit, n))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		const n, most = 2 << 20, (2 << 20) * time.Microsecond // it takes up to 70 ns for each byte; if each line were compared with all, thousands
		b := text(n)
		best := time.Hour
		for range 5 { // the machine may be busy
			start := clock()
			at, err := FirstNeutral(bytes.NewReader(b), c.f, 1, math.MaxInt64, NeutralBefore)
			if best = min(best, clock()-start); at >= 0 && at < n/2 || err != nil {
				t.Errorf("%s: %d, %v", name, at, err)
			}
			if best < most {
				break
			}
		}
		if best > most {
			t.Errorf("%s: %v for %d bytes", name, best, n)
		}
		if testing.Verbose() {
			t.Logf("%s: %.0f MB/s", name, float64(n)/1e6/best.Seconds())
		}
	}
}
