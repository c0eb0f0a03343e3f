package mail

import (
	"bytes"
	"encoding/binary"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// An identity is a hash of a message without what programs change in place when mail is read: some
// fields (see isMarking), unless one of them may hold a reference, and line ends after the text. The frame leaves out the From_
// line. How the message is divided into adds makes no difference.
type identity struct {
	sum, text xxhash.Digest // of all that counts, and of that without the line ends at its end
	inText    bool          // the header has ended
	left      bool          // the current field is left out
	within    bool          // a line of the header was begun, and it is decided whether it is left out
	line      []byte        // the beginning of the current line, while that is not decided

	marks    xxhash.Digest // of the fields that are left out
	last     byte          // of these
	named    bool          // the name of the current one has ended
	mayRefer bool          // one of them may hold a reference, so they count
}

// longestMarking is longer than each name of a field that is left out, with its colon.
const longestMarking = 16

// reset begins another message.
func (d *identity) reset() {
	d.sum.Reset()
	d.text, d.marks = d.sum, d.sum
	d.inText, d.left, d.within, d.line = false, false, false, d.line[:0]
	d.last, d.named, d.mayRefer = '\n', false, false
}

// value returns the hash.
func (d *identity) value() uint64 {
	if len(d.line) > 0 { // the message ends within the first bytes of a line
		d.decide(d.line)
		d.write(d.line)
	}
	if d.mayRefer {
		_, _ = d.text.Write(binary.BigEndian.AppendUint64(nil, d.marks.Sum64()))
	}
	return d.text.Sum64()
}

// write adds b to the hash, or to that of the fields that are left out.
func (d *identity) write(b []byte) {
	if d.left {
		d.mark(b)
		return
	}
	n := len(b)
	for n > 0 && (b[n-1] == '\n' || b[n-1] == '\r') {
		n--
	}
	if n > 0 {
		_, _ = d.sum.Write(b[:n])
		d.text = d.sum
	}
	if n < len(b) {
		_, _ = d.sum.Write(b[n:])
	}
}

// mark adds b to the hash of the fields that are left out. The characters that they usually have, and the colon after the name, are not enough
// for a reference.
func (d *identity) mark(b []byte) {
	_, _ = d.marks.Write(b)
	for _, c := range b {
		if d.last == '\n' && c != ' ' && c != '\t' {
			d.named = false
		}
		switch d.last = c; {
		case c == ':' && !d.named:
			d.named = true
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte(" \t\r\n$-_;=,/", c) >= 0:
		default:
			d.mayRefer = true
		}
	}
}

// add adds p, which follows what was added before. Each iteration takes a line of the header, or what p has of it.
func (d *identity) add(p []byte) {
	if len(d.line) > 0 {
		n := min(longestMarking-len(d.line), len(p))
		if k := bytes.IndexByte(p[:n], '\n'); k >= 0 {
			n = k + 1
		}
		d.line = append(d.line, p[:n]...)
		p = p[n:]
		if d.within = d.line[len(d.line)-1] != '\n'; d.within && len(d.line) < longestMarking {
			return
		}
		d.decide(d.line)
		d.write(d.line)
		d.line = d.line[:0]
	}
	from := 0 // the bytes in front of here were added
	for at := 0; at < len(p) && !d.inText; {
		line := p[at:]
		k := bytes.IndexByte(line, '\n')
		if k >= 0 {
			line = line[:k+1]
		}
		if !d.within {
			if k < 0 && len(line) < longestMarking {
				d.line, p = append(d.line, line...), p[:at]
				break
			}
			was := d.left
			if is := d.decide(line); is != was {
				d.left = was
				d.write(p[from:at])
				d.left, from = is, at
			}
		}
		d.within = k < 0
		at += len(line)
	}
	d.write(p[from:])
}

// decide sets left for a line of the header, whose beginning is b, and returns it.
func (d *identity) decide(b []byte) bool {
	switch {
	case b[0] == ' ' || b[0] == '\t': // the field goes on
	case string(b) == "\n", string(b) == "\r\n":
		d.inText, d.left = true, false
	default:
		d.left = isMarking(b)
	}
	return d.left
}

// isMarking reports whether line begins with a field that programs change in place: mutt, Dovecot, Pine, UW
// IMAP, mailx, Evolution and Thunderbird.
func isMarking(line []byte) bool {
	if len(line) < 2 {
		return false
	}
	switch [2]byte{line[0] | 0x20, line[1] | 0x20} { // most fields begin otherwise
	case [2]byte{'s', 't'}, [2]byte{'x', '-'}, [2]byte{'c', 'o'}, [2]byte{'l', 'i'}:
	default:
		return false
	}
	var low [longestMarking]byte
	n := 0
	for ; n < min(len(low), len(line)) && line[n] != ':'; n++ {
		low[n] = line[n]
		if 'A' <= low[n] && low[n] <= 'Z' {
			low[n] |= 0x20
		}
	}
	switch string(low[:n]) {
	case "status", "x-status", "x-uid", "x-uidl", "x-keywords", "x-imap", "x-imapbase", "content-length", "lines", "x-evolution":
		return n < len(line) && line[n] == ':'
	}
	return bytes.HasPrefix(low[:n], []byte("x-mozilla-"))
}
