package lzma_test

import (
	"errors"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/lzma"
)

// A twin decodes LZMA and LZMA2 as the specification describes it, bit by bit, from memory into memory. What is wrong
// panics with an error, also the end of the input.
type twin struct {
	in        []byte
	rng, code uint32
	p         lzma.Params
	text      []byte
	base      int // where the dictionary begins in text
	state     int
	rep       [4]int
	probs     map[[4]int]int // by what they are for
}

func (t *twin) byte() uint32 {
	if len(t.in) == 0 {
		panic(io.ErrUnexpectedEOF)
	}
	c := t.in[0]
	t.in = t.in[1:]
	return uint32(c)
}

func (t *twin) begin() {
	t.rng, t.code = 1<<32-1, 0
	bad := t.byte() != 0
	for range 4 {
		t.code = t.code<<8 + t.byte()
	}
	if bad {
		panic(lzma.ErrCorrupt)
	}
}

func (t *twin) reset() {
	t.state, t.rep, t.probs = 0, [4]int{}, map[[4]int]int{}
}

func (t *twin) normalize() {
	if t.rng < 1<<24 {
		t.rng, t.code = t.rng<<8, t.code<<8+t.byte()
	}
}

func (t *twin) bit(what ...int) int {
	t.normalize()
	var key [4]int
	copy(key[:], what)
	p, ok := t.probs[key]
	if !ok {
		p = 1024
	}
	bound := t.rng / 2048 * uint32(p)
	if t.code < bound {
		t.rng = bound
		t.probs[key] = p + (2048-p)/32
		return 0
	}
	t.rng, t.code = t.rng-bound, t.code-bound
	t.probs[key] = p - p/32
	return 1
}

// tree decodes n bits, the highest first.
func (t *twin) tree(n int, what, which int) (v int) {
	v = 1
	for range n {
		v = 2*v + t.bit(what, which, v)
	}
	return v - 1<<n
}

// reverse decodes n bits, the lowest first.
func (t *twin) reverse(n int, what, which int) (v int) {
	m := 1
	for i := range n {
		b := t.bit(what, which, m)
		m = 2*m + b
		v += b << i
	}
	return v
}

// What bits are for. Lengths have four numbers each.
const (
	ofMatch = iota
	ofRep
	ofRep0
	ofRep1
	ofRep2
	ofLong
	ofLiteral
	ofSlot
	ofDist
	ofAlign
	ofLength    = 20
	ofRepLength = 30
)

func (t *twin) length(of, pos int) int {
	switch {
	case t.bit(of) == 0:
		return 2 + t.tree(3, of+1, pos)
	case t.bit(of, 1) == 0:
		return 10 + t.tree(3, of+2, pos)
	}
	return 18 + t.tree(8, of+3, 0)
}

func (t *twin) back(dist int) byte {
	if dist >= len(t.text)-t.base || int64(dist) >= max(t.p.Dict, 4096) {
		panic(lzma.ErrCorrupt)
	}
	return t.text[len(t.text)-1-dist]
}

var errMark = errors.New("mark")

// symbol decodes a literal or a match into text, of which there are most bytes left, or panics with errMark.
func (t *twin) symbol(most int) {
	at := len(t.text) - t.base
	pos := at % (1 << t.p.PB)
	if t.bit(ofMatch, t.state, pos) == 0 {
		prev := 0
		if at > 0 {
			prev = int(t.back(0))
		}
		context := at%(1<<t.p.LP)<<t.p.LC + prev>>(8-t.p.LC)
		v, same := 1, t.state >= 7
		for i := 7; i >= 0; i-- {
			expected := 2
			if same {
				expected = int(t.back(t.rep[0])) >> i & 1
			}
			b := t.bit(ofLiteral, context, expected, v)
			v, same = 2*v+b, same && b == expected
		}
		if most == 0 {
			panic(lzma.ErrCorrupt)
		}
		t.text = append(t.text, byte(v))
		t.state = []int{0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 4, 5}[t.state]
		return
	}
	afterLiteral, n := t.state < 7, 1
	next := func(yes, no int) {
		if t.state = no; afterLiteral {
			t.state = yes
		}
	}
	if state := t.state; t.bit(ofRep, state) == 0 {
		t.rep = [4]int{0, t.rep[0], t.rep[1], t.rep[2]}
		n = t.length(ofLength, pos)
		next(7, 10)
		t.rep[0] = t.distance(n)
		if uint32(t.rep[0]) == 1<<32-1 {
			panic(errMark)
		}
	} else if t.bit(ofRep0, state) == 1 {
		i := 1
		if t.bit(ofRep1, state) == 1 {
			i = 2 + t.bit(ofRep2, state)
		}
		dist := t.rep[i]
		copy(t.rep[1:i+1], t.rep[:i])
		t.rep[0] = dist
		n = t.length(ofRepLength, pos)
		next(8, 11)
	} else if t.bit(ofLong, state, pos) == 1 {
		n = t.length(ofRepLength, pos)
		next(8, 11)
	} else {
		next(9, 11)
	}
	for range n {
		c := t.back(t.rep[0])
		if most--; most < 0 {
			panic(lzma.ErrCorrupt)
		}
		t.text = append(t.text, c)
	}
}

