package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ulikunitz/xz"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// FuzzPipeline reads arbitrary bytes with the whole library, in any format and with any options.
// probe makes the checks.

// A sight is the outcome of one reading. Results and errors are separate, because their
// relative order may depend on how far was read ahead.
type sight struct {
	results  []extract.Result
	failures []string
	lines    []string // one for each result, with all its fields
	stats    extract.Stats
}

// survey reads r with x. If leave is above 0, it leaves the loop at that item, counted from 1.
func survey(t testing.TB, x *extract.Extractor, r io.Reader, leave int) *sight {
	t.Helper()
	s, items := new(sight), 0
	before := x.Stats()
	for r, err := range x.Read(t.Context(), "data", r) {
		switch items++; {
		case err != nil:
			var e *extract.Error
			if r != nil || !errors.As(err, &e) || e.Stage == "" || e.Err == nil || e.Origin.Source != "data" || e.Origin.Offset < 0 {
				t.Errorf("error %#v with %v", err, r)
			}
			// Whether the line of an earlier position is still known depends on the size
			// of reads.
			o := e.Origin
			o.Line, o.Column = 0, 0
			s.failures = append(s.failures, fmt.Sprintf("%d: %v", o.Offset, &extract.Error{Origin: o, Stage: e.Stage, Err: e.Err}))
		default:
			s.results = append(s.results, r.Clone())
			s.lines = append(s.lines, every(r))
		}
		if items == leave {
			break
		}
	}
	s.stats = since(x.Stats(), before)
	slices.Sort(s.failures) // a stage below another one reads ahead, so its errors may come earlier
	return s
}

// every returns all fields of r.
func every(r *extract.Result) string {
	f := &r.Candidate
	return fmt.Sprintf("%d+%d %d:%d %v %s %q field %q message %q %q %q; %q %q %q %q %v %v %v %v %d; %q %v %v %q %q %v %v",
		r.Origin.Offset, r.Origin.Length, r.Origin.Line, r.Origin.Column, r.Origin.Exact, r.Origin.String(), r.Origin.Member, r.Origin.Field, r.Origin.MessageID, r.Origin.Date, r.Origin.Newsgroups,
		f.Text, f.Ref, f.Raw, f.Tail, f.Form, f.Prefixed, f.By, f.Others, f.Breaks,
		r.URL, r.Accepts, r.Valid, r.Target, r.Base, r.BaseSource, r.Err)
}

// since returns the counts between two calls of Stats.
func since(now, before extract.Stats) extract.Stats {
	n, b := reflect.ValueOf(&now).Elem(), reflect.ValueOf(before)
	for i := range n.NumField() {
		n.Field(i).SetInt(n.Field(i).Int() - b.Field(i).Int())
	}
	return now
}

// stable returns the counts that do not depend on how far was read ahead. RawPacked and
// StoredNotRead of sources with files depend on that.
func (s *sight) stable() extract.Stats {
	n := s.stats
	n.RawData += n.RawPacked + n.RawOverLimit + n.RawDamaged
	n.RawPacked, n.RawOverLimit, n.RawDamaged = 0, 0, 0
	if len(s.failures) > 0 {
		n.StoredRead, n.RawAll, n.RawFraming, n.RawData = 0, 0, 0, 0
	}
	if n.Members > 0 {
		n.ErrorsAll, n.ErrorsText = 0, 0
	}
	return n
}

// reported returns the errors that do not depend on how far was read ahead. Errors of a transfer
// encoding after the end of a compressed attachment do depend on it.
func (s *sight) reported() (all []string) {
	for _, e := range s.failures {
		if s.stats.Members == 0 || !strings.Contains(e, ": base64: ") && !strings.Contains(e, ": quoted-printable: ") {
			all = append(all, e)
		}
	}
	return all
}

