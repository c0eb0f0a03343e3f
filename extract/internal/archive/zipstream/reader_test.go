package zipstream

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract/internal/damage"
)

// mild reports whether err is damage after which Next continues.
func mild(err error) bool {
	d, ok := err.(*damage.Damage)
	return ok && d.Mild
}

// said returns err as text, with its offset in the archive. Damage of an entry has only the level
// of the entry, and no offset in the archive; for it, said uses the offset that reading has
// reached.
func said(r *Reader, err error) string {
	d, ok := err.(*damage.Damage)
	if !ok {
		return err.Error()
	}
	if d.Class != damage.Pack || d.Stage != damage.StageZip || d.Severity != damage.Error || d.Known != d.Mild || d.Level != 0 && d.Mild {
		return fmt.Sprintf("%#v", d)
	}
	if d.Err == io.ErrUnexpectedEOF {
		return d.Err.Error()
	}
	at := d.Offset
	if !d.Known {
		at, _, _ = r.Counts()
	}
	return fmt.Sprintf("%v, at offset %d", d.Err, at)
}

// list reads an archive. It returns a line for each entry (name, size, method, letters for its
// properties, the data) and for each error.
func list(r *Reader, in io.Reader) string {
	var b strings.Builder
	r.Reset(bufio.NewReaderSize(in, 16), 0)
	for range 1000 {
		e, err := r.Next()
		if mild(err) {
			fmt.Fprintf(&b, "! %s\n", said(r, err))
			continue
		}
		if err != nil {
			fmt.Fprintf(&b, "%s\n", said(r, err))
			if _, again := r.Next(); again != err {
				fmt.Fprintf(&b, "then %v\n", again)
			}
			return b.String()
		}
		fmt.Fprintf(&b, "%s %d m%d", e.Name, e.Size, e.Method)
		if e.Dir {
			b.WriteString(" dir\n")
			continue
		}
		data, err := io.ReadAll(r)
		switch {
		case e.Encrypted:
		case e.Method != Store && e.Method != Deflate && e.Method != Deflate64:
			fmt.Fprintf(&b, " [%d]", len(data))
		case len(data) > 60:
			fmt.Fprintf(&b, " (%d %08x)", len(data), crc32.ChecksumIEEE(data))
		default:
			fmt.Fprintf(&b, " %s", strings.TrimSpace(string(data)))
		}
		if err != nil {
			fmt.Fprintf(&b, " ! %s", said(r, err))
			if _, again := r.Read(make([]byte, 9)); again != err {
				fmt.Fprintf(&b, " then %v", again)
			}
		}
		b.WriteByte('\n')
	}
	return b.String() + "no end\n"
}

const text = " (1000 21518446)" // of dir/b.txt

var files = map[string]string{
	"info.zip":           "a.txt 25 m0 see http://a.example/one|dir/ 0 m0 dir|dir/b.txt 36 m8" + text + "|empty 0 m0 |EOF",
	"pipe.zip":           "a.txt -1 m8 see http://a.example/one|dir/ 0 m0 dir|dir/b.txt -1 m8" + text + "|empty -1 m0 |EOF",
	"pipe-stored.zip":    "a.txt 25 m0 see http://a.example/one|dir/ 0 m0 dir|dir/b.txt 1000 m0" + text + "|empty -1 m0 |EOF",
	"nested-pipe.zip":    "inner.zip -1 m0 (483 3e9e5708)|d.txt -1 m8 see http://f.example/behind|EOF",
	"encrypted.zip":      "a.txt 37 m0 ! encrypted entry, at offset 35|empty 12 m0 ! encrypted entry, at offset 123|dir/b.txt 48 m8 ! encrypted entry, at offset 190|EOF",
	"encrypted-pipe.zip": "a.txt -1 m8 ! encrypted entry, at offset 35|empty -1 m0 ! encrypted entry, at offset 125|dir/b.txt -1 m8 ! encrypted entry, at offset 192|EOF",
	"bzip2.zip":          "dir/b.txt 91 m12 [91]|EOF",
	"bzip2-pipe.zip":     "- -1 m12 [91]|EOF",
	"zip64.zip":          "a.txt 25 m0 see http://a.example/one|dir/b.txt 36 m8" + text + "|EOF",
	"zip64-pipe.zip":     "- -1 m8" + text + "|EOF",
	"7z.zip":             "a.txt 25 m0 see http://a.example/one|dir/ 0 m0 dir|dir/b.txt 46 m8" + text + "|EOF",
	"7z-lzma.zip":        "dir/b.txt 52 m14 [56]|EOF",
	"7z-deflate64.zip":   "dir/b.txt 48 m9" + text + "|EOF",
	"python.zip":         "grüße.txt 30 m8 see http://f.example/python|EOF",
	"python-pipe.zip":    "s.txt -1 m0 see http://f.example/stored|d.txt -1 m8 (900 7eaa7f92)|EOF",
	"java.zip":           "a.txt -1 m8 see http://a.example/one|dir/ 0 m0 dir|dir/b.txt -1 m8" + text + "|EOF",
}

