package delimit

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// withoutAVX2 runs f as on a processor without AVX2.
func withoutAVX2(f func()) {
	has := hasAVX2
	hasAVX2 = false
	defer func() { hasAVX2 = has }()
	f()
}

// slowColonBlocks does the same as colonBlocks, byte by byte.
func slowColonBlocks(b []byte) (at []uint32, newlines int) {
	for i, c := range b {
		switch block := uint32(i / 64 * 64); {
		case c == '\n':
			newlines++
		case strings.IndexByte(":&\\", c) >= 0 && (len(at) == 0 || at[len(at)-1] != block):
			at = append(at, block)
		}
	}
	return at, newlines
}

// slowNarrow reports whether narrowBlocksAVX2 keeps the writer of a colon b[i], in the block that
// begins at b[at]. It makes each check separately.
func slowNarrow(b []byte, at, i int) bool {
	next, second := b[i+1], b[i+2]
	lower := func(halves string) bool { return second < 0x80 && strings.IndexByte(halves, second&15) >= 0 }
	near := bytes.IndexByte(b[at+2:at+130], '/') >= 0
	drawn := false
	for k := at - 64; k < at+64; k++ {
		drawn = drawn || (b[k] == 'x' || b[k] == 'X') && b[k+1] == '-'
	}
	switch next {
	case '/', '\\', ',', '_':
		return true
	case ' ', '\t', '\n', '\v', '\f', '\r':
		if near && lower("\x00\x09\x0A\x0B\x0C\x0D\x0E\x0F") {
			return true
		}
	default:
		if drawn || near && strings.IndexByte("\x00)*+-", next) >= 0 && lower("\x00\x09\x0A\x0B\x0C\x0D\x0E\x0F") {
			return true
		}
	}
	switch next { // a written colon
	case '#':
		if lower("\x00\x05\x08") {
			return true
		}
	case 'c':
		if lower("\x0F") {
			return true
		}
	case 'u', 'x':
		if lower("\x00\x03") {
			return true
		}
	}
	groups := byte(0xFF)
	for k, t := range narrowing {
		g := byte(0)
		c := b[i-3+k]
		if k == 0 { // punctuation is rejected, except in "x-" schemes
			c -= '0'
			if drawn {
				c += '0' - ' '
			}
		}
		if c < 0x80 {
			g = t[c&15]
		}
		if k == 0 {
			g |= 0x80
		}
		groups &= g
	}
	return groups != 0
}

// checkKernels compares the results of the kernels for text with those of their twins in Go.
func checkKernels(t *testing.T, text []byte) {
	t.Helper()
	if !hasAVX2 {
		t.Skip("there are no kernels")
	}
	for from := 0; from == 0 || from < len(text); from += pieceLen {
		b := text[from:min(len(text), from+pieceLen)]
		at, masks := make([]uint32, len(b)/blockLen+1), make([]uint64, len(b)/blockLen+1)
		n, newlines := colonBlocks(b, at)
		wantAt, lines := slowColonBlocks(b)
		if newlines != lines || !slices.Equal(at[:n], wantAt) {
			t.Fatalf("%q: %d newlines, want %d; blocks at %d, want %d", b, newlines, lines, at[:n], wantAt)
		}
		var leftAt []uint32
		var left []uint64
		for _, block := range wantAt {
			lo := from + int(block)
			sees := lo >= 64 && lo+130 <= len(text)
			mask := uint64(0)
			for i := lo; i < lo+64 && i < len(text); i++ {
				if strings.IndexByte(":&\\", text[i]) >= 0 && (!sees || slowNarrow(text, lo, i)) {
					mask |= 1 << (i - lo)
				}
			}
			if mask != 0 {
				leftAt, left = append(leftAt, block), append(left, mask)
			}
		}
		n = narrowBlocks(text, from, at[:n], masks[:n])
		if !slices.Equal(at[:n], leftAt) || !slices.Equal(masks[:n], left) {
			t.Fatalf("%q from %d: left are %x at %d, want %x at %d", text, from, masks[:n], at[:n], left, leftAt)
		}
	}
}

