package state

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"
	bolt "go.etcd.io/bbolt"

	"github.com/urlsift/urlsift/extract"
)

// The names of the buckets.
var (
	metaBucket     = []byte("meta")
	filesBucket    = []byte("files")
	inodesBucket   = []byte("inodes")
	formerBucket   = []byte("former")
	urlsBucket     = []byte("urls")
	contentsBucket = []byte("contents")
	batchesBucket  = []byte("batches")
	goneBucket     = []byte("gone")
	messagesBucket = []byte("messages")
)

var buckets = [][]byte{metaBucket, filesBucket, inodesBucket, contentsBucket, formerBucket, urlsBucket, batchesBucket, goneBucket, messagesBucket}

// An index is a key in the bucket that maps inodes to names: the number of the inode, and a hash
// of the name, because an inode may have several names.
type index [16]byte

// indexOf returns the key of a file with that name and number.
func indexOf(number uint64, name string) (k index) {
	binary.BigEndian.PutUint64(k[:], number)
	binary.BigEndian.PutUint64(k[8:], xxhash.Sum64String(name))
	return k
}

// numberLen is the length of the number.
const numberLen = 8

// longestName is the length of the longest name that is stored. Files with longer names are read in
// each run.
const longestName = 30000

// stemOf returns a hash of the stem of the file at path. The folder does not matter.
func stemOf(path string) uint64 {
	base := filepath.Base(pathOf(path))
	for _, separator := range [...]string{":2,", ";2,", "!2,"} { // flags of a maildir
		if i := strings.LastIndex(base, separator); i > 0 {
			base = base[:i]
		}
	}
	return xxhash.Sum64String(unrotatedBase(base))
}

// unrotatedBase returns the last element of a path without the suffixes of rotation.
func unrotatedBase(base string) string {
	base = unrotated(base)
	if ext := filepath.Ext(base); ext != "" && ext != base { // app-20261123.log
		base = unrotated(strings.TrimSuffix(base, ext)) + ext
	}
	return base
}

// rotates reports whether the file at path may be rotated or compressed. Articles of a spool, whose
// names are numbers, and messages of a maildir are not. There are many of these, and they are
// recognised by their inodes.
func rotates(path string) bool {
	folder, base := filepath.Split(path)
	switch filepath.Base(folder) {
	case "new", "cur":
		return false
	}
	return strings.Trim(base, "0123456789") != ""
}

// mostSuffixes bounds the suffixes that are removed from a name: log-2026-11-23.1.gz has five.
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
	case "gz", "bz2", "xz", "zst", "Z", "lz4", "zz", "sz", "s2", "lzma", "lz", "br", "old", "bak":
		return true
	}
	return s != "" && strings.Trim(s, "0123456789T_") == "" && strings.ContainsAny(s, "0123456789")
}

// An entry describes a file. In a former entry, it is a file that was replaced or rewritten since:
// the file that has its name now does not begin with the text that was read.
type entry struct {
	name           string
	device, inode  uint64
	size, modified int64 // size and time when it was opened
	read           int64 // when it was opened, in seconds since 1970
	run            int64 // in which run
	readHash       uint64
	young          bool
	place          extract.Place
}

// An entryHeader is the beginning of an encoded entry.
type entryHeader struct {
	device, inode  uint64
	size, modified int64
	readHash       uint64 // see extract.Options.ReadHash
	flags          byte
}

// head is the length of the header.
const head = 5*8 + 1

// Flags of an entry.
const (
	isYoung = 1 << iota
	isWhole
)

func (r *entry) appendTo(b []byte) []byte {
	flags := byte(0)
	if r.young {
		flags |= isYoung
	}
	if r.place.Whole {
		flags |= isWhole
	}
	for _, v := range [...]uint64{r.device, r.inode, uint64(r.size), uint64(r.modified), r.readHash} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	b = append(b, flags)
	for _, v := range [...]uint64{uint64(r.read), uint64(r.run), uint64(len(r.name))} {
		b = binary.AppendUvarint(b, v)
	}
	b = append(b, r.name...)
	b, _ = r.place.AppendBinary(b) // its error is nil
	return b
}

// errEntry is the error of a damaged entry.
var errEntry = errors.New("an entry is not as it was written")

// entryAt returns the entry under key, or nil if there is none.
func entryAt(bucket *bolt.Bucket, key []byte) (*entry, error) {
	b := bucket.Get(key)
	if b == nil {
		return nil, nil
	}
	return parseEntry(key, b)
}

// parseEntry returns the entry that is saved as b under key.
func parseEntry(key, b []byte) (*entry, error) {
	h, b, err := headOf(key, b)
	if err != nil {
		return nil, err
	}
	r := &entry{device: h.device, inode: h.inode, size: h.size, modified: h.modified, readHash: h.readHash, young: h.flags&isYoung != 0}
	var numbers [3]uint64
	for i := range numbers {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, errEntry
		}
		numbers[i], b = v, b[n:]
	}
	r.read, r.run = int64(numbers[0]), int64(numbers[1])
	long := numbers[2]
	if long > uint64(len(b)) {
		return nil, errEntry
	}
	r.name = string(b[:long])
	if err := r.place.UnmarshalBinary(b[long:]); err != nil {
		return nil, errEntry
	}
	return r, nil
}

// headOf returns the header of the entry that is saved as b under key, and what follows the header.
func headOf(key, b []byte) (h entryHeader, rest []byte, err error) {
	if b, err = unseal(key, b); err != nil {
		return h, nil, err
	}
	if len(b) < head {
		return h, nil, errEntry
	}
	word := func(i int) uint64 { return binary.BigEndian.Uint64(b[8*i:]) }
	return entryHeader{word(0), word(1), int64(word(2)), int64(word(3)), word(4), b[head-1]}, b[head:], nil
}

// An id is a file with a name.
type id struct {
	device, inode uint64
	name          string
}

func (r *entry) id() id { return id{r.device, r.inode, r.name} }
