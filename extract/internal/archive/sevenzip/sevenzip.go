// Package sevenzip reads 7z archives.
//
//	var r sevenzip.Reader
//	r.Reset(in, level) // in is a *bufio.Reader at the first byte of the archive
//	r.SetFile(file, window)
//	for {
//		name, err := r.Next() // as in package tarstream
//		...
//		io.Copy(out, &r)
//	}
//
// # Vocabulary
//
//   - A folder is a stream that is packed as a whole. It may hold many files, one after another: then the
//     archive is called solid.
//   - A coder is a step in the packing of a folder: a compression, a filter, an encryption.
//   - The directory is at the end of the archive, and is packed itself, as a rule.
//
// The directory is read first, from file. After that the folders are read from in, in their order, and each
// is unpacked once.
//
// # Why not github.com/bodgit/sevenzip
//
// It allocates what the directory declares, before it has read it (2.4 GB for a file of 41 bytes), does not
// say how large a dictionary is, and imports net/http.
//
// # Limits
//
// A Reader holds the directory, of at most 32 MiB, and the dictionary of one folder, of at most window
// bytes. A folder that needs more, is encrypted, or is packed by a method that is not known here, is
// damage; so is one that cannot be unpacked to its end. Next continues with the next folder.
package sevenzip

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/urlsift/urlsift/extract/internal/compress/bzip2"
	"github.com/urlsift/urlsift/extract/internal/compress/inflate"
	"github.com/urlsift/urlsift/extract/internal/compress/lzma"
	"github.com/urlsift/urlsift/extract/internal/compress/xz"
	"github.com/urlsift/urlsift/extract/internal/damage"
)

// Stage is the stage of damage in an archive.
const Stage damage.Stage = "7z"

// Magic is the beginning of an archive.
const Magic = "7z\xbc\xaf\x27\x1c"

const (
	headSize     = 32       // bytes in front of the first packed stream
	maxDirectory = 32 << 20 // bytes of the directory, packed or not
)

// A Reader reads one archive. Call Reset and SetFile before the first use, and again for each further
// archive.
type Reader struct {
	in    *bufio.Reader
	level int   // of in; see [damage.Damage].Level
	pos   int64 // bytes taken from in
	err   error // sticky
	below error // an error of in

	at     io.ReaderAt // for the directory, which was not read yet; otherwise nil
	window int64
	dir    directory

	file int64 // number of the next file in the directory

	folder   int64 // number of the next folder
	begun    int64 // where the current one begins
	files    int64 // of the current folder that follow
	left     int64 // bytes of the current folder that follow
	packed   int64 // and bytes of its packed streams
	lost     bool  // it cannot be read any further
	sum      uint32
	summed   bool  // sum is that of the folder, which is one file
	size     int64 // bytes of the current file that were not read
	fileSum  sumOf
	finished error // of Read, at the end of the file

	out     io.Reader // the folder, unpacked
	passed  int64     // see Counts
	scratch [8 << 10]byte

	buf     *bufio.Reader // in front of the decompressor
	lzma    lzma.Reader
	xz      xz.Reader
	deflate inflate.Reader
	bzip2   bzip2.Reader
}

// A sumOf is the CRC-32 of what was read of a file, and what it should be.
type sumOf struct {
	is, want uint32
	known    bool
}

// Reset begins an archive.
func (r *Reader) Reset(in *bufio.Reader, level int) {
	*r = Reader{in: in, level: level, buf: bufio.NewReader(nil)}
}

// Release drops the directory and the dictionary.
func (r *Reader) Release() { *r = Reader{err: io.EOF} }

// SetFile makes the first Next read the directory from file. window is the size of the largest dictionary in
// bytes.
func (r *Reader) SetFile(file io.ReaderAt, window int64) { r.at, r.window = file, window }

