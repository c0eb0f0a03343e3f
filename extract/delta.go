package extract

import (
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/compress"
)

// A delta is added to the numbers in the results of a segment: the segment's reader counted them
// from where that reader started.
type delta struct {
	lines    int64
	messages int
	bytes    int64 // for offsets
	mail     bool  // the segment is of a mailbox, where the lines and offsets of a text count from its own beginning

	sum compress.Checksum // of the blocks of bzip2 in front of the segment; its reader needs this, results do not
}

// addDelta returns the sum of two deltas: more is relative to a position whose delta is by.
func addDelta(by, more delta) delta {
	return delta{by.lines + more.lines, by.messages + more.messages, by.bytes + more.bytes, by.mail || more.mail, by.sum.Then(more.sum)}
}

// addToResult adds to the line numbers of r, and to its offsets.
func (d *delta) addToResult(r *Result) {
	values := r.Candidate.Form == delimit.Attribute || r.Candidate.Form == delimit.Header // attributes and whole header fields are not part of the text
	if r.Candidate.Line > 0 && (!d.mail || values && r.Origin.Member == "") {             // Line is 0 if lines are not counted
		r.Candidate.Line += d.lines
	}
	if r.Origin.Member == "" && r.Origin.Line > 0 {
		r.Origin.Line += d.lines
	}
	if d.bytes != 0 {
		d.addToOffsets(r)
	}
}

// addToOffsets adds to the raw offset of r and, unless the source is a mailbox, to the offsets in
// its text.
func (d *delta) addToOffsets(r *Result) {
	if r.Origin.Member != "" {
		return
	}
	r.Origin.Offset += d.bytes
	if !d.mail {
		d.addToSpans(&r.Candidate)
	}
}

// addToSpans adds to the offsets of c in its text.
func (d *delta) addToSpans(c *delimit.Candidate) {
	c.Inner.Start, c.Inner.End = c.Inner.Start+d.bytes, c.Inner.End+d.bytes
	c.Outer.Start, c.Outer.End = c.Outer.Start+d.bytes, c.Outer.End+d.bytes
}

// addToMessage adds to the message number of o.
func (d *delta) addToMessage(o *Origin) {
	if d.messages == 0 {
		return
	}
	if o.messageInMember {
		o.renumber(d.messages)
	} else if o.Message > 0 {
		o.Message += d.messages
	}
}

// renumber adds n to the message number at the beginning of o.Member: with n = 2, "#1[3]a.zip"
// becomes "#3[3]a.zip".
func (o *Origin) renumber(n int) {
	end := strings.IndexByte(o.Member, '[') // after "#" and the number
	if end < 0 {
		return
	}
	was, err := strconv.Atoi(o.Member[1:end])
	if err == nil {
		o.Member = "#" + strconv.Itoa(was+n) + o.Member[end:]
	}
}

// addToOrigin adds to the numbers of o.
func (d *delta) addToOrigin(o *Origin) {
	if o.Member == "" {
		o.Offset += d.bytes
		if o.Line > 0 {
			o.Line += d.lines
		}
	}
	d.addToMessage(o)
}
