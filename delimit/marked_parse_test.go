package delimit

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// A markedCase is a text with its expected candidates. fixtures/delimit/README.md describes the
// format.
type markedCase struct {
	where string // file:line
	opts  Options
	text  string
	want  []slowCandidate
}

// markedCases reads all files of fixtures/delimit.
func markedCases(t testing.TB) (cases []markedCase) {
	files, err := filepath.Glob("../fixtures/delimit/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := 1
		for block := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n----\n") {
			c, err := parseMarked(block)
			c.where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
			if err != nil {
				t.Fatalf("%s: %v", c.where, err)
			}
			cases = append(cases, c)
			line += strings.Count(block, "\n") + 2
		}
	}
	return cases
}

// pictures replaces the symbols that stand for invisible bytes in a fixture.
var pictures = strings.NewReplacer("␀", "\x00", "␇", "\a", "␉", "\t", "␊", "\n", "␋", "\v", "␌", "\f", "␍", "\r", "␛", "\x1b",
	"␠", " ", "␡", "\x7f")

// unpicture replaces pictures and the escapes ⟨FF⟩ (a byte) and ⟨u+AD⟩ (a character).
func unpicture(s string) (string, error) {
	s = pictures.Replace(s)
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "⟨")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		code, after, ok := strings.Cut(rest, "⟩")
		char, isChar := strings.CutPrefix(code, "u+")
		n, err := strconv.ParseUint(char, 16, 21)
		switch {
		case !ok || err != nil:
			return "", fmt.Errorf("bad escape ⟨%.10s", rest)
		case isChar:
			b.WriteRune(rune(n))
		default:
			b.WriteByte(byte(n))
		}
		s = after
	}
}

func parseMarked(block string) (c markedCase, err error) {
	for {
		first, rest, ok := strings.Cut(block, "\n")
		if extras, is := strings.CutPrefix(first, "with: "); is {
			if err := c.opts.Extras.UnmarshalText([]byte(extras)); err != nil {
				return c, err
			}
		} else if !strings.HasPrefix(first, "# ") {
			break
		}
		if !ok {
			return c, fmt.Errorf("no text")
		}
		block = rest
	}
	marked, notes, _ := strings.Cut(block, "\n====\n")
	if c.text, c.want, err = unmark(marked); err != nil {
		return c, err
	}
	for note := range strings.SplitSeq(notes, "\n") {
		if note == "" {
			continue
		}
		number, what, _ := strings.Cut(note, " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(c.want) {
			return c, fmt.Errorf("note %q", note)
		}
		if what, err = unpicture(what); err != nil {
			return c, err
		}
		if err := c.want[n-1].note(what); err != nil {
			return c, err
		}
	}
	for i := range c.want {
		c.want[i].conclude()
	}
	return c, nil
}

// note parses one line of expectations.
func (c *slowCandidate) note(what string) error {
	key, value, _ := strings.Cut(what, " ")
	switch key {
	case "=":
		c.Text = value
	case "ref":
		c.Ref = value
	case "by":
		return c.By.UnmarshalText([]byte(value))
	case "prefix":
		c.Prefixed = true
	case "~":
		name, text, _ := strings.Cut(value, ": ")
		for i, n := range readingNames {
			if n == name {
				c.Readings = append(c.Readings, slowReading{1 << i, text})
				return nil
			}
		}
		return fmt.Errorf("reading %q", name)
	default:
		return fmt.Errorf("note %q", what)
	}
	return nil
}

// conclude sets the fields that follow from the others.
func (c *slowCandidate) conclude() {
	if c.Text == "" {
		c.Text = c.Raw
	}
	if c.Ref == "" {
		c.Ref = c.Text
	}
	if c.Tail != "" {
		c.Readings = append(c.Readings, slowReading{WithTail, c.Text + c.Tail})
	}
	if c.Form != Bare {
		c.Breaks = strings.Count(strings.ReplaceAll(strings.ReplaceAll(c.Raw, "\r\n", "\n"), "\r", "\n"), "\n")
	}
}

// unmark removes the marks from a text: ⟪ ⟫ around a wrapper or prefix with its reference, ⟦ ⟧
// around the reference, ⦅ ⦆ around its tail.
func unmark(marked string) (text string, want []slowCandidate, err error) {
	if marked, err = unpicture(marked); err != nil {
		return "", nil, err
	}
	var b strings.Builder
	outer := int64(-1)
	var c *slowCandidate
	start := 0
	for i, n := 0, 0; i < len(marked); i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(marked[i:])
		at := int64(b.Len())
		switch r {
		case '⟪':
			outer = at
		case '⟦':
			want = append(want, slowCandidate{Form: Bare})
			c = &want[len(want)-1]
			c.Inner.Start, c.Outer.Start = at, at
			if outer >= 0 {
				c.Outer.Start = outer
			}
			lead := b.String()[c.Outer.Start:at]
			switch {
			case strings.HasPrefix(lead, "<"), strings.HasSuffix(lead, "<"):
				c.Form = Angle
			case strings.HasPrefix(lead, `"`):
				c.Form = Quote
			}
			c.Prefixed = slowPrefixAnyRE.MatchString(lead)
			before := b.String()
			c.Line = int64(strings.Count(before, "\n")) + 1
			c.Column = at - int64(strings.LastIndexByte(before, '\n'))
		case '⟧':
			c.Inner.End, c.Outer.End = at, at
			c.Raw = b.String()[c.Inner.Start:]
		case '⟫':
			c.Outer.End = at
			outer = -1
		case '⦅':
			start = b.Len()
		case '⦆':
			c.Tail = b.String()[start:]
		default:
			b.WriteString(marked[i : i+n]) // not the rune, which may stand for an invalid byte
		}
	}
	return b.String(), want, nil
}
