package glob

import (
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

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
	for first := i; ; { // an item of the class in each iteration
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
