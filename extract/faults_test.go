package extract_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/urlsift/urlsift/extract"
)

// These tests check how much is lost if a file of each kind is damaged. damage_test.go has the
// tests of compressions with checksums; TestMailDamage damages messages of the corpora.

// A specimen is a file of ten records, each with a hundred references.
type specimen struct {
	name string
	data []byte

	// plain says that data contains the references verbatim. Then a test knows which references are
	// in front of a cut.
	plain bool

	// reported is the minimum percentage of cuts that must be reported. A mailbox, a text and the
	// output of compress may end anywhere, so no cut of theirs is an error.
	reported int

	// silent is how many of a hundred flipped bits may change the results without a report. In a
	// format without checksums, all may.
	silent int

	// apart says that the beginning of a record can be found even if other records are damaged: by
	// a line, or by a header with a checksum or a length.
	apart bool
}

const records, perRecord = 10, 100

// recordText returns the text of record i. Each of its references contains i.
func recordText(i int) string {
	var b strings.Builder
	for k := range perRecord {
		fmt.Fprintf(&b, "line %d: see http://r%d.example.org/path/%d?q=%d for more\n", k, i, k, (k+7*i)*(k+3)%9973)
	}
	return b.String()
}

// recordURLs are the references in record i.
func recordURLs(i int) (urls []string) {
	for k := range perRecord {
		urls = append(urls, fmt.Sprintf("http://r%d.example.org/path/%d?q=%d", i, k, (k+7*i)*(k+3)%9973))
	}
	return urls
}

