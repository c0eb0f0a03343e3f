package mail

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// parts reads raw with a new Reader, in pieces of chunk bytes. It returns descriptions of the
// parts, and how many were skipped. Empty parts are left out and counted as skipped.
func parts(t *testing.T, raw string, f Framing, chunk int, skip bool) (list []string, empty int) {
	t.Helper()
	var r Reader
	r.Reset(&chunks{[]byte(raw), chunk}, 0, f, 9, "")
	if skip {
		r.SkipEmpty()
	}
	for {
		p, err := r.Next()
		empty += r.Skipped()
		if err == io.EOF {
			return list, empty
		}
		if err != nil {
			message, section := r.Where()
			list = append(list, fmt.Sprint(message, section, err))
			continue
		}
		body, err := io.ReadAll(p.Body)
		if err != nil {
			t.Fatal(err)
		}
		if len(body) == 0 && p.Type == "text/plain" && p.Encoding == "" {
			empty++
			continue
		}
		at, _ := p.Body.Origin(0)
		list = append(list, fmt.Sprintf("%d %s %s %d %q %d", p.Message, p.Section, p.Type, at, body, len(p.Bases)))
	}
}

// TestSkipEmpty reads streams with and without SkipEmpty. The other parts, and the number of empty
// ones, must be equal. The streams are random sequences of header, boundary and empty lines.
func TestSkipEmpty(t *testing.T) {
	lines := []string{
		"--b\n", "--b\n", "--b\n", "--b\n\n", "--b\n\n", "--b\r\n", "--b\r\n\r\n", "--b\n\r\n", "--b \n", "--b--\n", "--bb\n", "\n", "x\n",
		"A: b\n", "Content-Type: multipart/mixed; boundary=b\n\n", "Content-Type: multipart/digest; boundary=c\n\n",
		"Content-Type: multipart/mixed; boundary=c\n\n", "--c\n", "--c\n", "--c\n\n", "--c--\n",
		"Content-Type: text/html\n", "Content-Type: message/rfc822\n\n", "From a@b Mon Jan  3 12:00:00 2000\n", "begin 644 ab\n#:'0T\n",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	skipped := 0
	texts := 3000
	if !long {
		texts = 600
	}
	for range texts {
		var b strings.Builder
		b.WriteString("From a@b Mon Jan  3 12:00:00 2000\nContent-Type: multipart/mixed; boundary=b\n\n")
		for range rng.IntN(30) {
			b.WriteString(lines[rng.IntN(len(lines))])
		}
		for _, f := range []Framing{Single, Mbox} {
			want, n := parts(t, b.String(), f, 1<<16, false)
			for _, chunk := range []int{1, 5, 1 << 16} {
				got, m := parts(t, b.String(), f, chunk, true)
				if fmt.Sprint(got) != fmt.Sprint(want) || n != m {
					t.Fatalf("%q, pieces of %d\n%q, %d empty; want\n%q, %d", b.String(), chunk, got, m, want, n)
				}
			}
		}
	}
	var r Reader
	r.Reset(strings.NewReader("Content-Type: multipart/mixed; boundary=b\n\n"+strings.Repeat("--b\n", 1000)+"x"), 0, Single, 9, "")
	r.SkipEmpty()
	for {
		if _, err := r.Next(); err == io.EOF {
			break
		}
		skipped += r.Skipped()
	}
	if skipped != 999 {
		t.Errorf("%d parts were passed over", skipped)
	}
}

// TestNames reads names of files from two Content-Type fields in a row, with and without a
// Content-Disposition.
func TestNames(t *testing.T) {
	const a, b, c = "Content-Type: x/y; name=a\n", "Content-Type: x/y; name=b\n", "Content-Disposition: x; filename=c\n"
	var raw bytes.Buffer
	raw.WriteString("Content-Type: multipart/mixed; boundary=b\n\n")
	var want string
	for _, h := range []string{a, a, a + c, a, b, b + c, a + c, c, "X: y\n", a, c + b, b} {
		raw.WriteString("--b\n" + h + "\nx\n")
		switch {
		case strings.Contains(h, c):
			want += "c"
		case strings.Contains(h, a):
			want += "a"
		case strings.Contains(h, b):
			want += "b"
		default:
			want += "-"
		}
	}
	var r Reader
	r.Reset(&raw, 0, Single, 9, "")
	got := ""
	for {
		p, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil && !p.Header && p.Section != "TEXT" {
			got += p.Name + "-"[:max(0, 1-len(p.Name))]
		}
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