// checkWays compares the candidates of text with and without the kernels. It
// compares their lines and columns with those counted in the text.
func checkWays(t *testing.T, text []byte, opts Options) {
	t.Helper()
	with := scan(t, bytes.NewReader(text), opts)
	var without []slowCandidate
	withoutAVX2(func() { without = scan(t, bytes.NewReader(text), opts) })
	if d := differ(with, without); d != "" {
		t.Fatalf("%q: with the kernels\n%s", text, d)
	}
	for _, c := range with {
		before := text[:c.Inner.Start]
		line := int64(bytes.Count(before, newline) + 1)
		if column := c.Inner.Start - int64(bytes.LastIndexByte(before, '\n')); c.Line != line || c.Column != column {
			t.Fatalf("%v stands in line %d, column %d", c, line, column)
		}
	}
}

// colonPieces are pieces of random texts. They decide whether a colon is examined or rejected
// early.
var colonPieces = strings.Split(`:|::|: |:/|://|:\|/|\| |  |
|

|x-|X-|<x-|-|mailto|im|urn|news|tel|URL|url:|-ID: <|e-id: |skype|-Type: |e+ype: |doi:10.1|http://a/|http|<|>|> | >|&#58;|&#x3A;//|&colon;|\u003a|\x3a|&|&#|\x|http&#58;//a/|https\x3a\x2f\x2fa\x2fb|"|é|€|12:30:45|Subject: |Lines|: `+"\t|\v|\f|\r\n|\x00|\x1F|\x7F|\xFF|\xED\xE9\xE4", "|")

// randomColons returns a random text of about n bytes, made of colonPieces with few or many words
// between them.
func randomColons(r *rand.Rand, n int) []byte {
	var b []byte
	words := r.IntN(8)
	for len(b) < n {
		if r.IntN(8) < words {
			b = append(b, "abcdefghij klmno pqrst-uvwxyz +.0123456789"[r.IntN(20):][:r.IntN(22)]...)
		}
		b = append(b, colonPieces[r.IntN(len(colonPieces))]...)
	}
	return b
}

// TestKernels compares kernels and twins on random texts of all lengths and at all
// alignments, and the candidates found with those without.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for n := range 700 {
		if !long && n > 140 && n%5 != 0 {
			continue
		}
		text := randomColons(r, n)
		memory := make([]byte, len(text)+64)
		b := memory[n%64:][:len(text)]
		copy(b, text)
		checkKernels(t, b)
		checkWays(t, b, Options{})
	}
	for range 50 {
		text := randomColons(r, 3*pieceLen)
		checkKernels(t, text)
		checkWays(t, text, Options{Extras: Rejoin})
	}
	for _, text := range []string{"", strings.Repeat(":", 3*pieceLen), strings.Repeat("\n", 3*pieceLen)} {
		checkKernels(t, []byte(text))
	}
}

// TestPieces puts a reference, with a line in front of it, at each offset near the edge of a piece,
// and also reads it in pieces of other sizes.
func TestPieces(t *testing.T) {
	const ref = "see\n<URL:http://example.org/a> x\n> <mailto:a@b\n> c> and <x-y:z>"
	for at := pieceLen - len(ref) - 3; at < pieceLen+3; at++ {
		for _, fill := range []string{"a", "b: \n", "\n"} {
			text := []byte(strings.Repeat(fill, at/len(fill)) + ref + strings.Repeat(fill, 2*pieceLen/len(fill)) + ref)
			checkWays(t, text, Options{})
			whole := scan(t, bytes.NewReader(text), Options{})
			if len(whole) != 6 {
				t.Fatalf("at %d: %d candidates", at, len(whole))
			}
			parts := scan(t, &choppy{text: text, sizes: []byte{250, 131, 63, 64}}, Options{})
			if d := differ(parts, whole); d != "" {
				t.Fatalf("at %d: in parts\n%s", at, d)
			}
		}
	}
}

