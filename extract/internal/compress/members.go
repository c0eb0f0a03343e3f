package compress

import (
	"bufio"
	"io"
)

// A file of gzip members, such as BGZF, can be read from any of them.

// probed is how much text of a member is decompressed to see whether it is one.
const probed = 64 << 10

// maxFirst is how long the first gzip member of a file may be that is read in parts.
const maxFirst = 64 << 20

// HasMembers reports whether the current stream, of which file has size bytes, is text compressed once, as several
// gzip members of which the first is not very long.
func (p *Pool) HasMembers(file io.ReaderAt, size int64) bool {
	if p.used != 2 || p.layers[0].is != Gzip {
		return false
	}
	until := min(size, maxFirst)
	at, err := p.FindMember(file, 1, until, size)
	return err == nil && at < until
}

// FindMember returns the offset of the first gzip member of file at or after from and in front of until; until if
// there is none. file has size bytes. Only members of which the beginning can be decompressed count. Each iteration
// searches a block.
func (p *Pool) FindMember(file io.ReaderAt, from, until, size int64) (int64, error) {
	buf := make([]byte, 4*FileBuffer)
	s := Splits{Kind: Gzip}
	for from < until {
		b := buf[:min(int64(len(buf)), size-from)]
		if n, err := file.ReadAt(b, from); n < len(b) {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		for at := 0; ; at++ { // each probable beginning of a member
			k := s.index(b[at:])
			if at += k; k < 0 || from+int64(at) >= until {
				break
			}
			_, err := io.CopyN(io.Discard, p.Members(io.NewSectionReader(file, from+int64(at), 1<<62)), probed)
			if err == nil || err == io.EOF {
				return from + int64(at), nil
			}
		}
		if int64(len(b)) == size-from {
			break
		}
		from += int64(len(b) - memberHead + 1)
	}
	return until, nil
}

// Members returns a reader of the text of the gzip members in r. Its errors are those of a layer.
func (p *Pool) Members(r io.Reader) io.Reader {
	return &layer{in: bufio.NewReaderSize(r, FileBuffer), is: Gzip, caller: &p.caller}
}
