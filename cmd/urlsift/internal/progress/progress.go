package progress

import (
	"context"
	"iter"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
)

const (
	redraw = 100 * time.Millisecond // time between drawings of the bar on a terminal
	relate = time.Second            // time between lines where the bar cannot be redrawn
)

// A Progress reports on standard error how far the run has come. On a terminal it
// redraws a bar. Otherwise, if a bar was requested, it prints a line each second. It
// also prints a line for each signal that requests one.
//
// It counts stored bytes, because only their sum can be known before the end. A second
// walk adds up the sizes during the run.
type Progress struct {
	out   *output.Output
	stats func() extract.Stats

	Shown    bool // a bar or its lines are shown
	terminal bool // the terminal can redraw a line
	plain    bool // no colours
	width    func() int

	began   time.Time
	total   atomic.Int64 // size of the sources that the walk has found
	whole   atomic.Bool  // total includes all sources
	unknown atomic.Bool  // the size of some source is unknown

	cancel context.CancelFunc
	wait   sync.WaitGroup
	rate   rate
}

// New returns the progress of x, shown on standard error if w says so. With "auto", a
// terminal of the type "dumb" has no bar.
func New(w When, out *output.Output, x *extract.Extractor) *Progress {
	fd := int(os.Stderr.Fd())
	terminal := term.IsTerminal(fd)
	dumb := os.Getenv("TERM") == "dumb"
	return &Progress{
		out:      out,
		stats:    x.Stats,
		Shown:    w == Always || w == Auto && terminal && !dumb,
		terminal: terminal && !dumb,
		plain:    os.Getenv("NO_COLOR") != "",
		width: func() int {
			if columns, _, err := term.GetSize(fd); err == nil && columns > 0 {
				return columns
			}
			return 80
		},
	}
}

// Start starts two goroutines, which Stop waits for. sources are those of the run; they
// are not opened.
func (p *Progress) Start(ctx context.Context, sources iter.Seq[extract.Source]) {
	// The goroutines end with ctx; the walk ends at its next source.
	ctx, p.cancel = context.WithCancel(ctx)
	p.began = time.Now()
	if p.Shown {
		p.wait.Add(1)
		go func() {
			defer p.wait.Done()
			p.measure(ctx, sources)
		}()
	}
	ask := make(chan os.Signal, 1)
	if len(askSignals) > 0 {
		signal.Notify(ask, askSignals...)
	}
	p.wait.Add(1)
	go func() {
		defer p.wait.Done()
		defer signal.Stop(ask)
		p.drawUntil(ctx, ask)
	}()
}

// measure adds up the sizes of sources.
func (p *Progress) measure(ctx context.Context, sources iter.Seq[extract.Source]) {
	for s := range sources {
		if ctx.Err() != nil {
			return
		}
		if s.Size >= 0 {
			p.total.Add(s.Size)
		} else if endless(s.Name) {
			p.unknown.Store(true)
		}
	}
	p.whole.Store(true)
}

// endless reports whether a source without a size can be read. If it cannot, its missing
// size does not matter for the sum.
func endless(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// drawUntil draws until ctx ends, and when a signal requests it.
func (p *Progress) drawUntil(ctx context.Context, ask <-chan os.Signal) {
	var tick <-chan time.Time
	if p.Shown {
		every := relate
		if p.terminal {
			every = redraw
		}
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick:
			p.draw(p.now())
		case <-ask:
			p.out.Message(p.now().line(0, true))
		}
	}
}

// draw draws s: in place of the last drawing, or on a line of its own.
func (p *Progress) draw(s snapshot) {
	if !p.terminal {
		p.out.Draw(s.line(0, true)+"\n", "")
		return
	}
	line := s.line(p.width()-1, p.plain) // some terminals continue on the next line after the last column
	p.out.Draw(line, "\r\x1b[K")
}

// Stop ends the display. On a terminal it removes the bar. Elsewhere, if the run is complete,
// it prints a last line, with 100 %.
func (p *Progress) Stop(complete bool) {
	p.cancel()
	p.wait.Wait()
	if p.Shown && complete && !p.terminal {
		s := p.now()
		s.ended = true
		p.draw(s)
	}
	p.out.Wipe()
}

// now returns the current progress. Until the walk has ended the sum is unknown, and a
// percentage would go back and forth.
func (p *Progress) now() snapshot {
	s := snapshot{
		read:  p.stats().StoredRead,
		found: p.out.Printed.Load(),
		time:  time.Since(p.began),
		total: -1,
	}
	if p.whole.Load() && !p.unknown.Load() {
		s.total = p.total.Load()
	}
	s.rate = p.rate.at(s.read, s.time)
	return s
}

// A rate is the speed of the last seconds, in bytes a second.
type rate struct {
	mu    sync.Mutex
	read  int64
	time  time.Duration
	speed float64
}

// at returns the speed at the time now, when read bytes were read. Values older than
// three seconds have little weight.
func (r *rate) at(read int64, now time.Duration) float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := (now - r.time).Seconds(); d > 0.05 { // a signal may come between two ticks
		speed := float64(read-r.read) / d
		if weight := d / (d + 3); r.time > 0 {
			speed = r.speed*(1-weight) + speed*weight
		}
		r.read, r.time, r.speed = read, now, speed
	}
	return r.speed
}
