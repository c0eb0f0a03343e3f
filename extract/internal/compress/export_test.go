package compress

import (
	"bufio"
	"bytes"
	"io"
)

// UnpackZstd decompresses data, which is in zstd format. It also returns where frames begin;
// skippable frames belong to the frame after them.
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

// FrameEnds returns where the zstd frames in data end, up to the first invalid one.
func FrameEnds(data []byte) (ends []int) {
	w := frameWalk{file: bytes.NewReader(data)}
	for at := int64(0); at < int64(len(data)); { // each frame has at least one byte
		if at = w.end(at, int64(len(data))); at < 0 {
			break
		}
		ends = append(ends, int(at))
	}
	return ends
}

// IndexMember calls indexMember, for zstd or for gzip.
func IndexMember(b []byte, zstd bool) int {
	if zstd {
		return indexMember(b, Zstd)
	}
	return indexMember(b, Gzip)
}
