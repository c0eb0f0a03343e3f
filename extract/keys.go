package extract

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"os"

	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/files"
)

// This file has the methods for an index of Places: an ordered set of keys, in which a caller finds
// the Place of a file that was renamed, copied or compressed since. A caller needs it for rotated
// logs or archives that move. A caller that knows its files by name, or by Device and Inode, needs
// only Continues. The command urlsift keeps such an index in the file of its option --state.

// keyLen is the length of a key, and headLen that of its head.
const (
	keyLen  = 3 * headLen
	headLen = 8
)

// AppendKey appends to dst the key of p in an index of Places, 24 bytes, and returns the
// extended slice. It depends on what was read up to p: its length and hashes of it. So the
// keys of Places in files that begin alike are next to each other, in order of length. See
// [File.Keys].
func (p *Place) AppendKey(dst []byte) []byte {
	return appendKey(dst, p.packed && !p.hasText, p.content().Fingerprint())
}

// appendKey appends a key. packed says that it is of the bytes of a compressed file, and not of
// its text.
func appendKey(dst []byte, packed bool, p digest.Fingerprint) []byte {
	dst = appendHead(dst, packed, p.Head)
	dst = binary.BigEndian.AppendUint64(dst, uint64(p.Length))
	return binary.BigEndian.AppendUint64(dst, p.Sum)
}

// appendHead appends the head of a key: a hash of the first bytes, in which the lowest bit is
// packed.
func appendHead(dst []byte, packed bool, head uint64) []byte {
	if head &^= 1; packed {
		head |= 1
	}
	return binary.BigEndian.AppendUint64(dst, head)
}

// Keys returns the keys of Places in an index that f may continue: the bytes read up to such a
// Place are probably also the beginning of f, or of its decompressed stream. [File.Begins] verifies
// it. seek returns the first key of the index that is not less than from, in the order of bytes, or
// nil if there is none. f is read, and decompressed, once or twice as far as the longest of these
// Places. Keys of text are in front of those of the bytes of compressed files, and shorter ones in
// front of longer ones.
func (f *File) Keys(seek func(from []byte) (key []byte)) (keys [][]byte) {
	defer f.pool.Reset()
	find := func(r io.Reader, packed bool) {
		next := func(head uint64, after int64) (length int64, ok bool) {
			from := binary.BigEndian.AppendUint64(appendHead(nil, packed, head), uint64(after)+1)
			key := seek(append(from, make([]byte, keyLen-len(from))...))
			if len(key) != keyLen || !bytes.HasPrefix(key, from[:headLen]) {
				return 0, false
			}
			return int64(binary.BigEndian.Uint64(key[headLen:])), true
		}
		digest.Prefixes(r, next, func(p digest.Fingerprint) {
			if key := appendKey(nil, packed, p); bytes.Equal(seek(key), key) {
				keys = append(keys, key)
			}
		})
	}
	in, over := f.open(math.MaxInt64)
	packed := f.pool.Compressions() > 0
	if over == nil {
		find(in, false)
	}
	f.pool.Reset()
	if packed {
		find(io.NewSectionReader(f.at, 0, math.MaxInt64), true)
	}
	return keys
}

// KeyPrefix returns the first 8 bytes of the keys of all Places whose text begins like the text of
// f. It returns nil if the text of f is too short to decide them; the keys of Places with so little
// text begin with zeros. With it the caller can recognise a file that is only the beginning of
// another one, such as an incomplete copy.
func (f *File) KeyPrefix() []byte {
	defer f.pool.Reset()
	in, over := f.open(f.Size)
	if over != nil {
		return nil
	}
	head, ok := digest.Head(in)
	if !ok {
		return nil
	}
	return appendHead(nil, false, head)
}

// OtherBegins reports whether the file at path begins with all that was read up to p, as
// Begins does for f. It serves an index of Places, as [File.Keys] does: before f takes
// over a Place that was found there, the caller checks with it whether another new file fits the
// Place better.
func (f *File) OtherBegins(path string, p Place) bool {
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	at, id, ok := files.Identify(r)
	other := File{Name: path, Size: id.Size, at: at, pool: f.pool, done: f.done}
	return ok && other.Begins(&p)
}
