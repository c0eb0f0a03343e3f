package main

import (
	"math"
	"slices"
)

// A row has the measurements of one job.
type row struct {
	job
	count count
	runs  []measure
	over  bool // it exceeded the time limit; runs has only the time at which it was stopped
	goal  *goal
}

// A spread is the minimum, median and maximum of some measurements.
type spread struct{ least, median, most float64 }

// spread returns the spread of f over all runs.
func (r row) spread(f func(measure) float64) spread {
	v := make([]float64, len(r.runs))
	for i, m := range r.runs {
		v[i] = f(m)
	}
	slices.Sort(v)
	n := len(v)
	return spread{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

// wall returns the elapsed time in seconds, cpu the time of all processors together.
func (r row) wall() spread { return r.spread(func(m measure) float64 { return m.wall.Seconds() }) }
func (r row) cpu() spread  { return r.spread(func(m measure) float64 { return m.cpu.Seconds() }) }
func (r row) peak() float64 {
	return r.spread(func(m measure) float64 { return float64(m.peak) }).most
}

// A ratio compares two rows in three ways: by medians; by the shortest times, which other work
// on the machine disturbs least; and by the shortest processor times, which do not include
// waiting and are hardly disturbed.
type ratio struct{ median, best, cpu float64 }

// times returns how many times as long as base r takes.
func (r row) times(base row) ratio {
	a, b := r.wall(), base.wall()
	return ratio{a.median / b.median, a.least / b.least, r.cpu().least / base.cpu().least}
}

// speeds returns how many times as fast as base r is, in text per time.
func (r row) speeds(base row) ratio {
	t := r.times(base)
	size := float64(r.size) / float64(base.size)
	return ratio{size / t.median, size / t.best, size / t.cpu}
}

// paired returns a function for rows that come in pairs. It compares the second row of a pair with
// the first, and the first with itself.
func paired(rows []row, of func(r, base row) ratio) func(row) ratio {
	return grouped(rows, 2, of)
}

// grouped returns a function for rows in groups of n. It compares a row with the first of its
// group.
func grouped(rows []row, n int, of func(r, base row) ratio) func(row) ratio {
	return func(r row) ratio {
		for i := range rows {
			if rows[i].name == r.name {
				return of(rows[i], rows[i-i%n])
			}
		}
		return ratio{}
	}
}

// A goal is a bound that a row has to meet.
type goal struct {
	what string // what it is about, for the list of goals
	most bool   // want is an upper bound; otherwise a lower bound
	want float64
	got  float64
}

func atLeast(what string, want, got float64) *goal { return &goal{what, false, want, got} }
func atMost(what string, want, got float64) *goal  { return &goal{what, true, want, got} }

func (g *goal) met() bool {
	if g.most {
		return g.got <= g.want
	}
	return g.got >= g.want
}

// slope fits a straight line to the points on logarithmic scales, by least squares, and returns its
// slope: 1 if y is proportional to x. It is NaN if fewer than two points are positive.
func slope(x, y []float64) float64 {
	var n, sx, sy, sxx, sxy float64
	for i := range x {
		if x[i] <= 0 || y[i] <= 0 {
			continue
		}
		lx, ly := math.Log(x[i]), math.Log(y[i])
		n, sx, sy, sxx, sxy = n+1, sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
