package transfer

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract/internal/decode/decodetest"
)

func TestBase64(t *testing.T) {
	const (
		line = "base64: a line that is no base64 at offset "
		lone = "base64: a byte that is no base64 at offset "
		cut  = "base64: a cut group at offset "
	)
	long := strings.Repeat("YWJj", 40)    // 160 characters
	longText := strings.Repeat("abc", 40) // of them
	for _, c := range []struct{ raw, text, damage string }{
		{"", "", ""},
		{"\r\n", "", ""},
		{"YWJj", "abc", ""},
		{"YWJjZA==\r\n", "abcd", ""},
		{"YWJjZGU=\n", "abcde", ""},
		{"YWJj\r\nZGVm\r\n", "abcdef", ""},
		{"YWJj\nZGVm\n", "abcdef", ""},
		{" YW Jj\t\r\r\n\r\nZGVm ", "abcdef", ""},
		// groups that cross line ends
		{"YWJjZ\r\nGVmZ2hp", "abcdefghi", ""},
		{"Y\r\nW\r\nJ\r\nj\r\n", "abc", ""},
		{"YWJjZ\nA==\n", "abcd", ""},
		{"YWJjZA\n==\nYWJj", "abcdabc", ""},
		{"YWJjZA=\n=\nYWJj", "abcdabc", ""},
		{"Y" + strings.Repeat("\n", 124) + "WJj", "abc", ""},
		{"Y" + strings.Repeat("\n", 127) + "WJjZA==", "X\x98\xd9", cut + "0"},
		// padding that is in the middle, missing, too long, or divided by a line end
		{"YQ==YmM=ZGVm", "abcdef", ""},
		{"YQ==\nYmM=\nZGVm", "abcdef", ""},
		{"YQ", "a", cut + "0"},
		{"YWJjZGU", "abcde", cut + "4"},
		{"YWJjZ", "abc", cut + "4"},
		{"Y=YWJj", "abc", cut + "0"},
		{"YQ=YWJj", "aabc", ""},
		{"YQ====YWJj", "aabc", ""},
		{"=YWJj", "abc", ""},
		// characters are missing: decoding is correct again from the next line on
		{"YWJjZGV\nZGVmZGVm\n", "abcdedefdef", cut + "4"},
		{"YWJjZGVmZ\nZGVmZGVm\n", "abcdefdefdef", cut + "8"},
		// the other alphabet
		{"-_-_YWJj", "\xfb\xff\xbfabc", ""},
		{"+/+/YWJj", "\xfb\xff\xbfabc", ""},
		{"--", "--", line + "0"},
		{"-/+_YWJj", "-/+_YWJj", line + "0"},
		// junk lines
		{"YWJj\r\n-- \r\nhttp://a/b\r\n", "abc\n-- \r\nhttp://a/b\r\n", line + "6"},
		{"YWIK\r\n-- \r\nhttp://a/b", "ab\n-- \r\nhttp://a/b", line + "6"},
		{"YWJj\n\n___________\nA list\nhttp://a/\n\nBye, b\n", "abc\n___________\nA list\nhttp://a/\n\nBye, b\n", line + "6"},
		{"YWJj\n> YWJj!\nZGVm", "abc\n> YWJj!\ndef", line + "5"},
		{"YWJj!\nZGVm\n", "YWJj!\ndef", line + "0"},
		{"Y\n<a>\nYWJj", "<a>\nabc", cut + "0; " + line + "2"},
		{"YWJ\n<a>\nYWJj", "ab\n<a>\nabc", cut + "0; " + line + "4"},
		{"YQ==\nabc\nYWJj\n", "a\nabc\nabc", line + "5"},
		{"YQ==\nThe list of all\nfoobar\n", "a\nThe list of all\nfoobar\n", line + "5"},
		{"\xff\n\n YWJj", "\xff\n\n abc", line + "0"},
		{"YWJj\n====\n", "abc\n====\n", line + "5"},
		{"YWJj\n=\n==\n", "abc", ""},
		// long lines
		{long + "\nYWJj", longText + "abc", ""},
		{long + "!YW!!Jj\nYWJj", longText + "abcabc", lone + "160"},
		{long + "Y\nYWJj", longText + "abc", cut + "160"},
		{"!" + long + "\nYWJj", "!" + long + "\nabc", line + "0"},
		{long[:127] + "!" + long, long[:127] + "!" + long, line + "0"},
		{long[:128] + "!" + long, longText[:96] + longText, lone + "128"},
	} {
		want := c.text
		for _, d := range []*Base64{{Text: true}, {}} {
			got := decodetest.EveryWay(t, []byte(c.raw), d)
			slowBase64([]byte(c.raw), d.Text).Check(t, []byte(c.raw), got)
			if d.Text && got.Text != want {
				t.Errorf("%q: got %q, want %q", c.raw, got.Text, want)
			}
			if reported := everyDamage(t, []byte(c.raw), d); reported != c.damage {
				t.Errorf("%q: damage %q, want %q", c.raw, reported, c.damage)
			}
		}
	}
}

