package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// measurePacked is compressed text. "Alone" is a program of ours with github.com/klauspost/compress,
// one goroutine, and a processor to itself. For zstd that is what urlsift has: two processors
// are enough to scan while the next is decompressed, so that nothing but decompressing should
// be felt. For gzip urlsift has a decoder of its own, which is faster.
func measurePacked(b *bench) error {
	b.oneProcessor()
	for _, in := range b.inputs {
		for _, k := range []struct {
			kind string
			cats [][]string
		}{{"zst", [][]string{{"zstdcat"}}}, {"gz", [][]string{{"zcat"}, {"igzip", "-dc"}}}} {
			file, err := b.made(k.kind, in)
			if err != nil {
				return err
			}
			rows, err := b.rounds(b.packedJobs(file, k.cats))
			if err != nil {
				return err
			}
			to := func(r row) ratio { return r.times(rows[0]) }
			rows[1].goal = atMost(fmt.Sprintf("%s.%s: time to that of decompressing", in.name, k.kind), 1.05, to(rows[1]).median)
			b.table(fmt.Sprintf("%v as %s", in, k.kind), rows, speedColumns, ratios(to), []column{goalColumn}, costColumns, foundColumns)
		}
	}
	return nil
}

// packedJobs are decompressing alone, urlsift, and the peers that can
// decompress or that a decompressor may be put before.
func (b *bench) packedJobs(in input, cats [][]string) []job {
	// No references to count: what it prints is nothing.
	jobs := []job{{name: "decompressing alone", stages: []stage{b.alone.on(in.file, []string{"unpack", "FILE"})}, size: in.size}}
	j := fmt.Sprint("-j", b.workers)
	for _, as := range in.as() {
		jobs = append(jobs, b.urlsift(in, j, "--as", as))
	}
	for _, p := range b.peers {
		if p.packed != nil {
			jobs = append(jobs, job{name: p.name + " -z", stages: []stage{p.on(in.file, p.packed)}, size: in.size, counts: p.counts})
		}
		for _, cat := range cats {
			path, err := exec.LookPath(cat[0]) // nothing to put before the pipe: no row
			if p.piped == nil || err != nil {
				continue
			}
			unpack := stage{path, append(slices.Clone(cat[1:]), in.file)}
			jobs = append(jobs, job{name: strings.Join(cat, " ") + " | " + p.name, stages: []stage{unpack, p.on("-", p.piped)}, size: in.size, counts: p.counts})
		}
	}
	return jobs
}
