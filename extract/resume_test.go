package extract_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// A notebook keeps the places of files between runs, as bytes.
type notebook map[string][]byte

// resume returns the Resume that reads and writes b. growing says what Begin sets.
func (b notebook) resume(t *testing.T, growing bool) *extract.Resume {
	snapshot := make(notebook, len(b))
	for name, p := range b {
		snapshot[name] = p
	}
	return &extract.Resume{
		Begin: func(f *extract.File) (p extract.Place) {
			f.Growing = growing
			if kept := snapshot[f.Name]; kept != nil {
				if err := p.UnmarshalBinary(kept); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
				if !f.Continues(&p) && !f.Begins(&p) {
					return extract.Place{}
				}
			}
			return p
		},
		Reached: func(f *extract.File, p *extract.Place) {
			kept, _ := p.AppendBinary(nil)
			b[f.Name] = kept
			first, list := p.Identities()
			identities := slices.Clone(b[identitiesKey(f.Name)])
			for i, h := range list {
				at := 8 * (first + i)
				identities = append(identities, make([]byte, max(0, at+8-len(identities)))...)
				binary.BigEndian.PutUint64(identities[at:], h)
			}
			b[identitiesKey(f.Name)] = identities
		},
	}
}

// identitiesKey returns the key of the identities of the messages in a file.
func identitiesKey(name string) string { return name + "\x00identities" }

// identities returns the identities of the messages in a file.
func (b notebook) identities(name string) (list []uint64) {
	for kept := b[identitiesKey(name)]; len(kept) > 0; kept = kept[8:] {
		list = append(list, binary.BigEndian.Uint64(kept))
	}
	return list
}

// resultsOf returns what a run over paths finds, a line each.
func resultsOf(t *testing.T, o extract.Options, paths ...string) (lines []string) {
	t.Helper()
	x, err := extract.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range x.Run(context.Background(), extract.Walk(paths...)) {
		if err != nil {
			lines = append(lines, "error: "+err.Error())
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s @%d %s", filepath.Base(r.Origin.Source), r.Origin.String()[len(r.Origin.Source):], r.Origin.Offset, r.URL))
	}
	return lines
}

// A growth returns the next piece of a growing file.
type growth func(pick *rand.Rand, n int) []byte

var growths = map[string]growth{
	"log": func(pick *rand.Rand, n int) []byte {
		var b bytes.Buffer
		for range 1 + pick.IntN(200) {
			fmt.Fprintf(&b, "2026-11-%02d GET http://h%d.example/%d x\n", 1+n%28, pick.IntN(9), pick.IntN(1e6))
		}
		return b.Bytes()
	},
	"text": func(pick *rand.Rand, n int) []byte {
		var b bytes.Buffer
		b.WriteString("plain words\n")
		for range 1 + pick.IntN(40) {
			switch pick.IntN(6) {
			case 0:
				fmt.Fprintf(&b, "see <URL:http://a.example/%d/\n  long/%d> and\n", n, pick.IntN(100))
			case 1:
				fmt.Fprintf(&b, "> quoted <http://q.example/%d\n> more/%d>\n", n, pick.IntN(100))
			case 2:
				b.WriteString("an open < and \"\n")
			case 3:
				b.WriteString(strings.Repeat("word ", 1+pick.IntN(30)) + "\n")
			case 4:
				fmt.Fprintf(&b, "Message-ID: <x%d@b.example>\n", n)
			default:
				fmt.Fprintf(&b, "(http://b.example/%d), ftp://c.example/%d.\n", n, pick.IntN(1000))
			}
		}
		return b.Bytes()
	},
	"mbox": func(pick *rand.Rand, n int) []byte {
		var b bytes.Buffer
		for i := range 1 + pick.IntN(4) {
			fmt.Fprintf(&b, "From a@b.example Mon Nov 23 00:10:0%d 2026\nSubject: s\nFrom: a@b.example\nMessage-ID: <%d.%d@x>\n\n", i, n, i)
			for range pick.IntN(60) {
				fmt.Fprintf(&b, "http://m.example/%d/%d\n", n, pick.IntN(1000))
			}
			b.WriteString("\n")
		}
		return b.Bytes()
	},
	"warc": func(pick *rand.Rand, n int) []byte {
		var b bytes.Buffer
		for i := range 1 + pick.IntN(4) {
			body := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
			for range pick.IntN(60) {
				body += fmt.Sprintf("http://m.example/%d/%d\n", n, pick.IntN(1000))
			}
			fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://t.example/%d.%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", n, i, len(body), body)
		}
		return b.Bytes()
	},
	"line": func(pick *rand.Rand, n int) []byte {
		return fmt.Appendf(nil, "http://one.example/%d ", n)
	},
	"members": func(pick *rand.Rand, n int) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for range 1 + pick.IntN(300) {
			fmt.Fprintf(z, "2026-11-%02d GET http://z%d.example/%d x\n", 1+n%28, pick.IntN(9), pick.IntN(1e6))
		}
		z.Close()
		return b.Bytes()
	},
}

