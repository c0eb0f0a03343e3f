package digest

import (
	"bytes"
	"io"
)

// A Reader adds what it reads of R to a Digest. Zeros are added only when other bytes
// follow them: those at the end of a tar archive are overwritten when members are appended
// to it.
type Reader struct {
	R     io.Reader
	At    int64   // offset of the next byte
	Sum   *Digest // the Digest to which the bytes are added
	Ended bool    // the end was seen
	zeros int64   // zeros in front of At that were not added yet
}

// maxZeros bounds the zeros that are not added. tar writes records of at most a megabyte.
const maxZeros = 1 << 20

// Read reads once. It never returns io.EOF together with bytes.
func (h *Reader) Read(p []byte) (int, error) {
	n, err := h.R.Read(p)
	h.add(p[:n])
	if err == io.EOF {
		if n > 0 {
			return n, nil
		}
		h.Ended = true
	}
	return n, err
}

// add adds p, except for the zeros at its end.
func (h *Reader) add(p []byte) {
	rest := bytes.TrimRight(p, "\x00")
	zeros := int64(len(p) - len(rest))
	if len(rest) > 0 || h.zeros+zeros > maxZeros {
		h.Flush(h.At)
		h.Sum.Reread(h.At, rest)
	}
	h.At += int64(len(p))
	h.zeros += zeros
}

// noBytes are zeros that are added.
var noBytes [4 << 10]byte

// Flush handles the zeros that are not added yet: it adds those in front of the offset end, and
// drops the others.
func (h *Reader) Flush(end int64) {
	from := h.At - h.zeros
	for end = min(end, h.At); from < end; {
		n := min(end-from, int64(len(noBytes)))
		h.Sum.Reread(from, noBytes[:n])
		from += n
	}
	h.zeros = 0
}

// A File has the digests of a file that may be compressed, from its beginning to where it was read.
type File struct {
	Stored, Text    Digest // of the file, and of its decompressed stream
	In              Reader
	Layers          interface{ Compressions() int } // what decompresses the file
	Compressed      bool                            // the file is compressed
	CompressedKnown bool                            // Compressed is known
}

// Seek continues reading within file; at is the offset of the next byte. r reads the same file.
// Seek returns false if file cannot seek.
func (f *File) Seek(file io.Seeker, r io.Reader, at int64) bool {
	_, err := file.Seek(at, io.SeekStart)
	f.In = Reader{R: r, At: at, Sum: &f.Stored}
	return err == nil
}

// NoteCompression records whether the file is compressed. Its decompressed stream is open.
func (f *File) NoteCompression() {
	if !f.CompressedKnown {
		f.Compressed, f.CompressedKnown = f.Layers.Compressions() > 0, true
	}
}

// TapText adds p to the digest of the decompressed stream; at is the offset of p in that stream.
func (f *File) TapText(at int64, p []byte) {
	if f.NoteCompression(); f.Compressed {
		f.Text.Reread(at, p)
	}
}