// differ returns the first difference of two sights, or "". Stats are compared by callers
// that have read both to the end.
func (s *sight) differ(other *sight) string {
	for i := range max(len(s.lines), len(other.lines)) {
		a, b := at(s.lines, i), at(other.lines, i)
		if a != b {
			return fmt.Sprintf("result %d of %d and %d:\n%s\n%s", i, len(s.lines), len(other.lines), a, b)
		}
	}
	reported, others := s.reported(), other.reported()
	for i := range max(len(reported), len(others)) {
		a, b := at(reported, i), at(others, i)
		if a != b {
			return fmt.Sprintf("error %d of %d and %d:\n%s\n%s", i, len(reported), len(others), a, b)
		}
	}
	return ""
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "none"
}

// options makes Options from bits: all options, and three of the formats.
func options(bits uint16) extract.Options {
	o := extract.Options{
		Format:     extract.Format(bits & 7 % 7),
		Refused:    bits&(1<<3) != 0,
		MessageIDs: bits&(1<<4) != 0,
		Lax:        bits&(1<<6) != 0,
		Parts:      extract.PartKinds(bits >> 9 & 7),
		Charset:    []string{"", "koi8-r", "iso-2022-jp", "utf-7"}[bits>>12&3],
		Workers:    1,
		Limits:     extract.Limits{Size: 1 << 16, Window: 1 << 20},
	}
	if bits&(1<<5) != 0 {
		o.Base = uri.MustParse("http://base.example/a/b")
	}
	if bits&(1<<7) != 0 {
		o.Delimit.Extras = delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address
	}
	if bits&(1<<8) != 0 {
		o.Delimit.MaxLen, o.Delimit.MaxBreaks = 40, 2
	}
	if bits&(1<<14) != 0 {
		o.Limits.Depth, o.Limits.Nesting = 2, 2
	}
	if bits&(1<<15) != 0 {
		o.Grammar = uri.Every
	}
	return o
}

// probe reads data and checks that nothing panics, and that
//
//   - it ends, in time in proportion to its size;
//   - the results do not depend on the size of reads, nor on what the worker did before, not even a loop that was left
//     early;
//   - positions are within the stream, and in order within a part;
//   - the text at the reported position is the reference;
//   - the counts agree with what was yielded.
//
// It returns the sight.
func probe(t testing.TB, opts extract.Options, data []byte, leave int) *sight {
	t.Helper()
	x := extractor(t, opts)
	began := clock()
	whole := survey(t, x, bytes.NewReader(data), 0)
	if took := clock() - began; took > time.Second+time.Duration(len(data))*20*time.Microsecond && !raceEnabled {
		t.Errorf("%v for %d bytes", took, len(data))
	}
	whole.sound(t, opts, data)
	if leave > 0 {
		left := survey(t, x, bytes.NewReader(data), leave)
		if n := len(left.lines); n > len(whole.lines) || !slices.Equal(left.lines, whole.lines[:n]) {
			t.Errorf("left at item %d: not the beginning of what there is", leave)
		}
	}
	small := survey(t, x, &dribble{data: data}, 0)
	small.sound(t, opts, data)
	if d := small.differ(whole); d != "" {
		t.Errorf("in small reads, and whole: %s", d)
	}
	if a, b := small.stable(), whole.stable(); a != b {
		t.Errorf("in small reads: %+v, whole: %+v", a, b)
	}
	return whole
}

// asLF returns data with an LF for each CR that no LF follows.
func asLF(data []byte) []byte {
	data = bytes.Clone(data)
	for i, c := range data {
		if c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			data[i] = '\n'
		}
	}
	return data
}

// countsLines reports whether all results of s are in the lines that lines has.
func (s *sight) countsLines(lines []byte) bool {
	for _, r := range s.results {
		if o := r.Origin; o.Line != 0 && (o.Offset > int64(len(lines)) || o.Line != 1+int64(bytes.Count(lines[:o.Offset], []byte{'\n'}))) {
			return false
		}
	}
	return true
}

