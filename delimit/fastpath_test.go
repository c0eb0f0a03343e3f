package delimit

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// bothWays scans text with the fast path, without it, with the fast path from search only, and
// without early reject of colons. All fields of all candidates must be equal. It returns the
// candidates.
func bothWays(t *testing.T, text []byte, opts Options, reader func([]byte) io.Reader) []Candidate {
	t.Helper()
	ways := [...]string{"general", "fast path", "from search alone", "at each colon"}
	var found [len(ways)][]Candidate
	for way := range found {
		if way == 3 && opts.Known == nil {
			opts.Known = Known
		}
		s := newScanner(reader(text), opts, 1)
		s.find.plain = s.find.plain && way != 0
		s.find.onlyColons = s.find.onlyColons && way == 1
		for c, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			found[way] = append(found[way], c.Clone())
		}
		if !reflect.DeepEqual(found[way], found[0]) {
			t.Errorf("%q:\n%s %+v\n%s %+v", text, ways[way], found[way], ways[0], found[0])
		}
	}
	return found[0]
}

func wholeReader(text []byte) io.Reader { return bytes.NewReader(text) }

// fastPieces are pieces of text that the fast path looks for, and pieces that it must leave to the
// general code.
var fastPieces = []string{
	"http://", "https://", "ftp://", "HTTP://", "hTTps://", "<http://a/\n", "\"http://a/\n", "<URL:ftp://b\n", "http://a/xhttp://b", "://", "git+http://", "URL:", "URL:uri:", "\n<", "\n\"", "\n  a-", "-\n> ", "&amp;&amp;", "\n&", "am", "p;", "\"http://a", "<http://a", "<URL:http://a", "<uri:FTP://a", "\"URL:https://a", " http://a", "(http://a", "\nhttp://", "mailto:", "<mailto:a", "\"MAILTO:b", "<URL:mailto:",
	"a.example", "/", "/b/c.html", "?q=1&r=2", "&amp;", "&lt", "&gt;", "&#", "&", ":80", ":", "@", "user@", "#f", "%41", "%4", "%", "-", "_", "é", "中", "\u00a0", "\u200b", "“",
	"\"", ">", "<", " ", "\n", "\n> ", "\r\n", "\t", "(", ")", "[", "]", "{", "}", "|", "\\", "\\/", "'", "`", ".", ",", ";", "=", "*", "~", "+", "=3D", "\x1b[", "\x1b[1;", "\x1b[0m", "\x00", "\x7f", "[.]", "(.)",
	"\u00ad\n", "\r", "\r\r\r\n", "”", strings.Repeat("a", 62), "url:" + strings.Repeat("b", 64), "http://?u=", "ftp://@", "tag:a?",
}

// TestFastPathRandom runs bothWays on random texts, with windows and limits that divide them, read
// whole, byte by byte, and in halves.
func TestFastPathRandom(t *testing.T) {
	rounds := 30000
	if !long {
		rounds = 1000
	}
	r := rand.New(rand.NewPCG(7, 8))
	found := 0
	for range rounds {
		var b strings.Builder
		for range 1 + r.IntN(20) {
			if from := fastPieces; r.IntN(8) > 0 {
				b.WriteString(from[r.IntN(len(from))])
			} else {
				b.WriteString(pieces[r.IntN(len(pieces))])
			}
		}
		opts := Options{}
		if r.IntN(4) == 0 {
			opts.MaxLen, opts.MaxBreaks = 8+r.IntN(40), r.IntN(5)
		}
		if r.IntN(8) == 0 {
			opts.Extras = Extra(r.IntN(16))
		}
		reader := wholeReader
		switch r.IntN(4) {
		case 0:
			reader = func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) }
		case 1:
			reader = func(b []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(b)) }
		}
		text := []byte(b.String())
		if r.IntN(50) == 0 {
			text = bytes.Repeat(text, 1+6000/len(text)) // longer than the window
		}
		all := bothWays(t, text, opts, wholeReader)
		if parts := bothWays(t, text, opts, reader); !reflect.DeepEqual(parts, all) {
			t.Errorf("%q: in parts\n%+v\n%+v", text, parts, all)
		}
		found += len(all)
	}
	if found < rounds {
		t.Errorf("only %d candidates in %d texts", found, rounds)
	}
}

