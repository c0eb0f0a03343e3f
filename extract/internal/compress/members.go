package compress

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// errTrailing is returned for bytes after the end of a compressed stream. That stream was
// read completely. But the bytes may be another stream whose first bytes are damaged, so
// they are reported. Zeros are padding, and no error.
var errTrailing = damage.Fact("trailing bytes that begin no stream")

// members reads concatenated streams as one. Each has its own header and checksum.
type members struct {
	in     *bufio.Reader
	is     Kind
	z      io.Reader // reads the current member, to its end
	begin  func(*bufio.Reader) error
	frames *Frames // records where members begin; nil except for the outermost layer
}

// Read reads from one member. It continues with the next one only when all of the current
// one has been returned. Each iteration reads a member to its end.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(m.frames.room(p))
		if n == 0 && err != nil && m.is == Zstd {
			n, err = m.z.Read(m.frames.room(p)) // the library may still have the text of a block whose frame turns out to have a wrong checksum or size
		}
		if n, exceeded := m.frames.count(n, m.in); exceeded != nil {
			return n, exceeded
		}
		if n > 0 && err == io.EOF {
			return n, nil // the next Read returns it again
		}
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		if err == io.EOF {
			if err := m.next(); err != nil {
				return 0, err
			}
		}
	}
}

// next begins the next member, and returns io.EOF if there is none.
func (m *members) next() error {
	if m.is == Zstd { // the zstd library reports what is not a frame
		if _, err := m.in.Peek(1); err != nil {
			return err
		}
		return m.member()
	}
	if err := skipZeros(m.in); err != nil {
		return err
	}
	head, _ := m.in.Peek(len(gzipHead))
	if m.is == Gzip && string(head) == gzipHead || m.is == Zlib && beginsZlib(head) {
		return noEOF(m.member())
	}
	return errTrailing
}

// member begins the next member.
func (m *members) member() error {
	m.frames.begin(m.in)
	return m.begin(m.in)
}

// noEOF turns io.EOF into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// beginsZlib reports whether head is the header of a zlib stream (RFC 1950,
// section 2.2), without a dictionary.
func beginsZlib(head []byte) bool {
	return len(head) >= 2 && head[0]&0x8f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 && head[1]&0x20 == 0
}

// skipZeros continues to the first byte that is not zero, or returns the error that
// comes before. Each iteration takes a byte.
func skipZeros(in *bufio.Reader) error {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return in.UnreadByte()
		}
	}
}
