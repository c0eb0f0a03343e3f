package extract

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/urlsift/urlsift/extract/internal/compress"
	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/digest"
	"github.com/urlsift/urlsift/extract/internal/files"
)

// A run can continue where earlier runs have stopped.
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
// Between two runs, the caller keeps a [Place]. For these reasons nothing is lost, and nothing
// is yielded twice:
//
//   - A result that is yielded before the end of the file was reached is final: results do not
//     depend on how a text is divided into Reads. So the results of a run that stops early are
//     the first ones of a run over the whole file, in the same order.
//   - A run continues at a point of restart that does not depend on the text in front of it:
//     a line that begins at a neutral place (see [delimit.Options.Neutral]), or the first line of
//     a message. The Place has the number of results that were yielded
//     after this point, and the run leaves them out. A file that cannot be entered in the
//     middle, such as a page or an archive, is read from its first byte, and its first results
//     are left out.
//   - What is found only because the file ends, such as a reference at the end of an unfinished
//     line, is yielded only if the caller says that the file does not grow any more
//     ([File.Growing]). If it nevertheless grows later, such a result may change. So the Place
//     has hashes of these results, and they are left out if they come again.
//   - With other options than before, other results are found, so their number does not help.
//     Then the results are left out that are in the stretch where earlier runs have found all.
//
//   - A mailbox may be rewritten by a program that reads mail. The caller keeps a hash of each message,
//     so what is in messages that were read is left out: see [Place.Identities] and [Place.Remember].
//
// The point of restart is near the place where the last run stopped: in running text usually 4
// KiB, and at most [captureEvery] bytes, in front of it. If there is no neutral place, as in
// a file that is one line, the point does not advance. In a mailbox it is the last message.

// A Resume makes a run continue where earlier runs have stopped. Only regular files are resumed.
// Other sources, such as pipes, are read from their beginning, and so is a Source with Enough. One
// worker reads a file that is resumed.
type Resume struct {
	// Begin returns the place from which f is read. It is called when f is open and
	// nothing was read of it, in the goroutine of a worker, so calls may run in parallel.
	// A Place that is not zero must be one for which [File.Continues], [File.HasAll]
	// or [File.Begins] has returned true, or one at the beginning that [Place.Remember] has made.
	Begin func(f *File) Place

	// Reached is called in the goroutine of the loop, after everything in front of the
	// place was yielded: from time to time, and when reading of f has ended. It may keep
	// p. It is not called for a file that could not be opened.
	Reached func(f *File, p *Place)
}

// A File is a regular file that was opened to be resumed.
type File struct {
	Name          string // name of the Source
	Device, Inode uint64 // 0 if the system has no such numbers
	Size          int64  // when the file was opened
	Modified      time.Time

	// Growing says that more may be written to the file soon. Begin may set it. Then text
	// is read up to its last line end, a mailbox up to its last message, and no results
	// are yielded that added text may change. The end of a compressed file is left out if
	// its last stream is incomplete, and the end of any other file if its last line is. A
	// page or a message that ends with a line end is read as a whole.
	Growing bool

	// Begin may set Later if f is still being written by a program that copies or compresses
	// another file. Then nothing of f is read in this run, and Reached is not called.
	Later bool

	Note any // for the caller's use

	at         files.Seekable
	pool       *compress.Pool // of the worker
	done       func() bool    // whether reading should stop
	nothingNew bool           // no bytes follow the place
}

// fileOf returns r, the open file at path, as a File. It returns nil if r is not a regular file.
func fileOf(path string, r io.Reader) *File {
	at, id, ok := files.Identify(r)
	if !ok {
		return nil
	}
	return &File{Name: path, Device: id.Device, Inode: id.Inode, Size: id.Size, Modified: time.Unix(0, id.Modified), at: at}
}

// Continues reports whether f still begins with what was read up to p. It is for a file
// that is known to be the same, by Device and Inode, and reads some blocks of it: the
// beginning, the end of what was read, and at most 64 in between.
func (f *File) Continues(p *Place) bool {
	return f.Size >= p.stored.Len() && p.stored.Sampled(f.at)
}

// HasAll is Continues for a file that was written since, but has not grown. It compares all bytes
// up to p, because a block in the middle may have been changed in place.
func (f *File) HasAll(p *Place) bool {
	if f.Size < p.stored.Len() {
		return false
	}
	ok, err := p.stored.Begins(io.NewSectionReader(f.at, 0, 1<<62))
	return ok && err == nil
}