// directory reads the directory from file.
func (r *Reader) directory(file io.ReaderAt) error {
	var head [headSize]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return r.cut(err)
	}
	start := head[12:]
	at, n := int64(binary.LittleEndian.Uint64(start)), int64(binary.LittleEndian.Uint64(start[8:]))
	switch {
	case string(head[:len(Magic)]) != Magic, crc32.ChecksumIEEE(start) != binary.LittleEndian.Uint32(head[8:]):
		return r.damaged("the first header does not match its checksum")
	case n == 0:
		return nil // without files
	case n < 0 || n > maxDirectory:
		return r.damaged(fmt.Sprintf("a directory of more than %d bytes", maxDirectory))
	case at < 0 || at > 1<<62:
		return r.damaged(errDirectory.Error())
	}
	b, err := io.ReadAll(io.NewSectionReader(file, headSize+at, n))
	if err == nil && int64(len(b)) < n {
		err = io.ErrUnexpectedEOF // the archive has lost its end
	}
	if err != nil {
		return r.cut(err)
	}
	if crc32.ChecksumIEEE(b) != binary.LittleEndian.Uint32(start[16:]) {
		return r.damaged("the directory does not match its checksum")
	}
	encoded, err := r.dir.parse(b)
	for depth := 0; encoded && err == nil; depth++ { // 7-Zip packs it once
		if depth == 4 {
			return r.damaged("a directory that is packed too often")
		}
		if b, err = r.unpackDirectory(file); err == nil {
			encoded, err = r.dir.parse(b)
		}
	}
	if err != nil {
		if _, made := err.(*damage.Damage); !made {
			err = r.damaged(err.Error())
		}
	}
	return err
}

// unpackDirectory returns the directory that r.dir describes.
func (r *Reader) unpackDirectory(file io.ReaderAt) ([]byte, error) {
	f := readFolder(&r.dir.coders)
	size := r.sizesOf(&f)
	sum, known := r.dir.folderSums.next()
	at, n := r.dir.packedAt, r.dir.packed.number()
	if r.dir.coders.bad || r.dir.sizes.bad || r.dir.packed.bad || size > maxDirectory {
		return nil, errDirectory
	}
	out, why := r.open(&f, io.NewSectionReader(file, headSize+at, n))
	if why != nil {
		why.Err = fmt.Errorf("the directory is not read: %w", why.Err)
		return nil, why
	}
	b, err := io.ReadAll(io.LimitReader(out, size))
	if err == nil && int64(len(b)) < size {
		err = io.ErrUnexpectedEOF
	}
	if err == nil && known && crc32.ChecksumIEEE(b) != sum {
		err = errDirectory
	}
	return b, err
}

// Counts returns how many bytes of the archive the Reader has finished, how many of these belong to folders
// that were not unpacked, and 0.
func (r *Reader) Counts() (all, passed, sought int64) { return r.pos, r.passed, 0 }

// Next skips the rest of the file and returns the name of the next one, or "" if it has no data. The error
// is
//
//   - a *damage.Damage that is Mild for a folder that is not read, or not to its end. The next call
//     continues after it.
//   - [io.EOF] at the end of the archive,
//   - a Damage that is not Mild if there is no directory,
//   - an error of in, unchanged.
//
// The last three are sticky.
func (r *Reader) Next() (string, error) {
	if r.err != nil {
		return "", r.err
	}
	if at := r.at; at != nil {
		r.at = nil
		if err := r.directory(at); err != nil {
			return "", r.end(err)
		}
	}
	if err := r.skip(); err != nil {
		return "", err
	}
	if r.lost {
		r.lost = false
		if n := r.drop(); n > 0 {
			rest := r.damaged(fmt.Sprintf("%d more files in the damaged folder are not read", n))
			rest.Offset, rest.Mild = r.begun, true
			return "", rest
		}
	}
	if r.file >= r.dir.files {
		return "", r.finish()
	}
	empty := bit(r.dir.empty, r.file)
	for !empty && r.files == 0 {
		if err := r.nextFolder(); err != nil {
			return "", err
		}
	}
	r.file++
	name := r.dir.name()
	if empty {
		return "", nil
	}
	r.beginFile()
	if name == "" {
		name = fmt.Sprint("file ", r.file) // some programs that pack one file write none
	}
	return name, nil
}

// beginFile begins the next file of the folder.
func (r *Reader) beginFile() {
	r.files--
	r.size = r.left
	if r.files > 0 {
		r.size = min(r.left, r.dir.fileSizes.number())
	}
	r.left -= r.size
	r.finished, r.fileSum = nil, sumOf{want: r.sum, known: r.summed}
	if !r.summed {
		r.fileSum.want, r.fileSum.known = r.dir.fileSums.next()
	}
}

// drop passes over the files of the current folder that follow, and returns how many there were.
func (r *Reader) drop() (n int64) {
	for r.files > 0 && r.file < r.dir.files {
		empty := bit(r.dir.empty, r.file)
		r.file++
		r.dir.name()
		if !empty {
			r.beginFile()
			n++
		}
	}
	r.files, r.left, r.size, r.finished = 0, 0, 0, io.EOF
	return n
}

