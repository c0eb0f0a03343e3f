package extract

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/document"
)

// A Place says how far a file was read, and has hashes of all that was read. The zero Place is
// the beginning. It can be kept as bytes: see [Place.AppendBinary].
type Place struct {
	Stored   int64 // bytes of the file that were read
	Text     int64 // bytes of its decompressed stream that were read; Stored if it is not compressed
	Lines    int64 // lines in front of the point where the next run continues
	Messages int   // messages in front of that point
	Results  int64 // results found so far
	Whole    bool  // the whole file was read, as it was at that time

	restart
	digests
	identities
	foundHash     uint64   // a hash of the options that decide what is found
	readHash      uint64   // see [Options.ReadHash]
	lastHashes    []uint64 // hashes of the results at the end of the file, which may change when it grows
	errorHashes   []uint64 // hashes of errors that were yielded
	found         stretch  // stretch in which all results were found
	foundByOthers stretch  // stretch in which runs with other options have found all results
}

// A stretch has the results that begin in front of the offset begin of the decompressed stream, and
// end at or in front of the offset end.
type stretch struct{ begin, end int64 }

func (s stretch) has(begin, end int64) bool { return begin < s.begin && end <= s.end }

// A restart is a point in the decompressed stream where the next run continues.
type restart struct {
	kind     document.Division
	bom      int64 // length of the byte order mark
	from     int64 // offset of a line or message
	upto     int64 // what was found up to this offset is left out
	leaveOut int64 // this many results after upto are left out too
}

// The digests are hashes of what was read.
type digests struct {
	compressed bool // the file is compressed
	stored     digest.Digest
	hasText    bool // text is a digest of the decompressed stream
	text       digest.Digest
}

// content returns the digest of the decompressed stream.
func (d *digests) content() *digest.Digest {
	if d.hasText {
		return &d.text
	}
	return &d.stored
}

// Compressed reports whether the file is compressed.
func (p *Place) Compressed() bool { return p.compressed }

// maxLast bounds the results at the end of a file whose hashes are kept. If there are more, the
// first ones are only counted.
const maxLast = 1024

// placeVersion is the first byte of an encoded Place.
const placeVersion = 2

// maxReported bounds the errors that are remembered. The first ones are forgotten.
const maxReported = 64

