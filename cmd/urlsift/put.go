package main

import (
	"encoding/binary"
	"strconv"
	"unsafe"
)

// Short texts and numbers, put one behind the other where a record is made. What appends
// them asks each time whether there is room, which takes longer than to write so little.
// So here at is a place in memory that has room for what is written: who calls has seen
// to that, once for a record (lineRoom). What is behind the end may change, too.

// A key is a short text in memory that is copied whole: that is two words, which takes no
// loop.
type key struct {
	text [16]byte
	n    int
}

// pieceOf returns text, which is as short as that.
func pieceOf(text string) (k key) {
	k.n = copy(k.text[:], text)
	return k
}

// put writes text at at, and returns where it ends.
func put(at unsafe.Pointer, text []byte) unsafe.Pointer {
	copy(unsafe.Slice((*byte)(at), len(text)), text)
	return unsafe.Add(at, len(text))
}

// put writes k at at, and returns where it ends.
func (k *key) put(at unsafe.Pointer) unsafe.Pointer {
	*(*[16]byte)(at) = k.text
	return unsafe.Add(at, k.n)
}

// numberRoom is what a key and any number may take.
const numberRoom = 40

// putNumber writes n at at, as strconv.AppendInt would, and returns where it ends. Digits
// are looked up by threes: lengths and columns have one three, lines mostly two, offsets
// three or four.
func putNumber(at unsafe.Pointer, n int64) unsafe.Pointer {
	switch u := uint64(n); {
	case u < 1e3:
		return putFirst(at, uint32(u))
	case u < 1e6:
		at = putFirst(at, uint32(u)/1e3)
		return putThree(at, uint32(u)%1e3)
	case u < 1e9:
		at = putFirst(at, uint32(u)/1e6)
		at = putThree(at, uint32(u)/1e3%1e3)
		return putThree(at, uint32(u)%1e3)
	case u < 1e12:
		high, low := uint32(u/1e6), uint32(u%1e6)
		at = putFirst(at, high/1e3)
		at = putThree(at, high%1e3)
		at = putThree(at, low/1e3)
		return putThree(at, low%1e3)
	}
	digits := strconv.AppendInt(unsafe.Slice((*byte)(at), numberRoom/2)[:0], n, 10)
	return unsafe.Add(at, len(digits))
}

// putFirst is putNumber for n below 1000.
func putFirst(at unsafe.Pointer, n uint32) unsafe.Pointer {
	x := threes[n%1024]
	zeros := x >> 24
	binary.LittleEndian.PutUint32((*[4]byte)(at)[:], x>>(zeros*8&31))
	return unsafe.Add(at, 3-int(zeros))
}

// putThree writes all three digits of such an n.
func putThree(at unsafe.Pointer, n uint32) unsafe.Pointer {
	binary.LittleEndian.PutUint32((*[4]byte)(at)[:], threes[n%1024])
	return unsafe.Add(at, 3)
}

// threes has the three digits of numbers, the first lowest, and above them how many
// are zeros that a number does not begin with.
var threes = func() (t [1024]uint32) { // more than needed, so that no look can be outside
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
