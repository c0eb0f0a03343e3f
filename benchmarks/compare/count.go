package main

import (
	"bytes"
	"io"
)

// A count is what a job found: lines of output, and those of them that begin
// with http: or https:, which is all that the peers look for.
type count struct {
	all, web int64
	sum      string // of the output, where a job asks for it
}

// countLines reads r to its end, in memory that does not depend on it: where
// references are dense the output is as large as the input.
func countLines(r io.Reader) (c count, err error) {
	buf := make([]byte, 1<<16)
	var head [8]byte // of the current line
	k := 0
	for {
		n, err := r.Read(buf)
		for _, b := range buf[:n] {
			if b != '\n' {
				if k < len(head) {
					head[k], k = b|0x20, k+1 // ':' and '/' have the bit already
				}
				continue
			}
			c.all++
			if h := head[:k]; bytes.HasPrefix(h, []byte("http:")) || bytes.HasPrefix(h, []byte("https:")) {
				c.web++
			}
			k = 0
		}
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return c, err
		}
	}
}
