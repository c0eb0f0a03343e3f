package mail

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// An input is the raw stream, with the counts of a batch that divide it, and the damage
// that was found in it.
type input struct {
	frame
	count counting
	end   int64 // raw offset at which the article ends according to its count
	sure  bool  // the article is known to end there

	message int // ordinal of the message
	damages damages
	counts  Counts
}

// A counting says how a framing gives the length of an article or message.
type counting struct {
	stage damage.Stage
	what  string // what is counted
	mark  string // what must follow it, if the stream goes on
	none  string // says that it does not

	severity damage.Severity // if the stream ends before that
}

var (
	rnewsCount = counting{damage.StageRnews, "article", rnewsMark, "no batch line after the article", damage.Error}
	emlxCount  = counting{damage.StageEmlx, "message", plistMark, "no property list after the message", damage.Error}
)

// endless is the end of an article without a count.
const endless = math.MaxInt64

// Counts counts the bytes of a stream that a [Reader] has finished. All covers also bytes between
// and around the parts: separators, boundaries, blank lines, and headers that were not returned.
type Counts struct {
	All    int64 // raw offset after the last byte that is finished
	Read   int64 // returned by Body.Read
	Passed int64 // skipped bytes of parts
	Data   int64 // uuencoded and yEnc data, which is left out
}

func (in *input) reset(src io.Reader, at int64) {
	in.frame.reset(src, at)
	in.end, in.sure = endless, false
	in.message, in.damages, in.counts = 0, damages{}, Counts{}
}

// report stores damage of the entity with that section.
func (in *input) report(section string, e *damage.Damage) {
	in.keep(pendingDamage{e, in.message, section, false})
}

// keep stores d. In the line that an error of the stream has cut, nothing else is reported.
func (in *input) keep(d pendingDamage) {
	if in.failed(nil) == nil || bytes.IndexByte(in.buf[in.ok:in.hi], '\n') >= 0 {
		in.damages.add(d)
	}
}

// articleEnd returns the index in the buffer up to which the article reaches, and whether the
// article ends there. An article with a wrong count continues up to the next batch line, or the end
// of the stream.
func (in *input) articleEnd() (hi int, last bool) {
	if in.end != endless && !in.sure {
		in.checkCount()
	}
	if in.end-in.at <= int64(in.hi) {
		return int(in.end - in.at), in.sure
	}
	return in.hi, in.err != nil
}

// checkCount checks the count of the article, once enough bytes after the article are in the
// buffer: a batch line or the end of the stream must follow.
func (in *input) checkCount() {
	left := in.end - in.raw(in.hi) // how much of the article is still to come
	if left > 0 || in.err == nil && left > -int64(len(in.count.mark)) {
		return
	}
	rest := in.buf[in.end-in.at : in.hi]
	if yes, _ := begins(rest, in.count.mark); yes || len(rest) == 0 {
		in.sure = true
		return
	}
	in.miscounted()
}

// miscounted reports that the count of the article is wrong, and forgets it.
func (in *input) miscounted() {
	in.keep(pendingDamage{damage.Skipped(in.count.stage, in.end, in.count.none), in.message, "", true})
	in.end = endless
}

// truncated reports an article or message whose count reaches beyond the end of the stream, and
// forgets the count.
func (in *input) truncated() {
	if left := in.end - in.raw(in.lo); left > 0 && in.end != endless {
		e := damage.Skipped(in.count.stage, in.raw(in.lo), fmt.Sprintf("stream ends %d bytes before the end of the %s", left, in.count.what))
		e.Severity = in.count.severity
		in.report("", e)
	}
	in.end, in.sure = endless, false
}

// batchLine decides whether the line at i ends an article. v and whole are what view returns for
// that line. In front of the offset at which the article ends according to its count, a batch line
// ends the article only if the count is wrong. This is examined if the buffer can reach to that
// offset, so the result does not depend on how much was read.
func (in *input) batchLine(v []byte, whole bool, i int) special {
	switch {
	case in.sure:
		return ordinary
	case in.end == endless:
		return atMark(v, whole, rnewsMark)
	}
	v, whole = in.view(i, in.hi, in.err != nil) // the line may extend past the end of the article
	if kind := atMark(v, whole, rnewsMark); kind != separator {
		return kind
	}
	if in.end-in.raw(i) > bufSize-keptBytes-int64(len(rnewsMark)) {
		return ordinary
	}
	k := int(in.end - in.at)
	if k+len(rnewsMark) > in.hi && in.err == nil {
		return short
	}
	rest := in.buf[min(k, in.hi):in.hi]
	if yes, _ := begins(rest, rnewsMark); yes || k == in.hi {
		return ordinary
	}
	in.miscounted()
	return separator
}