// Begins reports whether f begins with all bytes that were read up to p, perhaps from another
// file: f may be a copy of that file, or the same file compressed or decompressed. It compares
// all of these bytes. If it returns true, p becomes a place in f.
func (f *File) Begins(p *Place) bool {
	pool := f.pool
	pool.Reset()
	defer pool.Reset()
	var stored digest.Digest
	h := digest.Reader{R: io.NewSectionReader(f.at, 0, 1<<62), Sum: &stored}
	pool.Source.Reset(&h, nil)
	in, exceeded := pool.Open(&pool.Source, f.Name)
	compressed := pool.Compressions() > 0
	content := p.content()
	if exceeded != nil || !compressed && f.Size < content.Len() {
		return false
	}
	if p.compressed && !p.hasText { // an archive: the stored bytes are compared
		if !compressed || f.Size < p.stored.Len() {
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
	f.nothingNew = p.Whole && err == io.EOF
	switch {
	case compressed:
		p.text, p.hasText = *content, true
		if p.stored = (digest.Digest{}); f.nothingNew {
			p.stored = stored
		}
	default:
		p.stored, p.text, p.hasText = *content, digest.Digest{}, false
	}
	p.compressed = compressed
	p.Stored, p.Text = p.stored.Len(), p.content().Len()
	return true
}

// Other opens the file at path and calls use with it. The run need not read that file. A Begin
// function calls Other to decide to which of two files a Place belongs. other may be used until use
// returns. The error is that of opening the file, or [fs.ErrInvalid] if it is not a regular file.
func (f *File) Other(path string, use func(other *File)) error {
	r, err := os.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	other := fileOf(path, r)
	if other == nil {
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	other.pool, other.done = f.pool, f.done
	use(other)
	return nil
}

// Text returns a reader of f from its first byte up to Size. If f is compressed, the reader
// decompresses it. A Begin function calls Text to examine the content of f. The reader is valid
// until another method of f is called, or Begin returns.
func (f *File) Text() (text io.Reader, compressed bool) {
	in, exceeded := f.open(f.Size)
	t := &fileText{done: f.done, in: in}
	if exceeded != nil {
		t.err = exceeded
	}
	return t, f.pool.Compressions() > 0
}

// open opens the first size bytes of f, decompressed, in the pool of the worker. The caller
// resets the pool.
func (f *File) open(size int64) (in *bufio.Reader, exceeded *damage.Damage) {
	pool := f.pool
	pool.Reset()
	pool.Source.Reset(io.NewSectionReader(f.at, 0, size), nil)
	return pool.Open(&pool.Source, f.Name)
}

// A fileText reads the text of a file, until the run is stopped.
type fileText struct {
	done func() bool // see File
	in   io.Reader
	err  error // set if nothing can be read
}

// Read reads once.
func (t *fileText) Read(p []byte) (int, error) {
	switch {
	case t.err != nil:
		return 0, t.err
	case t.done():
		return 0, damage.ErrStopped
	}
	return t.in.Read(p)
}

// isComplete reports whether f is compressed and its last stream is complete. Such a file probably
// does not grow. isComplete decompresses the whole file.
func (f *File) isComplete() bool {
	defer f.pool.Reset()
	text, compressed := f.Text()
	if !compressed {
		return false
	}
	_, err := io.Copy(io.Discard, text)
	return err == nil
}

// Keys returns the keys of those Places in an index at which f may be continued. The bytes read
// up to such a Place are probably also the beginning of f, or of its decompressed stream;
// [File.Begins] verifies it. seek returns the first key of the index that is not less than
// from, in the order of bytes, or nil if there is none. Keys reads f as far as the longest of
// these Places. If f is compressed, Keys decompresses it, and then reads its stored bytes too.
// In the slice that Keys returns, keys of text come before keys of stored bytes, and keys of
// shorter Places before those of longer ones.
func (f *File) Keys(seek func(from []byte) (key []byte)) (keys [][]byte) {
	defer f.pool.Reset()
	find := func(r io.Reader, compressed bool) {
		next := func(head uint64, after int64) (length int64, ok bool) {
			from := binary.BigEndian.AppendUint64(appendHead(nil, compressed, head), uint64(after)+1)
			key := seek(append(from, make([]byte, keyLen-len(from))...))
			if len(key) != keyLen || !bytes.HasPrefix(key, from[:headLen]) {
				return 0, false
			}
			return int64(binary.BigEndian.Uint64(key[headLen:])), true
		}
		digest.Prefixes(r, next, func(p digest.Fingerprint) {
			if key := appendKey(nil, compressed, p); bytes.Equal(seek(key), key) {
				keys = append(keys, key)
			}
		})
	}
	in, exceeded := f.open(math.MaxInt64)
	compressed := f.pool.Compressions() > 0
	if exceeded == nil {
		find(in, false)
	}
	f.pool.Reset()
	if compressed {
		find(io.NewSectionReader(f.at, 0, math.MaxInt64), true)
	}
	return keys
}

// KeyPrefix returns the first 8 bytes of the keys of all Places whose text begins like the text of
// f. It returns nil if the text of f is too short to decide them; the keys of Places with so little
// text begin with zeros. With it the caller can recognise a file that is only the beginning of
// another one, such as an incomplete copy.
func (f *File) KeyPrefix() []byte {
	defer f.pool.Reset()
	in, exceeded := f.open(f.Size)
	if exceeded != nil {
		return nil
	}
	head, ok := digest.Head(in)
	if !ok {
		return nil
	}
	return appendHead(nil, false, head)
}
