package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"
	"time"
)

// A way is a way to use a Reader. Text and errors must be the same in all ways.
type way struct {
	buffer int  // size of the input buffer
	bytes  bool // input comes byte by byte
	into   int  // bytes that a Read may return
	safe   bool // without package unsafe
}

var ways = []way{
	{buffer: 64 << 10, into: 64 << 10},
	{buffer: 64 << 10, into: 64 << 10, safe: true},
	{buffer: 4 << 10, into: 1000},
	{buffer: 16, into: 100 << 10},
	{buffer: 16, bytes: true, into: 4 << 10},
}

// most limits the text of a stream of arbitrary bytes.
const most = 4 << 20

// run reads data with d, and returns the text, what is left of data, and the error.
func (w way) run(d *Reader, data []byte) (text, rest []byte, err error) {
	var r io.Reader = bytes.NewReader(data)
	if w.bytes {
		r = iotest.OneByteReader(r)
	}
	in := bufio.NewReaderSize(r, w.buffer)
	d.Reset(in)
	d.dec.safe = w.safe
	p := make([]byte, w.into)
	for err == nil && len(text) < most {
		var n int
		if n, err = d.Read(p); n == 0 && err == nil {
			return text, nil, errors.New("a Read returned nothing")
		}
		text = append(text, p[:n]...)
	}
	rest, _ = io.ReadAll(in)
	return text, rest, err
}

// reference reads data with compress/flate.
func reference(data []byte) (text, rest []byte, err error) {
	in := bufio.NewReader(bytes.NewReader(data))
	text, err = io.ReadAll(io.LimitReader(flate.NewReader(in), most))
	if err == nil && len(text) < most {
		err = io.EOF
	}
	rest, _ = io.ReadAll(in)
	return text, rest, err
}

// compare reads data in each way and with compress/flate. It ends the process if reading takes too
// long.
func compare(t testing.TB, d *Reader, data []byte) {
	t.Helper()
	dog := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("an endless loop? %x", data)) })
	defer dog.Stop()
	want, wantRest, wantErr := reference(data)
	var first error
	var firstText, firstRest []byte
	for i, w := range ways {
		text, rest, err := w.run(d, data)
		if i == 0 {
			first, firstText, firstRest = err, text, rest
			if err := differ(text, rest, err, want, wantRest, wantErr); err != nil {
				t.Errorf("%+v: %v", w, err)
			}
			continue
		}
		if len(text) >= most {
			text, rest, err = text[:most], firstRest, first
		}
		if got := firstText[:min(len(firstText), most)]; !bytes.Equal(text, got) || !bytes.Equal(rest, firstRest) || err != first {
			t.Errorf("%+v: %d bytes, %d left, %v; and %d, %d, %v in another way", w, len(text), len(rest), err, len(got), len(firstRest), first)
		}
	}
}

// differ describes the difference from the results of compress/flate, "" if there is none. If a
// stream is truncated, compress/flate may return less text, because it waits for as many bits as
// the shortest code has. For the same reason we may find an error that it does not reach.
func differ(text, rest []byte, err error, want, wantRest []byte, wantErr error) error {
	var bad, wantBad flate.CorruptInputError
	switch {
	case len(want) >= most:
		if len(text) < most || !bytes.Equal(text[:most], want[:most]) {
			return fmt.Errorf("%d bytes, %v; want more", len(text), err)
		}
	case wantErr == io.ErrUnexpectedEOF:
		if err != wantErr && !errors.As(err, &bad) || !bytes.HasPrefix(text, want) || len(text) > len(want)+8*258 || err == wantErr && len(rest) > 0 {
			return fmt.Errorf("%d bytes, %d left, %v; want at least %d, %v", len(text), len(rest), err, len(want), wantErr)
		}
	case errors.As(wantErr, &wantBad):
		if !errors.As(err, &bad) || !bytes.Equal(text, want) || bad > wantBad || bad < wantBad-7 {
			return fmt.Errorf("%d bytes, %v; want %d, %v", len(text), err, len(want), wantErr)
		}
	case err != wantErr || !bytes.Equal(text, want) || !bytes.Equal(rest, wantRest):
		return fmt.Errorf("%d bytes, %d left, %v; want %d, %d, %v", len(text), len(rest), err, len(want), len(wantRest), wantErr)
	}
	return nil
}
