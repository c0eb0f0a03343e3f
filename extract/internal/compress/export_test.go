package compress

import (
	"bufio"
	"bytes"
	"io"
)

// UnpackZstd returns what comes of data, read as zstd, and where frames begin in it,
// or those to be skipped before them.
func UnpackZstd(data []byte, window int64) (text []byte, begins []int, err error) {
	under := bytes.NewReader(data)
	in := bufio.NewReaderSize(under, FileBuffer)
	d := decompressor{window: window}
	defer d.close()
	if err = d.start(in, Zstd); err != nil {
		return nil, nil, err
	}
	begins = append(begins, 0)
	m := d.r.(*members)
	begin := m.begin
	m.begin = func(in *bufio.Reader) error {
		begins = append(begins, len(data)-under.Len()-in.Buffered())
		return begin(in)
	}
	text, err = io.ReadAll(m)
	return text, begins, err
}

// FrameEnds returns where frames of zstd end in data, as far as a walk comes.
func FrameEnds(data []byte) (ends []int) {
	w := frameWalk{file: bytes.NewReader(data)}
	for at := int64(0); at < int64(len(data)); { // a byte at least
		if at = w.end(at, int64(len(data))); at < 0 {
			break
		}
		ends = append(ends, int(at))
	}
	return ends
}

// IndexMember is indexMember of zstd, or of gzip.
func IndexMember(b []byte, zstd bool) int {
	if zstd {
		return indexMember(b, Zstd)
	}
	return indexMember(b, Gzip)
}
