package compress

import (
	"bufio"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// A file of gzip members, such as BGZF, or of zstd frames can be read from any of them.

// probed is how much text of a member is decompressed to see whether it is one, from at most probedStored bytes.
const (
	probed       = 64 << 10
	probedStored = 16 << 20
)

// maxOthers is how many stored bytes may be read of what only looks like the beginning of a member. Each such place counts as
// leastOther at least. In random bytes there is none in many gigabytes.
const (
	maxOthers  = 64 << 20
	leastOther = 4 << 10
)

var errOthers = damage.Fact("too many places look like the beginning of a compressed member")

// maxFirst is how long the first member of a file may be that is read in parts.
const maxFirst = 64 << 20

// Members returns Gzip or Zstd if the current stream, of which file has size bytes, is text compressed once, as several
// members of that kind of which the first is not very long. Otherwise it returns None.
func (p *Pool) Members(file io.ReaderAt, size int64) (Kind, error) {
	if p.used != 2 || p.layers[0].is != Gzip && p.layers[0].is != Zstd {
		return None, nil
	}
	is, until := p.layers[0].is, min(size, maxFirst)
	if at, err := p.FindMember(file, is, 1, until, size, nil); err != nil || at == until {
		return None, err
	}
	return is, nil
}

// FindMember returns the offset of the first member of file at or after from and in front of until, of which begins
// returns true, if it is not nil; until if there is none. file has size bytes. begins is called for members of which the beginning can be decompressed, and
// returns how many stored bytes it has read. Too many others are an error. Each iteration searches a block.
func (p *Pool) FindMember(file io.ReaderAt, is Kind, from, until, size int64, begins func(at int64) (yes bool, read int64, err error)) (int64, error) {
	buf := make([]byte, 4*FileBuffer)
	others := int64(0)
	for from < until {
		b := buf[:min(int64(len(buf)), size-from)]
		if n, err := file.ReadAt(b, from); n < len(b) {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		for at := 0; ; at++ { // each probable beginning of a member
			k := indexMember(b[at:], is)
			if at += k; k < 0 || from+int64(at) >= until {
				break
			}
			yes, read := p.probe(file, is, from+int64(at), size)
			var err error
			if yes && begins != nil {
				yes, read, err = begins(from + int64(at))
			}
			if yes || err != nil {
				return from + int64(at), err
			}
			if others += max(read-FileBuffer, leastOther); others > maxOthers { // a buffer is read at least
				return 0, errOthers
			}
		}
		if int64(len(b)) == size-from {
			break
		}
		from += int64(len(b) - memberHead + 1)
	}
	return until, nil
}

// probe reports whether what begins at the offset at can be decompressed, and how many stored bytes it has read.
func (p *Pool) probe(file io.ReaderAt, is Kind, at, size int64) (yes bool, read int64) {
	most := min(size-at, probedStored)
	in := io.NewSectionReader(file, at, most)
	_, err := io.CopyN(io.Discard, p.OpenMembers(in, is), probed)
	read, _ = in.Seek(0, io.SeekCurrent)
	return err == nil || err == io.EOF || read == probedStored, read
}

// OpenMembers returns a reader of the text of the members in r. Its errors are those of a layer.
func (p *Pool) OpenMembers(r io.Reader, is Kind) io.Reader {
	l := &layer{in: bufio.NewReaderSize(r, FileBuffer), is: is, caller: &p.caller}
	l.window = p.caller.limits.Window
	return l
}

// OverRatio returns the Damage of so much text from stored bytes that Limits.Ratio is exceeded; nil if it is not.
func (p *Pool) OverRatio(text, stored int64) error {
	if ratio := int64(p.caller.limits.Ratio); text > p.caller.limits.RatioFrom && text/ratio > stored {
		return overRatio(ratio)
	}
	return nil
}
