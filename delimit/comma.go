package delimit

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/window"
)

// The reading AtComma (rule 16): in text that is no table, a comma may separate a reference
// from the next field of a record. It is offered if what follows the comma is no likely
// rest of a path or query:
//
//	http://a.example/x,2024-05-15     a date
//	http://a.example/x,200,512        a number
//	http://a.example/x,'y'            a quoted word
//	http://a.example/x,New York       a capitalised word and a blank
//	http://a.example/x,,y             nothing

// fieldFollows reports whether a field follows the first comma of t, a bare reference, at
// t[i]. next is the byte after t in the text, or 0.
func fieldFollows(t []byte, i int, next byte) bool {
	field := t[i+1:]
	end := bytes.IndexByte(field, ',')
	last := end < 0
	if !last {
		field = field[:end]
	}
	switch {
	case len(field) == 0:
		return !last
	case field[0] == '\'':
		return true
	case 'A' <= field[0] && field[0] <= 'Z':
		return last && lex.Roles[next].Has(lex.Blank) && isWord(field)
	}
	return isNumber(field) || isDate(field)
}

// atComma returns AtComma if t, the text of a bare reference, may end at its first comma t[i],
// and 0 if not. after is what follows t in the text; it is empty if t has a tail.
func atComma(rules schemes.Rules, t []byte, i int, after []byte, set schemes.SchemeSet) Reading {
	var next byte
	if len(after) > 0 {
		next = after[0]
	}
	if fieldFollows(t, i, next) {
		if _, ok := rules.Begins(t[:i], set); ok {
			return AtComma
		}
	}
	return 0
}

// isWord reports whether b consists of ASCII letters and bytes beyond ASCII.
func isWord(b []byte) bool {
	for _, c := range b {
		if !lex.Roles[c].Has(lex.Alpha) && c < 0x80 {
			return false
		}
	}
	return true
}

// isNumber reports whether b is a number: perhaps a sign, and digits that may have dots between
// them.
func isNumber(b []byte) bool {
	if b[0] == '-' || b[0] == '+' {
		b = b[1:]
	}
	for _, c := range b {
		if !lex.Roles[c].Has(lex.Digit) && c != '.' {
			return false
		}
	}
	return len(b) > 0 && lex.Roles[b[0]].Has(lex.Digit) && lex.Roles[b[len(b)-1]].Has(lex.Digit)
}

// isDate reports whether b is a date of three numbers, year first or last. A "T" and a time may
// follow the date.
func isDate(b []byte) bool {
	var sizes [3]int
	var mark byte
	n := 0
	for i, c := range b { // one byte in each iteration
		switch {
		case lex.Roles[c].Has(lex.Digit):
			sizes[n]++
			continue
		case n < 2 && sizes[n] > 0 && (c == '-' || c == '/' || c == '.') && (n == 0 || c == mark):
			mark = c
			n++
			continue
		}
		if c != 'T' || i+1 == len(b) || !lex.Roles[b[i+1]].Has(lex.Digit) {
			return false
		}
		break
	}
	first, last := sizes[0], sizes[2]
	if first > last {
		first, last = last, first
	}
	return n == 2 && 1 <= first && first <= 2 && 1 <= sizes[1] && sizes[1] <= 2 && (last == 4 || last == 2 && sizes[2] == 2)
}

// afterTail returns what follows a reference that ends at Buf[ref] with a tail up to Buf[end]:
// nothing if there is a tail.
func afterTail(w *window.Window, ref, end int) []byte {
	if ref < end {
		return nil
	}
	return w.Buf[end:w.End]
}
