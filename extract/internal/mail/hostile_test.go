package mail

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// repeat returns unit repeatedly, without an end.
type repeat struct {
	unit string
	at   int
}

func (e *repeat) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.unit[e.at:])
		n += k
		e.at = (e.at + k) % len(e.unit)
	}
	return n, nil
}

// stream returns the part of s in front of '|', and then the part after it, repeated up to n bytes.
func stream(s string, n int) io.Reader {
	first, again, ok := strings.Cut(s, "|")
	if !ok {
		first, again = "", s
	}
	return io.MultiReader(strings.NewReader(first), io.LimitReader(&repeat{unit: again}, int64(n)))
}

// drain reads or skips all parts, and returns their number.
func drain(r *Reader, read bool, buf []byte) (parts int) {
	for {
		p, err := r.Next()
		if err == io.EOF {
			return parts
		}
		if p == nil {
			continue
		}
		parts++
		for off := int64(0); read; {
			n, err := p.Body.Read(buf)
			off += int64(n)
			p.Body.Forget(off - int64(len(buf)))
			if err != nil {
				break
			}
		}
	}
}

const (
	fromX   = "From a@b Mon Jan  3 12:00:00 2000\n"
	multi   = "Content-Type: multipart/mixed; boundary=b\n\n"
	nested  = "--b\n" + multi
	message = "Content-Type: message/rfc822\n\n"
)

// hostile has streams that could take too much time or memory.
var hostile = map[string]struct {
	f    Framing
	unit string
}{
	"one line":         {Single, "Subject: x\n\n|x"},
	"one field":        {Single, "Subject: |x"},
	"one name":         {Single, "x"},
	"known field":      {Single, "Content-Type: |x"},
	"parameters":       {Single, "Content-Type: multipart/mixed; |boundary*1=a;"},
	"comments":         {Single, "Content-Type: a/b; |("},
	"fields":           {Single, "Subject: x\n"},
	"types":            {Single, "Content-Type: text/plain; charset=x\n"},
	"folds":            {Single, "Content-Type: a/b|\n x"},
	"messages":         {Single, message},
	"multiparts":       {Single, multi + "|" + nested},
	"boundaries":       {Single, multi + "|--b\n"},
	"closed":           {Single, multi + "|--b--\n"},
	"dashes":           {Single, multi + "|--"},
	"dash lines":       {Single, multi + "|--\n"},
	"near boundaries":  {Single, multi + "|--b-\n"},
	"blanks":           {Single, multi + "|--b \t"},
	"blank lines":      {Single, multi + "|\n"},
	"returns":          {Single, multi + "--b\nContent-Type: a/b\n\n|\r"},
	"return lines":     {Single, multi + "--b\nContent-Type: a/b\n\n|\r\n"},
	"From_":            {Mbox, fromX},
	"From_ and blank":  {Mbox, fromX + "\n"},
	"From":             {Mbox, "From "},
	"doubtful":         {Mbox, "\nFrom a@b\n"},
	"Fs":               {Mbox, "F\n"},
	"quotes":           {Mbox, fromX + "\n|>"},
	"quoted":           {Mbox, fromX + "\n|>From \n"},
	"no dates":         {Mbox, fromX + "\n|\nFrom Mon Mon Mon Mon \n"},
	"content length":   {Mbox, fromX + "Content-Length: 60000\n\n"},
	"true lengths":     {Mbox, fromX + "Content-Length: 60\n\n" + fromX + "12345678901234567890123456\n"},
	"a long promise":   {Mbox, fromX + "Content-Length: 60000\n\n|\n" + fromX},
	"batches":          {Rnews, "#! rnews 1\n"},
	"empty batches":    {Rnews, "#! rnews 0\n"},
	"uncounted":        {Rnews, "#! rnews x\n"},
	"hashes":           {Rnews, "#"},
	"long article":     {Rnews, "#! rnews 999999999999\n|x\n"},
	"units":            {Babyl, "\x1f"},
	"unit lines":       {Babyl, "\x1f\f\n1,,\nA: b\n\n*** EOOH ***\n"},
	"controls":         {MMDF, "\x01"},
	"control lines":    {MMDF, "\x01\x01\x01\x01\n"},
	"begin":            {Single, "\n|begin 644 x\n"},
	"begin lines":      {Single, "\n|begin 644 x\n#0V%T\n"},
	"b":                {Single, "\n|b"},
	"begun":            {Single, "\nbegin 644 x\n|#0V%T\n"},
	"yEnc":             {Single, "\n=ybegin line=1 name=x\n|y"},
	"equals":           {Single, "\n|=ybegin "},
	"equal lines":      {Single, "\n|=\n"},
	"yEnc begins":      {Single, "\n|=ybegin line=1 name=x\n"},
	"wide boundaries":  {Single, "Content-Type: multipart/mixed; boundary=" + strings.Repeat("x", boundaryMax) + "\n\n|--" + strings.Repeat("x", boundaryMax-1) + "y\n"},
	"deep boundaries":  {Single, deep(100) + "|--\n--nearly\n"},
	"deep and closing": {Single, deep(100) + "|--b0--\n"},
}

