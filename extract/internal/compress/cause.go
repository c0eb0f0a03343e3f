package compress

import (
	"compress/gzip"
	"compress/zlib"

	"github.com/klauspost/compress/s2"
)

// A cause is an error of a package whose messages begin with the name of that package. The stage of
// a Damage names the format already, and package s2 reads snappy too. So text is the message without
// the name. A program finds the error with errors.Is.
type cause struct {
	text string
	err  error
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.err }

// causes has the errors of these packages that a stream can end with.
var causes = []*cause{
	{"invalid header", gzip.ErrHeader},
	{"invalid checksum", gzip.ErrChecksum},
	{"invalid header", zlib.ErrHeader},
	{"invalid dictionary", zlib.ErrDictionary},
	{"invalid checksum", zlib.ErrChecksum},
	{"corrupt input", s2.ErrCorrupt},
	{"corrupt input, crc mismatch", s2.ErrCRC},
	{"decoded block is too large", s2.ErrTooLarge},
	{"unsupported input", s2.ErrUnsupported},
}

// causeOf returns err, or the cause that has it.
func causeOf(err error) error {
	for _, c := range causes {
		if c.err == err {
			return c
		}
	}
	return err
}