func TestFiles(t *testing.T) {
	r := new(Reader)
	for name, want := range files {
		in, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		want = strings.ReplaceAll(want, "|", "\n") + "\n"
		for how, from := range map[string]io.Reader{
			"whole":  bytes.NewReader(in),
			"bytes":  iotest.OneByteReader(bytes.NewReader(in)),
			"late":   iotest.DataErrReader(bytes.NewReader(in)),
			"twice":  io.MultiReader(bytes.NewReader(in), bytes.NewReader(in)),
			"padded": io.MultiReader(bytes.NewReader(in), bytes.NewReader(make([]byte, 70000))),
		} {
			want := want
			if how == "twice" && strings.Contains(want, "!") {
				continue // other offsets
			} else if how == "twice" {
				want = strings.TrimSuffix(want, "EOF\n") + want
			}
			if got := list(r, from); got != want {
				t.Errorf("%s, %s:\n%s", name, how, got)
			}
		}
		if is, wait := Sniff(in, false); !is || wait {
			t.Errorf("%s: no archive", name)
		}
		for n := range localLen {
			if is, wait := Sniff(in[:n], false); is || !wait {
				t.Fatalf("%s: %v, %v after %d bytes", name, is, wait, n)
			}
		}
	}
}

// TestNames reads names in UTF-8 with and without the flag, in code page 437, and with one in the extra
// field, which counts only if its checksum is that of the other.
func TestNames(t *testing.T) {
	field := func(version byte, of, name string) []byte {
		b := binary.LittleEndian.AppendUint16([]byte{'x', 'x', 2, 0, 0, 0, 0x75, 0x70}, uint16(5+len(name)))
		return append(binary.LittleEndian.AppendUint32(append(b, version), crc32.ChecksumIEEE([]byte(of))), name...)
	}
	for _, c := range []struct {
		written string
		flag    bool
		extra   []byte
		want    string
	}{
		{"a.txt", false, nil, "a.txt"},
		{"grüße.txt", true, nil, "grüße.txt"},
		{"grüße.txt", false, nil, "grüße.txt"},
		{"gr\x81\xe1e.txt", false, nil, "grüße.txt"},
		{"gr\x81\xe1e.txt", true, nil, "gr\x81\xe1e.txt"},
		{"gr\x81\xe1e/", false, nil, "grüße/"},
		{"gr__e.txt", false, field(1, "gr__e.txt", "grüße.txt"), "grüße.txt"},
		{"gr\x81\xe1e.txt", false, field(1, "gr\x81\xe1e.txt", "γρ.txt"), "γρ.txt"},
		{"a.txt", false, field(1, "other", "grüße.txt"), "a.txt"},
		{"a.txt", false, field(2, "a.txt", "grüße.txt"), "a.txt"},
		{"a.txt", false, field(1, "a.txt", "\x81"), "a.txt"},
		{"a.txt", false, field(1, "a.txt", ""), "a.txt"},
		{"a.txt", false, field(1, "a.txt", "ü")[:12], "a.txt"},
	} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if _, err := w.CreateHeader(&zip.FileHeader{Name: c.written, NonUTF8: !c.flag, Extra: c.extra}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		in := b.Bytes()
		if c.flag { // the writer clears it for what is no UTF-8
			in[7] |= flagUTF8 >> 8
		}
		r := new(Reader)
		r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
		e, err := r.Next()
		if err != nil || e.Name != c.want || e.Dir != strings.HasSuffix(c.want, "/") {
			t.Errorf("%q, flag %v, field %q: %+v, %v, want %q", c.written, c.flag, c.extra, e, err, c.want)
		}
	}
}