// FuzzFastPath runs bothWays on arbitrary text.
func FuzzFastPath(f *testing.F) {
	addSeeds(f, func(text []byte, extras byte) { f.Add(text, extras, uint16(0)) })
	f.Add([]byte("<http://a/b> \"http://c/d?e&f\" http://g/h. (http://i/j) <URL:http://k/l>"), byte(0), uint16(20))
	f.Fuzz(func(t *testing.T, text []byte, extras byte, most uint16) {
		bothWays(t, text, Options{Extras: Extra(extras & 15), MaxLen: int(most)}, wholeReader)
	})
}

// TestFastPathTaken checks which texts the fast path accepts as one candidate of the given form. It
// must leave the texts marked 0 to atColon.
func TestFastPathTaken(t *testing.T) {
	for _, c := range []struct {
		text string
		form Form
	}{
		{`see "http://a.example/b" x`, Quote},
		{`see "HTTPS://a/b?c=d&e=f:g#h" x`, Quote},
		{`see <ftp://u@a.example:21/b> x`, Angle},
		{`see <URL:http://a/> x`, Angle},
		{`see "uri:https://a" x`, Quote},
		{`see http://a.example x`, Bare},
		{"see it\nhttp://a.example:80/b&c?d.\nx", Bare},
		{`see (http://a/b) x`, Bare},
		{`see x=http://a/b, x`, Bare},
		{`see (+http://a/b) x`, Bare},
		{`see mailto:jo@a.example, x`, Bare},
		{`see <MailTo:jo@a?subject=b> x`, Angle},
		{`see <URL:mailto:jo@a> x`, Angle},
		{`see http://a/?http://b x`, Bare},
		{`see http://a/bhttp://b x`, Bare},
		{"see <http://a/\n<http://b> x", 0},      // a line break in the wrapper
		{"see \"http://a/\n\nb\" x", 0},          // likewise
		{"see \"URL:http://a/\n<\" x", 0},        // likewise
		{"see it\n> <http://a/\nb> x", 0},        // likewise
		{"see it\n<http://a/\nb\n http://c>", 0}, // likewise
		{"see it\n<http://a/-\nb\n  c> x", 0},    // likewise
		{"see it\n> <http://a/\n> b> x", 0},      // likewise
		{"see it\n\"http://a/\n\" x", 0},         // likewise
		{"see <http://a/ \nb> x", 0},             // white space at the end of a line
		{"see <http://a/\r\nb> x", 0},            // likewise
		{"see <http://a/\nb", 0},                 // not complete
		{"see <http://a/\n", 0},                  // likewise
		{`see [http://a/b] x`, Bare},
		{"see \x1b[http://a/b x", Bare}, // a terminal reads the first letter as part of an escape sequence
		{`see ++http://a/b x`, 0},
		{`see <mailto:@a> x`, 0},
		{`http://a/b x`, 0},            // at the very beginning
		{`see http://a/b`, 0},          // not complete
		{`see "http://a/b c" x`, 0},    // white space
		{`see <http://a/b\c> x`, 0},    // a backslash
		{`see <http://a/é> x`, 0},      // beyond ASCII
		{`see http://-a/b x`, 0},       // no letter first
		{`see http://@/b x`, 0},        // no host
		{`see (http://a/(b)) x`, 0},    // brackets in brackets
		{`see http://a/(b) x`, 0},      // brackets
		{`see http://a/b)c x`, 0},      // likewise
		{`see http://a/*/b x`, 0},      // a comment may end
		{`see http://a/[b] x`, 0},      // a bracket
		{`see http://a/b&lt; x`, 0},    // an entity
		{`see http://a:\/\/b x`, 0},    // characters that JSON escapes
		{`see "ahttp://a/b" x`, 0},     // another scheme
		{`see svn://a/b x`, 0},         // likewise
		{`see <URL:svn://a/b> x`, 0},   // likewise
		{`see <URL:xhttp://a/b> x`, 0}, // likewise
		{`see 'http://a/b' x`, 0},      // a pair of quotation marks
	} {
		s := NewScanner(strings.NewReader(c.text), Options{})
		s.find.fill(0)
		var got Candidate
		ok := s.find.fastPath(strings.IndexByte(c.text, ':'), &got)
		if ok != (c.form != 0) || got.Form != c.form {
			t.Errorf("%s: %v, want %v", c.text, got.Form, c.form)
		}
	}
}
