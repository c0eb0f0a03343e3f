package sequence

import (
	"strconv"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// cpio has several forms of header. All numbers of newc are hexadecimal, and name and data are filled up to
// a multiple of 4 bytes; crc is newc with the sum of the bytes of data. The numbers of odc, the form of
// POSIX (cpio(5)), are octal, and nothing is filled up. The older binary form is not read.
//
//	newc, crc: "070701" or "070702" (number 8)*13, name, NUL, zeros, data, zeros
//	odc:       "070707" (number 6)*7, time 11, size of the name 6, size of the data 11, name, NUL, data

// StageCpio is the stage of damage in a cpio archive.
const StageCpio damage.Stage = "cpio"

// NewCpio returns a Reader of cpio archives. [SniffCpio] recognises them.
func NewCpio() *Reader {
	return &Reader{layout: layout{stage: StageCpio, mark: "07070", most: newcHead, parse: parseCpio, enter: (*Reader).enterCpio, trailer: true}}
}

const (
	newcHead = 110
	odcHead  = 76
)

// SniffCpio reports whether an archive begins with head. whole says that head is all there is. Otherwise
// wait reports that more bytes are needed.
func SniffCpio(head []byte, whole bool) (is, wait bool) {
	const numbers = 6 // where they begin
	size, digits := newcHead, 16
	if len(head) >= numbers && head[5] == '7' {
		size, digits = odcHead, 8
	}
	for _, c := range head[:min(len(head), size)] {
		if digit(c) >= digits {
			return false, false
		}
	}
	if len(head) < size {
		return false, !whole
	}
	_, n := parseCpio(head)
	return n > 0, false
}

// digit returns the value of a hexadecimal digit; 16 for another byte.
func digit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return 16
}

// parseCpio parses a header.
func parseCpio(b []byte) (m member, size int) {
	if len(b) < odcHead {
		return m, 0
	}
	var mode, name, data int64
	valid := true
	number := func(at, n, base int) int64 {
		v, err := strconv.ParseUint(string(b[at:at+n]), base, 63)
		valid = valid && err == nil
		return int64(v)
	}
	switch magic := string(b[:6]); {
	case magic == "070707":
		size, mode, name, data = odcHead, number(18, 6, 8), number(59, 6, 8), number(65, 11, 8)
	case (magic == "070701" || magic == "070702") && len(b) >= newcHead:
		size, mode, name, data = newcHead, number(14, 8, 16), number(94, 8, 16), number(54, 8, 16)
		m.namePad, m.pad = -(newcHead+name)&3, -data&3
		m.sum, m.checked = uint32(number(102, 8, 16)), magic == "070702"
	default:
		return m, 0
	}
	for _, c := range b[:size] {
		valid = valid && digit(c) < 16
	}
	if !valid || name == 0 || name > maxName {
		return member{}, 0
	}
	const kind, regular = 0o170000, 0o100000
	m.nameSize, m.left, m.file = name, data, mode&kind == regular || mode&kind == 0
	m.checked = m.checked && m.file && data > 0 // of others GNU cpio writes no sum
	return m, size
}

// enterCpio reads the name.
func (r *Reader) enterCpio() (err error) {
	if r.text, err = r.take(r.text, r.nameSize, maxName); err != nil {
		return err
	}
	if err = r.discard(&r.namePad); err != nil {
		return err
	}
	r.name = string(untilNUL(r.text))
	if r.name == "TRAILER!!!" && r.left == 0 {
		r.ended, r.file = true, false
	}
	return nil
}
