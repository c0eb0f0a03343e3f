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

	mark     xxhash.Digest // of the current field that is left out
	last     byte          // of these fields
	named    bool          // the name of the current one has ended
	mayRefer bool          // it may hold a reference, so it counts
	marks    uint64        // hash of those in front of it that count; 0 if there are none
}

// longestMarking is longer than each name of a field that is left out, with its colon.
const longestMarking = 16

// reset begins another message.
func (d *identity) reset() {
	d.sum.Reset()
	d.text, d.mark = d.sum, d.sum
	d.inText, d.left, d.within, d.line = false, false, false, d.line[:0]
	d.last, d.named, d.mayRefer, d.marks = '\n', false, false, 0
}

// value returns the hash.
func (d *identity) value() uint64 {
	if len(d.line) > 0 { // the message ends within the first bytes of a line
		d.decide(d.line)
		d.write(d.line)
	}
	if d.endMark(); d.marks != 0 {
		_, _ = d.text.Write(binary.BigEndian.AppendUint64(nil, d.marks))
	}
	return d.text.Sum64()
}

// write adds b to the hash, or to that of a field that is left out.
func (d *identity) write(b []byte) {
	if d.left {
		d.leave(b)
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

// leave adds b, of fields that are left out. The characters that these usually have, and the colon after the name, are not enough for a
// reference.
func (d *identity) leave(b []byte) {
	from := 0
	for i, c := range b {
		if d.last == '\n' && c != ' ' && c != '\t' { // the next field
			_, _ = d.mark.Write(b[from:i])
			from = i
			d.endMark()
		}
		switch d.last = c; {
		case c == ':' && !d.named:
			d.named = true
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte(" \t\r\n$-_;=,/", c) >= 0:
		default:
			d.mayRefer = true
		}
	}
	_, _ = d.mark.Write(b[from:])
}

// endMark ends a field that is left out, if there is one.
func (d *identity) endMark() {
	if d.mayRefer {
		d.marks = 31*d.marks + d.mark.Sum64()
		d.mayRefer = false
	}
	d.mark.Reset()
	d.named = false
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

// decide sets left for a line of the header, whose beginning is b, and returns it. A line that is no field ends the header, as the
// parser has it; and in doubt what follows is content.
func (d *identity) decide(b []byte) bool {
	switch {
	case b[0] > ' ':
		d.left = isMarking(b)
		if n, colon, wait := fieldName(b); !d.left && (n == 0 || colon == 0) && !wait {
			d.inText = true
		}
	case b[0] == ' ' || b[0] == '\t': // the field goes on
	default:
		d.left = false
		d.inText = true
	}
	return d.left
}

// isMarking reports whether line begins with a field that programs change in place: mutt, Dovecot, Pine, UW
// IMAP, mailx, Evolution and Thunderbird.
func isMarking(line []byte) bool {
	is := func(name string) bool {
		return len(line) > len(name) && line[len(name)] == ':' && strings.EqualFold(string(line[:len(name)]), name)
	}
	switch line[0] | 0x20 { // see mayDecide
	case 's':
		return is("status")
	case 'c':
		return is("content-length")
	case 'l':
		return is("lines")
	case 'x':
		const others = "x-mozilla-"
		return is("x-status") || is("x-uid") || is("x-uidl") || is("x-keywords") || is("x-imap") || is("x-imapbase") || is("x-evolution") ||
			len(line) > len(others) && strings.EqualFold(string(line[:len(others)]), others)
	}
	return false
}
