package state

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/urlsift/urlsift/extract"
)

// The names of the buckets.
var (
	metaBucket   = []byte("meta")
	filesBucket  = []byte("files")
	stemsBucket  = []byte("stems")
	formerBucket = []byte("former")
	urlsBucket   = []byte("urls")
)

var buckets = [][]byte{metaBucket, filesBucket, stemsBucket, formerBucket, urlsBucket}

// A key is that of a file: its device, its inode, and a hash of its name.
type key [24]byte

// sameFile is the length of the part of a key that a renamed file keeps.
const sameFile = 16

// keyOf returns the key of a file.
func keyOf(device, inode uint64, name string) (k key) {
	binary.BigEndian.PutUint64(k[:], device)
	binary.BigEndian.PutUint64(k[8:], inode)
	binary.BigEndian.PutUint64(k[16:], xxhash.Sum64String(name))
	return k
}

// A stem is the hash of the stem of a name.
type stem [8]byte

// stemOf returns the stem of the file at path. The folder does not matter.
func stemOf(path string) (s stem) {
	base := filepath.Base(path)
	for _, mark := range [...]string{":2,", ";2,", "!2,"} { // flags of a maildir
		if i := strings.LastIndex(base, mark); i > 0 {
			base = base[:i]
		}
	}
	base = unrotated(base)
	if ext := filepath.Ext(base); ext != "" && ext != base { // app-20261123.log
		base = unrotated(strings.TrimSuffix(base, ext)) + ext
	}
	binary.BigEndian.PutUint64(s[:], xxhash.Sum64String(base))
	return s
}

// mostSuffixes bounds what is removed from a name: log-2026-11-23.1.gz has five.
const mostSuffixes = 8

// unrotated returns name without the suffixes that rotation and compression add. Each
// iteration removes one.
func unrotated(name string) string {
	for range mostSuffixes {
		i := strings.LastIndexAny(name, ".-")
		if i <= 0 || !isSuffix(name[i+1:]) {
			break
		}
		name = name[:i]
	}
	return name
}

// isSuffix reports whether a file that is rotated or compressed gets the suffix s: a number,
// a date, or the name of a compression.
func isSuffix(s string) bool {
	switch s {
	case "gz", "bz2", "xz", "zst", "Z", "lz4", "zz", "sz", "s2", "old", "bak":
		return true
	}
	return s != "" && strings.Trim(s, "0123456789T_") == "" && strings.ContainsAny(s, "0123456789")
}

// A record is what is known of a file. Of a former one, the file is another by now.
type record struct {
	name           string
	device, inode  uint64
	size, modified int64 // when it was opened
	read           int64 // when that was, in seconds since 1970
	run            int64 // in which run
	young          bool
	place          extract.Place
}

// head is the length of the beginning of a record as bytes: checksum, size, time, flags.
const head = 4 + 8 + 8 + 1

// Flags of a record.
const (
	isYoung = 1 << iota
	isWhole
)

// appendTo appends r to b.
func (r *record) appendTo(b []byte) []byte {
	n := len(b)
	flags := byte(0)
	if r.young {
		flags |= isYoung
	}
	if r.place.Whole {
		flags |= isWhole
	}
	b = append(b, 0, 0, 0, 0)
	b = binary.BigEndian.AppendUint64(b, uint64(r.size))
	b = binary.BigEndian.AppendUint64(b, uint64(r.modified))
	b = append(b, flags)
	for _, v := range [...]uint64{r.device, r.inode, uint64(r.read), uint64(r.run), uint64(len(r.name))} {
		b = binary.AppendUvarint(b, v)
	}
	b = append(b, r.name...)
	b, _ = r.place.AppendBinary(b) // its error is nil
	binary.BigEndian.PutUint32(b[n:], crc32.ChecksumIEEE(b[n+4:]))
	return b
}

// errRecord is the error of a record that is not as it was written.
var errRecord = errors.New("it is damaged")

// parseRecord reads what appendTo has written.
func parseRecord(b []byte) (*record, error) {
	if len(b) < head || binary.BigEndian.Uint32(b) != crc32.ChecksumIEEE(b[4:]) {
		return nil, errRecord
	}
	r := &record{size: int64(binary.BigEndian.Uint64(b[4:])), modified: int64(binary.BigEndian.Uint64(b[12:])), young: b[20]&isYoung != 0}
	b = b[head:]
	var numbers [5]uint64
	for i := range numbers {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errRecord
		}
		numbers[i], b = v, b[n:]
	}
	r.device, r.inode, r.read, r.run = numbers[0], numbers[1], int64(numbers[2]), int64(numbers[3])
	long := numbers[4]
	if long > uint64(len(b)) {
		return nil, errRecord
	}
	r.name = string(b[:long])
	if err := r.place.UnmarshalBinary(b[long:]); err != nil {
		return nil, errRecord
	}
	return r, nil
}

// headOf returns the size and the time of the record b, and its flags.
func headOf(b []byte) (size, modified int64, flags byte, ok bool) {
	if len(b) < head || binary.BigEndian.Uint32(b) != crc32.ChecksumIEEE(b[4:]) {
		return 0, 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(b[4:])), int64(binary.BigEndian.Uint64(b[12:])), b[20], true
}

// key returns the key of r.
func (r *record) key() key { return keyOf(r.device, r.inode, r.name) }
