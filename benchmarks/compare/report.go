package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A row is what was measured of one tool on one input.
type row struct {
	tool  tool
	count count
	runs  []measure
}

// by returns the least, the middle and the greatest of what f says of the runs.
func (r row) by(f func(measure) float64) (least, median, most float64) {
	v := make([]float64, len(r.runs))
	for i, m := range r.runs {
		v[i] = f(m)
	}
	slices.Sort(v)
	n := len(v)
	return v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]
}

func writeHead(w io.Writer, c config, tools []tool) {
	m := machine()
	fmt.Fprintf(w, "date     %s\n", time.Now().UTC().Format(time.DateOnly))
	fmt.Fprintf(w, "machine  %s, %d processors, %s/%s\n", m.cpu, m.count, runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "built    %s, urlsift %s\n", runtime.Version(), revision(c.parent))
	fmt.Fprintf(w, "runs     %d of each tool on each input, taking turns; page cache warm; peak memory is resident; output to /dev/zero; LC_ALL=C\n", c.runs)
	for _, t := range tools {
		fmt.Fprintf(w, "tool     %-14s %s: %s\n", t.name, t.version, t.line())
	}
}

// line returns the command line as a person would type it.
func (t tool) line() string {
	name, _, _ := strings.Cut(t.name, " ")
	s := []string{name}
	for _, a := range t.args {
		if strings.ContainsAny(a, ` "<>[]?`) {
			a = "'" + a + "'"
		}
		s = append(s, a)
	}
	return strings.Join(s, " ")
}

// writeTable prints one input's rows. The ratio is the tool's speed to that of
// urlsift, the first row: below 1 it is slower.
func writeTable(out io.Writer, in input, rows []row) {
	fmt.Fprintf(out, "\n%s: %.1f MB, crc32 %08x\n", in.name, float64(in.size)/1e6, in.sum)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tool\tMB/s median\tmin\tmax\tratio\tCPU s\tpeak MB\tfound\thttp(s)\t")
	var base float64
	for i, r := range rows {
		_, size := r.tool.of(in)
		lo, mid, hi := r.by(func(m measure) float64 { return float64(size) / 1e6 / m.wall.Seconds() })
		_, cpu, _ := r.by(func(m measure) float64 { return m.cpu.Seconds() })
		_, _, most := r.by(func(m measure) float64 { return float64(m.peak) })
		peak := fmt.Sprintf("%.0f", most/1e6)
		if own := float64(ownPeak()); most <= own {
			peak = fmt.Sprintf("<%.0f", own/1e6)
		}
		if i == 0 {
			base = mid
		}
		found, web := "-", "-"
		if r.tool.counts {
			found = fmt.Sprint(r.count.all)
			if r.count.web > 0 {
				web = fmt.Sprint(r.count.web)
			}
		}
		name := r.tool.name
		if r.tool.slow {
			name = fmt.Sprintf("%s (first %.1f MB)", name, float64(size)/1e6)
		}
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t%.2f\t%.2f\t%s\t%s\t%s\t\n", name, mid, lo, hi, mid/base, cpu, peak, found, web)
	}
	w.Flush()
}

// A hardware is what a record is filed under. It says nothing of whose it is.
type hardware struct {
	cpu   string
	count int
}

func machine() hardware {
	h := hardware{cpu: "unknown " + runtime.GOARCH, count: runtime.NumCPU()}
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return h
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if k, v, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(k) == "model name" {
			h.cpu = strings.TrimSpace(v)
			break
		}
	}
	return h
}

// slug returns h as a part of a file name.
func (h hardware) slug() string {
	name := strings.NewReplacer("(R)", "", "(TM)", "", "CPU", "", "Processor", "", "@", "").Replace(h.cpu)
	return strings.ToLower(strings.Join(strings.Fields(name), "-")) + fmt.Sprintf("-%dcpu", h.count)
}

// revision returns the commit of the module in dir, and whether it was changed.
func revision(dir string) string {
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		b, _ := cmd.Output()
		return strings.TrimSpace(string(b))
	}
	rev := git("rev-parse", "--short", "HEAD")
	if rev == "" {
		return "of no commit"
	}
	if git("status", "--porcelain", "--untracked-files=no", "--", ".", ":(exclude)*/record/*") != "" { // the record itself is none
		rev += " with changes"
	}
	return rev
}