// specimens returns a file of each kind.
func specimens(t testing.TB) []specimen {
	t.Helper()
	var names []string // names and texts are the arguments of tarred
	var articles []string
	var text, mbox, multipart, encoded strings.Builder
	for i := range records {
		names = append(names, fmt.Sprintf("file%d", i), recordText(i))
		text.WriteString(recordText(i))
		from := fmt.Sprintf("From a@example.org Mon Jan  5 12:00:0%d 1998\nFrom: a@example.org\nSubject: %d\n", i, i)
		mbox.WriteString(from + "\n" + recordText(i) + "\n")
		multipart.WriteString(from + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" + recordText(i) + "--b--\n\n")
		encoded.WriteString(from + "Content-Transfer-Encoding: base64\n\n" + b64(recordText(i)) + "\n")
		articles = append(articles, fmt.Sprintf("Path: a!b\nNewsgroups: example.test\nMessage-ID: <%d@example.org>\n\n%s", i, recordText(i)))
	}
	return []specimen{
		{name: "text", data: []byte(text.String()), plain: true, silent: 100, apart: true},
		{name: "mbox", data: []byte(mbox.String()), plain: true, silent: 100, apart: true},
		{name: "mbox, multipart", data: []byte(multipart.String()), plain: true, reported: 90, silent: 100, apart: true},
		{name: "mbox, base64", data: []byte(encoded.String()), silent: 100, apart: true},
		{name: "mbox.gz", data: pack(t, "gzip", []byte(mbox.String())), reported: 99, silent: 0},
		{name: "rnews", data: []byte(rnews(articles...)), plain: true, reported: 95, silent: 100, apart: true},
		{name: "tar", data: []byte(tarred(names...)), plain: true, reported: 95, silent: 100, apart: true},
		{name: "tar.gz", data: pack(t, "gzip", []byte(tarred(names...))), reported: 99, silent: 0},
		{name: "zip", data: []byte(zipped(names...)), reported: 90, silent: 0, apart: true},
		{name: "compress", data: packZ([]byte(text.String())), silent: 100},
	}
}

// readOn reads data, and then another source, which damage must not affect.
func readOn(t *testing.T, data io.Reader) (urls []string, errs []*extract.Error) {
	t.Helper()
	a := extract.Source{Name: "a", Size: -1, Open: func() (io.ReadCloser, error) { return io.NopCloser(data), nil }}
	x := extractor(t, extract.Options{Workers: 1})
	urls, errs = all(t, x.Run(t.Context(), slices.Values([]extract.Source{a, memory("b", []byte("http://next/"))})))
	if len(urls) == 0 || urls[len(urls)-1] != "http://next/" {
		t.Fatal("the next source is not read")
	}
	return urls[:len(urls)-1], errs
}

// firsts returns how many elements of urls are also the first elements of want. The last of urls
// may be truncated or changed.
func firsts(t *testing.T, urls, want []string) int {
	t.Helper()
	n := 0
	for n < len(urls) && n < len(want) && urls[n] == want[n] {
		n++
	}
	if n < len(urls)-1 {
		t.Errorf("found %q, where %q was to be", urls[n], want[min(n, len(want)-1)])
	}
	return n
}

// TestCutFiles truncates files at a hundred places. All references in front of a cut are
// found, and nothing else. The error is reported once, if the format shows it: a mailbox
// may end anywhere.
func TestCutFiles(t *testing.T) {
	for _, s := range specimens(t) {
		t.Run(s.name, func(t *testing.T) {
			want, errs := readOn(t, bytes.NewReader(s.data))
			if len(want) != records*perRecord || errs != nil {
				t.Fatalf("%d references in the whole file, %v", len(want), errs)
			}
			reported, cuts := 0, 0
			for i := 0; i < 100; i += stride() {
				cut := 700 + (len(s.data)-701)*i/99
				urls, errs := readOn(t, bytes.NewReader(s.data[:cut]))
				n := firsts(t, urls, want)
				if least := before(&s, want, cut); n < least {
					t.Errorf("cut at %d of %d: %d references, want %d", cut, len(s.data), n, least)
				}
				if len(errs) > 1 {
					t.Errorf("cut at %d: %v", cut, errs)
				}
				cuts++
				reported += min(1, len(errs))
			}
			t.Logf("%d of %d cuts are reported", reported, cuts)
			if reported*100 < s.reported*cuts {
				t.Errorf("%d of %d cuts are reported, want %d%%", reported, cuts, s.reported)
			}
		})
	}
}

// before returns how many references of want are certainly in front of the cut of s. If references
// are not verbatim in the data, their number is estimated from the bytes, and lower than their
// proportion, because compress uses more bytes at the beginning.
func before(s *specimen, want []string, cut int) int {
	if !s.plain {
		return len(want)*cut/len(s.data)*3/4 - perRecord/4
	}
	at := 0
	for i, url := range want {
		k := bytes.Index(s.data[at:], []byte(url+" "))
		if at += k + len(url); k < 0 || at >= cut {
			return i
		}
	}
	return len(want)
}

// TestFlipFiles flips a bit at a hundred places, after the first bytes, which decide the format. If
// there are checksums, the flip is reported or does not change the results. If records can be
// separated, only the damaged record is lost; if the bit is at the beginning of a record, the
// record in front of it may be lost too.
func TestFlipFiles(t *testing.T) {
	list := specimens(t)
	skipRace(t)
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			silent, lost := 0, 0
			for i := 0; i < 100; i += flipStride() {
				at := 600 + (len(s.data)-601)*i/99
				spoiled := bytes.Clone(s.data)
				spoiled[at] ^= 1 << (i % 8)
				urls, errs := readOn(t, bytes.NewReader(spoiled))
				if len(errs) > 4 {
					t.Errorf("flipped at %d: %d errors, %v", at, len(errs), errs[:2])
				}
				spoilt := 0 // number of incomplete records
				for r := range records {
					if !contains(urls, recordURLs(r)) {
						spoilt++
						if s.apart && r < at*records/len(s.data)-1 {
							t.Errorf("flipped at %d: record %d, which stands before, is not whole", at, r)
						}
					}
				}
				if s.apart && spoilt > 2 {
					t.Errorf("flipped bit %d at %d of %d: %d records are not whole, %v", i%8, at, len(s.data), spoilt, errs)
				}
				if spoilt > 0 && len(errs) == 0 {
					silent++
				}
				lost += spoilt
			}
			t.Logf("%d records lost, %d times in silence", lost, silent)
			if silent > s.silent {
				t.Errorf("%d of 100 flips lose something in silence", silent)
			}
		})
	}
}

// contains reports whether some is a contiguous part of urls.
func contains(urls, some []string) bool {
	k := slices.Index(urls, some[0])
	return k >= 0 && len(urls)-k >= len(some) && slices.Equal(urls[k:k+len(some)], some)
}

// errBroken is the error of the readers in this file.
var errBroken = errors.New("disk is wet")

// A failing reader returns data in pieces of at most size bytes. The call number at, counted from
// 0, fails. If beside is set, that call returns bytes together with the error.
type failing struct {
	data   []byte
	size   int
	at     int
	beside bool

	call   int
	handed int // bytes returned
	failed int // number of failures
}

