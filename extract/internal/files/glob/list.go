package glob

import "strings"

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
