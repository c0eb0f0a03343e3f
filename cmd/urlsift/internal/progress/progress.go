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
	redraw = 100 * time.Millisecond // between two drawings of the bar on a terminal
	relate = time.Second            // between two lines where there is no going back
)

// A Progress tells on standard error how far the run has come: as a bar that is
// drawn over and over on a terminal, as a line a second where a bar was asked for
// and there is none, and as one line whenever a signal asks for it.
//
// What it counts is bytes as they are stored, because only of those the sum can
// be known before the end. A walk beside the run adds up the sizes.
type Progress struct {
	out   *output.Output
	stats func() extract.Stats

	Shown    bool // there is a bar, or its lines
	terminal bool // that can go back in a line
	plain    bool // no colours
	width    func() int

	began   time.Time
	total   atomic.Int64 // bytes of the sources seen by the walk
	whole   atomic.Bool  // total is that of all sources
	unknown atomic.Bool  // some source has no size

	cancel context.CancelFunc
	wait   sync.WaitGroup
	rate   rate
}

// New returns the progress of x, told to standard error if w says so. A
// terminal called dumb has no bar unless it is asked for.
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

// Start starts telling, in two goroutines that stop waits for. The sources are
// those of the run once more; they are not opened.
func (p *Progress) Start(ctx context.Context, sources iter.Seq[extract.Source]) {
	// The goroutines end with ctx, and so does the walk, at its next source.
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
		p.tell(ctx, ask)
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

// endless reports whether a source without a size can be read all the same. What
// cannot be read has none either, and is no reason not to know the sum.
func endless(name string) bool {
	info, err := os.Stat(name)
	return name == "-" || err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// tell draws until ctx ends, and answers who asks.
func (p *Progress) tell(ctx context.Context, ask <-chan os.Signal) {
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

// draw draws s: in the place of the last drawing, or on a line of its own.
func (p *Progress) draw(s snapshot) {
	if !p.terminal {
		p.out.Draw(s.line(0, true)+"\n", "")
		return
	}
	line := s.line(p.width()-1, p.plain) // in the last column some terminals go to the next line
	p.out.Draw(line, "\r\x1b[K")
}

// Stop stops telling. If the run came to its end, the bar does so too, and where
// it cannot be taken away again it stays as the last line.
func (p *Progress) Stop(complete bool) {
	p.cancel()
	p.wait.Wait()
	if p.Shown && complete && !p.terminal {
		s := p.now()
		s.over = true
		p.draw(s)
	}
	p.out.Wipe()
}

// now returns how far the run has come. As long as the walk goes on, the sum is
// not known, and a percentage would go back and forth.
func (p *Progress) now() snapshot {
	s := snapshot{
		read:  p.stats().DiskBytes,
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

// at returns the speed, now that so much has been read. What is older than three
// seconds counts for little.
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