func (t *twin) distance(n int) int {
	slot := t.tree(6, ofSlot, min(n-2, 3))
	if slot < 4 {
		return slot
	}
	k := slot/2 - 1
	dist := (2 + slot%2) << k
	if slot < 14 {
		return dist + t.reverse(k, ofDist, slot)
	}
	for i := k - 1; i >= 4; i-- {
		t.normalize()
		t.rng /= 2
		if t.code >= t.rng {
			t.code -= t.rng
			dist += 1 << i
		}
	}
	return dist + t.reverse(4, ofAlign, 0)
}

// most is how much text a twin decodes.
const most = 1 << 17

// run calls f, which panics, and returns the text, what is left of the input, and the error.
func (t *twin) run(f func()) (text, rest []byte, err error) {
	defer func() {
		var ok bool
		if err, ok = recover().(error); !ok {
			panic(err)
		}
		text, rest = t.text, t.in
	}()
	f()
	panic("no end")
}

var errMost = errors.New("much text")

// lzma1 decodes a stream of LZMA.
func lzma1(data []byte, p lzma.Params) (text, rest []byte, err error) {
	t := &twin{in: data, p: p}
	text, rest, err = t.run(func() {
		t.reset()
		t.begin()
		for len(t.text) < most {
			left := most
			if p.Size >= 0 {
				if left = int(p.Size) - len(t.text); left == 0 {
					if t.normalize(); t.code == 0 {
						panic(io.EOF)
					}
				}
			}
			t.symbol(left)
			if left == 0 {
				panic(lzma.ErrCorrupt)
			}
		}
		panic(errMost)
	})
	if err == errMark {
		text, rest, err = t.run(func() {
			if p.Size >= 0 && p.Size != int64(len(t.text)) {
				panic(lzma.ErrCorrupt)
			}
			if t.normalize(); t.code != 0 {
				panic(lzma.ErrCorrupt)
			}
			panic(io.EOF)
		})
	}
	return text, rest, err
}

// lzma2 decodes LZMA2 with a dictionary of that size.
func lzma2(data []byte, dict int64) (text, rest []byte, err error) {
	t := &twin{in: data, p: lzma.Params{Dict: dict}}
	text, rest, err = t.run(func() {
		hasDict, hasProps := false, false
		for len(t.text) < most {
			c := t.byte()
			if c == 0 {
				panic(io.EOF)
			}
			if c > 2 && c < 0x80 {
				panic(lzma.ErrCorrupt)
			}
			if c == 1 || c >= 0xe0 {
				hasDict, hasProps, t.base = true, false, len(t.text)
			}
			size := int(t.byte()<<8 + t.byte() + 1)
			if c < 0x80 {
				if !hasDict {
					panic(lzma.ErrCorrupt)
				}
				for range size {
					t.text = append(t.text, byte(t.byte()))
				}
				continue
			}
			size += int(c&0x1f) << 16
			packed := int(t.byte()<<8 + t.byte() + 1)
			if c >= 0xc0 {
				if hasProps = t.p.SetProperties(byte(t.byte())) && t.p.LC+t.p.LP <= 4; !hasProps {
					panic(lzma.ErrCorrupt)
				}
			}
			if !hasDict || !hasProps {
				panic(lzma.ErrCorrupt)
			}
			if c >= 0xa0 {
				t.reset()
			}
			// The end of the chunk is damage, the end of the input is not.
			after, cut := []byte{}, len(t.in) < packed
			if !cut {
				t.in, after = t.in[:packed], t.in[packed:]
			}
			text, rest, err := t.run(func() {
				t.begin()
				for end := len(t.text) + size; len(t.text) < end; {
					t.symbol(end - len(t.text))
				}
				t.normalize()
				panic(io.EOF)
			})
			if t.text, t.in = text, after; err == io.ErrUnexpectedEOF && cut {
				panic(err)
			}
			if err != io.EOF || len(rest) > 0 || t.code != 0 {
				panic(lzma.ErrCorrupt)
			}
		}
		panic(errMost)
	})
	return text, rest, err
}
