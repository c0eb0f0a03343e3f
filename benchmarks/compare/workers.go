package main

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// measureWorkers compares one worker with many on one file. The output, records with all positions,
// must be the same. If it differs, the row says so and the program fails at its end.
func measureWorkers(b *bench) error {
	b.oneProcessor()
	for _, in := range b.inputs {
		for _, kind := range []string{"", "frames", "members", "bgzf"} {
			file, title := in, in.String()
			if kind != "" {
				var err error
				if file, err = b.made(kind, in); err != nil {
					return err
				}
				title = fmt.Sprintf("%v as %s", in, kind)
			}
			var rows []row
			for _, as := range in.as() {
				some, err := b.oneAndMany(file, as, strings.TrimSuffix(in.name+"."+kind, "."))
				if err != nil {
					return err
				}
				rows = append(rows, some...)
			}
			b.table(title, rows, speedColumns, ratios(grouped(rows, 3, row.speeds)), []column{goalColumn}, costColumns, foundColumns)
		}
	}
	return nil
}

// oneAndMany returns the rows of one worker and of many.
func (b *bench) oneAndMany(in input, as, title string) ([]row, error) {
	many := fmt.Sprint("-j", b.workers)
	// Only records show a wrong position, so records are compared. The checksum is over the whole
	// output, in order.
	var sums []string
	for _, j := range []string{"-j1", many} {
		whole := b.urlsift(in, j, "--as", as, "--format", "jsonl")
		whole.sum = sha256.New
		c, err := whole.counted(b.ctx, b.limit)
		if err != nil {
			return nil, err
		}
		sums = append(sums, c.sum)
	}
	// The best speed that the machine allows is measured with as many independent
	// processes.
	one, side := b.urlsift(in, "-j1", "--as", as), b.urlsift(in, "-j1", "--as", as)
	side.beside = b.workers
	side.size *= int64(b.workers)
	side.name = fmt.Sprintf("%d of %s at once", b.workers, one.name)
	rows, err := b.rounds([]job{one, b.urlsift(in, many, "--as", as), side})
	if err != nil {
		return nil, err
	}
	// The goal is nine tenths of the best possible speed: 1.8 for two workers.
	rows[1].goal = atLeast(fmt.Sprintf("%s as %s: speed of %d workers to one", title, as, b.workers), 0.9*float64(b.workers), rows[1].speeds(rows[0]).median)
	if sums[0] != sums[1] || rows[0].count != rows[1].count {
		rows[1].name += " OTHER OUTPUT"
		b.wrong = append(b.wrong, fmt.Errorf("%s as %s: %d workers print something else than one", title, as, b.workers))
	}
	return rows, nil
}