// A reaching reader checks the State of the scanner before each Read.
type reaching struct {
	choppy
	s    *Scanner
	read int
	t    *testing.T
	all  []byte
}

func (r *reaching) Read(b []byte) (int, error) {
	before := r.all[:r.read]
	at := r.s.State()
	wantLine, wantColumn := bytes.Count(before, newline)+1, r.read-bytes.LastIndexByte(before, '\n')
	if at.Line != int64(wantLine) || at.Column != int64(wantColumn) || at.Offset != int64(r.read) {
		r.t.Fatalf("after %d bytes: %d, line %d, column %d; want %d, %d", r.read, at.Offset, at.Line, at.Column, wantLine, wantColumn)
	}
	n, err := r.choppy.Read(b)
	r.read += n
	return n, err
}

// TestReached checks, at each Read, the offset, line and column of the next byte.
func TestReached(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	n := 100_000
	if long {
		n = 300_000
	}
	for _, text := range [][]byte{randomColons(r, n), bytes.Repeat([]byte("http://a/ "), n/15), nil} {
		for _, opts := range []Options{{}, {Extras: Abbreviated | Address}} {
			s := NewScanner(nil, opts)
			in := &reaching{choppy: choppy{text: text, sizes: []byte{255, 3, 90}}, s: s, t: t, all: text}
			s.Reset(in)
			if _, err := collect(s); err != io.EOF {
				t.Fatal(err)
			}
		}
	}
}

// TestEndings checks that narrowing keeps the last letters of every scheme, with any character in
// front of an ending of two letters. No ending may begin with punctuation, and every name of a
// scheme must be kept.
func TestEndings(t *testing.T) {
	if !hasAVX2 {
		t.Skip("there are no kernels")
	}
	b := bytes.Repeat([]byte("a"), 512)
	asks := func(ending string) bool {
		copy(b[256-len(ending):], ending)
		b[256] = ':'
		left := narrowBlocks(b, 0, []uint32{256}, make([]uint64, 1)) == 1
		copy(b[250:], "aaaaaaa")
		return left
	}
	for name, h := range lookup {
		if h&opaque != 0 && (!asks(name) || !asks(strings.ToUpper(name))) {
			t.Errorf("%q is not looked at", name)
		}
		if len(name) > 2 && h&opaque != 0 && !roles[name[len(name)-3]].has(alnum) {
			t.Errorf("%q has an ending with a mark", name)
		}
		for _, text := range []string{name + ": a", strings.ToUpper(name) + ": a", "<a+" + name + ": a>"} {
			if h&opaque != 0 && !worthwhile([]byte(text), 0, strings.IndexByte(text, ':')) {
				t.Errorf("the colon of %q is not worth a look", text)
			}
		}
		if len(name) == 2 && h&opaque != 0 && !asks("\xe9"+name) {
			t.Errorf("%q is not examined after a letter beyond ASCII", name)
		}
	}
	for _, no := range []string{"Subject", "From", "Date", "12"} {
		if asks(no) {
			t.Errorf("%q is looked at", no)
		}
	}
}

// FuzzColons is TestKernels for arbitrary text.
func FuzzColons(f *testing.F) {
	addSeeds(f, func(text []byte, _ byte) { f.Add(text) })
	r := rand.New(rand.NewPCG(2, 5))
	for range 20 {
		f.Add(randomColons(r, 300))
	}
	f.Add([]byte(strings.Repeat("a", 100) + "<x-message-id: foo>" + strings.Repeat(" b", 100)))
	f.Add([]byte(strings.Repeat("a", 100) + "<x-type: foo> x-a Content-Type: text <x-a+ype: b>" + strings.Repeat(" b", 100)))
	f.Add([]byte(strings.Repeat("a", 100) + "<mailto:\n> \n> /a" + strings.Repeat(" b", 100)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4*pieceLen {
			return
		}
		checkKernels(t, text)
		checkWays(t, text, Options{})
	})
}
