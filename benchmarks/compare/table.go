package main

import (
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"
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

// writeHead prints the versions of the programs, and describes the machine.
func (b *bench) writeHead() {
	m := machine()
	tell := func(what, format string, a ...any) {
		fmt.Fprintf(b.out, "%-9s"+format+"\n", append([]any{what}, a...)...)
	}
	tell("date", "%s", time.Now().UTC().Format(time.DateOnly))
	tell("machine", "%s", m)
	tell("built", "%s, urlsift %s", runtime.Version(), revision(b.parent))
	tell("runs", "%d of each row, taking turns; page cache warm; peak memory is resident; output to /dev/zero; LC_ALL=C", b.runs)
	for _, in := range b.inputs {
		tell("input", "%v, crc32 %08x", in, in.sum)
	}
	for _, t := range b.peers {
		tell("tool", "%-6s %s: %s", t.name, t.version, line(t.name, t.plain))
	}
	for _, name := range b.missing {
		tell("missing", "%s is not installed", name)
	}
}

// writeGoals prints a list of all goals at the end.
func (b *bench) writeGoals() {
	if len(b.goals) == 0 {
		return
	}
	io.WriteString(b.out, "\n== goals\n")
	for _, g := range b.goals {
		fmt.Fprintln(b.out, g)
	}
}
