package files

import (
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/files/glob"
	"github.com/urlsift/urlsift/extract/internal/files/longpath"
	"github.com/urlsift/urlsift/extract/internal/files/system"
)

// The names of ignore files, and of the entry at the top of a git working tree.
const (
	gitIgnore = ".gitignore"
	anyIgnore = ".ignore"
	gitDir    = ".git"
)

// mostIgnore is the maximum size in bytes of an ignore file that is read.
const mostIgnore = 1 << 20

// An ignore has the rules of the ignore files in a directory and in the directories above it.
type ignore struct {
	above    *ignore // nil at the top
	from     globRoot
	any, git glob.List
	top      bool // the .gitignore files above do not count: they belong to another working tree
}

// ignores reports whether the ignore files say to leave name out. A .ignore has priority over any
// .gitignore, and a deeper file has priority over one above it. ignores compares name with the
// lists of each directory above, until one decides.
func (g *ignore) ignores(name string, dir bool) bool {
	for at := g; at != nil; at = at.above {
		if len(at.any) > 0 {
			if ignored, decided := at.any.Decide(at.from.path(name), dir); decided {
				return ignored
			}
		}
	}
	for at := g; at != nil; at = at.above {
		if len(at.git) > 0 {
			if ignored, decided := at.git.Decide(at.from.path(name), dir); decided {
				return ignored
			}
		}
		if at.top {
			break
		}
	}
	return false
}

// inDir returns the ignore of the directory at path, which is below the directory of g. entries
// are those of the directory at path. An error is about an ignore file that was not read.
func (g *ignore) inDir(path string, entries []fs.DirEntry) (*ignore, error) {
	in := ignore{above: g, from: globRoot{strip: len(join(path, ""))}}
	var failure error
	for _, e := range entries {
		switch name, file := e.Name(), e.Type()&^fs.ModeSymlink == 0; {
		case name == gitDir:
			in.top = true
		case name == gitIgnore && file:
			in.git, failure = readIgnore(join(path, name), failure)
		case name == anyIgnore && file:
			in.any, failure = readIgnore(join(path, name), failure)
		}
	}
	if len(in.git) == 0 && len(in.any) == 0 && !in.top {
		return g, failure
	}
	return &in, failure
}

// aboveRoot returns the ignore of the directories above root, a directory that was given by
// name, up to the top of its git working tree. Outside of a working tree there is none. It
// visits each directory on the way to the root of the file system once.
func aboveRoot(root string) (*ignore, error) {
	at, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	var way []string // from the directory above root upwards
	for !isTop(at) {
		up := filepath.Dir(at)
		if up == at {
			return nil, nil
		}
		way, at = append(way, up), up
	}
	var in *ignore
	var failure error
	root = join(root, "")
	whole, _ := filepath.Abs(root)
	for i := len(way) - 1; i >= 0; i-- {
		rest, _ := within(way[i], whole)
		next := &ignore{above: in, from: globRoot{len(root), filepath.ToSlash(rest) + "/"}, top: i == len(way)-1}
		next.git, failure = readIgnore(join(way[i], gitIgnore), failure)
		next.any, failure = readIgnore(join(way[i], anyIgnore), failure)
		in = next
	}
	return in, failure
}

// isTop reports whether the directory at path is the top of a working tree of git.
func isTop(path string) bool {
	_, err := longpath.Lstat(join(path, gitDir))
	return err == nil
}

// readIgnore returns the rules of the ignore file at path. A file that does not exist has no rules.
// If the file cannot be read, the error says why; otherwise the error is failure.
func readIgnore(path string, failure error) (glob.List, error) {
	text, err := readSmall(path)
	if err == nil || isGone(err) {
		err = failure
	}
	return glob.ParseList(text), err
}

// readSmall returns the text of the file at path. A file of more than mostIgnore bytes is an
// error.
func readSmall(path string) (string, error) {
	r, err := system.Open(path)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var text strings.Builder
	n, err := io.Copy(&text, io.LimitReader(r, mostIgnore+1))
	if n > mostIgnore {
		err = &fs.PathError{Op: "read", Path: path, Err: damage.Fact("ignore file of more than 1 MiB")}
	}
	if err != nil {
		return "", err
	}
	return text.String(), nil
}
