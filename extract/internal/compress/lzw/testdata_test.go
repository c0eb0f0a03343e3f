package lzw

import (
	"bytes"
	"fmt"
)

// plain returns the text of testdata/b10.Z and b16.Z.
func plain() []byte {
	var b bytes.Buffer
	for i := range 400 {
		fmt.Fprintf(&b, "%d see http://www.example.org/%x/index.html and ftp://ftp.example.net/pub/%d\n", i, i*7919%997, i%17)
	}
	return b.Bytes()
}

// clears returns the text of testdata/clears.Z. Its middle differs from the rest, so that compress
// clears the table.
func clears() []byte {
	b := plain()
	for i, x := 0, uint32(1); i < 9000; i++ {
		x = (x*1103515245 + 12345) & 0x7fffffff
		b = append(b, byte(33+(x>>16)%94))
	}
	return append(b, plain()...)
}

// A writer packs codes as compress does, in groups of eight codes of the same width.
type writer struct {
	out   []byte
	group []int
	width int
}

func (w *writer) put(code int) {
	w.group = append(w.group, code)
	if len(w.group) == 8 {
		w.flush(true)
	}
}

// flush writes the codes of a group and, if whole is set, zeros for the others.
func (w *writer) flush(whole bool) {
	bits := len(w.group) * w.width
	if whole && bits > 0 {
		bits = 8 * w.width
	}
	at := len(w.out)
	w.out = append(w.out, make([]byte, (bits+7)/8)...)
	for i, code := range w.group {
		for b := range w.width {
			if code>>b&1 != 0 {
				w.out[at+(i*w.width+b)/8] |= 1 << ((i*w.width + b) % 8)
			}
		}
	}
	w.group = w.group[:0]
}

// compress does the same as the program, in a simple way. If every is not 0, it clears the table
// whenever the offset in the text is a multiple of every.
func compress(text []byte, bits int, block bool, every int) []byte {
	w := &writer{out: []byte{0x1f, 0x9d, byte(bits)}, width: 9}
	first := 256
	if block {
		w.out[2] |= 0x80
		first = 257
	}
	free := first
	codes := map[string]int{}
	find := func(s []byte) (int, bool) {
		if len(s) == 1 {
			return int(s[0]), true
		}
		c, ok := codes[string(s)]
		return c, ok
	}
	wider := func() {
		// The reader's table is one code behind, and it checks the size before it reads a code.
		if free > 1<<w.width && (w.width < bits || w.width == 9) {
			w.flush(true)
			w.width++
		}
	}
	for i := 0; i < len(text); {
		n := 1
		code := int(text[i])
		for i+n < len(text) {
			c, ok := find(text[i : i+n+1])
			if !ok {
				break
			}
			code, n = c, n+1
		}
		w.put(code)
		if i+n < len(text) && free < 1<<bits {
			codes[string(text[i:i+n+1])] = free
			free++
		} else if free == 1<<bits {
			free++ // the width changes only once
		}
		wider()
		if block && every > 0 && i/every != (i+n)/every {
			w.put(clearCode)
			w.flush(true)
			clear(codes)
			free, w.width = first, 9
		}
		i += n
	}
	w.flush(false)
	return w.out
}

// slow is a simple decoder with a string for each code. in has a header. slow returns the text, the
// number of CLEAR codes, and whether a code was invalid.
func slow(in []byte) (out []byte, clears int, bad bool) {
	block, most, first := in[2]&0x80 != 0, max(10, int(in[2]&0x1f)), 256
	if block {
		first = 257
	}
	in = in[3:]
	var table []string
	empty := func() {
		table = table[:0]
		for i := range first {
			table = append(table, string([]byte{byte(i)}))
		}
	}
	empty()
	prev := ""
	pos, begin, width := 0, 0, 9
	next := func(w int) { // align starts a new group of codes
		for (pos-begin)%(8*width) != 0 {
			pos++
		}
		begin, width = pos, w
	}
	for {
		if len(table) == 1<<width && width < most {
			next(width + 1)
		}
		if pos+width > 8*len(in) {
			return out, clears, false
		}
		code := 0
		for b := range width {
			code |= int(in[pos/8]>>(pos%8)&1) << b
			pos++
		}
		if block && code == clearCode {
			clears++
			next(9)
			empty()
			prev = ""
			continue
		}
		s := ""
		switch {
		case prev == "" && code > 255 || code > len(table):
			return out, clears, true
		case code == len(table):
			s = prev + prev[:1]
		default:
			s = table[code]
		}
		if prev != "" && len(table) < 1<<most {
			table = append(table, prev+s[:1])
		}
		out = append(out, s...)
		prev = s
	}
}