// TestResume appends random pieces to files, with a run after each piece. Together the runs must
// find what one run over the whole file finds, in that order.
func TestResume(t *testing.T) {
	rounds := 3
	if long {
		rounds = 40
	}
	for name, grow := range growths {
		for _, workers := range []int{1, 3} {
			t.Run(fmt.Sprint(name, workers), func(t *testing.T) {
				for seed := range uint64(rounds) {
					pick := rand.New(rand.NewPCG(seed, 7))
					path := filepath.Join(t.TempDir(), name)
					var all []byte
					for n := range 3 + pick.IntN(20) {
						all = append(all, grow(pick, n)...)
						if pick.IntN(10) == 0 && name != "members" && name != "line" {
							for range 12 {
								all = append(all, grow(pick, n)...)
							}
						}
					}
					b, o := notebook{}, extract.Options{Workers: workers}
					var got []string
					for at := 0; at < len(all); {
						at = min(len(all), at+1+pick.IntN(1+len(all)/3))
						if err := os.WriteFile(path, all[:at], 0o666); err != nil {
							t.Fatal(err)
						}
						o.Resume = b.resume(t, true)
						got = append(got, resultsOf(t, o, path)...)
					}
					for range 2 {
						o.Resume = b.resume(t, false)
						got = append(got, resultsOf(t, o, path)...)
					}
					want := resultsOf(t, extract.Options{Workers: 1}, path)
					if !slices.Equal(got, want) {
						t.Fatalf("seed %d: %d results in pieces, %d at once; %s", seed, len(got), len(want), differ(got, want))
					}
				}
			})
		}
	}
}

// TestResumeOptions is like TestResume, but each run has different options. Each result that is
// found with all of these options must be found exactly once.
func TestResumeOptions(t *testing.T) {
	rounds := 5
	if long {
		rounds = 60
	}
	options := [...]extract.Options{{}, {Refused: true}, {MessageIDs: true, Refused: true}}
	options[1].Delimit.Extras = delimit.Abbreviated
	for name, grow := range growths {
		if name == "line" || name == "warc" { // what is appended below is no record
			continue // the end of a bare reference depends on the rest of the line
		}
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(rounds) {
				pick := rand.New(rand.NewPCG(seed, 8))
				path := filepath.Join(t.TempDir(), name)
				var all []byte
				for n := range 3 + pick.IntN(20) {
					all = append(all, grow(pick, n)...)
					if name != "members" {
						all = append(all, "bad http://[x/ and http://h.example/%zz or www.example.org\n"...)
					}
				}
				want := validOf(t, extract.Options{Workers: 1}, path, all)
				b := notebook{}
				var got []string
				for at := 0; at < len(all); {
					at = min(len(all), at+1+pick.IntN(1+len(all)/3))
					o := options[pick.IntN(len(options))]
					o.Resume = b.resume(t, true)
					got = append(got, validOf(t, o, path, all[:at])...)
				}
				for i := range options {
					o := options[i]
					o.Resume = b.resume(t, false)
					got = append(got, validOf(t, o, path, all)...)
				}
				if got = slices.DeleteFunc(got, func(s string) bool { return !slices.Contains(want, s) }); !slices.Equal(got, want) {
					t.Fatalf("seed %d: %d results in pieces, %d at once; %s", seed, len(got), len(want), differ(got, want))
				}
			}
		})
	}
}

// validOf returns the results in a file with that text that its grammar accepts.
func validOf(t *testing.T, o extract.Options, path string, text []byte) (lines []string) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	x, err := extract.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range x.Run(context.Background(), extract.Walk(path)) {
		if err == nil && r.Valid {
			lines = append(lines, fmt.Sprintf("@%d %s", r.Origin.Offset, r.URL))
		}
	}
	return lines
}

// differ describes the first difference between got and want.
func differ(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			return fmt.Sprintf("result %d is\n%s, not\n%s", i, g, w)
		}
	}
	return "equal"
}