// TestBase64Data checks that invalid bytes are left out if the encoded part is data.
func TestBase64Data(t *testing.T) {
	for _, c := range []struct{ raw, text string }{
		{"YWJj\n> junk\nZGVm\n", "abcdef"},
		{"YQ==\n\n-- \nA list\nhttp://a/\n", "a"},
	} {
		if got := decodetest.EveryWay(t, []byte(c.raw), NewBase64()); got.Text != c.text {
			t.Errorf("%q: got %q, want %q", c.raw, got.Text, c.text)
		}
	}
}

// TestBase64Lines encodes and decodes text in lines of any length.
func TestBase64Lines(t *testing.T) {
	text := strings.Repeat(decodetest.Sentence, 5)
	for _, width := range []int{1, 2, 3, 4, 5, 59, 60, 61, 62, 63, 64, 75, 76, 77, 78, 126, 127, 128, 129, 130, 131, 998, 1 << 20} {
		for cut := range 4 {
			raw := base64Lines(text[cut:], width)
			for _, d := range []*Base64{{Text: true}, {}} {
				got := decodetest.Observe(bytes.NewReader(raw), d, 1<<16)
				if got.Text != text[cut:] || got.Err != "" {
					t.Fatalf("lines of %d: got %q %s", width, got.Text, got.Err)
				}
				if reported := damageOf(bytes.NewReader(raw), d); reported != "" {
					t.Errorf("lines of %d: %s", width, reported)
				}
			}
		}
	}
}

// TestBase64Damage checks that a byte that is missing, doubled or changed damages only the text
// near it.
func TestBase64Damage(t *testing.T) {
	text := strings.Repeat(decodetest.Sentence, 8)
	good := base64Lines(text, 76)
	for at := range good {
		for name, raw := range map[string][]byte{
			"lost":    append(bytes.Clone(good[:at]), good[at+1:]...),
			"doubled": append(bytes.Clone(good[:at+1]), good[at:]...),
			"changed": append(append(bytes.Clone(good[:at]), '!'), good[at+1:]...),
		} {
			got := decodetest.Observe(bytes.NewReader(raw), textBase64(), 1<<16).Text
			line := at / 78
			before, after := text[:min(57*line, len(text))], text[min(57*(line+2), len(text)):]
			if !strings.HasPrefix(got, before) || !strings.Contains(got[len(before):], after) {
				t.Fatalf("%s at %d: got %q", name, at, got)
			}
		}
	}
}

