package record

import (
	"encoding/binary"
	"strconv"

	"github.com/urlsift/urlsift/extract"
)

// The position of a reference is four numbers that differ in each result. The function append
// is slow for such short texts: it checks each time whether there is room, and calls a function
// that copies. So the numbers, and what is between them, are written into an array here, whose size and index type
// make all checks unnecessary.
//
// With strconv.AppendInt and append in place of putNumber and piece.put, a log with 212 540
// references takes 1.14 times the processor time in JSON.

// pieceSize is the size of a piece: two words.
const pieceSize = 16

// A space is room for pieces and numbers. Each begins at an index of type uint8, which is below 256.
// A piece has 16 bytes, so it always ends inside the space.
type space [256 + pieceSize]byte

// spaceIn returns the space in the memory of dst from at on, where there is room for it.
func spaceIn(dst []byte, at int) *space { return (*space)(dst[at:cap(dst)]) }

// A piece is a short text that records have between their values, such as a key of JSON with its
// quotes, comma and colon.
type piece struct {
	text [pieceSize]byte
	n    uint8
}

// pieceOf returns the piece with text, which has at most pieceSize bytes.
func pieceOf(text string) (p piece) {
	if len(text) > pieceSize {
		panic("record: the text is too long: " + text)
	}
	p.n = uint8(copy(p.text[:], text))
	return p
}

// put writes p at a place and returns where p ends. Bytes after the end may change.
func (p *piece) put(to *space, at uint8) uint8 {
	*(*[pieceSize]byte)(to[at:][:pieceSize]) = p.text
	return at + p.n
}

// putAt is put for any memory that has room for pieceSize bytes there.
func (p *piece) putAt(to []byte, at int) int {
	*(*[pieceSize]byte)(to[at:]) = p.text
	return at + int(p.n)
}

// positionFields are the fields that a position stands for.
var positionFields = []string{"offset", "length", "line", "column", "exact"}

// A position writes positionFields.
type position struct {
	numbers [4]piece // what is in front of each number
	yes, no piece    // what follows, if the field exact is true and if it is false
}

// newPosition returns the position for records in the syntax s. Every record has the fields.
func newPosition(s *syntax) *position {
	p := new(position)
	separator := ""
	for i := range p.numbers {
		p.numbers[i] = pieceOf(separator + s.key(positionFields[i]))
		separator = s.separator
	}
	exact := separator + s.key(positionFields[4])
	p.yes, p.no = pieceOf(exact+"true"+separator), pieceOf(exact+"false"+separator)
	return p
}

// put writes the fields of o at the beginning of to and returns where they end. They take at most 5
// pieces of pieceSize bytes and 4 numbers of 20 digits, which is less than the size of type space.
func (p *position) put(to *space, o *extract.Origin) (at uint8) {
	at = putNumber(to, p.numbers[0].put(to, 0), o.Offset)
	at = putNumber(to, p.numbers[1].put(to, at), o.Length)
	at = putNumber(to, p.numbers[2].put(to, at), o.Line)
	at = putNumber(to, p.numbers[3].put(to, at), o.Column)
	if o.Exact {
		at = p.yes.put(to, at)
	} else {
		at = p.no.put(to, at)
	}
	return at
}

// putNumber writes n at a place, as strconv.AppendInt would, and returns where it ends. Digits
// are looked up three at a time: lengths and columns have one group of three, lines
// mostly two, offsets three or four.
func putNumber(to *space, at uint8, n int64) uint8 {
	switch u := uint64(n); {
	case u < 1e3:
		return putFirst(to, at, uint32(u))
	case u < 1e6:
		at = putFirst(to, at, uint32(u)/1e3)
		return putThree(to, at, uint32(u)%1e3)
	case u < 1e9:
		at = putFirst(to, at, uint32(u)/1e6)
		at = putThree(to, at, uint32(u)/1e3%1e3)
		return putThree(to, at, uint32(u)%1e3)
	case u < 1e12:
		high, low := uint32(u/1e6), uint32(u%1e6)
		at = putFirst(to, at, high/1e3)
		at = putThree(to, at, high%1e3)
		at = putThree(to, at, low/1e3)
		return putThree(to, at, low%1e3)
	}
	return at + uint8(len(strconv.AppendInt(to[at:at], n, 10)))
}

// putFirst is putNumber for n below 1000.
func putFirst(to *space, at uint8, n uint32) uint8 {
	x := threes[n%1024]
	zeros := x >> 24
	binary.LittleEndian.PutUint32(to[at:][:4], x>>(zeros*8&31))
	return at + 3 - uint8(zeros)
}

// putThree writes n, which is below 1000, with three digits.
func putThree(to *space, at uint8, n uint32) uint8 {
	binary.LittleEndian.PutUint32(to[at:][:4], threes[n%1024])
	return at + 3
}

// threes has for each number below 1000 its three digits, the first in the lowest byte, and in
// the highest byte the number of zeros at its beginning.
var threes = func() (t [1024]uint32) { // 1024, so that no index is out of range
	for n := range uint32(1000) {
		zeros := uint32(0)
		for _, least := range [...]uint32{10, 100} {
			if n < least {
				zeros++
			}
		}
		t[n] = '0' + n/100 | ('0'+n/10%10)<<8 | ('0'+n%10)<<16 | zeros<<24
	}
	return t
}()
