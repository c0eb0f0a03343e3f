package extract

import (
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/files"
	"github.com/urlsift/urlsift/extract/internal/files/glob"
	"github.com/urlsift/urlsift/extract/internal/schedule"
	"github.com/urlsift/urlsift/uri"
)

// A Source is something to read. The worker that reads a Source calls Open once and closes what
// Open returns. If a source could not be listed, its Open returns the error.
//
// If Open returns an [*os.File] and Size is right, several workers may read a big file together.
// The workers call ReadAt of this file, and the last worker closes it.
//
// To stop a worker that waits for input, Run calls SetReadDeadline of the opened source,
// if it has this method, as [*os.File] has.
type Source struct {
	Name string // its suffix decides how text is read whose first bytes leave that open; see Auto
	Size int64  // stored size in bytes; -1 if unknown
	Open func() (io.ReadCloser, error)

	// Format says how the source is read, if it is not Auto; otherwise Options.Format does.
	Format Format

	// Enough, if it is not nil, is called while the source is read, from the goroutine of a
	// worker. When it returns true, the rest of the source is not read, and that is no
	// error. Such a source is read by one worker. With several workers, a worker reads on while the results of
	// earlier sources are yielded. Stats count all that was read, and so depend on the number of workers.
	Enough func() bool

	// Base is the URI by which the source was retrieved (1997 and 2002, section 5.1.3). It is
	// the base of documents that declare none, and has priority over Options.Base. The zero
	// Ref, or a Ref without a scheme, means that there is none.
	Base uri.Ref

	// Range, if it is not nil, describes the part of the source that is read, by one worker. Of the parts, the
	// one at the beginning counts in Stats.Sources.
	Range *Range

	file *files.File // set by a walk, otherwise nil
}

// A Walker selects the files that a walk yields.
//
// Globs are those of ripgrep: '*', '?', classes as [a-z] and [!a-z], {a,b}, and "**" for
// any number of directories. A glob without a '/' is matched against the last element of a
// path, a glob with a '/' at its beginning or in it against the whole path. A '/' at the
// end makes a glob match only directories. Paths in the working directory are made relative
// to it first, in paths and in globs: "./a", "a" and the absolute path are the same.
//
// The fields apply only to what a walk finds below the given paths. A given path is
// always read.
type Walker struct {
	Hidden bool // also names that begin with '.'; the folders of a maildir are always walked
	Follow bool // also symbolic links; a link to a directory around it is an error

	// Globs are applied before Hidden and Ignore. A glob selects the files that it matches,
	// also hidden and ignored ones; a glob after '!' excludes them. If several match, the last
	// decides. If any glob is without '!', files that no glob matches are excluded. A glob that
	// matches a directory does not select the files in it; "dir/**" does.
	Globs []string

	Include []string // only files that match one of these; none means all files
	Exclude []string // no files and directories that match one of these

	// Ignore applies the files .gitignore and .ignore as git does: those of each directory
	// of the walk and, in a git working tree, of the directories above, up to the top of the
	// tree. A .ignore is stronger than any .gitignore. An ignore file of more than 1 MiB is
	// an error and is not applied.
	Ignore bool

	// Unmatched, if it is not nil, is called at the end of a walk for each glob of Exclude,
	// Globs and Include that matched nothing: no file or, for globs that exclude, no
	// directory either. It is not called if the caller stopped the walk.
	Unmatched func(glob string)

	// Unsized does not ask for the sizes of files: Size is -1 until Open. A walk of many
	// files then takes half the time. Run gets such files in groups, and starts with the first
	// file of a group when the group is complete.
	Unsized bool
}

// FormatGlobs choose the Format of sources by their names. The zero FormatGlobs choose none.
type FormatGlobs struct {
	list []formatGlob
}

type formatGlob struct {
	glob.Glob
	text   string
	format Format
	met    bool
}

// Add makes sources whose names glob matches have the format f. If several globs match, the last that
// was added decides. Globs are those of a [Walker]; one with a '/' is matched against the whole name.
// The error is that of a malformed glob.
func (g *FormatGlobs) Add(f Format, text string) error {
	compiled, err := glob.Parse(text)
	if err != nil {
		return optionError("the glob " + strconv.Quote(text) + " is malformed")
	}
	g.list = append(g.list, formatGlob{Glob: compiled, text: text, format: f})
	return nil
}

// Of returns the format that the globs choose for a source of that name; chosen is false if none
// matches.
func (g *FormatGlobs) Of(name string) (f Format, chosen bool) {
	path := strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(name), "./"), "/")
	for i := len(g.list) - 1; i >= 0; i-- {
		if l := &g.list[i]; (!chosen || !l.met) && l.Match(path, false) {
			if l.met = true; !chosen {
				f, chosen = l.format, true
			}
		}
	}
	return f, chosen
}

// Unmatched calls report for each glob that has matched no name yet.
func (g *FormatGlobs) Unmatched(report func(glob string)) {
	for i := range g.list {
		if l := &g.list[i]; !l.met {
			report(l.text)
		}
	}
}

// String returns the formats and globs as they were added, each as "FORMAT:GLOB", separated by blanks.
func (g *FormatGlobs) String() string {
	var b strings.Builder
	for i := range g.list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(g.list[i].format.String() + ":" + g.list[i].text)
	}
	return b.String()
}

// Walk is [Walker.Walk] of the zero Walker.
func Walk(paths ...string) iter.Seq[Source] { return Walker{}.Walk(paths...) }

