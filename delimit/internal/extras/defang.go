package extras

import "github.com/urlsift/urlsift/delimit/internal/lex"

// Defanged spellings, as in hxxp://evil[.]example: they keep readers from following a reference.

// spellings are the defanged spellings of characters.
var spellings = [...]struct{ as, is string }{
	{"[.]", "."}, {"(.)", "."}, {"{.}", "."}, {"[dot]", "."}, {"(dot)", "."}, {"{dot}", "."},
	{"[:]", ":"}, {"(:)", ":"}, {"[://]", "://"}, {"[/]", "/"}, {"[@]", "@"}, {"[at]", "@"}, {"(at)", "@"},
	{`\.`, "."},
}

// starts has the bytes that may be first in a defanged spelling, and those that may be second.
var starts = func() (t [2][256]bool) {
	for _, f := range spellings {
		t[0][f.as[0]], t[1][f.as[1]] = true, true
		if c := f.as[1]; lex.Roles[c].Has(lex.Alpha) {
			t[1][c-('a'-'A')] = true
		}
	}
	return t
}()

// Defanged returns the length of the defanged spelling that b begins with, or 0. b is not empty.
// short reports whether all of b could be the beginning of such a spelling.
func Defanged(b []byte) (n int, short bool) {
	if !starts[0][b[0]] || len(b) > 1 && !starts[1][b[1]] {
		return 0, false
	}
	return defangedSlow(b)
}

// defangedSlow is the rest of Defanged, for bytes with which a defanged spelling may begin.
func defangedSlow(b []byte) (n int, short bool) {
	for _, f := range spellings {
		k := min(len(b), len(f.as))
		switch {
		case b[0] != f.as[0] || !lex.FoldEqual(b[:k], f.as[:k]):
		case k < len(f.as):
			short = true
		default:
			return k, false
		}
	}
	return 0, short
}

// Original returns the text that the defanged spelling b stands for.
func Original(b []byte) string {
	for _, f := range spellings {
		if lex.FoldEqual(b, f.as) {
			return f.is
		}
	}
	return ""
}

// DefangedSchemes are the defanged spellings of schemes.
var DefangedSchemes = [...]struct{ As, is string }{
	{"hxxp", "http"}, {"hxxps", "https"}, {"hxtp", "http"}, {"hxtps", "https"}, {"htxp", "http"}, {"htxps", "https"},
	{"hxp", "http"}, {"hxps", "https"}, {"fxp", "ftp"}, {"fxps", "ftps"}, {"fxtp", "ftp"}, {"sfxp", "sftp"},
}

// Refang appends text to dst, with the original of each defanged spelling. If text has no such
// spelling, ok is false, and out has text unchanged.
func Refang(dst, text []byte) (out []byte, ok bool) {
	i := 0
	if n := lex.SchemeEnd(text); n > 0 {
		for _, d := range DefangedSchemes {
			if lex.FoldEqual(text[:n], d.As) {
				dst = append(dst, d.is...)
				i, ok = n, true
			}
		}
	}
	for i < len(text) { // at least one byte in each iteration
		if n, _ := Defanged(text[i:]); n > 0 {
			dst = append(dst, Original(text[i:i+n])...)
			i += n
			ok = true
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	return dst, ok
}
