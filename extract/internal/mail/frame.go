package mail

import (
	"bytes"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Lookahead is how many bytes from the start of a line may decide what it is.
const Lookahead = 4 << 10

// The buffer of a frame and its parts:
//
//	0 ─ keptBytes ─ lo ────────── ok ──── ok+held ──────────── hi ──── bufSize
//	     returned  │ of the part │ line end │ not examined │ free
//
// Usually only the first byte of a line is examined. If the line may be more than text,
// as many bytes as needed are examined, at most lookahead. So the result depends only on
// the bytes, and not on how the input is split into reads. A line of any length is
// consumed in pieces.
const (
	lookahead = Lookahead
	headerMax = 64 << 10 // bytes of a header that are examined before it is read
	bufSize   = headerMax + lookahead
	keptBytes = 8 // bytes in front of lo that are kept: room for two line ends
)

// A frame is the raw stream with a window on it.
type frame struct {
	src io.Reader
	low forgetter // src, if it has the method Forget; else nil
	nl  liner     // src, if it is a liner; else nil
	buf []byte

	lo, ok, hi int
	held       int  // a line end at ok that may belong to the boundary line after it
	bol        bool // ok+held begins a line

	start int64 // raw offset of the stream's first byte
	at    int64 // raw offset of buf[0]
	err   error // the error of src, which follows buf[hi]

	id   *identity // of the current message of an mbox; nil if it is not needed
	idAt int64     // raw offset up to which id has the bytes

	// mayForget means that bytes in front of lo are not located any more, so src may forget
	// them.
	mayForget bool
}

type forgetter interface{ Forget(off int64) }

// A liner knows where lines begin: [decode.Lines].
type liner interface {
	Starts(off int64) (starts []int64, ok bool)
}

func (f *frame) reset(src io.Reader, at int64) {
	if f.buf == nil {
		f.buf = make([]byte, bufSize)
	}
	low, _ := src.(forgetter)
	nl, _ := src.(liner)
	*f = frame{src: src, low: low, nl: nl, buf: f.buf, bol: true, start: at, at: at}
}

// raw returns the raw offset of buf[i].
func (f *frame) raw(i int) int64 { return f.at + int64(i) }

// view returns the bytes that may decide about the line that begins at i. whole means that
// no more of them will come.
func (f *frame) view(i, hi int, last bool) (v []byte, whole bool) {
	if hi-i >= lookahead {
		return f.buf[i : i+lookahead], true
	}
	return f.buf[i:hi], last
}

// fill reads until it gets bytes or an error, at most damage.MostIdle times. If the buffer is
// full, it first discards what is in front of lo and moves the rest to the front.
func (f *frame) fill() {
	if f.err != nil {
		return
	}
	if f.mayForget && f.low != nil {
		f.low.Forget(f.raw(f.lo))
	}
	if f.hi == len(f.buf) || f.lo == f.hi {
		f.slide()
	}
	if f.hi == len(f.buf) { // no caller needs more than the buffer holds
		f.err = io.ErrShortBuffer
		return
	}
	for range damage.MostIdle {
		n, err := f.src.Read(f.buf[f.hi:])
		f.hi += n
		f.err = err
		if n > 0 || err != nil {
			return
		}
	}
	f.err = io.ErrNoProgress
}

// slide moves the bytes that are not returned yet to the front, with keptBytes bytes before
// them.
func (f *frame) slide() {
	gone := f.lo - keptBytes
	if gone <= 0 {
		return
	}
	f.identify()
	f.hi = copy(f.buf, f.buf[gone:f.hi])
	f.lo, f.ok, f.at = f.lo-gone, f.ok-gone, f.at+int64(gone)
}

// identify adds the bytes in front of lo to id.
func (f *frame) identify() {
	if f.id != nil && f.idAt < f.raw(f.lo) {
		f.id.add(f.buf[f.idAt-f.at : f.lo])
		f.idAt = f.raw(f.lo)
	}
}

// lines returns the raw offsets of the lines that begin after buf[i] and are in the buffer,
// at least in part. It returns nil and false if the source does not know them.
func (f *frame) lines(i int) (starts []int64, known bool) {
	if f.nl == nil {
		return nil, false
	}
	return f.nl.Starts(f.raw(i))
}

// take discards the bytes in front of i, returned or not. bol says whether a line begins
// at i.
func (f *frame) take(i int, bol bool) { f.lo, f.ok, f.held, f.bol = i, i, 0, bol }

// blankBefore reports whether the line that begins at i follows a blank line or the
// beginning of the stream.
func (f *frame) blankBefore(i int) bool {
	for n := 0; n < 2; n++ {
		if f.raw(i) == f.start {
			return true
		}
		if i == 0 || f.buf[i-1] != '\n' {
			return false
		}
		i--
		for k := 0; k < 2 && i > 0 && f.buf[i-1] == '\r'; k++ {
			i--
		}
	}
	return true
}

// failed returns the error of src if there is one other than io.EOF; otherwise it returns err.
func (f *frame) failed(err error) error {
	if f.err != nil && f.err != io.EOF {
		return f.err
	}
	return err
}

// cutLine splits v after its first line end: an LF with any CR in front of it, since some
// archives have CR CR LF. full reports whether v has one; text is the line without it.
func cutLine(v []byte) (text []byte, n int, full bool) {
	k := bytes.IndexByte(v, '\n')
	if k < 0 {
		return v, len(v), false
	}
	n = k + 1
	for k > 0 && v[k-1] == '\r' {
		k--
	}
	return v[:k], n, true
}

// begins reports whether v begins with s, and whether it may do so with more bytes.
func begins(v []byte, s string) (yes, may bool) {
	if len(v) >= len(s) {
		return string(v[:len(s)]) == s, false
	}
	return false, string(v) == s[:len(v)]
}