// Walk yields the files at and below paths, in the order of the paths, and below each
// path in lexical order. The name of a file is the given path, a separator, and the path
// below it. The path "-" is standard input; no paths mean the same.
//
// One directory of each depth is open at a time. Files that are neither regular nor
// directories are left out, unless their path is given. An error (a path that does not
// exist, a directory without permission) is yielded as a Source whose Open returns an
// [*Error], and the walk continues. The sequence may be ranged over several times, and
// reads directories again each time.
func (w Walker) Walk(paths ...string) iter.Seq[Source] {
	return sourcesOf(files.Walker(w).Walk(paths...))
}

// WalkEach is [Walker.Walk] for a sequence of paths, such as [ReadPaths] returns. It takes
// the next path when the walk of the one before has ended. An error in the sequence is
// yielded as a Source whose Open returns it, and the walk continues. An empty sequence
// yields nothing.
func (w Walker) WalkEach(paths iter.Seq2[string, error]) iter.Seq[Source] {
	return sourcesOf(files.Walker(w).WalkEach(paths))
}

// Check returns an [*Error] whose source is the first malformed glob, or nil. A walk with a
// malformed glob yields only that error.
func (w Walker) Check() error {
	if err := files.Walker(w).Check(); err != nil {
		return walkError(err)
	}
	return nil
}

// ReadPaths yields the paths in a list: a file, or standard input if list is "-". Each path
// is followed by end, '\n' or 0, which the last may lack. Empty paths are skipped, and a
// '\r' before a '\n' is not part of a path. ReadPaths reads ahead by at most 64 KiB, so the
// list may be of any length, or a pipe from a running program. The sequence ends with ctx,
// also while it waits for input.
//
// An error is an [*Error], to be handed to [Walker.WalkEach]: the list cannot be read, or a
// path has more than 64 KiB and is skipped. The path "-" is standard input; in a list that
// is standard input it is an error.
func ReadPaths(ctx context.Context, list string, end byte) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for path, err := range files.ReadPaths(ctx, list, end) {
			var of *files.Error
			if errors.As(err, &of) {
				err = walkError(of)
			}
			if !yield(path, err) {
				return
			}
		}
	}
}

// sourcesOf yields the files of walk as Sources.
func sourcesOf(walk iter.Seq[*files.File]) iter.Seq[Source] {
	return func(yield func(Source) bool) {
		walk(func(f *files.File) bool {
			s := Source{Name: f.Path, Size: f.Size, Open: f.Open, file: f}
			if f.Err != nil {
				s.Open = func() (io.ReadCloser, error) { return nil, walkError(f.Err) }
			}
			return yield(s)
		})
	}
}

// walkError returns the Error for e. If e holds an Error that the caller has passed in, it returns
// that one.
func walkError(e *files.Error) *Error {
	var ofCaller *Error
	if errors.As(e.Err, &ofCaller) {
		return ofCaller
	}
	return &Error{Origin: Origin{Source: e.Path}, Stage: string(e.Stage), Err: e.Err}
}

// openError returns err, which concerns the source with that name, as an Error with an
// Origin.
func openError(name string, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var walk *files.Error
	if errors.As(err, &walk) {
		return walkError(walk)
	}
	if name == "" {
		name = `""`
	}
	return &Error{Origin: Origin{Source: name}, Stage: StageOpen, Err: err}
}

// regular reports whether s was a regular file when it was listed, so that Open does not
// wait.
func (s *Source) regular() bool { return s.file != nil && s.file.Regular }

// more reports whether another source follows without waiting.
func (s *Source) more() bool { return s.file != nil && s.file.More }

// inDirectory reports whether the walk that found s may soon yield more files of the same
// directory.
func (s *Source) inDirectory() bool { return s.file != nil && s.file.InDirectory() }

// prefetchable reports whether s can be opened in advance together with others. It cannot
// if the caller has replaced Open, which may then read something else. Functions are compared by
// address, which is not possible in plain Go. Without prefetched files, a spool of 100,000 small
// files takes 1.16 times the processor time.
func (s *Source) prefetchable() bool {
	return s.file != nil && s.Range == nil && s.file.Prefetchable() &&
		*(*unsafe.Pointer)(unsafe.Pointer(&s.Open)) == *(*unsafe.Pointer)(unsafe.Pointer(&s.file.Open))
}

// hint returns what schedule knows of s before it is opened.
func (s *Source) hint() schedule.Hint {
	return schedule.Hint{Size: s.Size, File: s.regular(), More: s.more()}
}

// Code of the caller may panic, or break the rules of io.Reader. If a source does, that is an
// Error of this source: without this rule, a panic in a worker's goroutine would end the
// program. If a sequence of sources or a loop body panics, the panic continues in the caller's
// goroutine.

// caught sets *err if there is a panic. It is for defer.
func caught(err *error) {
	if v := recover(); v != nil {
		*err = &damage.PanicError{Value: v}
	}
}

// openSource calls open.
func openSource(open func() (io.ReadCloser, error)) (r io.ReadCloser, err error) {
	defer caught(&err)
	return open()
}

// closeSource closes r, which was only read. It returns an error only for a panic.
func closeSource(r io.Closer) (err error) {
	defer caught(&err)
	_ = r.Close()
	return nil
}

// A prefetcher opens and reads the small files that a worker has claimed, in advance.
type prefetcher struct {
	files.Prefetcher
	list [schedule.Most]*files.File // used in load
}

// load prefetches sources from the first on. It stops in front of one that is not an unchanged
// result of a walk. workers is how many workers there are; stopped says whether to stop.
func (p *prefetcher) load(sources []Source, workers int, stopped func() bool) {
	n := 0
	for n < min(len(sources), len(p.list)) && sources[n].prefetchable() {
		p.list[n] = sources[n].file
		n++
	}
	p.Load(p.list[:n], workers, stopped)
	clear(p.list[:n])
}