// three returns an archive of three entries, with or without data descriptors. The text of an entry
// repeats its name.
func three(t testing.TB, method uint16, stream bool) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"a", "b", "c"} {
		text := strings.Repeat(name, 20)
		h := &zip.FileHeader{Name: name, Method: method}
		var to io.Writer
		var err error
		if stream {
			to, err = w.CreateHeader(h)
		} else {
			data := text
			if method == Deflate {
				data = deflated(text)
			}
			h.CRC32 = crc32.ChecksumIEEE([]byte(text))
			h.CompressedSize64, h.UncompressedSize64 = uint64(len(data)), uint64(len(text))
			text = data
			to, err = w.CreateRaw(h)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(to, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func deflated(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 9)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// kinds returns the archive of three, written in all ways.
func kinds(t testing.TB) map[string][]byte {
	m := map[string][]byte{}
	for _, stream := range []bool{true, false} {
		for _, method := range []uint16{Store, Deflate} {
			m[fmt.Sprintf("%d %v", method, stream)] = three(t, method, stream)
		}
		// Descriptors without a signature, with sizes of 64 bits, and both.
		if in := three(t, Deflate, true); stream {
			m["no signature"] = bytes.ReplaceAll(in, []byte(sigDescriptor), nil)
			m["64 bits"] = wide(in)
			m["64 bits, no signature"] = bytes.ReplaceAll(wide(in), []byte(sigDescriptor), nil)
			stored := three(t, Store, true)
			m["stored, no signature"] = bytes.ReplaceAll(stored, []byte(sigDescriptor), nil)
			m["stored, 64 bits"] = wide(stored)
			m["stored, 64 bits, no signature"] = bytes.ReplaceAll(wide(stored), []byte(sigDescriptor), nil)
		}
	}
	return m
}

// wide changes the sizes in data descriptors to 64 bits.
func wide(in []byte) (out []byte) {
	for {
		i := bytes.Index(in, []byte(sigDescriptor))
		if i < 0 {
			return append(out, in...)
		}
		out = append(out, in[:i+12]...)
		out = append(out, 0, 0, 0, 0)
		out = append(out, in[i+12:i+16]...)
		out = append(out, 0, 0, 0, 0)
		in = in[i+16:]
	}
}

// count returns how many of the three texts are in a list.
func count(list string) (n int) {
	for _, c := range []string{"a", "b", "c"} {
		n += strings.Count(list, " "+strings.Repeat(c, 20)+"\n")
	}
	return n
}

func TestKinds(t *testing.T) {
	r := new(Reader)
	for name, in := range kinds(t) {
		for how, from := range map[string]io.Reader{
			"whole": bytes.NewReader(in),
			"bytes": iotest.OneByteReader(bytes.NewReader(in)),
		} {
			if got := list(r, from); count(got) != 3 || strings.Contains(got, "!") || !strings.HasSuffix(got, "\nEOF\n") {
				t.Errorf("%s, %s:\n%s", name, how, got)
			}
		}
		// Entries that are not read.
		r.Reset(bufio.NewReader(bytes.NewReader(in)), 0)
		for _, want := range []string{"a", "b", "c"} {
			if e, err := r.Next(); err != nil || e.Name != want {
				t.Fatalf("%s: %v, %v", name, e, err)
			}
			if _, err := io.ReadFull(r, make([]byte, want[0]-'a')); err != nil {
				t.Error(err)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: %v", name, err)
		}
		if n, err := r.Read(make([]byte, 9)); n != 0 || err != io.EOF {
			t.Errorf("%s: after the end %d, %v", name, n, err)
		}
	}
}

// TestCuts checks that the data in front of a cut is read.
func TestCuts(t *testing.T) {
	failing := errors.New("failing")
	r := new(Reader)
	for name, in := range kinds(t) {
		end := bytes.Index(in, []byte(sigDirectory))
		whole := list(r, bytes.NewReader(in))
		for n := range in {
			got := list(r, bytes.NewReader(in[:n]))
			lines, last := strings.Split(got, "\n"), "unexpected EOF"
			if n == 0 || n >= end+sigLen {
				last = "EOF"
			}
			if lines[len(lines)-2] != last {
				t.Fatalf("%s: cut at %d of %d: %s", name, n, len(in), got)
			}
			for _, line := range lines[:max(0, len(lines)-3)] {
				if !strings.Contains(whole, line+"\n") {
					t.Fatalf("%s: cut at %d of %d: %s", name, n, len(in), got)
				}
			}
			if !strings.Contains(list(r, io.MultiReader(bytes.NewReader(in[:n]), iotest.ErrReader(failing))), "failing\n") {
				t.Fatalf("%s: a reader that fails after %d bytes", name, n)
			}
		}
	}
}

// TestFlips flips bits. The damage is reported and at most one entry is lost. More are lost only if
// the damage makes stored data seem longer; then the lost entries are part of its data.
func TestFlips(t *testing.T) {
	r := new(Reader)
	for name, in := range kinds(t) {
		end := bytes.Index(in, []byte(sigDirectory))
		var hist [4]int
		for i := range in[:end] {
			for _, x := range []byte{0x01, 0x04, 0x80, 0xff} {
				in[i] ^= x
				got := list(r, bytes.NewReader(in))
				in[i] ^= x
				hist[3-count(got)]++
				if count(got) < 3 && !strings.Contains(got, "!") && !strings.Contains(got, "unexpected") && !strings.Contains(got, " m12 ") {
					t.Errorf("%s: byte %d ^ %#x: %s", name, i, x, got)
				}
			}
		}
		if few := hist[2] + hist[3]; strings.HasPrefix(name, "stored") && few > end || !strings.HasPrefix(name, "stored") && few > 40 {
			t.Errorf("%s: entries lost: %d", name, hist)
		}
	}
}
