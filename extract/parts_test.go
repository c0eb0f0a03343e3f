package extract_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// blocks returns text as blocks of BGZF, as bgzip writes them, of random sizes up to
// most, with the empty block at the end.
func blocks(t testing.TB, rnd *rand.Rand, text []byte, most int) (data []byte) {
	t.Helper()
	for len(text) > 0 {
		n := min(len(text), 1+rnd.IntN(most))
		data = append(data, block(t, text[:n])...)
		text = text[n:]
	}
	return append(data, block(t, nil)...)
}

// block returns a block of BGZF.
func block(t testing.TB, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzipWriter(&b, gzip.DefaultCompression)
	z.Extra = []byte("BC\x02\x00\x00\x00")
	_, err := z.Write(text)
	must(t, err)
	must(t, z.Close())
	binary.LittleEndian.PutUint16(b.Bytes()[16:], uint16(b.Len()-1))
	return b.Bytes()
}

// unsized returns text as frames of zstd that do not declare the size of their text, with
// checksums.
func unsized(t testing.TB, rnd *rand.Rand, text []byte, most int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
	must(t, err)
	for len(text) > 0 {
		n := min(len(text), 1+rnd.IntN(most))
		for piece := text[:n]; len(piece) > 0; {
			k := min(len(piece), 1000)
			_, err := z.Write(piece[:k])
			must(t, err)
			must(t, z.Flush())
			piece = piece[k:]
		}
		must(t, z.Close())
		z.Reset(&b)
		text = text[n:]
	}
	return b.Bytes()
}

// framed has functions that make a file of many members.
var framed = []func(testing.TB, *rand.Rand, []byte, int) []byte{zstdMembers, unsized, blocks, gzipMembers, bzipMembers}

// TestParts reads random texts and mailboxes, as frames and blocks of many sizes, in
// small parts: complete, damaged, truncated, and with bytes after them.
func TestParts(t *testing.T) {
	rounds := 30
	if !long {
		rounds = 9
	}
	letter := "From a@b.example Mon Mar  1 10:00:00 1999\nMIME-Version: 1.0\nMessage-ID: <%d@b.example>\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n<http://b.example/%d\n c>\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"http://c.example/=\n%d\">\n--b\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n%s\n--b--\n%s\n"
	attached := b64(zipped("x", "http://d.example/\nand http://e.example/"))
	var handed int64
	for seed := range rounds {
		rnd := rand.New(rand.NewPCG(uint64(seed), 8))
		var b bytes.Buffer
		opts := extract.Options{Refused: true, Format: extract.Plain}
		if mail := seed%3 == 2; mail {
			opts.Format = extract.Auto
			for i := 0; b.Len() < 60000; i++ {
				fmt.Fprintf(&b, letter, i, i, i, attached, strings.Repeat("a line http://f.example/\n", rnd.IntN(200)*(i%5/4)))
			}
		} else {
			if seed%5 == 0 {
				b.WriteString("\ufeff")
			}
			for n := 20000 + rnd.IntN(100000); b.Len() < n; {
				b.WriteString(textPieces[rnd.IntN(len(textPieces)-1+rnd.IntN(200)/199)])
			}
			if seed%2 == 0 {
				opts.Delimit.Extras = delimit.Abbreviated | delimit.Defanged | delimit.Rejoin | delimit.Address
			}
		}
		data := framed[seed/3%len(framed)](t, rnd, b.Bytes(), []int{100, 3000, 20000}[rnd.IntN(3)])
		size := 200 + rnd.IntN(6000)
		what := "whole"
		switch rnd.IntN(6) {
		case 0:
			what = "spoiled"
			data[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
		case 1:
			what = "cut"
			data = data[:rnd.IntN(len(data))]
		case 2:
			what = "more after it"
			data = slices.Concat(data, []byte("more"), data)
		case 3:
			what = "padded"
			data = slices.Concat(data, make([]byte, 600), data)
		}
		l := sameInBlocks(t, fmt.Sprint("seed ", seed, ", ", what), inTurn(seed+seed/3), opts, stored(t, data), size)
		handed += l
		if t.Failed() {
			break
		}
	}
	t.Logf("%d blocks", handed)
	least := int64(100)
	if raceEnabled { // with one of three numbers of workers
		least = 50
	}
	if handed < least {
		t.Errorf("%d blocks", handed)
	}
}

// TestPartsTexts reads texts of every kind that matters for blocks, as members of several sizes. Web archives are usually compressed record by record.
func TestPartsTexts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	i, handed := 0, int64(0)
	texts := streamTexts(t, streamSize())
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for k, frame := range framed {
			if i++; !long && i%3 > 0 {
				continue
			}
			data := frame(t, rnd, texts[name], []int{500, 3000, 40_000}[rnd.IntN(3)])
			handed += sameInBlocks(t, fmt.Sprint(name, ", kind ", k), inTurn(i)[:1], extract.Options{Subjects: true, LogTimes: true}, stored(t, data), 2000+rnd.IntN(8000))
		}
	}
	if t.Log(handed, "blocks"); handed < 100 {
		t.Errorf("%d blocks", handed)
	}
}

