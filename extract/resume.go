package extract

import (
	"io"
	"math"
	"os"
	"time"

	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/files"
)

// How a run goes on where earlier runs have stopped.
//
//	resume := &extract.Resume{
//		Begin: func(f *extract.File) extract.Place {
//			p, known := places[f.Name]
//			if known && f.Continues(&p) {
//				return p
//			}
//			return extract.Place{} // from the beginning
//		},
//		Reached: func(f *extract.File, p *extract.Place) { places[f.Name] = *p },
//	}
//
// What is between two runs is a [Place], which the caller keeps. This is what it holds,
// and why nothing is lost and nothing is yielded twice:
//
//   - A result is final when it is yielded before the end of the file is seen: results do
//     not depend on how a text is divided into Reads. So the results of a run that stops
//     early are the first ones of a run over the whole file, in the same order.
//   - A run goes on from a point that needs nothing from in front of it: the line from
//     which a new scanner reaches the state of the old one (see [delimit.State]),
//     or the first line of a message. From there the Place has the number of results that
//     were yielded, and these are left out. A file that cannot be entered in the middle,
//     such as a page or an archive, is read from its first byte, and its first results
//     are left out.
//   - What is found only because the file ends, such as a reference at the end of an
//     unfinished line, is yielded only if the file does not grow any more, as the caller
//     says ([File.Growing]). If it grows later all the same, such a result may be another
//     one then. So these results are kept as hashes, and left out if they come again.
//   - With other options than before, other results are found, so their number says
//     nothing. Then the results are left out that lie where earlier runs have found all.
//
// How far back the point lies: in running text at most [captureEvery] bytes in front of
// where the run stopped, and usually 4 KiB. If no scanner reaches the state, as in a file
// that is one line, it stays where it was. In a mailbox it is the last message.

// A Resume makes a run go on where earlier runs have stopped. Regular files are resumed;
// other sources, such as pipes, are read as without it. One worker reads a file that is
// resumed.
type Resume struct {
	// Begin returns the place from which f is read. It is called when f is open and
	// nothing was read of it, in the goroutine of a worker, so calls may run in parallel.
	// A Place that is not zero must be one for which [File.Continues], [File.HasAll]
	// or [File.Begins] has returned true.
	Begin func(f *File) Place

	// Reached is called in the goroutine of the loop, after everything in front of the
	// place was yielded: from time to time, and when reading of f has ended. It may keep
	// p. It is not called for a file that could not be opened.
	Reached func(f *File, p *Place)
}

// A File is a regular file that was opened to be resumed.
type File struct {
	Name          string // of the Source
	Device, Inode uint64 // 0 if the system has none
	Size          int64  // when it was opened, as the next field
	Modified      time.Time

	// Growing says that more may be written to the file soon. Begin may set it. Then text
	// is read up to its last line end, a mailbox up to its last message, and no results
	// are yielded that what follows may change. Of a compressed file that is not complete,
	// and of any other file whose last line is not, the end is left out. A page or a
	// message that ends with a line end is read as a whole.
	Growing bool

	// Begin may set Later, so that nothing of f is read in this run, and Reached is not
	// called: f is still being written by a program that copies or compresses another file.
	Later bool

	Note any // for the caller

	at      files.Seekable
	w       *core
	nothing bool // nothing follows the place
}

// Continues reports whether f still begins with what was read up to p. It is for a file
// that is known to be the same, by Device and Inode, and reads some blocks of it: the
// beginning, the end of what was read, and at most 64 in between.
func (f *File) Continues(p *Place) bool { return p.Sampled(f.at, f.Size) }

// HasAll is Continues for a file that was written since, but has not grown: it compares all
// that was read up to p, since a block in the middle may have been changed in place.
func (f *File) HasAll(p *Place) bool {
	if f.Size < p.stored.Len() {
		return false
	}
	ok, err := p.stored.Begins(io.NewSectionReader(f.at, 0, 1<<62))
	return ok && err == nil
}

// Begins reports whether f begins with all that was read up to p, perhaps of another file:
// a copy, or the same compressed or decompressed. It compares all of it. If it returns
// true, p becomes a place in f.
func (f *File) Begins(p *Place) bool {
	w := f.w
	defer w.pool.Reset()
	var stored digest.Digest
	h := digest.Reader{R: io.NewSectionReader(f.at, 0, 1<<62), Sum: &stored}
	w.pool.Source.Reset(&h, nil)
	in, over := w.pool.Open(&w.pool.Source)
	packed := w.pool.Compressions() > 0
	content := p.content()
	if over != nil || !packed && f.Size < content.Len() {
		return false
	}
	if p.packed && !p.hasText { // an archive: the stored bytes are compared
		if !packed || f.Size < p.stored.Len() {
			return false
		}
		ok, err := p.stored.Begins(io.NewSectionReader(f.at, 0, 1<<62))
		return ok && err == nil
	}
	if ok, err := content.Begins(in); !ok || err != nil {
		return false
	}
	_, err := in.Peek(1)
	h.Flush(math.MaxInt64)
	f.nothing = p.Whole && err == io.EOF
	switch {
	case packed:
		p.text, p.hasText = *content, true
		if p.stored = (digest.Digest{}); f.nothing {
			p.stored = stored
		}
	default:
		p.stored, p.text, p.hasText = *content, digest.Digest{}, false
	}
	p.packed = packed
	p.Stored, p.Text = p.stored.Len(), p.content().Len()
	return true
}