// peekLine returns the line that begins at lo, with its end, or the first lookahead bytes of a
// longer line. It reads until it has these bytes. At the end of the stream it returns nothing.
func (in *input) peekLine() []byte {
	for seen := 0; ; {
		hi, last := in.articleEnd()
		v, whole := in.view(in.lo, hi, last)
		if k := bytes.IndexByte(v[seen:], '\n'); k >= 0 {
			return v[:seen+k+1]
		}
		if whole {
			return v
		}
		seen = len(v)
		in.fill()
	}
}

// dropLine discards the line at lo, of any length.
func (in *input) dropLine() {
	for {
		hi, last := in.articleEnd()
		if k := bytes.IndexByte(in.buf[in.lo:hi], '\n'); k >= 0 {
			in.take(in.lo+k+1, true)
			return
		}
		in.take(hi, last)
		if last {
			return
		}
		in.fill()
	}
}

// dropFrom is dropLine for the From_ line in front of a message, which its identity does not have.
func (in *input) dropFrom() {
	id := in.id
	in.id = nil
	in.dropLine()
	in.id, in.idAt = id, in.raw(in.lo)
}

// dropData discards uuencoded or yEnc data in front of i.
func (in *input) dropData(i int, bol bool) {
	in.counts.Data += int64(i - in.lo)
	in.take(i, bol)
}

// pass discards the bytes of the part that were found.
func (in *input) pass() {
	in.counts.Passed += int64(in.ok - in.lo)
	in.lo = in.ok
}

// passEmpty skips empty parts of a multipart, and returns how many. The boundary line of n
// bytes that ends at ok precedes the first one. An empty part consists of nothing or of a blank
// line, and the same boundary line follows it.
func (in *input) passEmpty(n int) (count int) {
	hi, _ := in.articleEnd()
	line := in.buf[in.ok-n : in.ok]
	if line[n-1] != '\n' {
		return 0
	}
	at := in.ok // after a boundary line
	for {
		k := at
		switch {
		case k < hi && in.buf[k] == '\n':
			k++
		case k+1 < hi && in.buf[k] == '\r' && in.buf[k+1] == '\n':
			k += 2
		}
		if hi-k < n || !bytes.Equal(in.buf[k:k+n], line) {
			break
		}
		at = k + n
		count++
	}
	in.take(at, true)
	return count
}

// A pendingDamage is an error and the entity that it concerns.
type pendingDamage struct {
	*damage.Damage
	message      int
	section      string
	afterArticle bool // found by examining what follows an article
}

// The damages are those that Reader.Next has yet to return, and the one that it returned last.
type damages struct {
	pending [4]pendingDamage
	n       int
	last    pendingDamage
}

// add stores d, if there is room: a few are enough for a part.
func (s *damages) add(d pendingDamage) {
	if s.n < len(s.pending) {
		s.pending[s.n] = d
		s.n++
	}
}

// next returns the first damage whose raw offset is not greater than at. Damage of a batch may be
// found earlier or later, depending on how much was in the buffer. So it is returned only after a
// part, when all damage in front of at is known. messageEnded says that the last part ended with
// its message.
func (s *damages) next(at int64, afterPart, messageEnded bool) *damage.Damage {
	first := -1
	for i, t := range s.pending[:s.n] {
		if t.afterArticle && !(afterPart && (t.Offset <= at || messageEnded)) || !t.afterArticle && t.Offset > at {
			continue
		}
		if first < 0 || t.Offset < s.pending[first].Offset {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	s.last = s.pending[first]
	copy(s.pending[first:], s.pending[first+1:s.n])
	s.n--
	return s.last.Damage
}

// A framer finds the messages of a stream. It handles what is between them, except for From_ lines.
// It waits for complete lines. This delays no text, since these lines are not text.
type framer struct {
	framing   Framing
	in        *input
	mbox      *mbox
	babyl     bool // a second header precedes the body
	onMessage func(at int64, before int) bool
	identity  uint64 // of the last message that has ended, if in.id is set
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
	if in.id != nil {
		in.identify()
		f.identity = in.id.value()
		in.id.reset()
	}
	if len(in.peekLine()) == 0 {
		return false
	}
	if f.framing == Mbox && f.onMessage != nil && !f.onMessage(in.raw(in.lo), in.message) {
		return false
	}
	f.identity = 0
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
	for {
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

// dropVisible skips the header that Rmail displays, if one precedes the body.
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
