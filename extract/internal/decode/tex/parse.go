package tex

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// This file parses names, arguments and escapes. All lookahead is bounded: maxName for a name,
// decode.MaxAhead for an argument. An argument ends at the next command that has an argument,
// so a row of commands that are not closed is examined once.

const (
	maxName  = 64 // bytes of a command, or of a field name with the blanks after it
	maxDepth = 3  // nested braces in an argument
)

// An answer is the result of a function that examines source.
type answer uint8

const (
	no   answer = iota
	yes         // found
	more        // more source is needed
)

// isReference reports whether the argument of the command with that name is a reference.
func isReference(name []byte) bool {
	switch string(name) {
	case "url", "href", "path", "nolinkurl":
		return true
	}
	return false
}

// nameOf returns the name of the command at the beginning of s: letters, or one other
// character; "" if there is none. ok is false if s is too short.
func nameOf(s []byte, atEOF bool) (name []byte, ok bool) {
	n := 1
	for n < len(s) && n < maxName && octet.IsLetter(s[n]) {
		n++
	}
	if n == len(s) && n < maxName && !atEOF {
		return nil, false
	}
	if n == 1 && n < len(s) {
		n++
	}
	return s[1:n], true
}

// argument returns the bounds lo and hi of the argument in braces that follows s[:i],
// after blanks and, if options is set, after options in square brackets. end is after the
// brace.
func argument(s []byte, i int, options, atEOF bool) (lo, hi, end int, v answer) {
	i = passBlanks(s, i)
	if options && i < len(s) && s[i] == '[' {
		k := bytes.IndexByte(s[i:min(len(s), i+maxName)], ']')
		if k < 0 {
			return 0, 0, 0, unlessShort(len(s) < i+maxName, atEOF)
		}
		i = passBlanks(s, i+k+1)
	}
	if i >= len(s) {
		return 0, 0, 0, unlessShort(i <= maxName, atEOF)
	}
	if s[i] != '{' {
		return 0, 0, 0, no
	}
	return closed(s, i+1, '}', atEOF)
}

// value returns the bounds of the value of a field. s begins with the "=".
func value(s []byte, atEOF bool) (lo, hi, end int, v answer) {
	i := passBlanks(s, 1)
	if i >= len(s) {
		return 0, 0, 0, unlessShort(i <= maxName, atEOF)
	}
	switch s[i] {
	case '"':
		return closed(s, i+1, '"', atEOF)
	case '{':
		lo, hi, end, v = closed(s, i+1, '}', atEOF)
		if v == yes && hi-lo > 2 && s[lo] == '{' && s[hi-1] == '}' {
			lo, hi = lo+1, hi-1
		}
		return lo, hi, end, v
	}
	return 0, 0, 0, no
}

// passBlanks returns the index after the white space at s[i], of which it skips at most maxName
// bytes.
func passBlanks(s []byte, i int) int {
	for most := i + maxName; i < len(s) && i < most && octet.IsSpace(s[i]); {
		i++
	}
	return i
}

// unlessShort returns more if nothing was found because the source is too short,
// otherwise no.
func unlessShort(short, atEOF bool) answer {
	if short && !atEOF {
		return more
	}
	return no
}

// closed returns the bounds of the text from s[lo] to the closing mark.
func closed(s []byte, lo int, closer byte, atEOF bool) (from, hi, end int, v answer) {
	b := s[:min(len(s), decode.MaxAhead)]
	depth, lines := 0, 0
	for i := lo; i < len(b); i++ { // at least one byte in each iteration
		switch c := b[i]; {
		case c == '\\':
			if i+1 == len(b) {
				break
			}
			name, ok := nameOf(b[i:], true)
			if ok && isReference(name) {
				return 0, 0, 0, no
			}
			i++
			lines = 0
		case c == closer && depth == 0:
			return lo, i, i + 1, yes
		case c == '{':
			if depth++; depth > maxDepth {
				return 0, 0, 0, no
			}
			lines = 0
		case c == '}':
			if depth--; depth < 0 {
				return 0, 0, 0, no
			}
			lines = 0
		case c == '\n':
			if lines++; lines > 1 {
				return 0, 0, 0, no
			}
		case !octet.IsSpace(c):
			lines = 0
		}
	}
	return 0, 0, 0, unlessShort(len(b) < decode.MaxAhead, atEOF)
}

// characters maps commands to the character that they represent.
var characters = map[string]string{
	"&": "&", "#": "#", "_": "_", "%": "%", "$": "$", "{": "{", "}": "}", "~": "~", "^": "^",
	",": " ", ";": " ", ":": " ", " ": " ", "\t": " ", "\n": "\n", `\`: " ", "-": "", "/": "",
	"textasciitilde": "~", "textasciicircum": "^", "textunderscore": "_", "textbackslash": `\`, "textbar": "|",
	"textless": "<", "textgreater": ">", "textdollar": "$", "textquotesingle": "'", "slash": "/", "lbrace": "{", "rbrace": "}",
	"allowbreak": "", "string": "", "protect": "",
}

// escape returns the length of the command with that name at the beginning of s, and the
// character that it represents. After a name of letters, "{}" or one space belongs to the command.
// After \~ and \^, "{}" does; without it, \^ is an accent and no escape.
func escape(s, name []byte, atEOF bool) (n int, text string, v answer) {
	text, ok := characters[string(name)]
	if !ok {
		return 0, "", no
	}
	n = 1 + len(name)
	letters := octet.IsLetter(name[0])
	if !letters && name[0] != '~' && name[0] != '^' || string(name) == "string" || string(name) == "protect" {
		return n, text, yes
	}
	if len(s) < n+2 && !atEOF && (len(s) == n || s[n] == '{' || s[n] == ' ') {
		return 0, "", more
	}
	switch {
	case len(s) >= n+2 && s[n] == '{' && s[n+1] == '}':
		n += 2
	case name[0] == '^':
		return 0, "", no // an accent
	case letters && n < len(s) && s[n] == ' ':
		n++
	}
	return n, text, yes
}

// appendValue appends raw with its escapes decoded, without white space, without comments
// at line ends, and without the braces around a single escape.
func appendValue(dst, raw []byte) []byte {
	for i := 0; i < len(raw); { // at least one byte in each iteration
		c := raw[i]
		switch {
		case octet.IsSpace(c):
			i++
			continue
		case c == '%' && i+1 < len(raw) && (raw[i+1] == '\n' || raw[i+1] == '\r'):
			i += 2
			continue
		case c == '\\':
			name, _ := nameOf(raw[i:], true)
			if string(name) == `\` {
				break
			}
			n, text, v := escape(raw[i:], name, true)
			if v == yes {
				braced := len(dst) > 0 && dst[len(dst)-1] == '{' && i > 0 && raw[i-1] == '{' && i+n < len(raw) && raw[i+n] == '}'
				if i += n; braced {
					dst = dst[:len(dst)-1]
					i++
				}
				dst = append(dst, text...)
				continue
			}
		}
		dst = append(dst, c)
		i++
	}
	return dst
}
