package sources

import (
	"errors"
	"hash/crc32"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract"
)

// A Shard is one of several parts of the sources, which together are all of them. The zero Shard is all
// of them. Programs that are given the same paths divide them in the same way.
type Shard struct{ part, parts uint32 } // part is from 0

// IsAll reports whether s is all sources.
func (s Shard) IsAll() bool { return s.parts < 2 }

// UnmarshalText sets s to the part I of N, written "I/N". I is from 1.
func (s *Shard) UnmarshalText(text []byte) error {
	part, parts, _ := strings.Cut(string(text), "/")
	i, err := strconv.ParseUint(part, 10, 32)
	n, err2 := strconv.ParseUint(parts, 10, 32)
	if err != nil || err2 != nil || i == 0 || i > n {
		return errors.New("this is no part, such as 1/8 or 8/8")
	}
	*s = Shard{uint32(i - 1), uint32(n)}
	return nil
}

// largeSource is the size above which sources are dealt out one by one, so that no part has many of
// them by chance.
const largeSource = 256 << 20

// of yields those of all that are in s: a large source in turn, any other by the CRC-32 of its name.
func (s Shard) of(all iter.Seq[extract.Source]) iter.Seq[extract.Source] {
	if s.IsAll() {
		return all
	}
	return func(yield func(extract.Source) bool) {
		turn := uint32(0)
		for source := range all {
			part := crc32.ChecksumIEEE([]byte(source.Name)) % s.parts
			if isLarge(&source) {
				part, turn = turn, (turn+1)%s.parts
			}
			if part == s.part && !yield(source) {
				return
			}
		}
	}
}

// isLarge reports whether s is a large file. The walk has not asked for its size.
func isLarge(s *extract.Source) bool {
	if s.Size < 0 && s.Name != stdin {
		if info, err := os.Stat(s.Name); err == nil && info.Mode().IsRegular() {
			return info.Size() > largeSource
		}
	}
	return s.Size > largeSource
}
