package compress

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/magic"
)

// A Kind is a kind of compression.
type Kind uint8

const (
	None Kind = iota // read unchanged
	Gzip
	Zstd
	Zlib
	S2
	Snappy
	Bzip2
	Xz
	Lz4
	Lzma // LZMA alone
	Lzip
	Brotli    // without a magic number: see isBrotli
	Compress  // of compress(1), .Z
	NewsBatch // a line that names the compression of a batch of news

	numKinds
)

// String returns the name of the format, or "" if c is not a Kind.
func (c Kind) String() string {
	if c >= numKinds {
		return ""
	}
	return string(c.stage())
}

// stage returns the stage of damage in a stream of that kind.
func (c Kind) stage() damage.Stage { return kinds[c].stage }

// kinds has the names of each Kind.
var kinds = [numKinds]struct {
	stage   damage.Stage // the name of the format, which is the stage of damage in it
	library string       // the word in front of ": " with which its library's messages begin; "" for none
	suffix  string       // what its programs append to the name of a file, in lower case
}{
	None: {stage: damage.StageRead}, Gzip: {"gzip", "gzip", ".gz"}, Zstd: {"zstd", "", ".zst"}, Zlib: {"zlib", "zlib", ".zz"},
	S2: {"s2", "s2", ".s2"}, Snappy: {"snappy", "s2", ".sz"}, Bzip2: {"bzip2", "", ".bz2"}, Xz: {"xz", "", ".xz"},
	Lz4: {"lz4", "lz4", ".lz4"}, Lzma: {"lzma", "", ".lzma"}, Lzip: {"lzip", "", ".lz"}, Brotli: {"brotli", "brotli", ".br"}, Compress: {"compress", "", ".z"}, NewsBatch: {stage: "batch"},
}

// Suffix returns what programs append to the name of a file with a content coding of HTTP (RFC 9110,
// section 8.4.1), which is in lower case; "" for others.
func Suffix(coding string) string {
	switch coding {
	case "gzip", "x-gzip":
		return kinds[Gzip].suffix
	case "deflate":
		return kinds[Zlib].suffix
	case "br":
		return kinds[Brotli].suffix
	case "zstd":
		return kinds[Zstd].suffix
	case "compress", "x-compress":
		return kinds[Compress].suffix
	}
	return ""
}

// WithoutSuffix returns name without the suffixes of compressions at its end, in any case.
func WithoutSuffix(name string) string {
	for {
		rest := withoutOne(name)
		if rest == name {
			return name
		}
		name = rest
	}
}

// withoutOne returns name without the suffix of a compression at its end.
func withoutOne(name string) string {
	for kind := range numKinds {
		if s := kinds[kind].suffix; s != "" && hasSuffix(name, s) {
			return name[:len(name)-len(s)]
		}
	}
	return name
}

// hasSuffix reports whether name ends with suffix, in any case, and is longer.
func hasSuffix(name, suffix string) bool {
	return len(name) > len(suffix) && strings.EqualFold(name[len(name)-len(suffix):], suffix)
}

const (
	gzipHead  = "\x1f\x8b\x08"
	zstdMagic = "\x28\xb5\x2f\xfd"
	lz4Magic  = "\x04\x22\x4d\x18"

	lz4LegacyMagic = "\x02\x21\x4c\x18" // of lz4 -l
)

// numbers are the magic numbers of all kinds. Where such a number does not suffice, because text
// or another kind may begin with it too, Decide examines more bytes.
var numbers = func() []magic.Number[Kind] {
	list := []magic.Number[Kind]{
		{Head: gzipHead, Is: Gzip},
		{Head: zstdMagic, Is: Zstd},
		{Head: "\xff\x06\x00\x00S2sTwO", Is: S2},
		{Head: "\xff\x06\x00\x00sNaPpY", Is: Snappy},
		{Head: "\xfd7zXZ\x00", Is: Xz},
		{Head: lz4Magic, Is: Lz4},
		{Head: lz4LegacyMagic, Is: Lz4},
		{Head: "BZh", Decide: lookBzip2},
		{Head: "\x1f\x9d", Is: Compress},
		{Head: lzipMagic + "\x00", Is: Lzip},
		{Head: lzipMagic + "\x01", Is: Lzip},
		{Head: "#! cunbatch\n", Is: NewsBatch},
		{Head: "#! gunbatch\n", Is: NewsBatch},
		{Head: "#! zunbatch\n", Is: NewsBatch},
	}
	for _, flags := range []byte{0x01, 0x5e, 0x9c, 0xda} { // one for each level of compression; all have a window of 32 KiB
		list = append(list, magic.Number[Kind]{Head: "x" + string([]byte{flags}), Decide: lookZlib})
	}
	for b := byte(0x50); b <= 0x5f; b++ {
		list = append(list, magic.Number[Kind]{Head: string([]byte{b}) + skipTail, Decide: lookSkippable})
	}
	return list
}()

var recogniser = magic.NewNumbers(numbers)

// sniff returns how the stream at the beginning of r, which has that name, is compressed. It consumes
// nothing. Each iteration of its loop examines one more byte, and no magic number needs more than
// the buffer of r.
func sniff(r *bufio.Reader, name string) Kind {
	for n := 1; ; {
		_, err := r.Peek(n) // waits only if n bytes are not there yet
		head, _ := r.Peek(r.Buffered())
		whole := err != nil || len(head) == r.Size()
		is, wait := Match(head, whole)
		if !wait || whole {
			if is == None && isBrotli(r, name) {
				return Brotli
			}
			return is
		}
		n = len(head) + 1
	}
}