// sound compares s, a complete reading, with data.
func (s *sight) sound(t testing.TB, opts extract.Options, data []byte) {
	t.Helper()
	n, valid := s.stats, 0
	// The data does not begin like a compressed stream.
	bare := !slices.ContainsFunc(magics, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) }) && n.StoredRead == n.RawAll && n.Members == 0 && n.RawAll == int64(len(data)) && len(s.failures) == 0
	wide := bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) || bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff"))
	var last [2]*extract.Result
	lines := data // with an LF at each line end
	if bytes.Count(data, []byte{'\r'}) > bytes.Count(data, []byte{'\n'}) && s.countsLines(asLF(data)) {
		lines = asLF(data) // a mailbox of Mac OS
	}
	for i := range s.results {
		r := &s.results[i]
		o := r.Origin
		if r.Valid {
			valid++
		}
		if o.Offset < 0 || o.Length <= 0 && len(r.Candidate.Text) > 0 || o.Line < 0 || o.Line > 0 && o.Column < 1 || o.Source != "data" {
			t.Errorf("%q is at %+v", r.URL, o)
		}
		if end := o.Offset + o.Length; end > n.RawAll {
			t.Errorf("%q ends at %d of %d bytes that were read", r.URL, end, n.RawAll)
		} else if bare && !wide && o.Member == "" {
			if line := int64(bytes.Count(lines[:o.Offset], []byte{'\n'})) + 1; o.Line != 0 && o.Line != line {
				t.Errorf("%q at %d is in line %d, not %d", r.URL, o.Offset, line, o.Line)
			}
			if column := o.Offset - int64(bytes.LastIndexByte(lines[:o.Offset], '\n')); o.Line != 0 && o.Column != column {
				t.Errorf("%q at %d is in column %d, not %d", r.URL, o.Offset, column, o.Column)
			}
			if there := data[o.Offset:end]; opts.Format == extract.Plain && opts.Charset == "" && !bytes.Equal(there, r.Candidate.Raw) {
				t.Errorf("%q was found, %q stands there", r.Candidate.Raw, there)
			}
		}
		// Values that are complete references may be yielded before a wrapper that began in front
		// of them. Among each other, they are in order.
		k := 0
		if r.Candidate.Form == delimit.Attribute || r.Candidate.Form == delimit.Header {
			k = 1
		}
		if p := last[k]; o.Member == "" && p != nil && p.Origin.Message == o.Message && p.Origin.Part == o.Part && p.Origin.Member == "" && p.Origin.Offset > o.Offset {
			t.Errorf("%q at %+v, after %q at %+v", r.URL, o, p.URL, p.Origin)
		}
		last[k] = r
	}
	refused := int64(len(s.results) - valid)
	if n.Sources != 1 || n.ErrorsAll != int64(len(s.failures)) || n.Found != int64(valid) || n.Candidates != n.Found+n.Refused ||
		opts.Refused && n.Refused != refused || !opts.Refused && refused != 0 || n.StoredRead > int64(len(data)) {
		t.Errorf("%d bytes, %d results, %d of them valid, %d failures: %+v", len(data), len(s.results), valid, len(s.failures), n)
	}
	if sum := n.RawText + n.RawPacked + n.RawFraming + n.RawData + n.RawOverLimit + n.RawDamaged; sum != n.RawAll {
		t.Errorf("%d of %d bytes have a class: %+v", sum, n.RawAll, n)
	}
	if len(s.failures) == 0 && n.StoredRead != int64(len(data)) {
		t.Errorf("%d of %d bytes were read, and nothing is reported: %+v", n.StoredRead, len(data), n)
	}
}

// magics are the beginnings of compressed streams.
var magics = []string{"\x02!L\x18", "\x1f", "x", "\x28\xb5\x2f\xfd", "\xff\x06", "\xfd7zXZ", "\x04\x22", "BZh", "#! "}

