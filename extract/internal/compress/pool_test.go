package compress_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

func newPool(l *ledger.Ledger) *compress.Pool {
	no := func() bool { return false }
	return compress.NewPool(compress.Limits{Depth: 3, Window: 8 << 20, Ratio: 1000}, compress.Hooks{
		BeforeBlock: func() bool { return true }, AfterBlock: func() {}, Stopped: no, Interrupted: no, InConsumer: no,
	}, l)
}

func gzipped(t *testing.T, text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	must(t, err)
	must(t, z.Close())
	return b.String()
}

// TestPool reads damaged streams through the decompressors that they need. The error must have
// the stage and the class of the outermost layer that failed, and all text in front of the damage
// must be read. Each stream is read whole and a byte at a time.
func TestPool(t *testing.T) {
	broken := errors.New("disk is wet")
	text := strings.Repeat("some text that is long enough; ", 300)
	once := gzipped(t, text)
	twice := gzipped(t, once)
	for _, c := range []struct {
		name  string
		data  string
		end   error // error of the source
		text  string
		stage damage.Stage // "" for none
		class damage.Class
	}{
		{name: "plain", data: text, text: text},
		{name: "plain, broken", data: text, end: broken, text: text, stage: "read", class: damage.Read},
		{name: "gzip", data: once, text: text},
		{name: "members and padding", data: once + "\x00\x00" + once, text: text + text},
		{name: "trailing bytes", data: once + "more", text: text, stage: "gzip", class: damage.Pack},
		{name: "twice", data: twice, text: text},
		{name: "three times", data: gzipped(t, twice), text: text},
		{name: "four times", data: gzipped(t, gzipped(t, twice)), text: once, stage: "gzip", class: damage.Limit},
		{name: "cut", data: once[:len(once)-8], text: text, stage: "gzip", class: damage.Pack},
		{name: "cut within", data: gzipped(t, once[:len(once)-8]), text: text, stage: "gzip", class: damage.Pack},
		{name: "broken", data: once[:len(once)-8], end: broken, text: text, stage: "read", class: damage.Read},
		{name: "broken below", data: twice[:len(twice)-8], end: broken, text: text, stage: "read", class: damage.Read},
	} {
		for _, slow := range []bool{false, true} {
			var r io.Reader = strings.NewReader(c.data)
			if c.end != nil {
				r = io.MultiReader(r, iotest.ErrReader(c.end))
			}
			if slow {
				r = iotest.OneByteReader(r)
			}
			var l ledger.Ledger
			p := newPool(&l)
			p.Source.Reset(r, nil)
			in, over := p.Open(&p.Source, "")
			var err error
			got := ""
			if over != nil {
				err = over
			} else {
				var b []byte
				b, err = io.ReadAll(in)
				got = string(b)
			}
			if c.class == damage.Limit {
				got = c.text // the stream is not read
			}
			var d *damage.Damage
			if errors.As(err, &d) != (c.stage != "") || d != nil && (d.Stage != c.stage || d.Class != c.class || d.Level != 0) || got != c.text {
				t.Errorf("%s, slow %v: %d bytes of %d, %+v", c.name, slow, len(got), len(c.text), err)
			}
			if c.end != nil && !errors.Is(err, c.end) {
				t.Errorf("%s, slow %v: the cause is lost: %v", c.name, slow, err)
			}
			if n := l[ledger.StoredRead]; over == nil && c.stage == "" && n != int64(len(c.data)) {
				t.Errorf("%s, slow %v: %d bytes are counted of %d", c.name, slow, n, len(c.data))
			}
			p.Reset()
			p.Free()
		}
	}
}

// TestPoolLevels opens one stream within another. Damage must have the level of the damaged stream.
func TestPoolLevels(t *testing.T) {
	var l ledger.Ledger
	p := newPool(&l)
	inner := gzipped(t, "inner")
	p.Source.Reset(strings.NewReader("outer"+inner[:len(inner)-1]), nil)
	outer, _ := p.Open(&p.Source, "")
	_, err := io.ReadFull(outer, make([]byte, 5))
	must(t, err)
	before := p.State()
	in, _ := p.Open(outer, "")
	_, err = io.ReadAll(in)
	var d *damage.Damage
	if !errors.As(err, &d) || d.Level != 1 || d.Stage != "gzip" {
		t.Errorf("%+v", err)
	}
	p.Close(before)
	if p.Depth.Level() != 0 {
		t.Errorf("level %d", p.Depth.Level())
	}
}