// TestPartsDamage damages each of a few frames in turn, by one bit of its header, of
// a block or of its checksum. The error and its position must be the same as with one
// worker.
func TestPartsDamage(t *testing.T) {
	text := sample(1500)
	for kind, frame := range framed {
		rnd := rand.New(rand.NewPCG(uint64(kind), 9))
		data := frame(t, rnd, text, 4000)
		n := 1
		switch {
		case full:
			n = 12
		case long:
			n = 6
		}
		for i := range n {
			spoiled := bytes.Clone(data)
			spoiled[rnd.IntN(len(data))] ^= 1 << rnd.IntN(8)
			sameInBlocks(t, fmt.Sprint("kind ", kind), inTurn(kind+i), extract.Options{}, stored(t, spoiled), 2000)
		}
	}
}

// TestPartsWrapped reads text with wrapped references, also across the beginnings of frames.
func TestPartsWrapped(t *testing.T) {
	const frame, warm = 4000, 1000
	var b bytes.Buffer
	for i := 1; i <= 100; i++ {
		for b.Len() < i*warm-80 {
			fmt.Fprintf(&b, "some text %x in lines\n", i*7919*b.Len())
		}
		b.WriteString(strings.Repeat("-", max(0, i*warm-9-b.Len()-i%30)) + " ")
		fmt.Fprintf(&b, "<http://split.example/a-long-path/%d/and-\n  so-on/to-the-end>, ", i)
	}
	var zs, bs []byte
	z, err := zstd.NewWriter(nil)
	must(t, err)
	for text := b.Bytes(); len(text) > 0; {
		n := min(len(text), frame)
		zs = z.EncodeAll(text[:n], zs)
		bs = append(bs, block(t, text[:n])...)
		text = text[n:]
	}
	for name, data := range map[string][]byte{"zstd": zs, "BGZF": bs} {
		for _, workers := range []int{1, 2, 3, 4} {
			before := extract.Handed()
			for range 50 { // a worker that gets no processor time reads no block
				x := extractor(t, extract.Options{Workers: workers, Format: extract.Plain})
				x.SetBlocks(4000, 1, linger)
				urls, errs := all(t, x.Run(t.Context(), stored(t, data)))
				if len(urls) != 100 || errs != nil {
					t.Fatalf("%s, %d workers: %d references, %v", name, workers, len(urls), errs)
				}
				for i, u := range urls {
					if want := fmt.Sprintf("http://split.example/a-long-path/%d/and-so-on/to-the-end", i+1); u != want {
						t.Errorf("%s, %d workers: %s, want %s", name, workers, u, want)
					}
				}
				if extract.Handed() > before || workers == 1 {
					break
				}
			}
			if workers > 1 && extract.Handed() == before {
				t.Errorf("%s, %d workers: no block", name, workers)
			}
		}
	}
}

