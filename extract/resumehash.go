package extract

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/digest"
)

// A hashing is a reader that adds what it reads to a digest. The last zeros are added when
// other bytes follow them: at the end of a tar archive they are not part of it, since members
// that are added take their place.
type hashing struct {
	r      io.Reader
	at     int64 // offset of the next byte
	stored *digest.Digest
	zeros  int64 // in front of at, not yet added
	ended  bool  // the end was seen
}

// maxZeros bounds the zeros that are not added. tar writes records of at most a megabyte.
const maxZeros = 1 << 20

// Read reads once. It returns the end alone.
func (h *hashing) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.add(p[:n])
	if err == io.EOF {
		if n > 0 {
			return n, nil
		}
		h.ended = true
	}
	return n, err
}

// add adds p, but for the zeros at its end.
func (h *hashing) add(p []byte) {
	rest := bytes.TrimRight(p, "\x00")
	zeros := int64(len(p) - len(rest))
	if len(rest) > 0 || h.zeros+zeros > maxZeros {
		h.flush(h.at)
		h.stored.Reread(h.at, rest)
	}
	h.at += int64(len(p))
	h.zeros += zeros
}

// noBytes are zeros that are added.
var noBytes [4 << 10]byte

// flush adds the zeros in front of the offset end, and drops the others. Each iteration adds a
// block.
func (h *hashing) flush(end int64) {
	from := h.at - h.zeros
	for end = min(end, h.at); from < end; {
		n := min(end-from, int64(len(noBytes)))
		h.stored.Reread(from, noBytes[:n])
		from += n
	}
	h.zeros = 0
}
