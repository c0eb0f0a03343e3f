package compress

import (
	"bufio"
	"bytes"
	"cmp"
	"io"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/ledger"
)

// Limits bound what a hostile stream can cost; see extract.Limits.
type Limits struct {
	Depth  int   // largest depth of nested compressions, archives and attachments
	Window int64 // largest window of the outermost layer, in bytes
	Ratio  int   // largest ratio of decompressed to stored size

	RatioFrom int64 // decompressed bytes that every source may have, whatever Ratio says; 0 means 1 GiB
	AheadFrom int64 // decompressed bytes that a source must have before it gets an assistant; 0 means 64 KiB
}

// Hooks are the functions with which a Pool calls the worker that uses it. All must be
// set, unless nil is allowed.
type Hooks struct {
	// BeforeBlock is called before each Read of the source, which may block. If it
	// returns false, reading ends. AfterBlock is called after the Read.
	BeforeBlock func() bool
	AfterBlock  func()

	// Stopped reports whether reading should stop. Only the worker calls it. Interrupted
	// reports the same to any goroutine.
	Stopped     func() bool
	Interrupted func() bool

	// Assist lets another worker run fill, and reports whether one is free. It is called only if the Source
	// has a wake, which a worker alone does not give it. It may be nil.
	Assist func(fill func()) bool

	// InConsumer reports whether code of the consumer is running in this goroutine, or has panicked
	// in it: BeforeBlock may run such code. A panic of the consumer is not caught.
	InConsumer func() bool
}

// A caller is the worker that uses a Pool, and what it has given to the Pool.
type caller struct {
	limits Limits
	hooks  Hooks
	ledger *ledger.Ledger
}

// layerBuffer is the size in bytes of the buffer for the output of a layer. The next layer is
// recognised in that buffer. Larger reads bypass it.
const layerBuffer = MaxHead

// A Pool has the buffers and decompressors of one worker, for one source after another.
// It has a buffer for each depth that was ever reached, and one decompressor of each kind
// that was needed there.
type Pool struct {
	Source Source

	Depth Depth

	caller caller
	ratio  ratio

	layers    []*layer
	used      int // number of layers in use
	readAhead readAhead
}

// A Depth counts what is open in a Pool: streams inside streams.
type Depth struct {
	open   int // number of open compressions, archives and attachments
	limit  int // the largest depth
	levels int // number of open streams
}

// Deeper counts one more compression, archive or attachment. If there are too many, it
// returns a Damage of that stage.
func (d *Depth) Deeper(stage damage.Stage) *damage.Damage {
	if d.open >= d.limit {
		exceeded := damage.Limited(stage, "Depth", int64(d.limit), "packed more than %d times")
		exceeded.Level = d.Level()
		return exceeded
	}
	d.open++
	return nil
}

// Shallower undoes a Deeper that returned nil.
func (d *Depth) Shallower() { d.open-- }

// Level returns the depth of the stream that was opened last: 0 for the source's.
func (d *Depth) Level() int { return d.levels - 1 }

// NewPool returns a Pool that counts bytes in l.
func NewPool(limits Limits, hooks Hooks, l *ledger.Ledger) *Pool {
	limits.RatioFrom, limits.AheadFrom = cmp.Or(limits.RatioFrom, 1<<30), cmp.Or(limits.AheadFrom, 64<<10)
	p := &Pool{Depth: Depth{limit: limits.Depth}, caller: caller{limits, hooks, l}}
	p.Source.caller, p.ratio.caller, p.ratio.source = &p.caller, &p.caller, &p.Source
	return p
}

// A PoolState records what was open in a Pool at a moment.
type PoolState struct{ used, depth, levels int }

// State returns what is open now.
func (p *Pool) State() PoolState { return PoolState{p.used, p.Depth.open, p.Depth.levels} }

