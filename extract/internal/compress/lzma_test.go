package compress

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
	"testing/iotest"
)

// TestLzmaPrograms reads what xz and lzip write, whole, byte by byte, and cut.
func TestLzmaPrograms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var text []byte
	for len(text) < 150_000 {
		text = fmt.Appendf(text, "line %d: see http://host%d.example/%x\n", len(text), rnd.IntN(9), rnd.Uint32())
		if rnd.IntN(50) == 0 {
			for range rnd.IntN(2000) {
				text = append(text, byte(rnd.Uint32()))
			}
		}
	}
	type way struct {
		is   Kind
		args []string
	}
	var ways []way
	for _, o := range []string{"preset=0", "preset=6", "preset=9e", "lc=0,lp=4,pb=0", "lc=4,lp=0,pb=4", "dict=4KiB"} {
		ways = append(ways, way{Lzma, []string{"xz", "-c", "--format=lzma", "--lzma1=" + o}})
	}
	for _, o := range []string{"-0", "-6", "-9", "--dictionary-size=4KiB", "--member-size=100000", "--match-length=5"} {
		ways = append(ways, way{Lzip, []string{"lzip", "-c", o}})
	}
	for i, w := range ways {
		if os.Getenv("URLSIFT_LONG") == "" && i%4 != 1 {
			continue
		}
		if _, err := exec.LookPath(w.args[0]); err != nil {
			t.Log(err)
			continue
		}
		cmd := exec.Command(w.args[0], w.args[1:]...)
		cmd.Stdin = bytes.NewReader(text)
		data, err := cmd.Output()
		if err != nil {
			t.Fatal(w.args, err)
		}
		want := text
		if w.is == Lzip { // members
			data, want = slices.Concat(data, data), slices.Concat(text, text)
		}
		d := lzmaReader{window: 64 << 20}
		unpack := func(data []byte, buffer int, one bool) ([]byte, error) {
			var r io.Reader = bytes.NewReader(data)
			if one {
				r = iotest.OneByteReader(r)
			}
			d.reset(bufio.NewReaderSize(r, buffer), w.is)
			return io.ReadAll(&d)
		}
		for _, buffer := range []int{32, 4 << 10, 64 << 10} {
			if got, err := unpack(data, buffer, buffer == 32); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, %d: %d bytes, %v", w.args, buffer, len(got), err)
			}
		}
		before := 0
		for n := 0; n < len(data); n += 1 + len(data)/50 {
			got, err := unpack(data[:n], 4<<10, false)
			if err != io.ErrUnexpectedEOF && err != errTrailing || // the latter within the magic number of the second member
				!bytes.HasPrefix(want, got) || len(got) < before {
				t.Errorf("%v, cut at %d: %d bytes, %v", w.args, n, len(got), err)
			}
			before = len(got)
		}
	}
}