// deep returns n nested multiparts.
func deep(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	return b.String()
}

// TestHostile doubles the length of hostile streams. The time may about double, and the memory must
// not grow.
func TestHostile(t *testing.T) {
	if raceEnabled {
		t.Skip("measures time")
	}
	n := 1 << 19
	if !long {
		n /= 4
	}
	buf := make([]byte, 64<<10)
	for name, c := range hostile {
		var r Reader
		run := func(n int, read bool) time.Duration {
			best, times := time.Hour, 2
			if !long {
				times = 1
			}
			for range times {
				start := clock()
				r.Reset(stream(c.unit, n), 0, c.f, 100, "")
				drain(&r, read, buf)
				best = min(best, clock()-start)
			}
			return best
		}
		for _, read := range []bool{true, false} {
			var one, two time.Duration
			for range 5 { // try again, because the machine may be busy
				one, two = run(n, read), run(2*n, read)
				if two <= one*5/2+time.Millisecond {
					break
				}
			}
			if two > one*5/2+time.Millisecond {
				t.Errorf("%s: %v for %d bytes, %v for twice that", name, one, n, two)
			}
			if one > time.Duration(n)*200*time.Nanosecond {
				t.Errorf("%s: %v for %d bytes", name, one, n)
			}
			if testing.Verbose() {
				t.Logf("%s: %.0f MB/s", name, float64(n)/1e6/one.Seconds())
			}
		}
		w := &r.w
		scratch := max(cap(w.values.scratch), cap(w.current.scratch))
		if len(w.in.buf) != bufSize || cap(w.nest.stack) > 200 || cap(w.current.path) > 1<<10 || scratch > 4*valueMax || len(w.current.strings) > internMax {
			t.Errorf("%s: buffer %d, stack %d, path %d, scratch %d, strings %d", name, len(w.in.buf), cap(w.nest.stack), cap(w.current.path), scratch, len(w.current.strings))
		}
	}
}

// TestDeep checks that entities over the depth limit are read as text.
func TestDeep(t *testing.T) {
	for _, n := range []int{1000, 100000} {
		raw := multi + strings.Repeat(nested, n)
		var r Reader
		r.Reset(strings.NewReader(raw), 0, Single, 1000, "")
		parts, reported := 0, 0
		text := int64(0)
		for {
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			if p == nil {
				reported++
				continue
			}
			parts++
			k, _ := io.Copy(io.Discard, p.Body)
			text += k
		}
		if parts < 1000 || text < int64(len(raw)-len("--b\n\n")*(n+1)) {
			t.Errorf("%d levels: %d parts, %d of %d bytes, %d reported", n, parts, text, len(raw), reported)
		}
	}
}

