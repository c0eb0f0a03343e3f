package follow

import (
	"io"
	"iter"
	"os"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// A file that is given by its name may be renamed, as logrotate does. The new name is not
// given, but the writer still writes to the file for a moment. So the file is kept open, and
// read until it no longer changes.

// A Holder keeps files open.
type Holder struct {
	Most   int           // most files that are kept open
	Settle time.Duration // how long a renamed file must not change before it is closed

	// Lost is called for a file that is no longer at path: it was lost. Lost is called once
	// more, with ended set, when the file is at path again or is closed.
	Lost func(path string, info os.FileInfo, ended bool)

	// HasOtherName reports whether a file that was lost is read under another name. readSince
	// is true if the file was read since it was lost.
	HasOtherName func(path string, info os.FileInfo, readSince bool) bool

	files []*openFile
}

type openFile struct {
	path  string
	file  *os.File
	info  os.FileInfo // as it was when it was opened, or when rests last found a change
	gone  bool        // another file is at path, or none
	read  bool        // if gone: it was read since then
	since time.Time   // if gone: when it last changed or was renamed
	last  bool        // it has not changed for Settle, and is read once more
}

// Hold keeps the file at path open, if it is a regular file and not held yet.
func (h *Holder) Hold(path string) {
	now, err := os.Stat(path)
	there := false
	for _, f := range h.files { // at most Most
		if f.path != path {
			continue
		}
		same := err == nil && os.SameFile(f.info, now)
		if there = there || same; same == f.gone {
			f.gone, f.since, f.read = !same, time.Time{}, false
			h.Lost(path, f.info, same)
		}
	}
	if there {
		return
	}
	if !canHold || err != nil || !now.Mode().IsRegular() || len(h.files) >= h.Most {
		return
	}
	file, err := os.Open(path)
	if err != nil {
		return
	}
	if now, err = file.Stat(); err != nil {
		_ = file.Close()
		return
	}
	h.files = append(h.files, &openFile{path: path, file: file, info: now})
}

// Moved yields the files that were renamed and may have changed since they were read, under
// their old names. It closes those that are read under another name, and those that no
// longer change.
func (h *Holder) Moved(now time.Time) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		kept := h.files[:0]
		defer func() { h.files = kept }()
		for _, f := range h.files { // at most Most
			if f.gone && (h.HasOtherName(f.path, f.info, f.read) || f.rests(now, h.Settle)) {
				_ = f.file.Close()
				h.Lost(f.path, f.info, true) // its inode may be given to another file
				continue
			}
			kept = append(kept, f)
		}
		for _, f := range kept {
			if !f.gone {
				continue
			}
			f.read = true
			if !yield(extract.Source{Name: f.path, Size: f.info.Size(), Open: f.open}) {
				return
			}
		}
	}
}

// grace is how long a program may still write to a file that was renamed, if Settle is less.
const grace = 10 * time.Second

// rests reports whether f has not changed for the time settle, or for grace if that is longer, and
// was read after that time.
func (f *openFile) rests(now time.Time, settle time.Duration) bool {
	info, err := f.file.Stat()
	if err != nil {
		return true
	}
	if f.since.IsZero() || info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime()) {
		f.info, f.since, f.last = info, now, false
	}
	rested := now.Sub(f.since) > max(settle, grace)
	if rested && !f.last {
		f.last = true
		return false
	}
	return rested
}

// open returns a copy of the open file, at its beginning.
func (f *openFile) open() (io.ReadCloser, error) { return reopen(f.file) }

// Close closes all files.
func (h *Holder) Close() {
	for _, f := range h.files {
		_ = f.file.Close()
	}
	h.files = nil
}
