// Package glob compares paths with globs, as ripgrep and git read them.
//
//	g, err := glob.Parse("src/**/*.{md,txt}")
//	g.Match("src/a/b.md", false) // true
//
//	list := glob.ParseList(text) // of a .gitignore
//	ignored, decided := list.Decide("build", true)
//
// A path is relative to the directory that the globs belong to, and its elements are
// separated by '/'.
//
// # Globs
//
//   - '*' matches any characters but '/', '?' one of them, and [a-z] one of a class.
//     [!a-z] and [^a-z] match one that is not in the class, and never '/'.
//   - "**" as a whole element matches any number of elements, also none; at the end, at
//     least one. Elsewhere it is '*'.
//   - {a,b} matches what one of the two matches. In ignore files it has no meaning.
//   - '\' makes the next character an ordinary one.
//   - A glob with a '/' at its beginning or in it matches a whole path, any other one the
//     last element of a path. With a '/' at the end it matches directories alone.
//
// Package doublestar does the matching. What it reads differently from git is rewritten
// before: see translate.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A Glob is one glob. The zero value matches nothing.
type Glob struct {
	pattern string // for doublestar if kind is special; otherwise as written, but without the '*' of ending
	kind    kind
	name    bool // it is compared with the last element of a path
	dirs    bool // it matches directories alone
	bytes   bool // each byte of pattern is one character, because the glob is not UTF-8
}

// A kind says how a Glob matches.
type kind uint8

const (
	never   kind = iota
	whole        // the pattern has no special characters
	ending       // the name ends with the pattern, which has no special characters
	special      // doublestar is asked
)

// Parse returns the glob in text. A "./" at its beginning is the same as '/'.
func Parse(text string) (Glob, error) {
	for strings.HasPrefix(text, "./") { // two bytes less with each
		if text = text[2:]; !strings.HasPrefix(text, "./") {
			text = "/" + text
		}
	}
	return compile(text, true)
}

// compile returns the glob of text, with or without braces.
func compile(text string, braces bool) (g Glob, err error) {
	text, g.dirs = strings.CutSuffix(text, "/")
	g.name = !strings.Contains(text, "/")
	if text = strings.TrimPrefix(text, "/"); text == "" {
		return Glob{}, ErrBad
	}
	specials := `*?[\`
	if braces {
		specials += "{"
	}
	switch i := strings.LastIndexAny(text, specials); {
	case i < 0:
		g.kind, g.pattern = whole, text
	case i == 0 && text[0] == '*' && g.name:
		g.kind, g.pattern = ending, text[1:]
	default:
		g.kind = special
		g.pattern, g.bytes, err = translate(text, braces)
	}
	if err != nil {
		return Glob{}, err
	}
	return g, nil
}

// Match reports whether g matches path, which is a directory or not.
func (g *Glob) Match(path string, dir bool) bool {
	if g.dirs && !dir {
		return false
	}
	if g.name {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	switch g.kind {
	case whole:
		return path == g.pattern
	case ending:
		return strings.HasSuffix(path, g.pattern)
	case special:
		if g.bytes {
			path = widen(path)
		}
		return doublestar.MatchUnvalidated(g.pattern, path)
	}
	return false
}

// HasSlash reports whether g is compared with whole paths.
func (g *Glob) HasSlash() bool { return !g.name }
