package mail

import "io"

// NeutralBefore is how many bytes in front of a message [FirstNeutral] examines for a Content-Length
// that reaches beyond it. A message whose header is further away is not seen: if it has a Content-Length
// that is true, and a line near its end that looks like the start of a message, this line is taken for one.
const NeutralBefore = 1 << 20

// neutralStep is how many bytes FirstNeutral searches at a time.
const neutralStep = 256 << 10

// FirstNeutral returns the offset of the first message in r, an [Mbox] of size bytes, that begins at or
// after the offset from, and does so whatever is in front of it: see [Neutral]. before is how many bytes
// in front of a message are examined. The result depends only on bytes from before bytes in front of from
// on. If there is no such message, it is size. Each iteration searches a step.
func FirstNeutral(r io.ReaderAt, from, size, before int64) (int64, error) {
	var buf []byte
	for from < size {
		begin, end := max(0, from-before), min(size, from+neutralStep+headerMax)
		if buf == nil {
			buf = make([]byte, before+neutralStep+headerMax)
		}
		b := buf[:end-begin]
		if n, err := r.ReadAt(b, begin); n < len(b) {
			return 0, shortRead(err)
		}
		next := from + neutralStep // lines after that are not followed by enough bytes
		for at := int(from - begin); ; at++ {
			k := FindMessage(b, at)
			if at = k; k < 0 || begin+int64(k) >= next {
				break
			}
			first := max(0, k-int(before))
			if Neutral(b[first:], k-first) {
				return begin + int64(k), nil
			}
		}
		from = next
	}
	return size, nil
}

// shortRead returns the error of a ReadAt that has read less than there was.
func shortRead(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
