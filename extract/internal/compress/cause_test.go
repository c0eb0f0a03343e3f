package compress

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/s2"
	"github.com/pierrec/lz4/v4"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// TestCauses checks that the message of a Damage names the format once, and that errors.Is finds the
// error of the library. A byte of each checksum is changed.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		pack func(w io.Writer) io.WriteCloser
		at   int // of the byte that is changed, from the end
		want string
		is   error
	}{
		{func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, 8, "gzip: invalid checksum", gzip.ErrChecksum},
		{func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, 1, "zlib: invalid checksum", zlib.ErrChecksum},
		{func(w io.Writer) io.WriteCloser { return s2.NewWriter(w) }, 1, "s2: corrupt input, crc mismatch", s2.ErrCRC},
		{func(w io.Writer) io.WriteCloser { return s2.NewWriter(w, s2.WriterSnappyCompat()) }, 1, "snappy: corrupt input, crc mismatch", s2.ErrCRC},
		{func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) }, 1, "lz4: invalid frame checksum: got 1082cc08; expected 1182cc08", lz4.ErrInvalidFrameChecksum},
	} {
		var packed bytes.Buffer
		w := c.pack(&packed)
		_, _ = io.WriteString(w, "one line")
		_ = w.Close()
		b := packed.Bytes()
		b[len(b)-c.at] ^= 1
		no := func() bool { return false }
		p := NewPool(Limits{Depth: 3, Window: 8 << 20, Ratio: 1000}, Hooks{
			BeforeBlock: func() bool { return true }, AfterBlock: func() {}, Stopped: no, Interrupted: no, InConsumer: no,
		}, new(ledger.Ledger))
		p.Source.Reset(bytes.NewReader(b), nil)
		in, _ := p.Open(&p.Source, "")
		_, err := io.ReadAll(in)
		var d *damage.Damage
		if !errors.As(err, &d) || !errors.Is(err, c.is) || d.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		p.Reset()
	}
}
