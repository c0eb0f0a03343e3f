package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/delimit"
)

// rewrapped returns the text of in, rewrapped.
func rewrapped(t testing.TB, in io.Reader, l WrapLayout) (string, error) {
	t.Helper()
	var out bytes.Buffer
	f := &rewrapper{ctx: context.Background(), in: in, opts: l, out: func(b []byte) error { out.Write(b); return nil }}
	err := f.run()
	return out.String(), err
}

// found returns the references in text, one a line.
func found(text string) string {
	var b strings.Builder
	s := delimit.NewScanner(nil, delimit.Options{})
	s.ResetBytes([]byte(text))
	for c, err := range s.All() {
		if err != nil {
			break
		}
		fmt.Fprintf(&b, "%s\n", c.Text)
	}
	return b.String()
}

func TestRewrap(t *testing.T) {
	for _, c := range []struct {
		what, text string
		l          WrapLayout
		want       string
	}{
		{"short ones stay", "See http://a.example/b, <http://c.example/>.\n", WrapLayout{Width: 40}, "See http://a.example/b, <http://c.example/>.\n"},
		{"bare, longer than a line", "See http://a.example/bcdefg/hijklmn/opqrst.\n", WrapLayout{Width: 30}, "See <http://a.example/bcdefg/\nhijklmn/opqrst>.\n"},
		{"over several lines", "<URL:http://a.example/\n   b/\n c> x", WrapLayout{Width: 40}, "<URL:http://a.example/b/c> x"},
		{"in mail", "> <http://a.example/b\n> c/defghijklmnopq> x\n", WrapLayout{Width: 30}, "> <http://a.example/bc/\n> defghijklmnopq> x\n"},
		{"indented", "    http://a.example/bcdefghij/klmnopqr\n", WrapLayout{Width: 30}, "    <http://a.example/\n    bcdefghij/klmnopqr>\n"},
		{"CR LF", "a\r\nhttp://a.example/bcdefghij/klmnopqr\r\n", WrapLayout{Width: 30}, "a\r\n<http://a.example/bcdefghij/\r\nklmnopqr>\r\n"},
		{"CR LF in the first line", "http://a.example/bcdefghij/klmnopqr\r\n", WrapLayout{Width: 30}, "<http://a.example/bcdefghij/\r\nklmnopqr>\r\n"},
		{"quoted", "a\n\nhttp://a.example/bcdefghij/klmnopqr\nb", WrapLayout{Width: 30, Quote: "> "}, "> a\n> \n> <http://a.example/bcdefghij/\n> klmnopqr>\n> b"},
		{"a label", "<http://a.example/bcdefghij/klmnopqr|see here>", WrapLayout{Width: 30}, "<http://a.example/bcdefghij/klmnopqr|see here>"},
		{"spaces in brackets", "<http://a.example/bcdefghij/klm nop>", WrapLayout{Width: 30}, "<http://a.example/bcdefghij/klm nop>"},
		{"quotation marks", "\"http://a.example/bcdefghij/\nklmnopqr\"", WrapLayout{Width: 30}, "\"http://a.example/bcdefghij/\nklmnopqr\""},
		{"escapes of JSON", `http:\/\/a.example\/bcdefghijklmnop\/qrst`, WrapLayout{Width: 30}, `http:\/\/a.example\/bcdefghijklmnop\/qrst`},
		{"no text", "", WrapLayout{Quote: "> "}, ""},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			got, err := rewrapped(t, in, c.l)
			if err != nil || got != c.want {
				t.Errorf("%s: %q, %v, want %q", c.what, got, err, c.want)
			}
		}
	}
}

// layouts yields widths and quote prefixes. The references must be the same with each.
func layouts(yield func(WrapLayout) bool) {
	for _, width := range []int{40, 60, 72} {
		for _, quote := range []string{"", "> ", ">> "} {
			if !yield(WrapLayout{Width: width, Quote: quote}) {
				return
			}
		}
	}
}

// TestSameReferences rewraps texts, and finds the same references in them.
func TestSameReferences(t *testing.T) {
	var files []string
	for _, glob := range []string{"text/*.txt", "spool/*/*/*", "mailbox/*/*", "logs/*", "delimit/*.txt", "cases/*.jsonl"} {
		some, err := filepath.Glob(filepath.Join("../../../../fixtures", glob))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	texts, changed := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || len(text) > 1<<20 {
			continue // a folder
		}
		texts++
		want := found(string(text))
		for l := range layouts {
			got, err := rewrapped(t, bytes.NewReader(text), l)
			if err != nil {
				t.Fatal(err)
			}
			if again := found(got); again != want {
				t.Errorf("%s, width %d, quote %q: the references differ: %s", file, l.Width, l.Quote, firstDifference(want, again))
			}
			if got != string(text) && l.Quote == "" {
				changed++
			}
		}
	}
	if texts < 30 || changed < 30 {
		t.Errorf("%d texts, %d changed", texts, changed)
	}
}

// firstDifference returns the first lines of a and b that differ.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("%q and %q", x[i], y[i])
		}
	}
	return fmt.Sprintf("%d and %d", len(x), len(y))
}

// TestMemory reads a long text without references and line ends. Memory must not grow, and nothing
// may be lost.
func TestMemory(t *testing.T) {
	text := strings.Repeat("no reference in this line, and no line end either; ", 60_000) + "http://a.example/"
	var out bytes.Buffer
	f := &rewrapper{ctx: context.Background(), in: strings.NewReader(text), opts: WrapLayout{}, out: func(b []byte) error { out.Write(b); return nil }}
	if err := f.run(); err != nil || out.String() != text {
		t.Errorf("%v, %d bytes of %d", err, out.Len(), len(text))
	}
	if cap(f.text) > 8*kept {
		t.Errorf("%d bytes are kept", cap(f.text))
	}
}

// TestBroken checks that text in front of a read error is copied, and that a write error ends the
// run.
func TestBroken(t *testing.T) {
	bad := errors.New("bad")
	got, err := rewrapped(t, io.MultiReader(strings.NewReader("http://a.example/ b"), iotest.ErrReader(bad)), WrapLayout{})
	if err != bad || got != "http://a.example/ b" {
		t.Errorf("%q, %v", got, err)
	}
	f := &rewrapper{ctx: context.Background(), in: strings.NewReader("http://a.example/ b\n"), out: func([]byte) error { return bad }}
	if err := f.run(); err != nil || f.failed != bad {
		t.Errorf("%v, %v", err, f.failed)
	}
}
