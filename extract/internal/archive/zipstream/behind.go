package zipstream

import (
	"bytes"
	"encoding/binary"
	"io"
)

// Behind returns where the first entry begins of a zip archive that is behind a program or script in r, as in a self-extracting archive; 0
// if there is none. It reads the end of r, where such an archive has its directory, and the first entry of that.
func Behind(r io.ReaderAt) (at int64) {
	const (
		endLen, entryLen = 22, 46 // of the records, without names and comments
		longest          = endLen + 1<<16 - 1
	)
	size := sizeOf(r)
	tail := make([]byte, min(size, longest))
	if n, _ := r.ReadAt(tail, size-int64(len(tail))); n < len(tail) {
		return 0
	}
	for end := len(tail); ; { // a signature in each iteration; each byte is searched once
		k := bytes.LastIndex(tail[:end], []byte("PK\x05\x06"))
		if k < 0 {
			return 0
		}
		end = k
		if b := tail[k:]; len(b) >= endLen && endLen+int(binary.LittleEndian.Uint16(b[20:])) == len(b) {
			directory, offset := int64(binary.LittleEndian.Uint32(b[12:])), int64(binary.LittleEndian.Uint32(b[16:]))
			begin := size - int64(len(b)) - directory
			var entry [entryLen]byte
			if n, _ := r.ReadAt(entry[:], begin); begin < 0 || n < entryLen || string(entry[:4]) != "PK\x01\x02" {
				continue
			}
			at := int64(binary.LittleEndian.Uint32(entry[42:])) + begin - offset // offsets may count from the archive, or from the file
			var head [4]byte
			if n, _ := r.ReadAt(head[:], max(0, at)); at > 0 && n == len(head) && string(head[:]) == "PK\x03\x04" {
				return at
			}
		}
	}
}

// sizeOf returns the size of r, by reading single bytes.
func sizeOf(r io.ReaderAt) int64 {
	var b [1]byte
	size := int64(0)
	for step := int64(1) << 61; step > 0; step >>= 1 {
		if n, _ := r.ReadAt(b[:], size+step-1); n == 1 {
			size += step
		}
	}
	return size
}
