// Package sources yields the inputs of a run: the paths of the command line, those of
// lists, and the files that walks find below them.
//
//	o := sources.Options{Paths: []string{"logs"}}
//	for s := range o.Sources(ctx, out, nil) {
//
// Lists may have any length, and may come from a program that is still running: a path is
// read when the walk of the path before it has ended.
package sources

import (
	"context"
	"iter"
	"os"
	"slices"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
)

// Options say what is read. The zero value reads standard input.
type Options struct {
	Walk  extract.Walker
	Paths []string // as given; if there are none and no lists, standard input is read
	Lists []List
	Name  string // of standard input in records and messages; "" means "-"
	Bases BaseMap
	Shard Shard // only these of the sources

	Formats extract.FormatGlobs // of sources with such names
	Range   *extract.Range      // the part of the only source that is read; nil for the whole

	// Without, if it is not nil, leaves out sources that need not be read.
	Without func(iter.Seq[extract.Source]) iter.Seq[extract.Source]
}

// A List is a file with paths in it.
type List struct {
	Path string // "-" is standard input
	End  byte   // the byte after each path: '\n' or 0
}

// Stdin reports whether standard input is read, as text or as a list.
func (o *Options) Stdin() bool {
	return o.StdinText() || slices.ContainsFunc(o.Lists, func(l List) bool { return l.Path == stdin })
}

// StdinText reports whether one of the paths given is standard input.
func (o *Options) StdinText() bool {
	return len(o.Paths) == 0 && len(o.Lists) == 0 || slices.Contains(o.Paths, stdin)
}

// Several reports whether there may be more than one source.
func (o *Options) Several() bool {
	return len(o.Lists) > 0 || len(o.Paths) > 1 || len(o.Paths) == 1 && isDir(o.Paths[0])
}

// Named returns the names of the inputs, without paths in lists and files that are found in
// directories.
func (o *Options) Named() []string {
	names := slices.Clone(o.Paths)
	for _, l := range o.Lists {
		names = append(names, l.Path)
	}
	if len(names) == 0 {
		names = []string{stdin}
	}
	return names
}

// isDir reports whether path is a directory, or leads to one.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Sources yields the sources, except out, the file to which results are written. When ctx
// ends, Sources does not wait for the next path of a list. If unmatched is not nil, it is
// called after the last source, for each glob and each line of Bases that no source matches.
func (o *Options) Sources(ctx context.Context, out *output.File, unmatched func(what string)) iter.Seq[extract.Source] {
	return func(yield func(extract.Source) bool) {
		walk := o.Walk
		walk.Unsized = true // Sizes determines sizes
		if unmatched != nil {
			walk.Unmatched = func(glob string) { unmatched("the glob " + strconv.Quote(glob)) }
		}
		g := &walkedPath{}
		found := walk.WalkEach(g.watch(o.paths(ctx)))
		if len(o.Bases) > 0 { // before sources that need not be read are left out
			found = o.Bases.watch(found, unmatched)
		}
		found = o.Shard.of(found)
		if o.Without != nil {
			found = o.Without(found) // before each is compared with the output
		}
		for s := range withoutOutput(out, found, g) {
			if s.Name == stdin && o.Name != "" {
				s.Name = o.Name
			}
			o.SetFormat(&s)
			s.Range = o.Range
			if !yield(s) {
				return
			}
		}
		if unmatched != nil {
			o.Formats.Unmatched(func(glob string) { unmatched("the glob " + strconv.Quote(glob) + " of --as") })
		}
	}
}

// SetFormat sets the format of s that Formats choose by its name.
func (o *Options) SetFormat(s *extract.Source) {
	if f, chosen := o.Formats.Of(s.Name); chosen {
		s.Format = f
	}
}

// Sizes yields the sources again, with their sizes. They are not opened. If lists cannot
// be read twice, one source without a size represents their content.
func (o *Options) Sizes(ctx context.Context) iter.Seq[extract.Source] {
	if !slices.ContainsFunc(o.Lists, func(l List) bool { return !isFile(l.Path) }) {
		return o.Shard.of(o.Walk.WalkEach(o.paths(ctx)))
	}
	return func(yield func(extract.Source) bool) { yield(extract.Source{Name: stdin, Size: -1}) }
}

// isFile reports whether path, which is not standard input, is a regular file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return path != stdin && err == nil && info.Mode().IsRegular()
}

// paths yields the paths given, and then those of the lists.
func (o *Options) paths(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		paths := o.Paths
		if len(paths) == 0 && len(o.Lists) == 0 {
			paths = []string{stdin}
		}
		for _, path := range paths {
			if !yield(path, nil) {
				return
			}
		}
		for _, list := range o.Lists {
			for path, err := range extract.ReadPaths(ctx, list.Path, list.End) {
				if !yield(path, err) {
					return
				}
			}
		}
	}
}
