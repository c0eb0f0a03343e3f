//go:build klauspost

package compress

import (
	"bufio"

	"github.com/klauspost/compress/gzip"
)

type gzipReader struct{ gzip.Reader }

// Reset begins with the member at the beginning of in.
func (z *gzipReader) Reset(in *bufio.Reader) error {
	err := z.Reader.Reset(in)
	z.Multistream(false)
	return err
}
