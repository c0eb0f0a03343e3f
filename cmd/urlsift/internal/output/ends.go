package output

import "bytes"

// Ends says how records end in the output.
type Ends struct {
	Byte   byte // the last byte of each record
	Quotes bool // it may also be inside quotes, as a line end in CSV
}

// whole returns the length of the records at the beginning of p that together have no more bytes
// than most, or the length of the first record if that alone has more. p has only complete records.
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
	for at := 0; at < len(p); {
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