// TestPartsRatio reads files with a stretch whose expansion ratio is high, within the
// limit and over it. Reading must end at the same byte for any number of workers.
func TestPartsRatio(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var handed int64
	turn := 0
	for k, frame := range framed {
		scale := 1
		if k == len(framed)-1 { // the bzip2 writer of the tests is slow
			scale = 16
		}
		restore := extract.RatioFrom(1 << 20 / int64(scale))
		for i, text := range expanding(rnd, scale) {
			data := frame(t, rnd, text, []int{60000, 30000, 5000}[rnd.IntN(3)]/scale)
			ratios := []int{4, 8, 20}
			if turn++; !long { // the short form alternates between the texts and kinds of frames
				ratios = ratios[turn%3:][:(turn+k)%2]
			}
			for _, ratio := range ratios {
				opts := extract.Options{Delimit: delimit.Options{NoLines: i == 1}, Limits: extract.Limits{Ratio: ratio}}
				l := sameInBlocks(t, fmt.Sprint("kind ", k, ", text ", i, ", ratio ", ratio), inTurn(k+i), opts, stored(t, data), 1<<18/scale/8)
				handed += l
			}
		}
		restore()
	}
	if handed == 0 {
		t.Error("no blocks")
	}
}

// expanding returns texts with a stretch whose expansion ratio is high. Their sizes are divided by
// scale.
func expanding(rnd *rand.Rand, scale int) [][]byte {
	noise := make([]byte, 600000/scale)
	for i := range noise {
		noise[i] = "0123456789abcdefghijklmnopqrstuvwxyz .,ABCDEFGHIJKLMNOPQRST\n"[rnd.IntN(60)]
	}
	dull := []byte(strings.Repeat("nothing at all\n", 150) + "see http://a.example/ \n")
	letters := bytes.Repeat([]byte("From a@b.example Mon Mar  1 10:00:00 1999\nSubject: c\n\n"+string(dull)+"\n"), 40/scale+1)
	return [][]byte{
		slices.Concat(noise, bytes.Repeat(dull, 200/scale), noise),
		slices.Concat(noise, bytes.Repeat(dull, 1500/scale), noise),
		slices.Concat(letters, noise, bytes.Repeat(letters, 30), noise),
	}
}

// TestPartsLimits reads frames that declare windows over the limit, and files whose
// first frames differ from the later ones.
func TestPartsLimits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	text := sample(3000)
	small := zstdMembers(t, rnd, text, 3000)
	whole := pack(t, "zstd", bytes.Repeat(text, 2))
	for i, c := range []struct {
		name string
		data []byte
	}{
		{"a window", slices.Concat(small, whole, small)},
		{"one long", slices.Concat(small[:nthFrame(small, 5)], whole)},
		{"other kind", slices.Concat(small, pack(t, "gzip", text))},
		{"gzip", slices.Concat(blocks(t, rnd, text, 5000), pack(t, "gzip", text), blocks(t, rnd, text, 5000))},
		{"packed", zstdMembers(t, rnd, pack(t, "gzip", text), 300)},
		{"HTML", zstdMembers(t, rnd, []byte("<html>"+strings.Repeat("<a href='http://a.example/'>b</a>\n", 3000)), 3000)},
		{"an archive", zstdMembers(t, rnd, []byte(zipped("x", string(text))), 300)},
	} {
		for k, limits := range []extract.Limits{{}, {Window: 1 << 10}, {Depth: 1}, {Size: 60000}} {
			if !full && (k != i%4 || !long && i%2 > 0) && (!long || k != (i+2)%4) {
				continue
			}
			sameInBlocks(t, c.name, inTurn(i+k), extract.Options{Limits: limits}, stored(t, c.data), 2000)
		}
	}
}

// nthFrame returns the offset in data of the nth frame of zstd, from 1.
func nthFrame(data []byte, n int) (at int) {
	for at = -1; n > 0; n-- {
		at += 1 + bytes.Index(data[at+1:], []byte("\x28\xb5\x2f\xfd"))
	}
	return at
}
