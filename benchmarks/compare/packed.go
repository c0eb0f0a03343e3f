package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// measurePacked measures compressed text. "Alone" is our program that only decompresses, with
// github.com/klauspost/compress in one goroutine on its own processor. For zstd urlsift uses the
// same library. Two processors are enough to scan one block while the next is decompressed, so
// urlsift should take no longer than decompression. For gzip urlsift has its own decoder, which is
// faster. For xz and bzip2 there is no goal, and the ratio is to urlsift.
func measurePacked(b *bench) error {
	b.oneProcessor()
	for _, in := range b.inputs {
		for _, k := range []struct {
			kind string
			goal bool
			cats [][]string
		}{
			{"zst", true, [][]string{{"zstd", "-dcq"}}},
			{"gz", true, [][]string{{"zcat"}, {"igzip", "-dc"}}},
			{"xz", false, [][]string{{"xz", "-dc", "-T1"}}},
			{"bz2", false, [][]string{{"lbzip2", "-dc", "-n1"}}},
		} {
			file, err := b.made(k.kind, in)
			if err != nil {
				return err
			}
			var jobs []job
			if k.goal {
				// It prints nothing, so no references are counted.
				jobs = []job{{name: "decompressing alone", stages: []stage{b.alone.on(file.file, []string{"unpack", "FILE"})}, size: in.size}}
			}
			rows, err := b.rounds(append(jobs, b.packedJobs(file, k.cats)...))
			if err != nil {
				return err
			}
			to := func(r row) ratio { return r.times(rows[0]) }
			if k.goal {
				rows[1].goal = atMost(fmt.Sprintf("%s.%s: time to that of decompressing", in.name, k.kind), 1.05, to(rows[1]).median)
			}
			b.table(fmt.Sprintf("%v as %s", in, k.kind), rows, speedColumns, ratios(to), []column{goalColumn}, costColumns, foundColumns)
		}
	}
	return nil
}

// packedJobs returns the jobs: urlsift, the decompressors, and the other programs that can
// decompress or read from a decompressor.
func (b *bench) packedJobs(in input, cats [][]string) []job {
	var jobs []job
	j := fmt.Sprint("-j", b.workers)
	for _, as := range in.as() {
		jobs = append(jobs, b.urlsift(in, j, "--as", as))
	}
	var unpack []stage
	for _, cat := range cats {
		path, err := exec.LookPath(cat[0])
		if err != nil {
			b.note("Without %s, which is not installed.", cat[0])
			continue
		}
		unpack = append(unpack, stage{path, append(slices.Clone(cat[1:]), in.file)})
		jobs = append(jobs, job{name: strings.Join(cat, " "), stages: unpack[len(unpack)-1:], size: in.size})
	}
	for _, p := range b.peers {
		if p.packed != nil {
			jobs = append(jobs, job{name: p.name + " -z", stages: []stage{p.on(in.file, p.packed)}, size: in.size, counts: p.counts})
		}
		if p.piped == nil {
			continue
		}
		for _, s := range unpack {
			jobs = append(jobs, job{name: filepath.Base(s.path) + " | " + p.name, stages: []stage{s, p.on("-", p.piped)}, size: in.size, counts: p.counts})
		}
	}
	return jobs
}