// slowBase64 decodes the whole input, line by line and character by character.
func slowBase64(raw []byte, text bool) (s decodetest.Twin) {
	type char struct {
		c  byte
		at int
	}
	var group []char
	var wary, junk, open bool
	emit := func(end int) {
		var digits []byte
		for _, c := range group {
			digits = append(digits, strings.NewReplacer("-", "+", "_", "/").Replace(string(c.c))...)
		}
		if len(digits) > 1 {
			b, _ := base64.RawStdEncoding.DecodeString(string(digits))
			s.Add(string(b), group[0].at, end)
			open = b[len(b)-1] != '\n'
		}
		group = nil
	}
	cut := func() {
		if len(group) > 0 {
			emit(group[len(group)-1].at + 1)
			wary = false
		}
	}
	late := func(at int) bool { return len(group) > 0 && at >= group[0].at+groupSpan }
	for at := 0; at < len(raw); {
		end := at + bytes.IndexByte(raw[at:], '\n') + 1
		if end == at {
			end = len(raw)
		}
		start := at + len(raw[at:end]) - len(bytes.TrimLeft(raw[at:end], " \t\r\v\f\n"))
		if junk && text {
			s.Copied(raw, at, start)
			open = open && start == at
		}
		at = end
		if start == end {
			continue
		}
		isJunk, whole := slowJudge(raw[start:end], wary && len(group) == 0)
		if late(start) || isJunk || whole {
			cut()
		}
		isJunk, _ = slowJudge(raw[start:end], wary && len(group) == 0)
		junk = isJunk
		if junk {
			wary = true
			if text {
				if open {
					s.Add("\n", start, start)
				}
				open = false
				s.Copied(raw, start, end)
			}
			continue
		}
		for i := start; i < end; i++ {
			switch c := raw[i]; {
			case strings.IndexByte(" \t\r\v\f\n", c) >= 0:
			case c == '=':
				if late(i) || len(group) == 1 {
					cut()
				}
				wary = true
				if len(group) == 2 && i+1 < end && raw[i+1] == '=' {
					i++
				}
				if len(group) > 0 {
					emit(i + 1)
				}
			case strings.IndexByte(alphabet, c) >= 0:
				if late(i) {
					cut()
				}
				if group = append(group, char{c, i}); len(group) == 4 {
					emit(i + 1)
					wary = false
				}
			}
		}
	}
	cut()
	return s
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"

// slowJudge does the same as judgeBase64, for a whole line.
func slowJudge(line []byte, wary bool) (junk, whole bool) {
	ended := len(line) <= lineLook && (line[len(line)-1] == '\n' || len(line) < lineLook)
	seen := string(bytes.TrimSuffix(line[:min(len(line), lineLook)], []byte("\n")))
	words := strings.FieldsFunc(seen, func(r rune) bool { return strings.ContainsRune(" \t\r\v\f", r) })
	chars := strings.Join(words, "")
	whole = ended && len(chars)%4 == 0
	pads := strings.Count(chars, "=")
	if pads <= 2 {
		pads = 0
	}
	switch {
	case strings.IndexFunc(chars, func(r rune) bool { return !strings.ContainsRune(alphabet+"=", r) }) >= 0:
		return true, whole
	case ended && (chars == "=" || chars == "=="):
		return false, whole
	case strings.ContainsAny(chars, "+/") && strings.ContainsAny(chars, "-_"):
		return true, whole
	case strings.Count(chars, "-")+strings.Count(chars, "_")+pads > len(chars)/2:
		return true, whole
	}
	return wary && (len(words) > 1 || ended && !whole), whole
}

var base64Pieces = []string{"Y", "W", "J", "=", "==", "\n", "\r\n", " ", "-", "_", "--", "+", "/", "!", "\xff", "YWJj", "YWJjZGVm",
	"\t", "\r", strings.Repeat("YWJj", 19) + "\r\n", strings.Repeat("Z", 75) + "\n", strings.Repeat("YWJj", 33), strings.Repeat("Z", 120),
	strings.Repeat(" ", 100), "http://a/\n", "> b\n"}

func FuzzBase64(f *testing.F) {
	f.Add([]byte{15, 0, 5, 0, 0, 3, 5, 24, 19, 20, 20}, 1, 1)
	f.Add([]byte{0, 23, 0, 5, 22, 0, 6, 21, 13, 0, 1, 3, 3, 3, 5, 0}, 5, 3)
	f.Add([]byte("\x00\x01\x02YWJjZA==\n-- \nhttp://a/b\n"), 2, 20)
	f.Fuzz(func(t *testing.T, pieces []byte, in, out int) {
		var raw []byte
		for _, p := range pieces {
			if int(p) < len(base64Pieces) {
				raw = append(raw, base64Pieces[p]...)
			} else {
				raw = append(raw, p)
			}
		}
		in, out = 1+(in&0xFF), 1+(out&0x3F)
		for _, d := range []*Base64{{Text: true}, {}} {
			want := slowBase64(raw, d.Text)
			want.Check(t, raw, decodetest.Observe(bytes.NewReader(raw), d, 1<<16))
			want.Check(t, raw, decodetest.Observe(&decodetest.Chunks{B: raw, N: in}, d, out))
			if a, b := damageOf(bytes.NewReader(raw), d), damageOf(&decodetest.Chunks{B: raw, N: in}, d); a != b {
				t.Fatalf("%q: damage %q, in pieces %q", raw, a, b)
			}
		}
	})
}

// TestUsualBase64 checks that usualBase64 accepts the same bytes as the table, at each position in
// a machine word.
func TestUsualBase64(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			for _, fill := range []byte("Az+/09") {
				b := bytes.Repeat([]byte{fill}, 8)
				b[at] = byte(c)
				want := at
				if base64Class[c]&(isWord|isUsual) != 0 {
					want = 8
				}
				if got := usualBase64(b); got != want {
					t.Fatalf("%q: %d, want %d", b, got, want)
				}
			}
		}
	}
}

// TestBase64Open checks openBase64 on short lines. If it is true, judgeBase64 must neither accept
// nor reject the line.
func TestBase64Open(t *testing.T) {
	const chars = "aZ9+/-_= \t\r\n\n\n!"
	var line []byte
	open := 0
	var each func(n int)
	each = func(n int) {
		if openBase64(line) {
			open++
			for _, atEOF := range []bool{false, true} {
				if v := judgeBase64(line, false, atEOF); v.more || v.junk || v.whole || base64Blank(line) > 0 {
					t.Fatalf("%q: %+v", line, v)
				}
			}
		}
		if n == 0 {
			return
		}
		for i := range chars {
			line = append(line, chars[i])
			each(n - 1)
			line = line[:len(line)-1]
		}
	}
	each(5)
	if open == 0 {
		t.Error("no line is open")
	}
	for n := range 12 {
		line = append(bytes.Repeat([]byte{'a'}, n), '\n')
		if want := n%4 > 0 && n < 8; openBase64(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