// AppendBinary appends p to b in a form that UnmarshalBinary reads. The error is nil.
func (p *Place) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, placeVersion, flagsOf(p.Whole, p.compressed, p.hasText, len(p.known) > 0), byte(p.kind))
	for i, n := range [...]int64{p.Lines, int64(p.Messages), p.Results, p.bom, p.from, p.upto, p.leaveOut,
		p.found.begin, p.found.end, p.foundByOthers.begin, p.foundByOthers.end,
		int64(len(p.lastHashes)), int64(len(p.errorHashes)), int64(len(p.known))} {
		if i < 13 || n > 0 {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	b = binary.LittleEndian.AppendUint64(b, p.foundHash)
	b = binary.LittleEndian.AppendUint64(b, p.readHash)
	for _, list := range [...][]uint64{p.lastHashes, p.errorHashes, p.known} {
		for _, h := range list {
			b = binary.LittleEndian.AppendUint64(b, h)
		}
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

// UnmarshalBinary sets p to the Place that AppendBinary has written as b. It does not keep b. If b
// is damaged, it returns an error and sets p to the zero Place.
func (p *Place) UnmarshalBinary(b []byte) (err error) {
	*p = Place{}
	var q Place
	if len(b) < 3 || b[0] != placeVersion || b[2] > byte(document.Records) {
		return errPlace
	}
	q.Whole, q.compressed, q.hasText, q.kind = b[1]&1 != 0, b[1]&2 != 0, b[1]&4 != 0, document.Division(b[2])
	var numbers [14]int64
	count := len(numbers)
	if b[1]&8 == 0 {
		count-- // there are no identities
	}
	b = b[3:]
	for i := range count {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > 1<<62 {
			return errPlace
		}
		numbers[i], b = int64(v), b[n:]
	}
	q.Lines, q.Messages, q.Results, q.bom = numbers[0], int(numbers[1]), numbers[2], numbers[3]
	q.from, q.upto, q.leaveOut = numbers[4], numbers[5], numbers[6]
	q.found, q.foundByOthers = stretch{numbers[7], numbers[8]}, stretch{numbers[9], numbers[10]}
	last, reported, known := numbers[11], numbers[12], numbers[13]
	if most := int64(len(b)) / 8; last > maxLast || reported > maxReported || known > most || most < 2+last+reported+known {
		return errPlace
	}
	q.foundHash, q.readHash = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	q.lastHashes, b = hashesIn(b[16:], int(last))
	q.errorHashes, b = hashesIn(b, int(reported))
	q.known, b = hashesIn(b, int(known))
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

// hashesIn returns the n hashes at the beginning of b, and the rest of b.
func hashesIn(b []byte, n int) (list []uint64, rest []byte) {
	if n > 0 {
		list = make([]uint64, 0, n)
	}
	for range n {
		list = append(list, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	return list, b
}

// hash returns a hash of r and its position. It uses the reference in the text, because
// Options.Normalize changes the URL.
func (r *Result) hash() uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(binary.LittleEndian.AppendUint64(nil, uint64(r.Origin.Offset)))
	_, _ = d.Write(r.Candidate.Ref)
	_, _ = d.WriteString("\x00" + r.Origin.Member + "\x00" + r.Origin.Part)
	return d.Sum64()
}

// hash returns a hash of the message of e and its position, without numbers that depend on where
// reading began.
func (e *Error) hash() uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(binary.LittleEndian.AppendUint64(nil, uint64(e.Origin.Offset)))
	_, _ = d.WriteString(fmt.Sprint(e.Stage, "\x00", e.Err, "\x00", e.Origin.Member, "\x00", e.Origin.Part))
	return d.Sum64()
}

// A pastResults counts the results of a resumed file: those that were found, and those to leave
// out after the point of restart. If a run has the same options as the last one, it leaves out as
// many results as the last run has found after the point of restart. If it has other options, it
// leaves out the results in the stretch where the last run has found all. So it yields only results
// from the new text.
type pastResults struct {
	restart
	stillToLeaveOut  int64           // this run leaves out so many more results
	leaveOutHashes   map[uint64]bool // hashes of other results that it leaves out
	totalWithoutLast int64           // results since the beginning of the file, except those in lastHashes
	atFileEnd        bool            // the end of the file was reached
	lastHashes       []uint64        // hashes of the results found since atFileEnd was set
	errorHashes      []uint64        // hashes of the errors that were yielded

	found         stretch // see Place
	foundByOthers stretch
	allRead       bool  // all of the file was read
	messageStart  int64 // where the current message of a mailbox begins
}

// begin makes s leave out what was found up to p. same says that p was reached with the options of
// this run.
func (s *pastResults) begin(p *Place, same bool) {
	s.errorHashes, s.found, s.foundByOthers, s.messageStart = slices.Clone(p.errorHashes), p.found, p.foundByOthers, p.from
	if !same {
		s.leaveOut, s.foundByOthers, s.totalWithoutLast = 0, p.found, p.Results
		return
	}
	s.stillToLeaveOut = s.leaveOut
	if len(p.lastHashes) > 0 {
		s.leaveOutHashes = make(map[uint64]bool, len(p.lastHashes))
	}
	for _, h := range p.lastHashes { // at most maxLast
		s.leaveOutHashes[h] = true
	}
}

// noteAllFound records that all results that begin in front of the offset at were found.
func (s *pastResults) noteAllFound(at int64) { s.found.begin = max(s.found.begin, at) }

// wasReported reports whether an earlier run has yielded e, and remembers e.
func (s *pastResults) wasReported(e *Error) bool {
	h := e.hash()
	if slices.Contains(s.errorHashes, h) { // at most maxReported hashes
		return true
	}
	if s.errorHashes = append(s.errorHashes, h); len(s.errorHashes) > maxReported {
		s.errorHashes = slices.Delete(s.errorHashes, 0, 1)
	}
	return false
}

// count counts r, which is yielded or was yielded by an earlier run.
func (s *pastResults) count(r *Result) {
	if r.Origin.Member == "" {
		s.noteAllFound(r.Origin.Offset + 1)
	}
	if !s.atFileEnd {
		s.totalWithoutLast++
		s.leaveOut++
		return
	}
	s.lastHashes = append(s.lastHashes, r.hash())
	if len(s.lastHashes) > maxLast {
		s.lastHashes = s.lastHashes[1:]
		s.totalWithoutLast++
		s.leaveOut++
	}
}

// A plainError is an error that is a constant string. The [Error] around it has the
// position.
type plainError string

func (e plainError) Error() string { return string(e) }

// The rest of this file has the methods for an index of Places: an ordered set of keys, in
// which a caller finds the Place of a file that was renamed, copied or compressed since. A
// caller needs it for rotated logs or archives that move. A caller that knows its files by
// name, or by Device and Inode, needs only Continues. The command urlsift keeps such an index
// in the file of its option --state.

// keyLen is the length of a key, and headLen that of its head.
const (
	keyLen  = 3 * headLen
	headLen = 8
)

// AppendKey appends to dst the key of p in an index of Places, 24 bytes, and returns the
// extended slice. The key has the length of what was read up to p, and hashes of it. So the
// keys of Places in files that begin alike are next to each other, in order of length. See
// [File.Keys].
func (p *Place) AppendKey(dst []byte) []byte {
	return appendKey(dst, p.compressed && !p.hasText, p.content().Fingerprint())
}

// appendKey appends the key of what p describes: the stored bytes of a compressed file if
// compressed is true, otherwise a text.
func appendKey(dst []byte, compressed bool, p digest.Fingerprint) []byte {
	dst = appendHead(dst, compressed, p.Head)
	dst = binary.BigEndian.AppendUint64(dst, uint64(p.Length))
	return binary.BigEndian.AppendUint64(dst, p.Sum)
}

// appendHead appends the head of a key: head, a hash of the first bytes, with its lowest bit set to
// compressed.
func appendHead(dst []byte, compressed bool, head uint64) []byte {
	if head &^= 1; compressed {
		head |= 1
	}
	return binary.BigEndian.AppendUint64(dst, head)
}
