package extract

import (
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/digest"
)

// hashes are digests of the bytes of a resumed file, from its beginning to where it was read.
type hashes struct {
	stored, text digest.Digest // of the file, and of its decompressed stream
	in           digest.Reader
	layers       *compress.Pool // decompresses the file
	packed       bool           // the file is compressed
	packedKnown  bool           // packed is known
}

// seek continues reading at the offset at of the file, which r reads.
func (h *hashes) seek(file io.Seeker, r io.Reader, at int64) bool {
	_, err := file.Seek(at, io.SeekStart)
	h.in = digest.Reader{R: r, At: at, Sum: &h.stored}
	return err == nil
}

// settle records whether the file is compressed. Its decompressed stream is open.
func (h *hashes) settle() {
	if !h.packedKnown {
		h.packed, h.packedKnown = h.layers.Compressions() > 0, true
	}
}

// tapText adds p, at the offset at of the decompressed stream, to the digest of that.
func (h *hashes) tapText(at int64, p []byte) {
	if h.settle(); h.packed {
		h.text.Reread(at, p)
	}
}
