package delimit

import "bytes"

// What is in front of a colon: a scheme, or several.

// schemeBefore returns where the scheme in front of buf[i] begins: the longest run of
// scheme characters that begins with a letter. run is where the run of possible
// characters begins. clipped says that the run is longer than a scheme may be.
func schemeBefore(w *window, i int) (lo, run int, clipped bool) {
	least := max(w.floor, i-maxScheme)
	for lo = i; lo > least && roles[w.buf[lo-1]].has(inScheme); {
		lo--
	}
	clipped = lo == i-maxScheme && lo > w.floor && roles[w.buf[lo-1]].has(inScheme)
	for run = lo; lo < i && !roles[w.buf[lo]].has(alpha); {
		lo++
	}
	if lo < i && (colourBefore(w, lo+1) && !keepsLetter(w, lo, i) || escapeBefore(w, lo, least)) {
		lo++
		for run = lo; lo < i && !roles[w.buf[lo]].has(alpha); {
			lo++
		}
	}
	if ampersandBefore(w, lo, i) {
		lo += len(escapedAmp)
		for run = lo; lo < i && !roles[w.buf[lo]].has(alpha); {
			lo++
		}
	}
	return lo, run, clipped
}

// outermost returns where the reference begins whose scheme begins at buf[lo]: there, or
// at a scheme that wraps it (rule 22), as in jdbc:mysql://host/. It examines up to
// maxWrapping schemes.
func outermost(w *window, lo int) int {
	at, k := lo, lo
	for n := 0; n < maxWrapping && k-2 > w.floor && w.buf[k-1] == ':'; n++ {
		colon := k - 1
		k, _, _ = schemeBefore(w, colon)
		if colon-k < 2 || isPrefix(w.buf[k:colon]) {
			break
		}
		for j := k; j < colon; j++ { // at most maxScheme
			if (j == k || !roles[w.buf[j-1]].has(alnum)) && traitsOf(w.buf[j:colon])&wraps != 0 {
				at = j
				break
			}
		}
	}
	return at
}

// ampersandBefore reports whether buf[lo:i] begins with the letters of "\u0026", which
// means "&" (rule 12) and so is not part of a scheme.
func ampersandBefore(w *window, lo, i int) bool {
	return lo > w.floor && w.buf[lo-1] == '\\' && bytes.HasPrefix(w.buf[lo:i], escapedAmp)
}

// keepsLetter reports whether buf[lo:i] is a scheme only with its first letter. That
// letter also ends an escape sequence without numbers, whose beginning may have been
// removed.
func keepsLetter(w *window, lo, i int) bool {
	return w.buf[lo-1] == '[' && registered(w.buf[lo:i]) && !registered(w.buf[lo+1:i])
}

// escapeBefore reports whether buf[lo] ends "=3D": a "=" in quoted-printable that was not
// decoded, as in mail archives without headers. (dhttp is a scheme.)
func escapeBefore(w *window, lo, least int) bool {
	return lo-2 >= least && w.buf[lo] == 'D' && w.buf[lo-1] == '3' && w.buf[lo-2] == '='
}

// colourBefore reports whether an escape sequence of a terminal (ESC [ numbers letter)
// ends directly in front of buf[at], as with colours in logs. Its letter is not part of a
// scheme, with the exception in keepsLetter. It examines maxLead bytes.
func colourBefore(w *window, at int) bool {
	least := max(w.floor, at-maxLead)
	k := at - 1
	for k > least && (roles[w.buf[k-1]].has(digit) || w.buf[k-1] == ';') {
		k--
	}
	return k-2 >= least && w.buf[k-1] == '[' && w.buf[k-2] == 0x1B
}

// slashesAt reports whether buf[i:] begins with "//", or with `\/\/`, as JSON has it.
func slashesAt(w *window, i int) (is bool, v verdict) {
	b := w.buf[i:w.end]
	want := "//"
	if b[0] == '\\' {
		want = `\/\/`
	}
	k := min(len(b), len(want))
	switch {
	case string(b[:k]) != want[:k]:
		return false, yes
	case k < len(want) && w.err == nil:
		return false, more
	}
	return k == len(want), yes
}
