package main

import (
	"fmt"
	"text/tabwriter"
)

// A column makes a cell for each row.
type column struct {
	head string
	cell func(row) string
}

// The columns, in the order of a table. The lowest speed is that of the longest time.
var (
	speedColumns = []column{
		{"MB/s median", speed(func(s spread) float64 { return s.median })},
		{"least", speed(func(s spread) float64 { return s.most })},
		{"greatest", speed(func(s spread) float64 { return s.least })},
	}
	timeColumns = []column{
		{"ms median", millis(func(s spread) float64 { return s.median })},
		{"least", millis(func(s spread) float64 { return s.least })},
		{"greatest", millis(func(s spread) float64 { return s.most })},
	}
	costColumns = []column{
		{"CPU s", func(r row) string { return fmt.Sprintf("%.3f", r.cpu().median) }},
		{"peak MB", peakCell},
	}
	foundColumns = []column{
		{"found", func(r row) string { return counted(r, r.count.all) }},
		{"http(s)", func(r row) string { return counted(r, r.count.web) }},
	}
)

// speed returns a column's function: the size of the text divided by the time that f
// chooses, in millions of bytes a second.
func speed(f func(spread) float64) func(row) string {
	return func(r row) string {
		if r.size == 0 {
			return "-"
		}
		return fmt.Sprintf("%.0f", float64(r.size)/1e6/f(r.wall()))
	}
}

func millis(f func(spread) float64) func(row) string {
	return func(r row) string { return fmt.Sprintf("%.1f", 1000*f(r.wall())) }
}

// ratios returns three columns: ratios of medians, of the best runs, and of processor times.
func ratios(of func(row) ratio) []column {
	return []column{
		{"ratio", func(r row) string { return fmt.Sprintf("%.2f", of(r).median) }},
		{"of best", func(r row) string { return fmt.Sprintf("%.2f", of(r).best) }},
		{"of CPU", func(r row) string { return fmt.Sprintf("%.2f", of(r).cpu) }},
	}
}

// goalColumn has the goal of a row and whether it is met.
var goalColumn = column{"goal", func(r row) string {
	if r.goal == nil {
		return ""
	}
	return r.goal.String()
}}

func (g *goal) String() string {
	sign, verdict := ">=", "met"
	if g.most {
		sign = "<="
	}
	if !g.met() {
		verdict = "missed"
	}
	return fmt.Sprintf("%s %g %s", sign, g.want, verdict)
}

// peakCell returns the peak of a row. A peak that is not above this program's own is only
// an upper bound; see [ownPeak].
func peakCell(r row) string {
	most, own := r.peak(), float64(ownPeak())*float64(len(r.stages))
	switch {
	case r.over || r.reports || most == 0:
		return "-"
	case most <= own:
		return fmt.Sprintf("<%.0f", own/1e6)
	}
	return fmt.Sprintf("%.0f", most/1e6)
}

func counted(r row, n int64) string {
	if !r.counts || r.over || n == 0 && r.count.all > 0 { // no line of JSON begins with http
		return "-"
	}
	return fmt.Sprint(n)
}

// table prints rows under a title, and keeps their goals for the end.
func (b *bench) table(title string, rows []row, columns ...[]column) {
	fmt.Fprintf(b.out, "\n%s\n", title)
	w := tabwriter.NewWriter(b.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t")
	for _, some := range columns {
		for _, c := range some {
			fmt.Fprint(w, c.head, "\t")
		}
	}
	for _, r := range rows {
		name := r.name
		if r.over {
			name += fmt.Sprintf(" (stopped after %v)", b.limit)
		}
		fmt.Fprint(w, "\n", name, "\t")
		for _, some := range columns {
			for _, c := range some {
				fmt.Fprint(w, c.cell(r), "\t")
			}
		}
		if g := r.goal; g != nil {
			b.goals = append(b.goals, fmt.Sprintf("%-8s %-44s %8.3f %s", b.section, g.what, g.got, g))
		}
	}
	fmt.Fprintln(w)
	w.Flush()
}
