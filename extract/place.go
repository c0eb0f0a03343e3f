package extract

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// A Place is how far a file was read, and hashes of all that was read. The zero Place is
// the beginning. It can be kept as bytes: see [Place.AppendBinary].
type Place struct {
	Stored   int64 // bytes of the file that were read
	Text     int64 // bytes of its decompressed stream that were read; Stored if it is not compressed
	Lines    int64 // in front of the point from which reading goes on
	Messages int   // likewise
	Results  int64 // found so far
	Whole    bool  // all of the file was read, as it was then

	restart
	packed  bool // the file is compressed
	hasText bool // text is that of the decompressed stream
	stored  digest.Digest
	text    digest.Digest
	options uint64   // a hash of those that decide what is found
	format  uint64   // a hash of those that decide how a file is read
	last    []uint64 // hashes of the results that were found because the file ended
}

// A restart is a point from which reading goes on, in the decompressed stream.
type restart struct {
	kind document.Layout
	mark int64 // length of the byte order mark
	from int64 // offset of a line or message
	upto int64 // what was found up to this offset is left out
	n    int64 // and so are as many results after it
}

// Compressed reports whether the file is compressed.
func (p *Place) Compressed() bool { return p.packed }

// Sampled is [File.Continues] for a file of size bytes that the caller has opened.
func (p *Place) Sampled(file io.ReaderAt, size int64) bool {
	return size >= p.stored.Len() && p.stored.Sampled(file)
}

// content returns the digest of the decompressed stream.
func (p *Place) content() *digest.Digest {
	if p.hasText {
		return &p.text
	}
	return &p.stored
}

// maxLast bounds the results at the end of a file whose hashes are kept. Of more, the
// first ones are counted.
const maxLast = 1024

// placeVersion is the first byte of a Place as bytes.
const placeVersion = 1

// AppendBinary appends p to b in a form that UnmarshalBinary reads. The error is nil.
func (p *Place) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, placeVersion, flagsOf(p.Whole, p.packed, p.hasText), byte(p.kind))
	for _, n := range [...]int64{p.Lines, int64(p.Messages), p.Results, p.mark, p.from, p.upto, p.n, int64(len(p.last))} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.LittleEndian.AppendUint64(b, p.options)
	b = binary.LittleEndian.AppendUint64(b, p.format)
	for _, h := range p.last {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	b = p.stored.Append(b)
	if p.hasText {
		b = p.text.Append(b)
	}
	return b, nil
}

// flagsOf packs bools into a byte.
func flagsOf(flags ...bool) (b byte) {
	for i, on := range flags {
		if on {
			b |= 1 << i
		}
	}
	return b
}

const errPlace plainError = "damaged place"

// UnmarshalBinary sets p to what AppendBinary has written. After an error p is the
// beginning.
func (p *Place) UnmarshalBinary(b []byte) (err error) {
	*p = Place{}
	var q Place
	if len(b) < 3 || b[0] != placeVersion || b[2] > byte(document.Messages) {
		return errPlace
	}
	q.Whole, q.packed, q.hasText, q.kind = b[1]&1 != 0, b[1]&2 != 0, b[1]&4 != 0, document.Layout(b[2])
	b = b[3:]
	var numbers [8]int64
	for i := range numbers {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > 1<<62 {
			return errPlace
		}
		numbers[i], b = int64(v), b[n:]
	}
	q.Lines, q.Messages, q.Results, q.mark = numbers[0], int(numbers[1]), numbers[2], numbers[3]
	q.from, q.upto, q.n = numbers[4], numbers[5], numbers[6]
	last := numbers[7]
	if last > maxLast || int64(len(b)) < 16+8*last {
		return errPlace
	}
	q.options, q.format = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	for b = b[16:]; last > 0; last-- { // at most maxLast
		q.last = append(q.last, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	if q.stored, b, err = digest.Parse(b); err != nil {
		return errPlace
	}
	if q.hasText {
		if q.text, b, err = digest.Parse(b); err != nil {
			return errPlace
		}
	}
	q.Stored, q.Text = q.stored.Len(), q.content().Len()
	if len(b) > 0 || q.from > q.upto || q.upto > q.Text && q.kind != document.Whole {
		return errPlace
	}
	*p = q
	return nil
}

// String returns p for people: "120 lines, 3 messages".
func (p *Place) String() string {
	return fmt.Sprintf("%d bytes, %d lines, %d messages", p.Text, p.Lines, p.Messages)
}

// hashes returns the hashes of the options that decide what is found, and of those that
// decide how a file is read.
func (o *Options) hashes() (found, read uint64) {
	read = xxhash.Sum64String(fmt.Sprint(o.Format, "\x00", o.Charset))
	found = xxhash.Sum64String(fmt.Sprintf("%v\x00%v\x00%+v\x00%v %v %v\x00%+v", uint(o.Grammar), uint(o.Parts), o.Delimit.Extras,
		o.Refused, o.MessageIDs, o.Identifiers, [...]int{o.Delimit.MaxLen, o.Delimit.MaxBreaks}))
	return found, read
}

// hash returns a hash of what r is and where.
func (r *Result) hash() uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(binary.LittleEndian.AppendUint64(nil, uint64(r.Origin.Offset)))
	_, _ = d.Write(r.URL)
	_, _ = d.WriteString("\x00" + r.Origin.Member + "\x00" + r.Origin.Part)
	return d.Sum64()
}