// OtherBegins reports whether the file at path begins with all that was read up to p, as
// Begins does for f. It serves an index of Places, as [File.Fingerprints] does: before f takes
// over a Place that was found there, the caller asks this of other new files that may have a
// better claim to it.
func (f *File) OtherBegins(path string, p Place) bool {
	r, err := os.Open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	at, id, ok := files.Identify(r)
	other := File{Name: path, Size: id.Size, at: at, w: f.w}
	return ok && other.Begins(&p)
}

// Packed reports whether f is compressed.
func (f *File) Packed() bool {
	w := f.w
	defer w.pool.Reset()
	w.pool.Source.Reset(io.NewSectionReader(f.at, 0, 1<<62), nil)
	_, _ = w.pool.Open(&w.pool.Source)
	return w.pool.Compressions() > 0
}

// Head reads the first bytes of f, decompressed, into b, and returns how many there are.
func (f *File) Head(b []byte) int {
	w := f.w
	defer w.pool.Reset()
	w.pool.Source.Reset(io.NewSectionReader(f.at, 0, 1<<62), nil)
	in, over := w.pool.Open(&w.pool.Source)
	if over != nil {
		return 0
	}
	n, _ := io.ReadFull(in, b) // of a file that ends early, what there is
	return n
}

// Complete reports whether f is compressed and ends where it should: then it does not grow,
// as far as is known. It decompresses all of it.
func (f *File) Complete() bool {
	w := f.w
	defer w.pool.Reset()
	w.pool.Source.Reset(io.NewSectionReader(f.at, 0, f.Size), nil)
	in, over := w.pool.Open(&w.pool.Source)
	if over != nil || w.pool.Compressions() == 0 {
		return false
	}
	for { // a buffer in each iteration
		_, err := in.Peek(1)
		if err != nil {
			return err == io.EOF
		}
		if _, err = in.Discard(in.Buffered()); err != nil || w.done() {
			return false
		}
	}
}

// The functions below serve an index of Places: a table of many, in which the Place of a file
// is searched that was renamed, copied or compressed since. A caller needs them if it reads
// rotated logs or archives that move; one that knows its files by name, or by Device and
// Inode, needs only Continues. The index of the command urlsift is in its option --state.

// A Fingerprint is what a [Place] is found by among many: that of each file that begins with
// what was read up to the Place is among those of [File.Fingerprints].
type Fingerprint struct {
	Packed bool   // it is of the bytes of a compressed file, and not of its text
	Head   uint64 // a hash of the first bytes; 0 if there are few
	Length int64  // bytes that were read
	Sum    uint64 // a hash of all of them
}

// Fingerprint returns that of p.
func (p *Place) Fingerprint() Fingerprint {
	d := p.content().Fingerprint()
	return Fingerprint{p.packed && !p.hasText, d.Head, d.Length, d.Sum}
}

// Fingerprints serves a lookup in an index of Places. It calls each for fingerprints of f,
// until it returns false. next says which: the next ones among those that are known with
// these Packed and Head, and a Length above after. f is read, and decompressed, once or twice as far as the longest of them.
func (f *File) Fingerprints(next func(packed bool, head uint64, after int64) (length int64, ok bool), each func(Fingerprint) bool) {
	w := f.w
	more := true
	find := func(r io.Reader, packed bool) {
		digest.Prefixes(r, func(head uint64, after int64) (int64, bool) { return next(packed, head, after) }, func(p digest.Fingerprint) bool {
			more = each(Fingerprint{packed, p.Head, p.Length, p.Sum})
			return more
		})
	}
	w.pool.Source.Reset(io.NewSectionReader(f.at, 0, 1<<62), nil)
	in, over := w.pool.Open(&w.pool.Source)
	packed := w.pool.Compressions() > 0
	if over == nil {
		find(in, false)
	}
	w.pool.Reset()
	if packed && more {
		find(io.NewSectionReader(f.at, 0, 1<<62), true)
	}
}

// HeadOf returns the Head in fingerprints of files whose text begins with b, 0 if b is so
// short that they may have any. An index of Places finds candidates by it, of which only few
// are compared.
func HeadOf(b []byte) uint64 { return digest.HeadOf(b) }