// Open recognises how r, which has that name, is compressed, and returns the innermost stream,
// decompressed. r is &p.Source or a reader of a stream that was opened before. If there are more layers
// than allowed, Open returns a Damage together with the stream, which is still
// compressed. To end the stream, call [Pool.Close] with a PoolState from before.
func (p *Pool) Open(r io.Reader, name string) (*bufio.Reader, *damage.Damage) {
	outermost := p.used == 0
	p.Depth.levels++
	for { // at most Limits.Depth iterations
		l := p.next(r)
		l.is = sniff(l.in, name) // an error is returned again when l.in is read
		if l.is == None {
			if outermost && p.used > 1 {
				p.readAhead.offer(&p.Source, p.layers[p.used-2])
			}
			return l.in, nil
		}
		if d := p.Depth.Deeper(l.is.stage()); d != nil {
			return l.in, d
		}
		if p.used == 1 {
			p.Source.aligned = true
		}
		r, name = l, withoutOne(name)
	}
}

// next returns the layer at the next depth, with an empty buffer that is filled from the reader
// from.
func (p *Pool) next(from io.Reader) *layer {
	if p.used == len(p.layers) {
		size := layerBuffer
		if p.used == 0 {
			size = FileBuffer
		}
		l := &layer{in: bufio.NewReaderSize(nil, size), caller: &p.caller}
		if p.used == 0 {
			l.ratio = &p.ratio
		}
		// A stream that is compressed in an archive that is not, such as a tar, is the second layer, and
		// may have the whole limit, too. The sum of all layers is below three times the limit.
		l.window = p.caller.limits.Window >> max(0, p.used-1)
		p.layers = append(p.layers, l)
	}
	l := p.layers[p.used]
	p.used++
	l.in.Reset(from)
	l.begun, l.err, l.level = false, nil, p.Depth.Level()
	return l
}

// Window returns the size of the largest window that a stream may declare, in bytes.
func (p *Pool) Window() int64 { return p.caller.limits.Window }

// Compressions returns how many layers of compression the outermost stream has, if no other
// stream is open.
func (p *Pool) Compressions() int { return p.used - 1 }

// Buffered returns how many bytes are in the buffer of the first layer that was opened after m.
// It returns 0 if none was opened.
func (p *Pool) Buffered(m PoolState) int {
	if m.used == p.used {
		return 0
	}
	return p.layers[m.used].in.Buffered()
}

// EndAhead ends reading ahead. The source and its layers belong to this worker again.
func (p *Pool) EndAhead() { p.readAhead.end() }

// Close releases all that was opened after m. The decompressors are kept.
func (p *Pool) Close(m PoolState) {
	for _, l := range p.layers[m.used:p.used] {
		l.in.Reset(nil)
		l.decompressor.release()
	}
	p.used, p.Depth.open, p.Depth.levels = m.used, m.depth, m.levels
}

// Reset releases the source.
func (p *Pool) Reset() {
	p.Close(PoolState{})
	p.ratio.reset()
	p.Source.Reset(nil, nil)
}

// Free releases the decompressors and their memory.
func (p *Pool) Free() {
	for _, l := range p.layers {
		l.decompressor.close()
	}
	p.readAhead.close()
}

// OpenPlain opens the source without recognising compressions. at is the offset of r's first byte
// in the source.
func (p *Pool) OpenPlain(r io.Reader, at int64) *bufio.Reader {
	p.Depth.levels++
	p.Source.ResetAt(r, at)
	l := p.next(&p.Source)
	l.is = None
	return l.in
}

// OpenMemory opens a block of the source that is in memory. at is its offset. Its reader is empty, and nothing of it is counted.
func (p *Pool) OpenMemory(at int64) *bufio.Reader {
	in := p.OpenPlain(bytes.NewReader(nil), at)
	p.Source.inMemory = true
	return in
}

// ContinueAfter makes reading continue after d, damage that the stream at d.Level has returned.
// This is possible only if d is damage to a block of bzip2 whose text is not itself compressed.
// Otherwise ContinueAfter returns false, and later Reads return d again.
func (p *Pool) ContinueAfter(d *damage.Damage) bool {
	for i := range max(0, p.used-1) { // each layer
		l := p.layers[i]
		if l.level != d.Level || l.is != Bzip2 || p.layers[i+1].is != None || l.err != error(d) || !l.bzip2.CanContinue() {
			continue
		}
		if l.ahead != nil {
			p.readAhead.pause()
		}
		l.err = nil
		l.bzip2.Continue()
		return true
	}
	return false
}
