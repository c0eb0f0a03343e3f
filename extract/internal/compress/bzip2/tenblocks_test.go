package bzip2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// A bitString stores one bit in each byte.
type bitString []byte

func toBits(data []byte) (b bitString) {
	for _, c := range data {
		b = b.put(uint64(c), 8)
	}
	return b
}

func (b bitString) put(v uint64, n int) bitString {
	for n--; n >= 0; n-- {
		b = append(b, byte(v>>n&1))
	}
	return b
}

func (b bitString) bytes() []byte {
	data := make([]byte, (len(b)+7)/8)
	for i, bit := range b {
		data[i/8] |= bit << (7 - i%8)
	}
	return data
}

// marks returns where the magic numbers of blocks and of the end are.
func (b bitString) marks() (at []int) {
	block, end := bitString(nil).put(blockMagic, 48), bitString(nil).put(endMagic, 48)
	for i := range len(b) - 47 {
		if m := b[i:][:48]; bytes.Equal(m, block) || bytes.Equal(m, end) {
			at = append(at, i)
		}
	}
	return at
}

// A blockDamage damages a block. sum is the checksum of the stream.
type blockDamage func(block, sum bitString)

// flipped changes the bits at these offsets. Negative offsets count from the end.
func flipped(at ...int) blockDamage {
	return func(block, _ bitString) {
		for _, i := range at {
			block[(i+len(block))%len(block)] ^= 1
		}
	}
}

// endless makes a block whose data is read as some 4,000 symbols. Only the code of twenty bits is
// the end of the block, so decoding may continue far beyond it.
func endless(block, _ bitString) {
	body := bitString(nil).put(0, 1).put(0, 24)                // origin
	body = body.put(0xc000, 16).put(0xffff, 16).put(7<<13, 16) // 19 bytes occur
	body = body.put(2, 3).put(80, 15)
	body = append(body, make(bitString, 80)...) // all groups have the first code
	for range 2 {
		body = body.put(19, 5).put(0, 1).put(0b100, 3) // 19 and 20 bits, for repeats
		body = append(body, bytes.Repeat([]byte{1}, 2*19)...)
		body = body.put(0, 1)
		for range 17 {
			body = body.put(0b100, 3) // 2 to 18 bits, for bytes
		}
		body = body.put(0b10100, 5) // 20 bits, for the end
	}
	copy(block[80:], body)
}

// endlessButSum is endless, but the checksum of the stream contains the end of the block.
func endlessButSum(block, sum bitString) {
	endless(block, sum)
	for i := range sum {
		sum[i] = 1
	}
}

var blockDamages = map[string]blockDamage{
	"magic":            flipped(3),
	"checksum":         flipped(50),
	"randomized":       flipped(80),
	"origin":           flipped(81, 90),
	"bytes":            flipped(106, 110),
	"number of groups": flipped(155, 157, 159, 161),
	"tables":           flipped(220, 260),
	"middle":           flipped(-150, -130),
	"last group":       flipped(-60, -40, -30, -20),
	"end":              flipped(-9, -5, -1),
	"magic and end":    flipped(3, -1),
	"checksum and end": flipped(50, -9, -5, -1),
	"endless":          endless,
	"endless but sum":  endlessButSum,
}

// TestTenBlocks damages each of ten blocks. They are short, so a damaged block may seem to extend
// to the end of the file. The other blocks and one error must be returned. If the file is truncated
// in the last block, there is another error, after the text in front of it.
func TestTenBlocks(t *testing.T) {
	data := file(t, "ten")
	at := toBits(data).marks()
	texts := blockTexts(data, starts(data))
	var text strings.Builder
	for i := range 10 {
		line := "block " + "abcdefghij"[i:] + "\n"
		text.WriteString(strings.Repeat(line, 99_981/len(line)+1)[:99_981])
	}
	if got, errs := readOn(new(Reader), data); errs != nil || string(got) != text.String() || len(at) != 11 {
		t.Fatal(len(got), errs, at)
	}
	seen, damaged := make(map[string]int), 0
	for i := range texts {
		if !long && i%9 != 0 {
			continue
		}
		damaged++
		for name, harm := range blockDamages {
			bits := toBits(data)
			harm(bits[at[i]:at[i+1]], bits[at[10]+48:][:32])
			bad := bits.bytes()
			whole := tenBlocks{bad, texts, i, at[i] / 8, at[i+1] / 8, nil}
			for what, n := range whole.read(t, fmt.Sprintf("block %d, %s", i, name)) {
				seen[what] += n
			}
			if i < 9 && (long || i == 0) {
				cut := whole
				cut.data, cut.texts, cut.more = bad[:at[9]/8+30], texts[:9], []error{io.ErrUnexpectedEOF}
				cut.read(t, fmt.Sprintf("block %d, %s, and cut", i, name))
			}
		}
	}
	if seen[noEnd] < damaged {
		t.Errorf("%d damaged blocks have no end: %v", seen[noEnd], seen)
	}
}

// tenBlocks is a damaged file.
type tenBlocks struct {
	data     []byte
	texts    [][]byte
	bad      int // the number of the damaged block
	from, to int // bit offsets of the damaged block
	more     []error
}

// read reads the file in two ways, and compares. It returns the damage that was reported.
func (b *tenBlocks) read(t *testing.T, what string) map[string]int {
	seen, r := make(map[string]int), new(Reader)
	before, after := bytes.Join(b.texts[:b.bad], nil), bytes.Join(b.texts[b.bad+1:], nil)
	for how, in := range map[string]io.Reader{
		"whole": bytes.NewReader(b.data),
		"bytes": iotest.OneByteReader(bytes.NewReader(b.data)),
	} {
		got, errs := readOnFrom(r, in)
		if !bytes.HasPrefix(got, before) || !bytes.HasSuffix(got, after) {
			t.Errorf("%s, %s: %d bytes, %v", what, how, len(got), errs)
		}
		if len(errs) == 0 || !slices.Equal(errs[1:], b.more) {
			t.Errorf("%s, %s: %v", what, how, errs)
			continue
		}
		e, ok := errs[0].(*Error)
		if !ok || e.Offset < int64(b.from) || e.What == noEnd && e.Offset != int64(b.to) {
			t.Errorf("%s, %s: %v; it is from %d to %d", what, how, errs, b.from, b.to)
			continue
		}
		seen[e.What]++
	}
	return seen
}

// TestStreamHeader damages the header of the second of two streams. Both texts must be returned,
// with a line break between them, and one error.
func TestStreamHeader(t *testing.T) {
	words, ten := file(t, "words"), file(t, "ten")
	want := slices.Concat(larger["words"], []byte("\n"), bytes.Join(blockTexts(ten, starts(ten)), nil))
	r := new(Reader)
	for k := range len("BZh1") {
		data := slices.Concat(words, ten)
		data[len(words)+k] = 'x'
		got, errs := readOn(r, data)
		if e := new(Error); len(errs) != 1 || !errors.As(errs[0], &e) || e.Offset < int64(len(words)) || e.Offset > int64(len(words)+4) {
			t.Errorf("byte %d: %v; want an error after %d bytes", k, errs, len(words))
		}
		if !bytes.Equal(got, want) {
			t.Errorf("byte %d: %d bytes, want %d", k, len(got), len(want))
		}
	}
}
