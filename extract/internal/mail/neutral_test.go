package mail

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// neutral reports whether a message begins at b[at], where FindMessage has found one, whatever Content-Length in b a
// message in front of it has.
func neutral(b []byte, at int) bool {
	p := newPromises(b)
	p.read(at)
	return p.kept(at, at) && separate(b, at)
}

// slowNeutral is FirstNeutral, in which each message or record is examined by itself.
func slowNeutral(b []byte, f Framing, from, until, before int) int64 {
	for at := max(from, 1); at < min(until, len(b)); at++ {
		first := max(0, at-before)
		switch {
		case b[at-1] != '\n':
		case f == Mbox:
			if FindMessage(b[:min(len(b), at+lookahead)], at) == at && neutral(b[first:], at-first) {
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

// starts returns where a Reader finds messages in b.
func starts(b []byte) map[int64]bool {
	var r Reader
	r.Reset(bytes.NewReader(b), 0, Mbox, 100, "")
	at := map[int64]bool{}
	r.OnMessage(func(off int64, _ int) bool {
		at[off] = true
		return true
	})
	for {
		if _, err := r.Next(); err == io.EOF { // other errors are about the message
			return at
		}
	}
}

// TestNextNeutral cuts mailboxes with messages of all lengths, of which many have a Content-Length, right or wrong. A Reader that has read all that is in front
// finds a message where NextNeutral and LastNeutral say that one begins.
func TestNextNeutral(t *testing.T) {
	rounds := 12
	if long {
		rounds = 300
	}
	pieces := []string{fromX, "\n" + fromX + "Subject: x\n\n", "\n", "\n\n", "Content-Length: %d\n", "content-length:\n %d\n", "Content-Length : %d\nSubject: x\n\n", "a line of text\n", "From here on then\n\n",
		"Content-Type: multipart/mixed; boundary=b\n\n--b\n\n", "--b--\n", "Content-Type: message/partial; id=1; number=1; total=2\n\n", strings.Repeat("A: x\n", 30_000), strings.Repeat("text\n", 4000), "\n" + fromX + "Content-Length: %d\n\n"}
	cuts, last := 0, 0
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 41))
		b := []byte(fromX + "Subject: x\n\n")
		for len(b) < 900<<10 {
			k := rnd.IntN(len(pieces))
			piece := pieces[k]
			if rnd.IntN(60) > 0 && len(piece) > 1000 {
				continue
			}
			if strings.Contains(piece, "%d") {
				if rnd.IntN(30) < seed%30 {
					continue
				}
				piece = fmt.Sprintf(piece, rnd.IntN([]int{100, 5000, 200_000}[rnd.IntN(3)]))
			}
			for range 1 + rnd.IntN(3) {
				b = append(b, piece...)
			}
		}
		at := starts(b)
		begin, buf := int64(0), make([]byte, NeutralBuffer)
		for begin < int64(len(b)) {
			wish := begin + 1 + rnd.Int64N(int64([]int{200, 10_000, 300_000}[rnd.IntN(3)]))
			place, err := NextNeutral(bytes.NewReader(b), begin, min(wish, int64(len(b))), buf)
			if err != nil || place < wish && place < int64(len(b)) || place < int64(len(b)) && !at[place] {
				t.Fatalf("seed %d, from %d, wished %d: %d, %v", seed, begin, wish, place, err)
			}
			data := b[begin:min(begin+1+rnd.Int64N(400_000), int64(len(b)))]
			if k := LastNeutral(data); k > 0 {
				if last++; !at[begin+int64(k)] {
					t.Fatalf("seed %d, from %d: the last of %d bytes is %d", seed, begin, len(data), k)
				}
			}
			begin = place
			cuts++
		}
	}
	if cuts < 2*rounds || last < rounds {
		t.Errorf("%d cuts, %d last messages", cuts, last)
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
			if c.f == Mbox {
				_, cut := NextNeutral(bytes.NewReader(b), 0, 1, make([]byte, NeutralBuffer))
				err = cmp.Or(err, cut)
			}
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
