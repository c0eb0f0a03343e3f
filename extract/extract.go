package extract

import (
	"context"
	"io"
	"iter"
	"sync"

	"github.com/urlsift/urlsift/extract/internal/ledger"
	"github.com/urlsift/urlsift/extract/internal/mail"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// An Extractor holds options, counts, and the state of its workers, which is reused. It is safe
// for concurrent use. The zero value has the zero Options.
type Extractor struct {
	common
	idle  sync.Pool // of *worker
	begun sync.Once // see begin
}

// New returns an Extractor. If opts contradict one another, or name something that does
// not exist, it returns an [*Error] with the stage "options".
func New(opts Options) (*Extractor, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	x := new(Extractor)
	x.opts = opts
	x.begin()
	if o := &x.opts; o.Base != (uri.Ref{}) {
		var err error
		if x.base, err = newBase(o, o.Base, FromOption); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// begin prepares an Extractor, once. New has called it, unless x was the zero value.
func (x *Extractor) begin() {
	x.begun.Do(func() {
		x.opts, x.neutralBefore = x.opts.withDefaults(), mail.NeutralBefore
		x.blockBytes, x.leastBlock = blockBytes, leastBlock
		x.foundHash, x.readHash = x.opts.hashes()
	})
}

// Read yields the references of one stream, in order, in the caller's goroutine. It
// recognises compression like [Extractor.Run]. name becomes Origin.Source. r is not
// closed. When ctx ends, nothing more is yielded; a Read of r that waits is ended only if r has
// SetReadDeadline, as [*os.File] and [net.Conn] have.
//
// An error is an [*Error] about a stretch of the stream, with a nil Result. More Results
// may follow it. The sequence may be ranged over once. A Result is valid until the next
// iteration of the loop.
func (x *Extractor) Read(ctx context.Context, name string, r io.Reader) iter.Seq2[*Result, error] {
	x.begin()
	return func(yield func(*Result, error) bool) {
		stop := new(schedule.Interrupt)
		defer schedule.EndWith(ctx, stop)()
		w := x.worker(&callerSink{yield: yield, onPlace: x.onPlace()}, stop, nil)
		defer w.Idle()
		w.read(&Source{Name: name, Size: -1}, r, nil)
	}
}

// Stats count the work of an Extractor since it was made. When none of its sequences is
// running, the counts of bytes add up:
//
//	RawAll = RawText + RawPacked + RawFraming + RawData + RawOverLimit + RawDamaged
//
// and StoredRead + StoredNotRead is the size of all sources whose sizes are known and did not
// change. The names are the keys of the command's --stats=json: ErrorsOpen is errors.open there.
type Stats struct {
	Sources  int64 // read to their end, or as far as possible
	Members  int64 // members of archives, and attachments that contain files
	Messages int64 // messages of mail and news
	Parts    int64 // parts of messages that were read, including header blocks

	StoredRead    int64 // stored bytes read from sources
	StoredNotRead int64 // stored bytes not read: of sources that did not open, after damage, over a limit, or after the caller stopped

	// RawAll counts the bytes of all raw streams: sources, members and attachments
	// after decompression. The bytes of a member are also bytes of its archive, and
	// counted there as RawPacked. Bytes that a damaged stream, or one over a limit, never
	// produced are unknown; they are visible only in CutStreams and StoredNotRead.
	RawAll       int64
	RawText      int64 // read as text, including encodings, markup and headers
	RawPacked    int64 // members and attachments that are read as streams of their own
	RawFraming   int64 // separators of files, messages and parts; byte order marks
	RawData      int64 // parts and files that are not read: images, PDF, uuencoded data, parts left out by Options.Parts
	RawOverLimit int64 // members and attachments that were skipped because of a limit
	RawDamaged   int64 // members and attachments that are damaged, encrypted or in a format that is not read; bytes searched for the end of damage
	CutStreams   int64 // raw streams that damage or a limit has ended

	Text         int64 // decoded from RawText
	SkippedRuns  int64 // runs of text that were longer than a reference may be
	SkippedBytes int64 // bytes of these runs, in Text

	Candidates int64 // possible references found in text
	Found      int64 // candidates that Options.Grammar accepts
	Refused    int64 // candidates that Options.Grammar does not accept

	ErrorsAll     int64 // the sum of the next five fields
	ErrorsOpen    int64 // sources that could not be listed or opened
	ErrorsRead    int64 // sources that could not be read any further
	ErrorsPacking int64 // damaged compressions and archives
	ErrorsText    int64 // errors in messages, encodings and charsets
	ErrorsLimit   int64 // stretches over one of Options.Limits

	Warnings int64 // how many of ErrorsAll have the Severity [Warning]
}

// fields returns the counts of s in the order in which Stats declares them. Package ledger declares
// its classes in the same order.
func (s *Stats) fields() [ledger.Classes]*int64 {
	return [...]*int64{
		&s.Sources, &s.Members, &s.Messages, &s.Parts, &s.StoredRead, &s.StoredNotRead,
		&s.RawAll, &s.RawText, &s.RawPacked, &s.RawFraming, &s.RawData, &s.RawOverLimit, &s.RawDamaged, &s.CutStreams,
		&s.Text, &s.SkippedRuns, &s.SkippedBytes, &s.Candidates, &s.Found, &s.Refused,
		&s.ErrorsAll, &s.ErrorsOpen, &s.ErrorsRead, &s.ErrorsPacking, &s.ErrorsText, &s.ErrorsLimit, &s.Warnings,
	}
}

// Stats returns the counts of all sequences of x so far. It may be called at any time.
// What workers did in the last milliseconds, or in the last of several small files, may
// be missing.
func (x *Extractor) Stats() Stats { return x.counts.load() }

// worker returns a worker that passes its results to out and can be ended by stop. p
// is its connection with other workers, nil if there are none.
func (x *Extractor) worker(out sink, stop *schedule.Interrupt, p *producer) *worker {
	w, ok := x.idle.Get().(*worker)
	if !ok {
		w = newWorker(&x.common, &x.idle)
	}
	w.out, w.stop, w.producer = out, stop, p
	return w
}

// Run yields the references of sources, in the order of the sources, whatever the number of
// workers; or as they are found, if Options.Unordered is set. The loop body runs in the caller's
// goroutine. One worker at a time reads a source; several may read a big file together, or search
// stretches of one stream; an idle worker may decompress for another. With several workers, a separate goroutine ranges over sources, up
// to a thousand sources ahead. A complete reference is yielded without waiting for more input, so a
// slow pipe delays nothing. In a big file that several workers read, a reference is yielded within
// milliseconds.
//
// An error is an [*Error] about a stretch of a source, or about the rest of the source, with a nil
// Result. The error comes after the references in front of that stretch. The sequence continues
// with what can be read, and with the next source. It may be ranged over as often as sources may. A
// Result is valid until the next iteration of the loop.
//
// Leaving the loop, or the end of ctx, stops the workers, and nothing more is yielded.
// ctx.Err says whether ctx has ended. The sequence returns when the last worker has
// stopped. A worker that waits for a file, pipe, terminal or [net.Conn] stops at once;
// see [Source]. With any other input it stops when its Read returns.
//
// If a source panics, or its Read returns an impossible count, that is an [*Error] of
// this source. A panic of sources or of the loop body reaches the caller.
func (x *Extractor) Run(ctx context.Context, sources iter.Seq[Source]) iter.Seq2[*Result, error] {
	x.begin()
	if x.opts.Workers == 1 {
		return func(yield func(*Result, error) bool) {
			x.runAlone(ctx, sources, &callerSink{yield: yield, onPlace: x.onPlace()}, new(schedule.Interrupt))
		}
	}
	return func(yield func(*Result, error) bool) {
		x.runTogether(ctx, sources, nil, &consumer{ctx: ctx, res: Result{grammar: x.opts.Grammar}, yield: yield, onPlace: x.onPlace()})
	}
}

// Encode yields the records that Encoders make of the Results that [Extractor.Run] would
// yield, in the same order. Consecutive records are yielded together, at most tens of KiB
// unless one record is longer. An error is yielded with a zero Encoded.
//
// encoder is called once for each worker, in the worker's goroutine. With several workers it is
// called once more for the caller. One goroutine at a time uses each Encoder that encoder returns,
// so an Encoder's own data needs no lock; data that Encoders share does. An Encoder may get Results
// that are never yielded.
//
// If Options.Workers is greater than 1, these fields are 0 in the Results that an Encoder
// gets: Candidate.Line, Origin.Line and Origin.Message. The reason is that a worker does not know
// how many lines and messages are in front of its block. With one worker, Results are complete.
//
// Otherwise Encode works like Run: records are yielded before a Read that may wait, and
// leaving the loop ends the work. If ctx ends while one worker reads, the records that are
// complete but not yet yielded are still yielded.
func (x *Extractor) Encode(ctx context.Context, sources iter.Seq[Source], encoder func() Encoder) iter.Seq2[Encoded, error] {
	x.begin()
	return func(yield func(Encoded, error) bool) {
		if x.opts.Workers == 1 {
			out := &recorder{encode: encoder(), yield: yield, onPlace: x.onPlace()}
			x.runAlone(ctx, sources, out, &out.stop)
			out.flush() // what was found before ctx ended
			return
		}
		encode := encoder()
		out := &recorder{yield: yield, encode: func(dst []byte, r *Result) []byte { return encodeAppend(dst, encode, r) }}
		x.runTogether(ctx, sources, encoder, &consumer{ctx: ctx, res: Result{grammar: x.opts.Grammar}, yield: out.each, records: out.encoded, onPlace: x.onPlace()})
	}
}

// onPlace returns the function that reports places to the caller.
func (x *Extractor) onPlace() func(*File, *Place) {
	if x.opts.Resume == nil {
		return nil
	}
	return x.opts.Resume.Reached
}

// runAlone is Run with one worker, in the caller's goroutine, with the sink out. stop
// ends it.
func (x *Extractor) runAlone(ctx context.Context, sources iter.Seq[Source], out sink, stop *schedule.Interrupt) {
	defer schedule.EndWith(ctx, stop)()
	w := x.worker(out, stop, nil)
	defer w.Idle()
	schedule.Gather(sources, (*Source).more, func(next []Source) bool {
		if w.stopped() {
			return false
		}
		w.RunJobs(next)
		out.flush()
		return !w.stopped()
	})
}

// runTogether is Run with several workers, whose batches c yields. If encoder is not nil, each
// worker calls encoder to get an Encoder, and makes records of its Results.
func (x *Extractor) runTogether(ctx context.Context, sources iter.Seq[Source], encoder func() Encoder, c *consumer) {
	config := schedule.Config[Source, batch, *block, delta]{
		Workers:   x.opts.Workers,
		Unordered: x.opts.Unordered,
		Hint:      (*Source).hint,
		New:       func(b *batch) { b.init(encoder != nil) },
		Empty:     (*batch).empty,
		Add:       addDelta,
		Whole:     x.wholeSize(),
	}
	schedule.Do(ctx, sources, config, func(p *producer) schedule.Worker[Source, *block] {
		s := &queued{out: p}
		if encoder != nil {
			s.encode = encoder()
		}
		return x.worker(s, p.Stop, p)
	}, c.deliver)
}