// Match returns how a stream that begins with head is compressed. whole says that head is
// the whole stream, or all that may be examined. wait reports that more bytes may change the
// answer.
func Match(head []byte, whole bool) (is Kind, wait bool) {
	if is, wait = recogniser.Match(head, whole); is == None && !wait {
		is, wait = lookLzma(head, whole)
	}
	return is, wait
}

// lookBzip2 requires the level, and the number that begins a block (pi) or ends an empty
// stream (its square root).
func lookBzip2(head []byte, whole bool) (Kind, bool) {
	const block, end = "\x31\x41\x59\x26\x53\x59", "\x17\x72\x45\x38\x50\x90"
	rest := head[3:]
	if len(rest) > 0 && (rest[0] < '1' || rest[0] > '9') {
		return None, false
	}
	rest = rest[min(1, len(rest)):min(7, len(rest))]
	if !strings.HasPrefix(block, string(rest)) && !strings.HasPrefix(end, string(rest)) {
		return None, false
	}
	// Text hardly ever begins like this, so a stream that is cut here is bzip2.
	return Bzip2, len(rest) < len(block)
}

// A stream is zlib if zlibTrial bytes of it can be inflated without an error. When text is read
// as deflate, half of all texts have an error within 5 bytes, and all but a thousandth within
// 50.
const zlibTrial = 128

// lookZlib decompresses the available bytes, because text like "x^2" may begin like a zlib
// stream. If an error or the end comes too early for a decision, two things show a compressed
// stream: control characters, which are a twelfth of its bytes, and, if it is cut, bytes that are
// not UTF-8. Bytes after the error are not examined, so the answer does not depend on how many
// bytes were read at once.
func lookZlib(head []byte, whole bool) (Kind, bool) {
	in := trials.Get().(*trial)
	defer trials.Put(in)
	err := in.inflate(head[:min(len(head), zlibTrial)])
	cut := errors.Is(err, io.ErrUnexpectedEOF)
	switch seen := in.b[2:max(2, in.n)]; {
	case err == nil || err == io.EOF: // zlibTrial bytes without an error, or a whole stream with its checksum
		return Zlib, false
	case cut && len(head) >= zlibTrial:
		return Zlib, false
	case cut && !whole:
		return None, true
	case bytes.ContainsFunc(seen, IsBinary), cut && !utf8.Valid(seen):
		return Zlib, false
	}
	return None, false
}

// A trial inflates the beginning of what may be zlib. It reads b byte by byte, so it
// knows where an error occurs.
type trial struct {
	b    []byte
	n    int
	z    io.ReadCloser // or nil
	text [1 << 10]byte
}

// trials are reused: each takes 40 KiB, and each small file may need one.
var trials = sync.Pool{New: func() any { return new(trial) }}

// inflate returns the error that ends b, or nil if enough text came first.
func (t *trial) inflate(b []byte) (err error) {
	if t.b, t.n = b, 0; t.z == nil {
		t.z, err = zlib.NewReader(t)
	} else {
		err = t.z.(zlib.Resetter).Reset(t, nil)
	}
	for n := 0; err == nil && n < len(t.text); {
		var k int
		k, err = t.z.Read(t.text[n:])
		n += k
	}
	return err
}

func (t *trial) ReadByte() (byte, error) {
	if t.n == len(t.b) {
		return 0, io.EOF
	}
	t.n++
	return t.b[t.n-1], nil
}

func (t *trial) Read(p []byte) (int, error) {
	if t.n == len(t.b) {
		return 0, io.EOF
	}
	n := copy(p, t.b[t.n:])
	t.n += n
	return n, nil
}

// IsBinary reports whether r is a control character that does not occur in text.
func IsBinary(r rune) bool { return r < '\a' || 0x0e <= r && r < 0x1b }

// skipTail are the bytes after the first (0x50 to 0x5f) of a skippable frame of zstd or
// lz4. A length and that many bytes follow.
const skipTail = "\x2a\x4d\x18"

// lookSkippable examines what follows skippable frames. If that is too far away to be
// seen, the answer is zstd, whose tools write such frames. Each iteration advances by at
// least 8 bytes.
func lookSkippable(head []byte, whole bool) (Kind, bool) {
	far := len(head) >= MaxHead // no more is examined, even if more was read
	head = head[:min(len(head), MaxHead)]
	for {
		switch {
		case len(head) >= 8 && string(head[1:4]) == skipTail && head[0]>>4 == 5:
			size := int64(binary.LittleEndian.Uint32(head[4:]))
			if size <= int64(len(head)-8) {
				head = head[8+size:]
				continue
			}
		case len(head) >= 4 && string(head[:4]) == zstdMagic:
			return Zstd, false
		case len(head) >= 4 && (string(head[:4]) == lz4Magic || string(head[:4]) == lz4LegacyMagic):
			return Lz4, false
		case len(head) >= 8 || len(head) >= 4 && string(head[1:4]) != skipTail:
			return None, false
		case len(head) == 0 && whole:
			return Zstd, false
		}
		if far {
			return Zstd, false
		}
		return None, !whole // text, if the stream ends within the frame
	}
}

// MaxHead is the most bytes that are examined. The smallest buffer holds as many.
const MaxHead = 4 << 10
