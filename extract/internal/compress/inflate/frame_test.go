package inflate

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
)

// member returns a gzip member with the header fields in flags.
func member(t testing.TB, flags byte, text string) []byte {
	b := []byte{0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 255}
	if flags&flagExtra != 0 {
		b = append(b, "\x06\x00BC\x02\x00\x10\x20"...)
	}
	if flags&flagName != 0 {
		b = append(b, "n\xe4me\x00"...)
	}
	if flags&flagComment != 0 {
		b = append(b, "a comment\x00"...)
	}
	if flags&flagHeaderCRC != 0 {
		b = binary.LittleEndian.AppendUint16(b, uint16(crc32.ChecksumIEEE(b)))
	}
	b = append(b, deflate(t, []byte(text), 6)...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(text)))
	return binary.LittleEndian.AppendUint32(b, uint32(len(text)))
}

// framed reads one stream with our reader and with another, and compares. The other may return less
// text of a truncated stream.
func framed(t *testing.T, what string, data []byte, ours, theirs func(in *bufio.Reader) (io.Reader, error)) {
	t.Helper()
	read := func(begin func(*bufio.Reader) (io.Reader, error), r io.Reader) (text, rest []byte, err error) {
		in := bufio.NewReader(r)
		z, err := begin(in)
		if err == nil {
			text, err = io.ReadAll(z)
		}
		rest, _ = io.ReadAll(in)
		return text, rest, err
	}
	want, wantRest, wantErr := read(theirs, bytes.NewReader(data))
	if wantErr == io.EOF && len(data) > 0 { // the other reader returns this if the cut is in the name
		wantErr = io.ErrUnexpectedEOF
	}
	for _, r := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
		text, rest, err := read(ours, r)
		switch {
		case wantErr == io.ErrUnexpectedEOF && err == wantErr && bytes.HasPrefix(text, want):
		case (err == nil) != (wantErr == nil), err != nil && err.Error() != wantErr.Error(), !bytes.Equal(text, want), err == nil && !bytes.Equal(rest, wantRest):
			t.Errorf("%s: %d bytes, %d left, %v; want %d, %d, %v", what, len(text), len(rest), err, len(want), len(wantRest), wantErr)
		}
	}
}

// spoil calls try with data truncated at each byte, and with each byte changed outside the deflate
// stream. TestDamage covers errors in that stream.
func spoil(data []byte, head, tail int, try func(what string, data []byte)) {
	try("whole", append(bytes.Clone(data), "rest"...))
	for i := range data {
		try("cut", data[:i])
		if i < head || i >= len(data)-tail {
			bad := bytes.Clone(data)
			bad[i] ^= 0x40
			try("changed", bad)
		}
	}
}

// TestGzip reads members with all header fields. It compares with github.com/klauspost/compress,
// which rejects reserved flags; compress/gzip does not.
func TestGzip(t *testing.T) {
	z := new(Gzip)
	ours := func(in *bufio.Reader) (io.Reader, error) { return z, z.Reset(in) }
	theirs := func(in *bufio.Reader) (io.Reader, error) {
		z, err := gzip.NewReader(in)
		if err == nil {
			z.Multistream(false)
		}
		return z, err
	}
	const text = "some text, and some text"
	body := len(deflate(t, []byte(text), 6))
	for flags := range byte(32) {
		data := member(t, flags, text)
		spoil(data, len(data)-body-8, 8, func(what string, data []byte) { framed(t, what, data, ours, theirs) })
	}
	framed(t, "reserved flag", member(t, 0x20, text), ours, theirs)
}

// TestGzipLongFields reads members whose name, comment and extra field are longer than buffers. The
// library refuses such names. A wrong checksum of the header shows that each byte is in the checksum.
func TestGzipLongFields(t *testing.T) {
	const text = "some text"
	for _, n := range []int{0, 15, 16, 17, 511, 512, 513, 100_000, 1 << 20} {
		head := []byte{0x1f, 0x8b, 8, flagExtra | flagName | flagComment | flagHeaderCRC, 0, 0, 0, 0, 0, 0}
		extra := strings.Repeat("\x00e", min(n, 1<<16-1)/2)
		head = append(binary.LittleEndian.AppendUint16(head, uint16(len(extra))), extra...)
		head = slices.Concat(head, []byte(strings.Repeat("n", n)+"\x00"), []byte(strings.Repeat("c", n)+"\x00"))
		for _, wrong := range []uint16{0, 1} {
			data := binary.LittleEndian.AppendUint16(bytes.Clone(head), uint16(crc32.ChecksumIEEE(head))^wrong)
			data = append(data, member(t, 0, text)[10:]...)
			for _, r := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data))} {
				z := new(Gzip)
				err := z.Reset(bufio.NewReaderSize(r, 16))
				if wrong != 0 {
					if err != gzip.ErrHeader {
						t.Errorf("fields of %d bytes, wrong checksum: %v", n, err)
					}
					continue
				}
				if got, readErr := io.ReadAll(z); err != nil || readErr != nil || string(got) != text {
					t.Errorf("fields of %d bytes: %q, %v, %v", n, got, err, readErr)
				}
			}
		}
		for _, cut := range []int{n / 2, len(head) - n/2, len(head)} {
			if err := new(Gzip).Reset(bufio.NewReaderSize(bytes.NewReader(head[:cut]), 16)); err != io.ErrUnexpectedEOF && cut > 0 {
				t.Errorf("fields of %d bytes, cut at %d: %v", n, cut, err)
			}
		}
	}
}

// TestZlib reads streams with all headers.
func TestZlib(t *testing.T) {
	z := new(Zlib)
	ours := func(in *bufio.Reader) (io.Reader, error) { return z, z.Reset(in) }
	theirs := func(in *bufio.Reader) (io.Reader, error) { return zlib.NewReader(in) }
	const text = "some text, and some text"
	body := deflate(t, []byte(text), 6)
	sum := binary.BigEndian.AppendUint32(nil, adler32.Checksum([]byte(text)))
	for i := range 1 << 16 {
		framed(t, "header", slices.Concat([]byte{byte(i >> 8), byte(i)}, body, sum), ours, theirs)
		if !long && i > 0x78ff {
			break
		}
	}
	spoil(slices.Concat([]byte{0x78, 0x9c}, body, sum), 2, 4, func(what string, data []byte) { framed(t, what, data, ours, theirs) })
	for _, id := range []uint32{0, 1, 2} { // the id of an empty dictionary is 1
		data := slices.Concat([]byte{0x78, 0xbb}, binary.BigEndian.AppendUint32(nil, id), body, sum)
		framed(t, "dictionary", data, ours, theirs)
	}
}