// TestLongHeader reads headers of any length. All of the header is passed on, and fields at its end
// take effect.
func TestLongHeader(t *testing.T) {
	raw := "Subject: x\n" + strings.Repeat("X-Y: "+strings.Repeat("z", 700)+"\n", 200) +
		"Message-ID: <a@b>\nContent-Base: http://a/\nContent-Type: text/html\n\nbody"
	for _, src := range []io.Reader{strings.NewReader(raw), &chunks{[]byte(raw), 1000}} {
		list := all(t, []byte(raw), src, Single, 9, 1<<12)
		if len(list) != 3 || len(list[1].body) != len(raw)-5 || list[0].err != "header: header of more than 65536 bytes at offset 0" ||
			list[2].part.Type != "text/html" || list[2].levels[0].ContentBase != "http://a/" || list[2].part.MessageID != "a@b" {
			t.Errorf("%.300s", show(list))
		}
	}
	for n := headerMax - 20; n < headerMax+20; n++ {
		raw := []byte("X: " + strings.Repeat("x", n-4) + "\n\nx")
		want := all(t, raw, bytes.NewReader(raw), Single, 9, 1<<16)
		if got := all(t, raw, &chunks{raw, 999}, Single, 9, 1<<16); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("header of %d: %v, want %v", n, show(got), show(want))
		}
		if reported := len(want) > 2; reported != (n+1 > headerMax) {
			t.Errorf("header of %d: %d found", n, len(want))
		}
	}
}

// forgetful keeps the offset of the last call of Forget.
type forgetful struct {
	io.Reader
	off int64
}

func (f *forgetful) Forget(off int64) { f.off = off }

// TestForget checks that Forget is called while a part is skipped, and not while it is read.
func TestForget(t *testing.T) {
	src := &forgetful{Reader: stream("Subject: x\n\n|text\n", 1<<20)}
	var r Reader
	r.Reset(src, 100, Single, 9, "")
	for range 2 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	p := &r.w.part
	if _, err := io.CopyN(io.Discard, p.Body, 1<<19); err != nil || src.off > 112 {
		t.Fatal(err, src.off)
	}
	if _, err := r.Next(); err != io.EOF || src.off < 1<<20-bufSize {
		t.Fatal(err, src.off)
	}
}

// TestAllocations checks that memory is reused: lines need no allocation, and messages only a few
// strings.
func TestAllocations(t *testing.T) {
	buf := make([]byte, 32<<10)
	var r Reader
	src := strings.NewReader("")
	count := func(raw string) float64 {
		return testing.AllocsPerRun(10, func() {
			src.Reset(raw)
			r.Reset(src, 0, Mbox, 100, "")
			drain(&r, true, buf)
		})
	}
	msg := fromX + "Message-ID: <a@b>\nDate: x\nNewsgroups: y\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"--b\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n>From x\ntext\n--b\nContent-Type: text/html\n" +
		"Content-Transfer-Encoding: quoted-printable\n\n=20\n--b--\n\n"
	lines := fromX + "Subject: x\n\n" + strings.Repeat("A line of text.\n>From one.\n", 20000)
	if n := count(lines); n != 0 {
		t.Errorf("%v allocations for lines", n)
	}
	if n := count(strings.Repeat(msg, 100)); n > 300 {
		t.Errorf("%v allocations for 100 messages", n)
	}
}

// TestBroken checks that an error of the source comes after the text in front of it, and that later
// calls return it again.
func TestBroken(t *testing.T) {
	raw := []byte("Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: a/b\n\ndata\n--b--\n")
	for n := range raw {
		list := all(t, raw, io.MultiReader(bytes.NewReader(raw[:n]), errReader{}), Single, 9, 100)
		last := list[len(list)-1]
		if last.err != "broken" || last.part.Section != "" {
			t.Errorf("%q: %s", raw[:n], show(list))
		}
		for _, g := range list[:len(list)-1] {
			if g.part.Section == "" {
				t.Errorf("%q: %s", raw[:n], show(list))
			}
		}
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, fmt.Errorf("broken") }
