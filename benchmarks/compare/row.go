package main

import (
	"math"
	"slices"
)

// A row is what was measured of one job.
type row struct {
	job
	count count
	runs  []measure
	over  bool // it took longer than it may; runs is the one time at which it was stopped
	goal  *goal
}

// A spread is the least, the middle and the greatest of what was measured.
type spread struct{ least, median, most float64 }

// spread returns that of what f says of each run.
func (r row) spread(f func(measure) float64) spread {
	v := make([]float64, len(r.runs))
	for i, m := range r.runs {
		v[i] = f(m)
	}
	slices.Sort(v)
	n := len(v)
	return spread{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

// wall is in seconds, and so is cpu: of the processors together.
func (r row) wall() spread { return r.spread(func(m measure) float64 { return m.wall.Seconds() }) }
func (r row) cpu() spread  { return r.spread(func(m measure) float64 { return m.cpu.Seconds() }) }
func (r row) peak() float64 {
	return r.spread(func(m measure) float64 { return float64(m.peak) }).most
}

// A ratio is of medians; of the least times, which have the least of other
// people's work in them; and of the least processor times, which have hardly
// any, and hide what waiting costs.
type ratio struct{ median, best, cpu float64 }

// times is how many times as long as base r takes.
func (r row) times(base row) ratio {
	a, b := r.wall(), base.wall()
	return ratio{a.median / b.median, a.least / b.least, r.cpu().least / base.cpu().least}
}

// speeds is how many times as fast as base r is, in text per time.
func (r row) speeds(base row) ratio {
	t := r.times(base)
	size := float64(r.size) / float64(base.size)
	return ratio{size / t.median, size / t.best, size / t.cpu}
}

// paired is the ratio of a row to the one before it for each second row, and to
// itself for each first: rows come in pairs with different names.
func paired(rows []row, of func(r, base row) ratio) func(row) ratio {
	return grouped(rows, 2, of)
}

// grouped is the ratio of a row to the first of its group, of so many.
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

// A goal is what a row has to come to.
type goal struct {
	what string // of what it is, for the list of goals
	most bool   // no more than want; no less otherwise
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

// slope returns that of the straight line that lies closest to the points on
// a log-log paper, by least squares: 1 where y grows as x does. It is not a
// number where fewer than two points are positive.
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
