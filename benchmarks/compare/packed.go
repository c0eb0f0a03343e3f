package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// measurePacked measures compressed text. "Alone" is our program that only decompresses, with
// github.com/klauspost/compress in one goroutine on its own processor. For zstd urlsift uses the
// same library. Two processors are enough to scan one block while the next is decompressed, so
// urlsift should take no longer than decompression. For gzip urlsift has its own decoder, which is
// faster.
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

// packedJobs returns the jobs: decompression alone, urlsift, and the other programs that can
// decompress or read from a decompressor.
func (b *bench) packedJobs(in input, cats [][]string) []job {
	// It prints nothing, so no references are counted.
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
			path, err := exec.LookPath(cat[0]) // without the decompressor there is no row
			if p.piped == nil || err != nil {
				continue
			}
			unpack := stage{path, append(slices.Clone(cat[1:]), in.file)}
			jobs = append(jobs, job{name: strings.Join(cat, " ") + " | " + p.name, stages: []stage{unpack, p.on("-", p.piped)}, size: in.size, counts: p.counts})
		}
	}
	return jobs
}
