package output

import "bytes"

// Ends says how records end in the output.
type Ends struct {
	Byte   byte // the last one of each record
	Quotes bool // it may also stand within quotes, as a line end does in CSV
}

// whole returns the length of the records at the beginning of p that together have at
// most most bytes, or of the first record if it is longer. p has complete records only.
func (e Ends) whole(p []byte, most int) int {
	if len(p) <= most {
		return len(p)
	}
	if !e.Quotes {
		if n := bytes.LastIndexByte(p[:most], e.Byte); n >= 0 {
			return n + 1
		}
	}
	done, quotes := 0, 0
	for at := 0; at < len(p); { // one line in each iteration
		n := bytes.IndexByte(p[at:], e.Byte) + 1
		if n == 0 {
			break
		}
		if e.Quotes {
			quotes += bytes.Count(p[at:at+n], []byte{'"'})
		}
		if at += n; quotes%2 != 0 {
			continue
		}
		switch {
		case at <= most:
			done = at
		case done > 0:
			return done
		default:
			return at
		}
	}
	return len(p)
}
