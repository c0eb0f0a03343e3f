package extract

import (
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/delimit"
)

// A delta is added to the numbers in the results of a block, whose reader counts lines and messages from its beginning.
type delta struct {
	lines    int64
	messages int
	mail     bool // the block is of a mailbox, where the lines and offsets of a text count from its own beginning
}

// addDelta returns the sum of two deltas: more is relative to a position whose delta is by.
func addDelta(by, more delta) delta {
	return delta{by.lines + more.lines, by.messages + more.messages, by.mail || more.mail}
}

// addToResult adds to the line numbers of r.
func (d *delta) addToResult(r *Result) {
	values := r.Candidate.Form == delimit.Attribute || r.Candidate.Form == delimit.Header // attributes and whole header fields are not part of the text
	if r.Candidate.Line > 0 && (!d.mail || values && r.Origin.Member == "") {             // Line is 0 if lines are not counted
		r.Candidate.Line += d.lines
	}
	if r.Origin.Member == "" && r.Origin.Line > 0 {
		r.Origin.Line += d.lines
	}
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
		if o.Line > 0 {
			o.Line += d.lines
		}
	}
	d.addToMessage(o)
}