// small returns files of fixtures, and of the containers' tests. None has more than most bytes, and
// no folder gives more than each files.
func small(t testing.TB, most int64, each int) (all [][]byte) {
	t.Helper()
	for _, top := range []string{fixtures, "internal/compress/lzw/testdata", "internal/archive/sequence/testdata", "internal/archive/tarstream/testdata", "internal/archive/zipstream/testdata"} {
		taken := make(map[string]int)
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasPrefix(path, fixtures+"/want") || strings.HasPrefix(path, fixtures+"/cases") || strings.HasSuffix(path, ".md") {
				return err
			}
			dir := filepath.Dir(path)
			if info, err := d.Info(); err != nil || info.Size() > most || taken[dir] >= each {
				return err
			}
			b, err := os.ReadFile(path)
			taken[dir]++
			all = append(all, b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// onion returns mail in zip in gzip. The mail has an attachment that is itself compressed.
func onion(t testing.TB) []byte {
	message := "From: a@example.org\nSubject: http://subject.example/\nMIME-Version: 1.0\nContent-Base: http://base.example/\nContent-Type: multipart/mixed; boundary=b\n\n" +
		"preamble http://preamble.example/\n--b\nContent-Type: text/html; charset=utf-7\n\n<a href='../x'>http://html.example/+-</a> +AGg-\n" +
		"--b\nContent-Transfer-Encoding: base64\nContent-Type: text/plain; charset=nobody-knows\n\n" + b64("see http://base64.example/ and more\n") + "****\n" +
		attached("application/octet-stream", "a.tgz", string(pack(t, "gzip", []byte(tarred("in.txt", "http://packed.example/\n", "in.eml", "Subject: x\n\nhttp://inner.example/\n"))))) +
		"--b\nContent-Transfer-Encoding: quoted-printable\n\nhttp://qp.example/=61=\nb c=3Z\n--b--\nepilogue http://epilogue.example/\n"
	return pack(t, "gzip", []byte(zipped("mail/1", message, "text", "http://text.example/ and\n", "cut.gz", string(pack(t, "gzip", sample(3))[:50]), "page", page)))
}

// FuzzPipeline runs probe on arbitrary bytes and options. leave is the item at which the loop over
// the results is left.
func FuzzPipeline(f *testing.F) {
	for i, data := range small(f, 1500, 4) {
		f.Add(data, uint16(i%2*0x1b8), byte(i%5)) // the format is recognised; every second time, options give more results
	}
	for _, c := range mails {
		if len(c.text) < 1500 {
			f.Add([]byte(c.text), uint16(0x38), byte(1))
		}
	}
	f.Add(onion(f), uint16(0x38), byte(2))
	f.Add(encode("utf-16le", page), uint16(extract.HTML), byte(1))
	f.Fuzz(func(t *testing.T, data []byte, bits uint16, leave byte) {
		if len(data) > 16<<10 {
			return
		}
		probe(t, options(bits), data, int(leave))
	})
}

// A container is a way to wrap a text.
type container struct {
	name string
	wrap func(t testing.TB, text []byte) []byte
	true bool // it accepts any text and keeps it unchanged, with all offsets
}

// containers has all containers that the tests can make.
var containers = append(packers(), []container{
	{"lz4 legacy", packer("lz4 legacy"), true}, {"compress", func(_ testing.TB, b []byte) []byte { return lzw(b) }, true},
	{"tar", func(_ testing.TB, b []byte) []byte { return []byte(tarred("m", string(b))) }, true},
	{"zip", func(_ testing.TB, b []byte) []byte { return []byte(zipped("m", string(b))) }, true},
	{"gunbatch", func(t testing.TB, b []byte) []byte { return append([]byte("#! gunbatch\n"), pack(t, "gzip", b)...) }, true},
	{"cunbatch", func(_ testing.TB, b []byte) []byte { return append([]byte("#! cunbatch\n"), lzw(b)...) }, true},
	{"rnews", func(_ testing.TB, b []byte) []byte { return []byte(rnews(string(b), string(b))) }, false},
	{"mbox", func(_ testing.TB, b []byte) []byte {
		return fmt.Appendf(nil, "From a@b.example Mon Mar  1 10:00:00 1999\n%s\n\nFrom a@b.example Mon Mar  1 10:00:00 1999\n%s\n", b, b)
	}, false},
	{"base64", func(_ testing.TB, b []byte) []byte {
		return []byte("MIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n" + b64(string(b)))
	}, false},
	{"attachment", func(_ testing.TB, b []byte) []byte {
		return []byte("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n" + attached("application/octet-stream", "m", string(b)) + "--b--\n")
	}, false},
	{"ar", func(t testing.TB, b []byte) []byte { return arOf(t, "m", string(b)) }, true},
	{"cpio", func(t testing.TB, b []byte) []byte { return cpioOf(t, "m", string(b)) }, true},
}...)

// packers returns the compressions, except those that the tests cannot write for any text.
func packers() (list []container) {
	for _, format := range packed {
		switch format {
		case "bzip2":
		case "xz":
			list = append(list, container{format, smallXZ, true})
		default:
			list = append(list, container{format, packer(format), true})
		}
	}
	return list
}

func packer(format string) func(testing.TB, []byte) []byte {
	return func(t testing.TB, b []byte) []byte { return pack(t, format, b) }
}

// smallXZ compresses like pack, but with little memory.
func smallXZ(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w, err := xz.WriterConfig{DictCap: 64 << 10}.NewWriter(&out)
	if err == nil {
		_, err = w.Write(b)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// lzw writes the format of compress(1), but finds no repetitions: each byte is a code of 9 bits. It
// clears the table before codes would need more bits. After that, the rest of a group of eight
// codes is unused.
func lzw(text []byte) []byte {
	out := []byte("\x1f\x9d\x90")
	for len(text) > 0 {
		var group [256]uint32
		n := copy16(group[:239], text)
		text = text[n:]
		if len(text) > 0 {
			group[n] = 256
			n = (n + 8) &^ 7
		}
		bits, have := uint32(0), 0
		for _, code := range group[:n] {
			bits |= code << have
			for have += 9; have >= 8; have -= 8 {
				out = append(out, byte(bits))
				bits >>= 8
			}
		}
		if have > 0 {
			out = append(out, byte(bits))
		}
	}
	return out
}

// copy16 copies bytes as codes.
func copy16(dst []uint32, src []byte) int {
	n := min(len(dst), len(src))
	for i, c := range src[:n] {
		dst[i] = uint32(c)
	}
	return n
}

// places returns the parts of results that do not depend on a container that keeps a text unchanged.
func (s *sight) places() (all []string) {
	for i := range s.results {
		r := &s.results[i]
		o := r.Origin
		all = append(all, fmt.Sprintf("%d+%d %d:%d %s %d %q %q", o.Offset, o.Length, o.Line, o.Column, o.Part, o.Message, r.URL, r.Target))
	}
	return all
}

// FuzzContainers wraps any text in one or two containers, damages a byte, and truncates the data.
// Without damage, the results must be those of the text.
func FuzzContainers(f *testing.F) {
	some := small(f, 600, 1)
	for i := range containers {
		f.Add(some[i%len(some)], byte(i), byte(255), uint16(0), byte(0), uint16(0))
		f.Add(some[(i+20)%len(some)], byte(i), byte(i*7), uint16(40+i), byte(1<<(i%8)), uint16(i%3*5))
	}
	f.Fuzz(func(t *testing.T, text []byte, inner, outer byte, spoil uint16, flip byte, cut uint16) {
		if len(text) > 4<<10 {
			return
		}
		opts := options(0x38)
		opts.Limits.Size, opts.Limits.Window = 1<<20, 8<<20
		c := containers[int(inner)%len(containers)]
		data := c.wrap(t, text)
		whole := c.true
		if int(outer) < len(containers) {
			data = containers[outer].wrap(t, data)
			whole = whole && containers[outer].true
		}
		if len(data) == 0 { // snappy compresses empty data to this
			return
		}
		if flip != 0 {
			data[int(spoil)%len(data)] ^= flip
			whole = false
		}
		if cut > 0 {
			data = data[:len(data)-int(cut)%len(data)]
			whole = false
		}
		got := probe(t, opts, data, int(flip)%16)
		if !whole || len(text) == 0 {
			return
		}
		want := survey(t, extractor(t, opts), bytes.NewReader(text), 0)
		if !slices.Equal(got.places(), want.places()) {
			t.Errorf("%s: %q, errors %q\nby itself %q, errors %q", c.name, got.places(), got.failures, want.places(), want.failures)
		}
	})
}
