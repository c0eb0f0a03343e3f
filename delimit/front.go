package delimit

import (
	"bytes"
)

// What is in front of a colon: a scheme, or several.

// schemeBefore returns where the scheme in front of Buf[i] begins: the longest run of
// scheme characters that begins with a letter. run is where the whole run of scheme
// characters begins. clipped says that the run is longer than a scheme may be.
func schemeBefore(w *window, i int) (lo, run int, clipped bool) {
	least := max(w.Floor, i-maxScheme)
	for lo = i; lo > least && roles[w.Buf[lo-1]].has(inScheme); {
		lo--
	}
	clipped = lo == i-maxScheme && lo > w.Floor && roles[w.Buf[lo-1]].has(inScheme)
	for run = lo; lo < i && !roles[w.Buf[lo]].has(alpha); {
		lo++
	}
	if lo < i && (colourBefore(w, lo+1) && !keepsLetter(w, lo, i) || escapeBefore(w, lo, least)) {
		lo++
		for run = lo; lo < i && !roles[w.Buf[lo]].has(alpha); {
			lo++
		}
	}
	if ampersandBefore(w, lo, i) {
		lo += len(escapedAmp)
		for run = lo; lo < i && !roles[w.Buf[lo]].has(alpha); {
			lo++
		}
	}
	return lo, run, clipped
}

// outermost returns where the whole reference begins if a scheme begins at Buf[lo]: at lo, or at an
// earlier scheme that wraps this one (rule 22), as in jdbc:mysql://host/. It examines up to
// maxWrapping schemes.
func outermost(w *window, lo int) int {
	at, k := lo, lo
	for n := 0; n < maxWrapping && k-2 > w.Floor && w.Buf[k-1] == ':'; n++ {
		colon := k - 1
		k, _, _ = schemeBefore(w, colon)
		if colon-k < 2 || isPrefix(w.Buf[k:colon]) {
			break
		}
		for j := k; j < colon; j++ { // at most maxScheme
			if (j == k || !roles[w.Buf[j-1]].has(alnum)) && traitsOf(w.Buf[j:colon])&wraps != 0 {
				at = j
				break
			}
		}
	}
	return at
}

// ampersandBefore reports whether Buf[lo:i] begins with the letters of "\u0026", which
// means "&" (rule 12) and so is not part of a scheme.
func ampersandBefore(w *window, lo, i int) bool {
	return lo > w.Floor && w.Buf[lo-1] == '\\' && bytes.HasPrefix(w.Buf[lo:i], escapedAmp)
}

// keepsLetter reports whether Buf[lo:i] is a scheme only with its first letter. That
// letter also ends an escape sequence without numbers, whose beginning may have been
// removed.
func keepsLetter(w *window, lo, i int) bool {
	return w.Buf[lo-1] == '[' && registered(w.Buf[lo:i]) && !registered(w.Buf[lo+1:i])
}

// escapeBefore reports whether Buf[lo] is the last byte of "=3D": a "=" in quoted-printable
// that was not decoded, as in mail archives without headers. Without this check, "=3Dhttp:"
// would have the scheme "Dhttp".
func escapeBefore(w *window, lo, least int) bool {
	return lo-2 >= least && w.Buf[lo] == 'D' && w.Buf[lo-1] == '3' && w.Buf[lo-2] == '='
}

// colourBefore reports whether an escape sequence of a terminal (ESC [ numbers letter)
// ends directly in front of Buf[at], as with colours in logs. Its letter is not part of a
// scheme, with the exception in keepsLetter. It examines maxLead bytes.
func colourBefore(w *window, at int) bool {
	least := max(w.Floor, at-maxLead)
	k := at - 1
	for k > least && (roles[w.Buf[k-1]].has(digit) || w.Buf[k-1] == ';') {
		k--
	}
	return k-2 >= least && w.Buf[k-1] == '[' && w.Buf[k-2] == 0x1B
}

// The search for the opener of a wrapper goes backwards from the reference.

// opener returns the opener in front of Buf[lo], ignoring white space between, and which
// mark it is: "<", a quotation mark, or 0 if there is none. It examines maxLead bytes.
func opener(w *window, lo int) (o int, mark byte) {
	least := max(w.Floor, lo-maxLead-1)
	k := spaceBefore(w.Buf, lo, least)
	if k == least {
		return 0, 0
	}
	switch w.Buf[k-1] {
	case '<', '"':
		if o, mark = openerAt(w, k-1, k == lo); mark != 0 {
			return o, mark
		}
	case '>', '|', ':': // a quote prefix ends with one of these
		return openerAbove(w, lo, least)
	}
	return 0, 0
}

// openerAt returns what Buf[o] opens. direct says that no white space follows it. A
// quotation mark in front of white space opens something only after white space or an
// opening bracket; after a word it closes something.
func openerAt(w *window, o int, direct bool) (int, byte) {
	switch w.Buf[o] {
	case '<':
		return o, '<'
	case '"':
		if direct || o == 0 {
			return o, '"'
		}
		if c := w.Buf[o-1]; roles[c].has(white) || c == '<' || partnerOf(c) != 0 {
			return o, '"'
		}
	}
	return 0, 0
}

// openerAbove searches for an opener at the end of the line above Buf[lo]. In front of Buf[lo] in
// its own line, there may be only the quote prefix that the opener's line has.
func openerAbove(w *window, lo, least int) (o int, mark byte) {
	k := least + bytes.LastIndexByte(w.Buf[least:lo], '\n') + 1
	if k == least || k == lo {
		return 0, 0
	}
	above := spaceBefore(w.Buf, k, least)
	if above == least {
		return 0, 0
	}
	if o, mark = openerAt(w, above-1, false); mark == 0 {
		return 0, 0
	}
	m := quotePrefixOf(w.lineHead(o))
	if n, ok, _ := m.strip(w.Buf[k:lo], true); !ok || k+n != lo {
		return 0, 0
	}
	return o, mark
}

// leads reports whether only white space and the quote prefixes of the opener's line are
// between the opener Buf[o] and Buf[lo].
func leads(w *window, o, lo int) bool {
	if o+1 == lo {
		return true
	}
	m := quotePrefixOf(w.lineHead(o))
	n, _, v := gap(w.Buf[:lo], o+1, &m, true)
	return v == yes && n == lo
}
