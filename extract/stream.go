package extract

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// A stream is one raw stream, and what leads from it to text. There is one for
// the source, and one for each member or attachment that is read within another;
// they are made when that depth is first reached, and used again.
type stream struct {
	raw    raw
	lines  decode.Lines // where raw offsets are not those of the text
	chain  decode.Chain // raw stream → text
	staged bool         // the chain has stages
	mark   int64        // length of the byte order mark

	mail    []*mailbox // readers of messages: one, and one for each in an encoding
	boxes   int        // of mail that are in use
	archive *archive
	origin  Origin // of the part, while an attachment is read from it
	partAt  int64  // raw offset of the part, or of that in which its message is encoded
	damage  []*Error

	// What the Stats say of the raw stream: see account.go.
	done, booked int64
	acct         account // of messages
}

// textPiece is how much decoded text is read at once, in bytes. The more that is,
// the longer the maps of the stages.
const textPiece = 8 << 10

// down makes a stream that reads r the current one, and returns what was.
func (w *worker) down(r *bufio.Reader) (above *stream) {
	if w.depth == len(w.pile) {
		s := &stream{}
		s.raw.w, s.raw.of = w, s
		// The scanner has looked at all that was read before, but for a
		// candidate that is open.
		s.chain.Keep = textPiece + 2*int64(w.x.opts.Delimit.MaxLen)
		s.chain.Mild = func(e *decode.Error, n int) { w.mild(s, e, n) }
		w.pile = append(w.pile, s)
	}
	above, w.stream = w.stream, w.pile[w.depth]
	w.depth++
	w.raw.reset(r)
	w.staged, w.boxes, w.mark, w.damage = false, 0, 0, w.damage[:0]
	w.done, w.booked, w.acct = 0, 0, account{}
	return above
}

// up makes above the current stream again.
func (w *worker) up(above *stream) {
	w.stream.rest()
	w.depth--
	w.stream = above
}

// maxMild bounds the damage that is kept: that of a few stages, each of which
// tells of each kind once a part.
const maxMild = 16

// mild keeps damage that a stage of s, with n others below, stepped over, with its
// place, until the part has been read: how far the scanner is just then depends on
// how much is read at once. s may be a stream around the current one, which is read
// from it.
func (w *worker) mild(s *stream, e *decode.Error, n int) {
	if len(s.damage) == maxMild {
		return
	}
	inner, origin := w.stream, w.origin
	if s != inner {
		w.stream, w.origin = s, s.origin
	}
	for i := s.boxes - 1; i > 0 && n < s.mail[i].bottom; i-- {
		w.origin = s.mail[i].around // the stage undoes the encoding of a whole message
	}
	s.damage = append(s.damage, w.place(damaged(e)))
	w.stream, w.origin = inner, origin
}

// tellMild tells of what was kept.
func (s *stream) tellMild() {
	for i, e := range s.damage {
		if s.damage[i] = nil; !s.raw.w.stopped() {
			s.raw.w.fail(e)
		}
	}
	s.damage = s.damage[:0]
}

// forgetMild forgets what was kept of a part that is not read after all: how much of
// it was seen depends on how much is read at once.
func (s *stream) forgetMild(section string) {
	s.damage = slices.DeleteFunc(s.damage, func(e *Error) bool { return e.Origin.Part == section })
}

// rest lets go of what is read.
func (s *stream) rest() {
	s.raw.r = nil
	s.lines.Reset(nil, decode.UTF8)
	s.chain.Reset(nil, 0)
}

// begin finds the charset by the byte order mark, and reads that. It waits for
// no more than a mark needs: one byte where that begins none.
func (w *worker) begin() (decode.Charset, error) {
	var head []byte
	for n := 1; ; n = len(head) + 1 { // at most 4 turns
		var err error
		if head, err = w.raw.r.Peek(n); err != nil || !decode.MaybeBOM(head) {
			break
		}
	}
	cs, n := decode.SniffBOM(head)
	w.mark = int64(n)
	w.lines.Reset(&w.raw, cs)
	if n > 0 {
		var mark [4]byte
		if _, err := io.ReadFull(&w.lines, mark[:n]); err != nil {
			return cs, err
		}
	}
	return cs, nil
}

// chainUp puts up the chain from the raw stream, text without messages, to what
// is scanned. UTF-8 that is no HTML needs none.
func (w *worker) chainUp(cs decode.Charset, as look) {
	d := decode.NewUnicode(cs)
	if label := w.x.opts.Charset; d == nil && w.mark == 0 && label != "" && !strings.EqualFold(label, "utf-8") {
		d, _ = w.charsets.Decoder([]byte(label))
	}
	w.staged = d != nil || as.html
	if !w.staged {
		return
	}
	w.chain.Reset(&w.lines, w.mark)
	if d != nil {
		w.chain.PushDecoder(d)
	}
	if as.html {
		w.pushHTML(as.xml)
	}
}

// pushHTML puts the HTML stage on the chain.
func (w *worker) pushHTML(xml bool) {
	if w.html == nil {
		w.html = decode.NewHTML(w.attribute)
		w.html.MaxValue = w.x.opts.Delimit.MaxLen
	}
	w.html.XML = xml
	w.chain.PushDecoder(w.html)
}
