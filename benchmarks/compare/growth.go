package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// measureGrowth reads each input at sizes of 1 MB, 4 MB, 16 MB and so on, and fits a line to the
// times.
func measureGrowth(b *bench) error {
	for _, in := range b.inputs {
		if err := b.growOne(in); err != nil {
			return err
		}
	}
	return nil
}

// sizes returns 1, 4, 16, … MB, in bytes, no size above most MB. Each is four times the one before,
// so the table shows how the time grows.
func sizes(most int64) (s []int64) {
	for n := int64(1); n <= most; n *= 4 {
		s = append(s, n*1e6)
	}
	return s
}

// growOne makes the files, reads them in turns, and removes them. All files exist at the same time,
// and need a third more than the largest, so the page cache must have room for that.
func (b *bench) growOne(in input) error {
	dir, err := os.MkdirTemp(b.tmp, "growth-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	empty := input{name: "empty", file: filepath.Join(dir, "empty")}
	if err := os.WriteFile(empty.file, nil, 0o644); err != nil {
		return err
	}
	var files []input
	for _, n := range sizes(b.growth) {
		f, err := in.resized(dir, n)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	for _, as := range in.as() {
		jobs := []job{b.urlsift(empty, "-j1", "--as", as)}
		jobs[0].name = "nothing"
		for _, f := range files {
			j := b.urlsift(f, "-j1", "--as", as)
			j.name = fmt.Sprintf("%d MB", f.size/1e6)
			jobs = append(jobs, j)
		}
		rows, err := b.rounds(jobs)
		if err != nil {
			return err
		}
		title := fmt.Sprintf("%s, --as %s", in.name, as)
		wall, n := growth(rows[0], rows[1:], row.wall)
		cpu, _ := growth(rows[0], rows[1:], row.cpu)
		if n > 1 {
			rows[len(rows)-1].goal = atMost(title+": slope of time over size", 1.1, wall)
		}
		b.table(title, rows, timeColumns, speedColumns, costColumns, foundColumns[:1])
		if n > 1 {
			b.note("%s: slope %.3f, of processor time %.3f, over the greatest %d sizes; goal %v", title, wall, cpu, n, rows[len(rows)-1].goal)
		}
	}
	return nil
}

// growth fits a line to the shortest times of rows, minus the time for empty input. At 1 MB the
// time for empty input is most of the time, and would make any line flat. Sizes that take less than
// twice the time for empty input are left out, because the difference is noise. n is the number of
// sizes that are used.
func growth(nothing row, rows []row, of func(row) spread) (fitted float64, n int) {
	var x, y []float64
	base := of(nothing).least
	for _, r := range rows {
		if t := of(r).least; !r.over && t >= 2*base {
			x, y = append(x, float64(r.size)), append(y, t-base)
		}
	}
	return slope(x, y), len(x)
}