// nextFolder begins the next folder.
func (r *Reader) nextFolder() error {
	from := r.pos
	err := r.discard(r.packed)
	r.passed += r.pos - from
	if err != nil {
		return r.cut(err)
	}
	d := &r.dir
	if r.folder == 0 {
		err := r.discard(headSize + d.packedAt)
		if err != nil {
			return r.cut(err)
		}
	}
	if r.folder >= d.folders {
		return r.end(r.damaged("more files than the folders have"))
	}
	r.folder++
	r.begun = r.pos
	f := readFolder(&d.coders)
	r.left = r.sizesOf(&f)
	r.packed = 0
	for range f.packed {
		if r.packed += d.packed.number(); r.packed < 0 || r.packed > 1<<61 {
			d.packed.fail()
		}
	}
	r.files = 1
	if d.hasCounts {
		r.files = d.counts.number()
	}
	sum, known := d.folderSums.next()
	r.sum, r.summed = sum, known && r.files == 1
	if d.coders.bad || d.sizes.bad || d.packed.bad || d.counts.bad {
		return r.end(r.damaged(errDirectory.Error()))
	}
	out, why := r.open(&f, io.LimitReader((*source)(r), r.packed))
	if why != nil {
		if n := r.drop(); n > 0 {
			why.Err = damage.Fact(fmt.Sprintf("%v; its files are not read: %d", why.Err, n))
		}
		why.Offset, why.Mild = r.begun, true
		return why
	}
	r.out = out
	return nil
}

// sizesOf reads how much each coder of f returns, and returns the size of the folder.
func (r *Reader) sizesOf(f *folder) int64 {
	for i := range f.n {
		f.coders[i].size = r.dir.sizes.number()
	}
	return f.coders[f.final].size
}

// A source reads the packed streams of a folder.
type source Reader

func (s *source) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	s.pos += int64(n)
	s.packed -= int64(n)
	if err != nil && err != io.EOF {
		s.below = err
	}
	return n, err
}

// Read reads data of the file. It returns [io.EOF] at its end, a *damage.Damage at the level of the file if
// it is damaged, or an error of in.
func (r *Reader) Read(p []byte) (int, error) {
	switch {
	case r.finished != nil:
		return 0, r.finished
	case r.size == 0:
		if r.finished = io.EOF; r.fileSum.known && r.fileSum.is != r.fileSum.want {
			r.finished = &damage.Damage{Class: damage.Pack, Stage: Stage, Level: r.level + 1, Err: damage.Fact(fmt.Sprintf("CRC-32 is %08x and should be %08x", r.fileSum.is, r.fileSum.want))}
		}
		return 0, r.finished
	}
	n, err := r.out.Read(p[:min(int64(len(p)), r.size)])
	r.size -= int64(n)
	r.fileSum.is = crc32.Update(r.fileSum.is, crc32.IEEETable, p[:n])
	switch {
	case n > 0 || err == nil:
		return n, nil
	case r.below != nil:
		r.finished = r.end(r.below)
	default:
		if r.lost = true; err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		r.finished = &damage.Damage{Class: damage.Pack, Stage: Stage, Level: r.level + 1, Err: err}
		if r.packed > 0 && err == io.ErrUnexpectedEOF {
			if _, ends := r.in.Peek(1); ends != nil { // the archive, too
				r.err = damage.Truncated(Stage, r.level)
			}
		}
	}
	return 0, r.finished
}

// skip skips the rest of the file.
func (r *Reader) skip() error {
	for r.size > 0 && r.finished == nil {
		if _, err := r.Read(r.scratch[:]); err != nil && r.err != nil {
			return r.err
		}
	}
	return nil
}

// finish passes over what is after the last file: the rest of the folder and the directory.
func (r *Reader) finish() error {
	for {
		n, err := r.in.Discard(1 << 20)
		r.pos += int64(n)
		if err != nil {
			return r.end(err)
		}
	}
}

func (r *Reader) discard(n int64) error {
	for n > 0 {
		k, err := r.in.Discard(int(min(n, 1<<30)))
		r.pos += int64(k)
		n -= int64(k)
		if err != nil {
			return err
		}
	}
	return nil
}

// damaged returns a Damage of the archive.
func (r *Reader) damaged(what string) *damage.Damage {
	return &damage.Damage{Class: damage.Pack, Stage: Stage, Err: damage.Fact(what), Level: r.level, Known: true}
}

// end makes err sticky.
func (r *Reader) end(err error) error {
	r.err = err
	return err
}

// cut ends the archive with err. If the archive is at its end, the error is a Damage.
func (r *Reader) cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = damage.Truncated(Stage, r.level)
	}
	return r.end(err)
}
