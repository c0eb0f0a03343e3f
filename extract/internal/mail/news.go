package mail

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// This file handles what is between messages, except for From_ lines. A framer waits for
// complete lines. This delays no text, since these lines are not text.

// A framer finds the messages of a stream.
type framer struct {
	framing   Framing
	in        *input
	mbox      *mbox
	babyl     bool // a second header precedes the body
	onMessage func(at int64, before int) bool
}

// next skips what is in front of a message, except for its From_ line. It returns false if there is
// no message; otherwise the message begins at in.ok.
func (f *framer) next() bool {
	in := f.in
	switch f.framing {
	case Rnews:
		return f.nextRnews()
	case Babyl:
		return f.nextBabyl()
	case Emlx:
		return f.nextEmlx()
	case MMDF:
		for m, _ := begins(in.peekLine(), mmdfLine); m; m, _ = begins(in.peekLine(), mmdfLine) {
			in.dropLine() // one such line ends a message, another begins the next
		}
	case Single:
		if in.message > 0 {
			return false
		}
		fallthrough
	case Mbox: // some programs leave blank lines in front
		for len(in.peekLine()) > 0 && len(bytes.TrimRight(in.peekLine(), "\r\n")) == 0 {
			in.dropLine()
		}
	}
	if len(in.peekLine()) == 0 {
		return false
	}
	if f.framing == Mbox && f.onMessage != nil && !f.onMessage(in.raw(in.lo), in.message) {
		return false
	}
	in.message++
	return true
}

// nextRnews is next for a batch. If something else is in the place of "#! rnews N", it is
// read as an article up to the next such line.
func (f *framer) nextRnews() bool {
	in := f.in
	in.count = rnewsCount
	in.truncated()
	line, _, _ := cutLine(in.peekLine())
	if len(in.peekLine()) == 0 {
		return false
	}
	raw, end, bad := in.raw(in.lo), int64(endless), ""
	if yes, _ := begins(line, rnewsMark); yes {
		count, _ := word(line[len(rnewsMark):])
		n, ok := number(count)
		in.dropLine()
		if ok {
			end = in.raw(in.lo) + n // 18 digits do not overflow
		} else {
			bad = "batch line without a count"
		}
	} else {
		bad = "no batch line"
	}
	in.message++
	if bad != "" {
		in.report("", damage.Skipped(damage.StageRnews, raw, bad))
	}
	in.end = max(end, in.raw(in.ok))
	return true
}

// nextEmlx is next for a file of Apple Mail: a line with the number of bytes of the message, the
// message, and a property list, which is skipped.
func (f *framer) nextEmlx() bool {
	in := f.in
	if in.message > 0 {
		in.truncated()
		for len(in.peekLine()) > 0 {
			in.dropLine()
		}
		return false
	}
	count, _ := word(in.peekLine())
	n, _ := number(bytes.TrimRight(count, "\r\n")) // Sniff has seen it
	in.count = emlxCount
	if !bytes.ContainsRune(in.peekLine(), ' ') { // Apple Mail fills it with blanks; this may be text with a number in front
		in.count.severity = damage.Warning
	}
	in.dropLine()
	in.end = in.raw(in.lo) + n
	in.message++
	return true
}

// nextBabyl is next for a mail file of Rmail. A message follows a line with ^_ and ^L, and
// begins with a line of attributes. If that line begins with '1', the complete header comes
// first, and then the header that Rmail displays.
func (f *framer) nextBabyl() bool {
	in := f.in
	for { // one line in each iteration
		line := in.peekLine()
		if len(line) == 0 {
			return false
		}
		in.dropLine()
		if line[0] == '\x1f' {
			break
		}
	}
	attributes := in.peekLine()
	if len(attributes) == 0 {
		return false
	}
	f.babyl = false
	// "0,..." or "1,...": whether Rmail's own header follows the complete one.
	if len(attributes) > 1 && attributes[1] == ',' && '0' <= attributes[0] && attributes[0] <= '1' {
		f.babyl = attributes[0] == '1'
		in.dropLine()
	}
	if yes, _ := begins(in.peekLine(), eooh); yes {
		in.dropLine()
		f.babyl = false
	}
	in.message++
	return true
}

const eooh = "*** EOOH ***"

// dropVisible skips the header that Rmail displays, if one precedes the body. Each
// iteration skips a line.
func (f *framer) dropVisible() {
	if !f.babyl {
		return
	}
	f.babyl = false
	in := f.in
	if yes, _ := begins(in.peekLine(), eooh); !yes {
		return
	}
	for {
		line, _, _ := cutLine(in.peekLine())
		if len(in.peekLine()) == 0 || len(line) > 0 && line[0] == '\x1f' {
			return
		}
		in.dropLine()
		if len(line) == 0 {
			return
		}
	}
}
