package document

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/mail"
)

// Where a file that is growing ends for now.

// searchStep is how many bytes of a file are searched at a time, from its end.
const searchStep = 64 << 10

// LastLine returns the end of the last line of the file r of size bytes that has one, or 0.
// Each iteration searches a step.
func LastLine(r io.ReaderAt, size int64) int64 {
	buf := make([]byte, min(size, searchStep))
	for end := size; end > 0; {
		b := buf[:min(end, searchStep)]
		end -= int64(len(b))
		n, _ := r.ReadAt(b, end)
		if k := bytes.LastIndexByte(b[:n], '\n'); k >= 0 {
			return end + int64(k) + 1
		}
	}
	return 0
}

// LastMessage returns where the last message begins in the mailbox r of size bytes, or from
// if none is known to begin after that. Each iteration searches a step, which overlaps with
// the next one by the longest line that is examined.
func LastMessage(r io.ReaderAt, from, size int64) int64 {
	const overlap = 1 << 10
	buf := make([]byte, searchStep)
	for end := size; end > from; {
		begin := max(0, from-LineContext, end-searchStep)
		n, _ := r.ReadAt(buf[:end-begin], begin)
		if k := mail.LastMessage(buf[:n], n); k >= 0 && begin+int64(k) > from {
			return begin + int64(k)
		}
		if begin == 0 || begin <= from {
			break
		}
		end = begin + overlap
	}
	return from
}
