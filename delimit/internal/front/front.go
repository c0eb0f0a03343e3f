package front

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/window"
)

// What is in front of a colon: a scheme, or several.

// SchemeBefore returns where the scheme in front of Buf[i] begins: the longest run of
// scheme characters that begins with a letter. run is where the whole run of scheme
// characters begins. clipped says that the run is longer than a scheme may be.
func SchemeBefore(w *window.Window, i int) (lo, run int, clipped bool) {
	least := max(w.Floor, i-lex.MaxScheme)
	for lo = i; lo > least && lex.Roles[w.Buf[lo-1]].Has(lex.InScheme); {
		lo--
	}
	clipped = lo == i-lex.MaxScheme && lo > w.Floor && lex.Roles[w.Buf[lo-1]].Has(lex.InScheme)
	for run = lo; lo < i && !lex.Roles[w.Buf[lo]].Has(lex.Alpha); {
		lo++
	}
	if lo < i && (ColourBefore(w, lo+1) && !keepsLetter(w, lo, i) || escapeBefore(w, lo, least)) {
		lo++
		for run = lo; lo < i && !lex.Roles[w.Buf[lo]].Has(lex.Alpha); {
			lo++
		}
	}
	if ampersandBefore(w, lo, i) {
		lo += len(lex.EscapedAmp)
		for run = lo; lo < i && !lex.Roles[w.Buf[lo]].Has(lex.Alpha); {
			lo++
		}
	}
	return lo, run, clipped
}

// Outermost returns where the whole reference begins if a scheme begins at Buf[lo]: at lo, or at an
// earlier scheme that wraps this one (rule 22), as in jdbc:mysql://host/. It examines up to
// schemes.MaxWrapping schemes.
func Outermost(w *window.Window, lo int) int {
	at, k := lo, lo
	for n := 0; n < schemes.MaxWrapping && k-2 > w.Floor && w.Buf[k-1] == ':'; n++ {
		colon := k - 1
		k, _, _ = SchemeBefore(w, colon)
		if colon-k < 2 || lex.IsPrefix(w.Buf[k:colon]) {
			break
		}
		for j := k; j < colon; j++ { // at most lex.MaxScheme
			if (j == k || !lex.Roles[w.Buf[j-1]].Has(lex.Alnum)) && schemes.TraitsOf(w.Buf[j:colon])&schemes.Wraps != 0 {
				at = j
				break
			}
		}
	}
	return at
}

// ampersandBefore reports whether Buf[lo:i] begins with the letters of "\u0026", which
// means "&" (rule 12) and so is not part of a scheme.
func ampersandBefore(w *window.Window, lo, i int) bool {
	return lo > w.Floor && w.Buf[lo-1] == '\\' && bytes.HasPrefix(w.Buf[lo:i], lex.EscapedAmp)
}

// keepsLetter reports whether Buf[lo:i] is a scheme only with its first letter. That
// letter also ends an escape sequence without numbers, whose beginning may have been
// removed.
func keepsLetter(w *window.Window, lo, i int) bool {
	return w.Buf[lo-1] == '[' && schemes.Registered(w.Buf[lo:i]) && !schemes.Registered(w.Buf[lo+1:i])
}

// escapeBefore reports whether Buf[lo] is the last byte of "=3D": a "=" in quoted-printable
// that was not decoded, as in mail archives without headers. Without this check, "=3Dhttp:"
// would have the scheme "Dhttp".
func escapeBefore(w *window.Window, lo, least int) bool {
	return lo-2 >= least && w.Buf[lo] == 'D' && w.Buf[lo-1] == '3' && w.Buf[lo-2] == '='
}

// ColourBefore reports whether an escape sequence of a terminal (ESC [ numbers letter)
// ends directly in front of Buf[at], as with colours in logs. Its letter is not part of a
// scheme, with the exception in keepsLetter. It examines lex.MaxLead bytes.
func ColourBefore(w *window.Window, at int) bool {
	least := max(w.Floor, at-lex.MaxLead)
	k := at - 1
	for k > least && (lex.Roles[w.Buf[k-1]].Has(lex.Digit) || w.Buf[k-1] == ';') {
		k--
	}
	return k-2 >= least && w.Buf[k-1] == '[' && w.Buf[k-2] == 0x1B
}

// SlashesAt reports whether Buf[i:] begins with "//", or with `\/\/`, as JSON has it. There is a
// byte Buf[i]. The answer is More if the window ends before this is known, otherwise Yes.
func SlashesAt(w *window.Window, i int) (is bool, v lex.Answer) {
	b := w.Buf[i:w.End]
	want := "//"
	if b[0] == '\\' {
		want = `\/\/`
	}
	k := min(len(b), len(want))
	switch {
	case string(b[:k]) != want[:k]:
		return false, lex.Yes
	case k < len(want) && w.Err == nil:
		return false, lex.More
	}
	return k == len(want), lex.Yes
}
