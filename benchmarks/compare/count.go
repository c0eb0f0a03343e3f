package main

import (
	"bytes"
	"io"
)

// A count is the number of lines that a job printed, and of lines that begin with http: or https:.
// The other programs search only for these two schemes.
type count struct {
	all, web int64
	sum      string // checksum of the output, if the job asks for it
}

// countLines reads r to its end in constant memory, because with many references the output is as
// large as the input.
func countLines(r io.Reader) (c count, err error) {
	buf := make([]byte, 1<<16)
	var head [8]byte // beginning of the current line
	k := 0
	for {
		n, err := r.Read(buf)
		for _, b := range buf[:n] {
			if b != '\n' {
				if k < len(head) {
					head[k], k = b|0x20, k+1 // ':' and '/' already have this bit
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
