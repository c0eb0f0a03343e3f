package main

import (
	"fmt"
	"strings"
)

// measurePlain compares urlsift with other programs on plain text files. The ratio is to the first
// program that is installed, ripgrep if possible; without any, to urlsift.
func measurePlain(b *bench) error {
	for _, in := range b.inputs {
		jobs := []job{b.urlsift(in, "-j1", "--as", "plain")}
		base := 0
		for _, p := range b.peers {
			of := in // the whole input, except for a tool that would take minutes
			name := line(p.name, p.plain)
			if p.slow {
				var err error
				if of, err = in.sampled(b.tmp, b.sample); err != nil {
					return err
				}
				name = fmt.Sprintf("%s (first %.1f MB)", name, float64(of.size)/1e6)
			}
			if base == 0 && p.counts && !p.slow {
				base = len(jobs)
			}
			jobs = append(jobs, job{name: name, stages: []stage{p.on(of.file, p.plain)}, size: of.size, counts: p.counts})
		}
		rows, err := b.rounds(jobs)
		if err != nil {
			return err
		}
		to := func(r row) ratio { return r.speeds(rows[base]) }
		if base > 0 {
			want := 0.9 // if the other programs print little, the speed of reading counts
			if in.dense() {
				want = 2.5
			}
			peer, _, _ := strings.Cut(rows[base].name, " ")
			rows[0].goal = atLeast(in.name+": speed to that of "+peer, want, to(rows[0]).median)
		}
		b.table(in.String(), rows, speedColumns, ratios(to), []column{goalColumn}, costColumns, foundColumns)
	}
	return nil
}

// dense reports whether in is an access log, by its name: it has a reference in each line.
func (in input) dense() bool {
	return strings.HasPrefix(in.name, "log") || strings.HasPrefix(in.name, "access")
}

// measureFormats compares the forms of output. All find the same references; records also need the
// position, the other readings, the warnings and more output.
func measureFormats(b *bench) error {
	for _, in := range b.inputs {
		jobs := []job{b.urlsift(in, "-j1", "--as", "plain")}
		for _, format := range []string{"jsonl", "csv", "tsv"} {
			jobs = append(jobs, b.urlsift(in, "-j1", "--as", "plain", "--format", format))
		}
		rows, err := b.rounds(jobs)
		if err != nil {
			return err
		}
		to := func(r row) ratio { return r.times(rows[0]) }
		rows[1].goal = atMost(in.name+": time of jsonl to that of text", 1.5, to(rows[1]).median)
		rows[2].goal = atMost(in.name+": time of csv to that of jsonl", 1.3, rows[2].times(rows[1]).median)
		rows[3].goal = atMost(in.name+": time of tsv to that of jsonl", 1.3, rows[3].times(rows[1]).median)
		b.table(in.String(), rows, speedColumns, ratios(to), []column{goalColumn}, costColumns, foundColumns)
	}
	return nil
}
