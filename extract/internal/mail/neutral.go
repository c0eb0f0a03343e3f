package mail

import "io"

// NeutralBefore is how many bytes in front of a message [FirstNeutral] examines for a Content-Length
// that reaches beyond it. A message whose header is further away is not seen: if it has a Content-Length
// that is true, and a line near its end that looks like the start of a message, this line is taken for one.
const NeutralBefore = 1 << 20

// neutralStep is how many bytes FirstNeutral searches at a time.
const neutralStep = 256 << 10

// FirstNeutral returns the offset of the first message in r, an [Mbox], that begins at or after the offset
// from and in front of the offset until, and does so whatever is in front of it: see [Neutral]. If there is none, it
// returns -1. before is how many bytes in front of a message are examined. The result depends only on bytes
// from before bytes in front of from on. Each iteration searches a step, and the offsets that are read only grow.
func FirstNeutral(r io.ReaderAt, from, until, before int64) (int64, error) {
	buf := make([]byte, before+neutralStep+headerMax)
	for from < until {
		begin := max(0, from-before)
		n, err := r.ReadAt(buf[:from+neutralStep+headerMax-begin], begin)
		if err != nil && err != io.EOF {
			return 0, err
		}
		b, next := buf[:n], from+neutralStep // lines after that are not followed by enough bytes
		if err == io.EOF {
			next = begin + int64(n)
		}
		for at := int(from - begin); at < n; at++ { // each message
			k := FindMessage(b, at)
			if at = k; k < 0 || begin+int64(k) >= min(next, until) {
				break
			}
			first := max(0, k-int(before))
			if Neutral(b[first:], k-first) {
				return begin + int64(k), nil
			}
		}
		if from = next; err == io.EOF {
			break
		}
	}
	return -1, nil
}
