package zipstream

import "fmt"

// An Error is damage, or an entry that cannot be read. It reads like
//
//	CRC-32 is 0abc1234 and should be 00000000, at offset 1234
type Error struct {
	Offset int64  // in bytes from where the archive begins
	What   string // what is wrong there
	Mild   bool   // Next continues after it: always
	Err    error  // of the decompressor, if that found it

	lost bool // where the next record begins is not known
}

// Error quotes no more of the archive than numbers.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %v, at offset %d", e.What, e.Err, e.Offset)
	}
	return fmt.Sprintf("%s, at offset %d", e.What, e.Offset)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }
