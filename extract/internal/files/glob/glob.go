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
	"unicode/utf8"

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

// ErrBad is the error of an invalid glob: a bracket or brace is not closed, or nothing follows a
// '\'.
var ErrBad = doublestar.ErrBadPattern

// translate returns text, a glob, as package doublestar writes it:
//
//   - "a/**" matches what is below a, and not a itself;
//   - a class may begin with ']', have classes of POSIX, and does not match '/';
//   - braces, if they have no meaning, and a '}' that closes nothing are ordinary;
//   - of a text that is not UTF-8, each byte is a character. Then widened is true.
//
// It scans text once.
func translate(text string, braces bool) (pattern string, widened bool, err error) {
	if widened = !utf8.ValidString(text); widened {
		text = widen(text)
	}
	out, open := make([]byte, 0, len(text)+8), 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\\' && i+1 == len(text):
			return "", false, ErrBad
		case c == '\\':
			out = append(out, c, text[i+1])
			i += 2
			continue
		case c == '*':
			end := i + len(text[i:]) - len(strings.TrimLeft(text[i:], "*"))
			out = append(out, stars(text, i, end, braces)...)
			i = end
			continue
		case c == '[':
			n, ok := 0, false
			if out, n, ok = appendClass(out, text[i:]); !ok {
				return "", false, ErrBad
			}
			i += n
			continue
		case c == '{' && braces:
			open++
		case c == '}' && open > 0:
			open--
		case c == '{' || c == '}':
			out = append(out, '\\')
		}
		out = append(out, c)
		i++
	}
	if open > 0 {
		return "", false, ErrBad
	}
	return string(out), widened, nil
}

// stars returns the stars in text[from:end] as doublestar writes them.
func stars(text string, from, end int, braces bool) string {
	before, after := byte('/'), byte('/')
	if from > 0 {
		before = text[from-1]
	}
	if end < len(text) {
		after = text[end]
	}
	switch {
	case end-from == 1:
		return "*"
	case before == '/' && end == len(text):
		return "**/*"
	case before == '/' && after == '/', braces && (strings.IndexByte("/{,", before) >= 0 && strings.IndexByte("/},", after) >= 0):
		return "**"
	}
	return "*"
}

// posix has the classes of POSIX, as ranges of ASCII characters.
var posix = map[string]string{ // pairs of a first and a last character
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~",
	"lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// appendClass appends the class that text begins with, without '/', and returns its length
// in text.
func appendClass(out []byte, text string) (_ []byte, n int, ok bool) {
	i, start := 1, len(out)
	negated := strings.HasPrefix(text[i:], "!") || strings.HasPrefix(text[i:], "^")
	if out = append(out, '['); negated {
		out = append(out, '^')
		i++
	}
	items := len(out)
	for first := i; ; {
		switch {
		case i >= len(text):
			return out[:start], 0, false
		case text[i] == ']' && i > first:
			switch {
			case negated:
				out = append(out, '/')
			case len(out) == items: // '/' alone: nothing matches
				out = append(out, 0)
			}
			return append(out, ']'), i + 1, true
		}
		if name, rest, found := strings.Cut(text[i:], ":]"); found && strings.HasPrefix(name, "[:") && !strings.Contains(name, "]") {
			pairs := posix[name[2:]]
			if pairs == "" {
				return out[:start], 0, false
			}
			for ; pairs != ""; pairs = pairs[2:] {
				out = appendRange(out, rune(pairs[0]), rune(pairs[1]))
			}
			i = len(text) - len(rest)
			continue
		}
		low, n := character(text[i:])
		i += n
		high := low
		if len(text) > i+1 && text[i] == '-' && text[i+1] != ']' {
			high, n = character(text[i+1:])
			i += 1 + n
		}
		out = appendRange(out, low, max(low, high)) // git reads z-a as z
	}
}

// character returns the first character of text, and its length there.
func character(text string) (r rune, n int) {
	if text[0] == '\\' && len(text) > 1 {
		r, n = utf8.DecodeRuneInString(text[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(text)
}

// appendRange appends the characters from low to high without '/'.
func appendRange(out []byte, low, high rune) []byte {
	if low <= '/' && high >= '/' {
		if low < '/' {
			out = appendRange(out, low, '/'-1)
		}
		if high > '/' {
			out = appendRange(out, '/'+1, high)
		}
		return out
	}
	if out = appendCharacter(out, low); low == high {
		return out
	}
	return appendCharacter(append(out, '-'), high)
}

// appendCharacter appends r to a class, escaped if it would have a special meaning there.
func appendCharacter(out []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		out = append(out, '\\')
	}
	return utf8.AppendRune(out, r)
}

// widen returns text with each byte as a character.
func widen(text string) string {
	out := make([]rune, len(text))
	for i := range len(text) {
		out[i] = rune(text[i])
	}
	return string(out)
}

// A List has the rules of an ignore file, one for each line.
type List []line

type line struct {
	glob Glob
	keep bool // after '!': paths that it matches are not ignored
}

// ParseList returns the list of a .gitignore or .ignore. A line that is blank, a comment
// or no glob matches nothing, as in git. Spaces at the end of a line are not part of it,
// unless a '\' is in front.
func ParseList(text string) (l List) {
	text = strings.TrimPrefix(text, "\ufeff")
	for s := range strings.Lines(text) {
		s = trimSpaces(strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r"))
		if strings.HasPrefix(s, "#") {
			continue
		}
		s, keep := strings.CutPrefix(s, "!")
		if g, err := compile(s, false); err == nil {
			l = append(l, line{g, keep})
		}
	}
	return l
}

// trimSpaces returns s without the spaces at its end.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			i++
		}
		end = i + 1
	}
	return s[:min(end, len(s))]
}

// Decide reports whether the path is ignored. The last line that matches decides; if none
// does, decided is false.
func (l List) Decide(path string, dir bool) (ignored, decided bool) {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].glob.Match(path, dir) {
			return !l[i].keep, true
		}
	}
	return false, false
}
