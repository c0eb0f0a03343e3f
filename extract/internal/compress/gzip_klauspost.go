//go:build klauspost

package compress

import (
	"bufio"

	"github.com/klauspost/compress/gzip"
)

// A gzipReader is the library's reader of gzip. It is kept so that tests and benchmarks can compare
// inflate with it: go test -tags klauspost.
type gzipReader struct{ gzip.Reader }

// Reset begins with the member at the beginning of in.
func (z *gzipReader) Reset(in *bufio.Reader) error {
	err := z.Reader.Reset(in)
	z.Multistream(false)
	return err
}
