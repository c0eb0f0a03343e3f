package refs

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
)

// all returns the references and errors that references yields for in, with line numbers.
func all(in io.Reader, paths ...string) (list []string) {
	for ref, err := range references(paths, in, func() {}) {
		if err != nil {
			list = append(list, ref.messagePrefix()+err.Error())
		} else {
			list = append(list, ref.messagePrefix()+ref.text)
		}
	}
	return list
}

// TestLines checks that every line is read, with any length and line end, and any sizes of reads.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*output.BufferSize+7)
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"\n", []string{"-:1: "}},
		{"a", []string{"-:1: a"}},
		{"a\n", []string{"-:1: a"}},
		{"a\r\nb\r\n", []string{"-:1: a", "-:2: b"}},
		{"a\r", []string{"-:1: a\r"}},
		{"\r\n\na\r\r\n", []string{"-:1: ", "-:2: ", "-:3: a\r"}},
		{"a\x00b\xff\n -- \n", []string{"-:1: a\x00b\xff", "-:2:  -- "}},
		{"a\n" + long + "\nb", []string{"-:1: a", "-:2: " + long, "-:3: b"}},
		{long[:output.BufferSize-1] + "\nb\n", []string{"-:1: " + long[:output.BufferSize-1], "-:2: b"}},
		{long[:output.BufferSize] + "\r\nb\n", []string{"-:1: " + long[:output.BufferSize], "-:2: b"}},
	} {
		for how, in := range map[string]io.Reader{
			"whole": strings.NewReader(c.text),
			"bytes": iotest.OneByteReader(strings.NewReader(c.text)),
			"end":   iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			if got := all(in); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s: %.50q is %.200q, not %.200q", how, c.text, got, c.want)
			}
		}
	}
}

// TestLongLines checks that a line over the limit is the only one that is lost.
func TestLongLines(t *testing.T) {
	full := strings.Repeat("x", LongestLine)
	for _, end := range []string{"\n", "\r\n"} {
		got := all(strings.NewReader("a" + end + full + end + full + "x" + end + full + full + full + end + "b" + end + full + "x"))
		want := []string{"-:1: a", "-:2: " + full, "-:3: " + errLongLine.Error(), "-:4: " + errLongLine.Error(), "-:5: b", "-:6: " + errLongLine.Error()}
		if len(got) != len(want) {
			t.Fatalf("%d lines", len(got))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("line %d is %.100q", i+1, got[i])
			}
		}
	}
}

// TestLinesFail checks that an error of reading is reported once, and that standard input is not
// read if the command line has references.
func TestLinesFail(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(errors.New("broken")))
	if got := fmt.Sprintf("%q", all(broken)); got != `["-:1: a" "-:2: broken"]` {
		t.Error(got)
	}
	if got := fmt.Sprintf("%q", all(iotest.ErrReader(errors.New("not to be read")), "a", "", "-")); got != `["a" "" "-"]` {
		t.Error(got)
	}
}
