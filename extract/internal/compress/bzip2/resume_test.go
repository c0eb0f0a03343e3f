package bzip2

import (
	"bufio"
	"bytes"
	"io"
	"testing"
)

// readOn reads all of data, and continues after damage. It returns text and errors.
func readOn(r *Reader, data []byte) (text []byte, errs []error) {
	return readOnFrom(r, bytes.NewReader(data))
}

func readOnFrom(r *Reader, in io.Reader) (text []byte, errs []error) {
	r.Reset(bufio.NewReaderSize(in, 16))
	for {
		got, err := io.ReadAll(r)
		text = append(text, got...)
		if err == nil {
			return text, errs
		}
		if errs = append(errs, err); !r.CanContinue() {
			return text, errs
		}
		r.Continue()
	}
}

// starts returns where the blocks of data begin, and the end of data.
func starts(data []byte) (at []int) {
	for from := 0; ; from = at[len(at)-1] + HeadLen {
		k := Index(data[from:])
		if k < 0 {
			return append(at, len(data))
		}
		at = append(at, from+k)
	}
}

// blockTexts returns the texts of the blocks that begin at these offsets, all but the last.
func blockTexts(data []byte, at []int) (texts [][]byte) {
	n := 0
	r := &Reader{Stopped: io.EOF, AtBlock: func(BlockStart) { n++ }}
	for _, from := range at[:len(at)-1] {
		r.ResetAt(bufio.NewReader(bytes.NewReader(data[from:])), BlockStart{At: int64(from), Level: 1, Sum: Unknown})
		n = 0
		var b []byte
		for p := make([]byte, 1000); n < 2; {
			k, err := r.Read(p)
			if err != nil {
				break
			}
			b = append(b, p[:k]...)
		}
		texts = append(texts, b)
	}
	return texts
}

// TestResume damages bytes of some blocks in turn. The text of the other blocks and one error must
// be returned.
func TestResume(t *testing.T) {
	data := file(t, "many")
	at := starts(data)
	r := new(Reader)
	whole, errs := readOn(r, data)
	if errs != nil || len(at) != 6 {
		t.Fatal(errs, at)
	}
	texts := blockTexts(data, at)
	if !bytes.Equal(bytes.Join(texts, nil), whole) {
		t.Fatalf("%d blocks have other texts than the file", len(texts))
	}
	step := 7
	if !long {
		step = 449
	}
	for i := range texts {
		want := bytes.Clone(bytes.Join(append(append([][]byte{}, texts[:i]...), texts[i+1:]...), nil))
		from := at[i] + 1
		if i == 0 {
			from = len("BZh1")
		}
		for k := from; k < at[i+1]-11; k += step {
			data[k] ^= 0x55
			got, errs := readOn(r, data)
			data[k] ^= 0x55
			before := len(bytes.Join(texts[:i], nil))
			if len(errs) != 1 || !bytes.HasPrefix(got, want[:before]) || !bytes.HasSuffix(got, want[before:]) {
				t.Fatalf("block %d, byte %d: %d bytes, %v", i, k-at[i], len(got), errs)
			}
			if e, ok := errs[0].(*Error); !ok || e.Offset < int64(k) {
				t.Fatalf("block %d, byte %d at %d: %v", i, k-at[i], k, errs)
			}
		}
	}
}

// TestResetAt reads the last block of a stream alone: the checksum of the stream is right only after those in front of it.
func TestResetAt(t *testing.T) {
	data := file(t, "many")
	at := starts(data)
	var blocks []BlockStart
	r := &Reader{AtBlock: func(s BlockStart) { blocks = append(blocks, s) }}
	if _, errs := readOn(r, data); errs != nil || len(blocks) != len(at)-1 {
		t.Fatal(errs, len(blocks))
	}
	r.AtBlock = nil
	for i, b := range blocks {
		for _, known := range []bool{false, true} {
			from := b
			if !known {
				from.Sum = Unknown
			}
			r.ResetAt(bufio.NewReader(bytes.NewReader(data[b.At:])), from)
			if _, err := io.ReadAll(r); err != nil {
				t.Fatalf("block %d: %v", i, err)
			}
			other := b.Sum
			other.bits ^= 1
			if !r.Follows(b.Sum) || b.Level > 0 && !known && r.Follows(other) {
				t.Errorf("block %d: the checksum is not compared", i)
			}
		}
	}
}
