package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/benchmarks"
)

// measureHostile compares each text that is made to be slow with an ordinary text of the same size.
// The two take turns, so that changes of the machine's speed affect both.
func measureHostile(b *bench) error {
	prose := b.first("prose")
	if err := b.hostileTable(prose, "plain", benchmarks.Hostiles); err != nil {
		return err
	}
	mail := b.first("mail")
	return b.hostileTable(mail, "mbox", benchmarks.HostileMails)
}

// hostileTable measures each text in turns with the ordinary text in like, both of the same size,
// and prints the ratio of their speeds.
func (b *bench) hostileTable(like input, as string, texts []benchmarks.Hostile) error {
	size := b.hostile * 1e6
	usual, err := like.resized(b.tmp, size)
	if err != nil {
		return err
	}
	defer os.Remove(usual.file)
	usually := b.urlsift(usual, "-j1", "--as", as)
	usually.damaged = true
	var rows []row  // alternately of the ordinary and the hostile text
	var shown []row // the latter
	var speed float64
	for _, h := range texts {
		in := input{name: h.Name, file: filepath.Join(b.tmp, h.Name)}
		if in.size, err = writeHostile(in.file, h, size); err != nil {
			return err
		}
		j := b.urlsift(in, "-j1", "--as", as)
		j.name, j.damaged = h.Name, true // damage is reported, but is not an error here
		pair, err := b.rounds([]job{usually, j})
		if err != nil {
			return err
		}
		if err := os.Remove(in.file); err != nil {
			return err
		}
		pair[1].goal = atLeast(h.Name+": speed to that of "+like.name, 0.1, pair[1].speeds(pair[0]).median)
		rows, shown = append(rows, pair...), append(shown, pair[1])
		speed += float64(usual.size) / 1e6 / pair[0].wall().median / float64(len(texts))
	}
	title := fmt.Sprintf("%d MB each, --as %s; %s at the same time %.0f MB/s", b.hostile, as, like.name, speed)
	b.table(title, shown, speedColumns, ratios(paired(rows, row.speeds)), []column{goalColumn}, costColumns, foundColumns[:1], []column{{"ns each", eachCell}})
	return nil
}

// eachCell returns the shortest processor time for each reference found. If every unit is short and
// has one reference, that is more useful than bytes per second.
func eachCell(r row) string {
	if r.over || r.count.all == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", 1e9*r.cpu().least/float64(r.count.all))
}

// writeHostile writes a text of at least size bytes in pieces, so that this program
// needs little memory. It returns the text's size.
func writeHostile(name string, h benchmarks.Hostile, size int64) (n int64, err error) {
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<16)
	k, err := w.WriteString(h.Head)
	units := strings.Repeat(h.Unit, max(1, 1<<14/len(h.Unit)))
	for n = int64(k); n < size && err == nil; n += int64(k) {
		k, err = w.WriteString(units)
	}
	return n, errors.Join(err, w.Flush())
}
