package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// measureStart measures a run that has nothing to do. Starting takes most of the time if a shell
// runs the command for each of many files.
func measureStart(b *bench) error {
	empty := input{name: "empty", file: filepath.Join(b.tmp, "empty")}
	if err := os.WriteFile(empty.file, nil, 0o644); err != nil {
		return err
	}
	jobs := []job{b.urlsift(empty)}
	for _, p := range b.peers {
		jobs = append(jobs, job{name: p.name, stages: []stage{p.on(empty.file, p.plain)}})
	}
	rows, err := b.rounds(jobs)
	if err != nil {
		return err
	}
	rows[0].goal = atMost("empty file: milliseconds", 10, 1000*rows[0].wall().median)
	b.table("an empty file", rows, timeColumns, []column{goalColumn}, costColumns)
	return nil
}

// distinct is how many URLs section unique makes. With so many, the fixed memory of the program
// does not matter for the bytes per URL.
const distinct = 1_000_000

// measureUnique measures -u, which has to remember the printed URLs: with URLs that are all
// different, and with the input that has most URLs.
func measureUnique(b *bench) error {
	all := input{name: "distinct", file: filepath.Join(b.tmp, "distinct")}
	if err := writeDistinct(all.file, distinct); err != nil {
		return err
	}
	if err := all.prepare(); err != nil {
		return err
	}
	for _, in := range []input{all, b.first("logs")} {
		rows, err := b.rounds([]job{
			b.urlsift(in, "-j1", "--as", "plain"),
			b.urlsift(in, "-j1", "--as", "plain", "-u"),
		})
		if err != nil {
			return err
		}
		to := func(r row) ratio { return r.times(rows[0]) }
		b.table(in.String(), rows, speedColumns, ratios(to), costColumns, foundColumns)
		n := float64(rows[1].count.all)
		if n == 0 || rows[1].over {
			continue
		}
		// Use processor time, because the machine may be shared. If most URLs are repeated, most of
		// the time is for look-ups, so the time is given per URL found.
		b.note("%s: %.0f distinct; -u costs %.0f ns and %.0f bytes for each, %.0f ns for each that is found.", in.name, n,
			1e9*(rows[1].cpu().median-rows[0].cpu().median)/n, (rows[1].peak()-rows[0].peak())/n,
			1e9*(rows[1].cpu().median-rows[0].cpu().median)/float64(rows[0].count.all))
	}
	return nil
}

// writeDistinct writes n different URLs, one a line, of some 55 bytes.
func writeDistinct(name string, n int) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	for i := range n {
		fmt.Fprintf(w, "http://www%d.example.org/a/%s/page-%08d.html\n", i%1000, strings.Repeat("b", i%16), i)
	}
	return w.Flush()
}
