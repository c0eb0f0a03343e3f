package mail

import (
	"bytes"

	"github.com/cespare/xxhash/v2"
)

// An Identity is a hash of a message of an [Mbox] without what programs change in place when mail is read:
// some fields (see changes), the From_ line unless it may hold a reference, and line ends after the
// text. The zero Identity is that of no message. How the message is divided into Writes makes no difference.
type Identity struct {
	sum, text xxhash.Digest // of all that counts, and of that without the line ends at its end
	begun     bool
	place     identityPlace
	left      bool   // the current field is left out
	line      []byte // the beginning of the current line, while it is not decided what the line is
}

// An identityPlace says what the next byte of a message is.
type identityPlace uint8

const (
	inSeparator identityPlace = iota // of the From_ line
	inName                           // of the beginning of a line of the header
	inValue                          // of the rest of such a line
	inText                           // of the body
)

// maxChanging is longer than each name of a field that is left out.
const maxChanging = 16

// changing are the fields that programs change in place, in lower case: mutt, Dovecot, Pine, UW IMAP,
// mailx and Evolution. Thunderbird's begin with X-Mozilla-.
var changing = map[string]bool{"status": true, "x-status": true, "x-uid": true, "x-uidl": true, "x-keywords": true, "x-imap": true,
	"x-imapbase": true, "content-length": true, "lines": true, "x-evolution": true}

const mozilla = "x-mozilla-"

// Reset begins another message.
func (d *Identity) Reset() {
	d.sum.Reset()
	d.text.Reset()
	d.begun, d.place, d.left, d.line = true, inSeparator, false, d.line[:0]
}

// Sum returns the hash.
func (d *Identity) Sum() uint64 {
	if !d.begun {
		d.Reset()
	}
	if len(d.line) == 0 {
		return d.text.Sum64()
	}
	end := *d // the message ends within the first bytes of a line
	end.line = nil
	end.decided(d.line)
	return end.text.Sum64()
}

// add adds p to the hash.
func (d *Identity) add(p []byte) {
	if text := bytes.TrimRight(p, "\r\n"); len(text) > 0 {
		_, _ = d.sum.Write(text)
		d.text = d.sum
		p = p[len(text):]
	}
	if len(p) > 0 {
		_, _ = d.sum.Write(p)
	}
}

// Write adds p, which follows what was written before. Each iteration takes a line or what p has of it.
func (d *Identity) Write(p []byte) {
	if !d.begun {
		d.Reset()
	}
	for len(p) > 0 {
		if d.place == inText {
			d.add(p)
			return
		}
		line, full := p, false
		if k := bytes.IndexByte(p, '\n'); k >= 0 {
			line, full = p[:k+1], true
		}
		p = p[len(line):]
		switch {
		case d.place == inValue:
			if !d.left {
				d.add(line)
			}
		case full && len(d.line) == 0:
			d.decided(line)
		default:
			most := maxChanging
			if d.place == inSeparator {
				most = lookahead
			}
			if d.line = append(d.line, line...); !full && len(d.line) < most { // line has at most what the buffer of a frame holds
				return
			}
			d.decided(d.line)
			d.line = d.line[:0]
		}
		if full && d.place != inText {
			d.place = inName
		}
	}
}

// decided adds b, the beginning of a line, unless it is left out.
func (d *Identity) decided(b []byte) {
	if d.place == inSeparator {
		from, _ := begins(b, "From ")
		if d.place = inValue; !from {
			d.place = inName
			d.decided(b)
			return
		}
		if d.left = len(b) < lookahead && !mayRefer(b); !d.left {
			d.add(b)
		}
		return
	}
	d.place = inValue
	switch {
	case string(b) == "\n", string(b) == "\r\n":
		d.place, d.left = inText, false
	case b[0] == ' ' || b[0] == '\t': // the field goes on
	default:
		d.left = changes(b)
	}
	if !d.left {
		d.add(b)
	}
}

// mayRefer reports whether the From_ line b may hold a reference.
func mayRefer(b []byte) bool {
	line, _, _ := cutLine(b)
	return fromLine(line).hasReference(line)
}

// changes reports whether line begins with a field that is left out.
func changes(line []byte) bool {
	switch line[0] | 0x20 {
	case 's', 'x', 'c', 'l':
	default:
		return false
	}
	var low [maxChanging]byte
	n := 0
	for ; n < len(low) && n < len(line) && line[n] != ':' && line[n] != ' ' && line[n] != '\t'; n++ {
		low[n] = line[n]
		if 'A' <= low[n] && low[n] <= 'Z' {
			low[n] |= 0x20
		}
	}
	return n < len(line) && line[n] == ':' && changing[string(low[:n])] || bytes.HasPrefix(low[:n], []byte(mozilla))
}