func (f *failing) Read(p []byte) (int, error) {
	defer func() { f.call++ }()
	if f.call > f.at {
		f.failed++
		return 0, errors.New("read on after an error")
	}
	if f.call == f.at && !f.beside {
		f.failed++
		return 0, errBroken
	}
	n := copy(p[:min(len(p), f.size)], f.data)
	f.data = f.data[n:]
	f.handed += n
	if f.call == f.at {
		f.failed++
		return n, errBroken
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestReadErrors lets each call of Read fail in turn, with and without bytes. The error is reported
// once, unchanged. Only what a cut at that place loses may be missing, and one more reference,
// which may be incomplete.
func TestReadErrors(t *testing.T) {
	list := specimens(t)
	for _, format := range packed {
		text := list[0].data
		if format == "bzip2" {
			text = sample(4000) // the only one that pack has
		}
		list = append(list, specimen{name: format, data: pack(t, format, text)})
	}
	list = append(list,
		specimen{name: "utf-16", data: encode("utf-16le", recordText(0))},
		specimen{name: "html", data: []byte(strings.Repeat("<p><a href='http://a.example/x'>x</a>\n", 300))},
		specimen{name: "attached", data: []byte("From: a@b.example\nSubject: x\nContent-Type: multipart/mixed; boundary=b\n\n" +
			attached("application/zip", "a.zip", zipped("x", recordText(0), "y", recordText(1))) +
			attached("application/x-tar", "a.tar", string(pack(t, "gzip", []byte(tarred("x", recordText(2)))))) + "--b--\n")},
		specimen{name: "zip in zip", data: []byte(zipped("a.zip", zipped("x", recordText(0)), "b.gz", string(pack(t, "gzip", []byte(recordText(1))))))},
	)
	skipRace(t)
	for _, s := range list {
		t.Run(s.name, func(t *testing.T) {
			calls := 60
			if !long {
				calls = 6
			}
			if s.name == "bzip2" || s.name == "xz" { // these take too long for every call
				calls /= 4
			}
			size := len(s.data)/max(2, calls) + 1
			for _, beside := range []bool{false, true} {
				for call, more := 0, true; more; call++ {
					f := &failing{data: s.data, size: size, at: call, beside: beside}
					urls, errs := readOn(t, f)
					if more = f.failed > 0; !more {
						break // the data ended before that call
					}
					if len(errs) == 2 && errs[0].Stage == "base64" {
						errs = errs[1:] // a truncated From_ line is read as base64, and is an error of its own
					}
					if len(errs) != 1 || !errors.Is(errs[0], errBroken) || errs[0].Stage != "read" || errs[0].Origin.Source != "a" {
						t.Errorf("failed at call %d: %v", call, errs)
					}
					want, _ := readOn(t, bytes.NewReader(s.data[:f.handed]))
					if n := len(want); !slices.Equal(urls, want) && (n == 0 || !slices.Equal(urls, want[:n-1])) {
						t.Errorf("failed at call %d, after %d bytes: %d references, a cut leaves %d", call, f.handed, len(urls), n)
					}
				}
			}
		})
	}
}

// packZ compresses text like compress(1), with codes of at most 16 bits.
func packZ(text []byte) []byte {
	const bits = 16
	out := []byte{0x1f, 0x9d, 0x80 | bits}
	width, free := 9, 257
	var group []int
	flush := func(whole bool) { // eight codes are written at once
		n := len(group) * width
		if whole {
			n = 8 * width
		}
		at := len(out)
		out = append(out, make([]byte, (n+7)/8)...)
		for i, code := range group {
			for b := range width {
				out[at+(i*width+b)/8] |= byte(code>>b&1) << ((i*width + b) % 8)
			}
		}
		group = group[:0]
	}
	codes := make(map[string]int)
	for i := 0; i < len(text); {
		code, n := int(text[i]), 1
		for i+n < len(text) { // find the longest string in the table
			c, ok := codes[string(text[i:i+n+1])]
			if !ok {
				break
			}
			code, n = c, n+1
		}
		if group = append(group, code); len(group) == 8 {
			flush(true)
		}
		if i+n < len(text) && free < 1<<bits {
			codes[string(text[i:i+n+1])] = free
			free++
		}
		if free > 1<<width && width < bits {
			if len(group) > 0 {
				flush(true)
			}
			width++
		}
		i += n
	}
	flush(false)
	return out
}

// TestWarningsBeforeError checks that what is wrong in front of an error of the stream is reported, whatever was read in advance; but not
// what the error itself has cut off.
func TestWarningsBeforeError(t *testing.T) {
	const letter = "From a@b.example Mon Mar  1 10:00:00 1999\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://a.example/\n\n"
	data := []byte(strings.Repeat(letter, 5))
	for name, in := range map[string]io.Reader{"whole": bytes.NewReader(data), "bytes": iotest.OneByteReader(bytes.NewReader(data))} {
		urls, errs := readOn(t, io.MultiReader(in, iotest.ErrReader(io.ErrUnexpectedEOF)))
		warnings := 0
		for _, err := range errs {
			if err.Err.Error() == "multipart without a closing boundary" {
				warnings++
			}
		}
		if len(urls) != 5 || warnings != 4 || len(errs) != 5 {
			t.Errorf("%s: %d references, %d warnings, %d errors: %v", name, len(urls), warnings, len(errs), errs)
		}
	}
}
