package count

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"unsafe"
)

// A sumTable has the sums of keys. Its parts are
//
//	slots    a hash table with open addressing: the upper half of a slot is the hash of a
//	         key, the lower half the number of its entry, from 1; 0 is a free slot
//	entries  sums and where the keys are, in chunks that never move
//	keys     the bytes of the keys, in chunks that never move
//
// With a map of Go instead of the slots, counting three million different URLs takes 1.9
// times as long and 382 MB instead of 273, and with --memory 64M 1.25 times as long and
// 109 MB instead of 82. Where there are few keys, the map is up to 7 % faster.
//
// reset keeps the memory of these parts, so that it is used again.
type sumTable struct {
	slots   []uint64 // the length is a power of two
	n       int      // entries in use
	entries [][]keySum
	keys    [][]byte   // the length of a chunk is the part in use; all chunks in use except the last are full
	at      int        // the chunk of keys that is being filled
	bytes   int64      // bytes of the chunks of keys, up to at
	items   []sortItem // memory for sorting
}

// A keySum, an entry of the table, is a key and its sum.
type keySum struct {
	chunk, start, length uint32 // of the key
	sum                  Sum
}

const (
	entriesPerChunk = 1 << 10
	keyChunk        = 64 << 10
	firstSlots      = 1 << 8

	// The slots are at most three quarters full. While they grow, the old ones still exist.
	slotSize = 8 + 4

	entrySize = int64(unsafe.Sizeof(keySum{}))
	itemSize  = int64(unsafe.Sizeof(sortItem{}))
)

var seed = maphash.MakeSeed()

// hashOf returns the hash for find and insert.
func hashOf(key []byte) uint32 { return uint32(maphash.Bytes(seed, key) >> 32) }

func (t *sumTable) len() int { return t.n }

// full reports whether there are as many keys as a slot can number.
func (t *sumTable) full() bool { return t.n == math.MaxInt32 }

// costWith returns the bytes that the table takes if a new key of that length is inserted,
// and sorted. It counts what is used, not what was allocated for an earlier table.
func (t *sumTable) costWith(length int) int64 {
	slots := int64(len(t.slots))
	if int64(t.n+1)*4 > slots*3 {
		slots *= 2
	}
	slots = min(slots, int64(t.n+1)*8) // memory of an earlier table does not count
	keys := t.bytes
	if t.at < len(t.keys) {
		keys += int64(len(t.keys[t.at]))
	}
	return keys + int64(length) + int64(t.n+1)*(entrySize+itemSize) + slots*slotSize
}

// find returns the entry of key, or nil. It visits the slots from the hash to the next free
// one; there is always a free slot.
func (t *sumTable) find(key []byte, hash uint32) *keySum {
	if t.n == 0 {
		return nil
	}
	mask := uint32(len(t.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return nil
		}
		if uint32(s>>32) == hash {
			if e := t.entry(uint32(s) - 1); bytes.Equal(t.key(e), key) {
				return e
			}
		}
	}
}

// insert adds a key that is not in the table.
func (t *sumTable) insert(key []byte, hash uint32, s *Sum) {
	if (t.n+1)*4 > len(t.slots)*3 {
		t.grow()
	}
	if t.n/entriesPerChunk == len(t.entries) {
		t.entries = append(t.entries, make([]keySum, entriesPerChunk))
	}
	e := t.entry(uint32(t.n))
	e.sum = *s
	e.chunk, e.start = t.keep(key)
	e.length = uint32(len(key))
	t.n++
	t.occupy(hash, uint32(t.n))
}

// occupy puts the entry of that number, from 1, into the first free slot from its hash on.
func (t *sumTable) occupy(hash, number uint32) {
	mask := uint32(len(t.slots) - 1)
	i := hash & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = uint64(hash)<<32 | uint64(number)
}

// grow doubles the slots.
func (t *sumTable) grow() {
	old := t.slots
	t.slots = make([]uint64, max(firstSlots, 2*len(old)))
	for _, s := range old {
		if s != 0 {
			t.occupy(uint32(s>>32), uint32(s))
		}
	}
}

// keep copies key and returns the position of the copy. A key that is longer than a chunk gets its
// own chunk.
func (t *sumTable) keep(key []byte) (chunk, start uint32) {
	for ; t.at < len(t.keys); t.at++ { // a chunk more in each iteration
		c := t.keys[t.at]
		if cap(c)-len(c) >= len(key) {
			t.keys[t.at] = append(c, key...)
			return uint32(t.at), uint32(len(c))
		}
		t.bytes += int64(cap(c))
	}
	t.keys = append(t.keys, append(make([]byte, 0, max(keyChunk, len(key))), key...))
	return uint32(t.at), 0
}

func (t *sumTable) entry(at uint32) *keySum {
	return &t.entries[at/entriesPerChunk][at%entriesPerChunk]
}

// key returns the key of e, valid until reset.
func (t *sumTable) key(e *keySum) []byte {
	return t.keys[e.chunk][e.start:][:e.length:e.length]
}

// reset empties the table and keeps its memory, except for chunks of long keys.
func (t *sumTable) reset() {
	clear(t.slots)
	t.keys = slices.DeleteFunc(t.keys, func(c []byte) bool { return cap(c) > 2*keyChunk })
	for i := range t.keys {
		t.keys[i] = t.keys[i][:0]
	}
	t.n, t.at, t.bytes = 0, 0, 0
}

// A sortItem is an entry that is being sorted. Its word is eight bytes of its key, as a number
// with the same order; bytes after the end of the key are zero.
type sortItem struct {
	word uint64
	at   uint32 // the entry
	of   uint32 // number of the table, if there are several
}
