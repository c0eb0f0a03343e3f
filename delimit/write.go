package delimit

import (
	"bytes"
)

// Writing references into text, so that they are read back (Appendix E of 1997 and 2002).
//
// Plan: AppendWrapped chooses the places of the line breaks from the reference alone, and writes
// the reference. Then the functions of the scanner read that text. If they do not return the same
// reference, AppendWrapped writes it on one line. So no rule about quote prefixes and line breaks
// is stated twice.

// WrapOptions say how [AppendWrapped] writes a reference. The zero WrapOptions write
// <reference> on one line.
type WrapOptions struct {
	// Form is Angle or Bare; 0 means Angle. Quote is written as Angle: it cannot hold every
	// reference. A Bare reference is written without a wrapper if a reader finds it
	// anywhere in a text, between white space, and if it fits in the line; otherwise it is
	// written as Angle. See also [Survives].
	Form Form

	// Prefix asks for "URL:" after the opening bracket (1994, "PrePrefix"; 1997, Appendix E).
	// If Prefix is false, "URL:" is written only where a reader needs it: in front of relative
	// references, and of schemes that are not registered.
	Prefix bool

	Width  int    // the most bytes in a line; 0 means no line breaks
	Column int    // bytes in front of the reference in its first line, including a quote prefix
	Indent int    // blanks at the beginning of each further line, after Quote
	Quote  string // quote prefix of each further line, such as "> "; the first line has the same
	EOL    string // line break; "" means "\n"
}

var defaultRules rules

// AppendWrapped appends ref in brackets, or without them, to dst and returns the extended
// slice. Long references are broken over lines: after one of / ? & = # ; if possible, otherwise
// after a dot, otherwise elsewhere. They are never broken in an escape, in the scheme, or after
// a hyphen ("No whitespace should be introduced after a hyphen", Appendix E). A line that has
// no such place is longer than Width.
//
// A [Scanner] with default Options finds ref again, byte for byte, if ok is true. If ok is false,
// no way to write ref is read back, and ref is written on one line. ok is false if ref is empty or
// longer than 8 KiB, has white space, controls, a backslash or one of < > |, ends in brackets that
// are read as a label, or begins with a prefix "URL:", which a reader removes. ok is also false for
// a relative reference that has "://" in it, or that a reader does not recognise, such as "a@b" or
// "...".
//
// dst must not overlap ref. AppendWrapped does not allocate if dst has room for three times
// len(ref), and for each line the length of Quote, Indent and EOL.
func AppendWrapped(dst, ref []byte, o WrapOptions) (out []byte, ok bool) {
	var s matcher // only its options are used
	s.opts.MaxLen, s.opts.MaxBreaks = defaultMaxLen, defaultMaxBreaks
	if o.EOL == "" {
		o.EOL = "\n"
	}
	if o.Form == Bare && (o.Width == 0 || o.Column+len(ref) <= o.Width) && plainlyBare(ref) {
		return append(dst, ref...), true
	}
	set, ok := wrappable(ref)
	prefix := ""
	if o.Prefix || set == any {
		prefix, set = "URL:", any
	}
	start := len(dst)
	if ok && o.Width > 0 {
		dst = appendBroken(append(dst, '<'), prefix, ref, &o)
		dst = append(dst, '>')
		if s.readsBack(dst[start+1+len(prefix):], ref, set, &o) {
			return dst, true
		}
	}
	dst = append(append(append(dst[:start], '<'), prefix...), ref...)
	dst = append(dst, '>')
	return dst, ok && s.readsBack(dst[start+1+len(prefix):], ref, set, &o)
}

// wrappable reports whether a reader finds ref in brackets, and which schemes count there: if set
// is any, the reader finds ref only after a prefix.
func wrappable(ref []byte) (set schemeSet, ok bool) {
	if len(ref) > defaultMaxLen {
		return angled, false
	}
	for i, c := range ref {
		if c <= ' ' || c == 0x7F || c == '<' || c == '>' || c == '|' || c == '\\' ||
			c >= 0x80 && (spaceAt(ref[i:]) > 0 || bytes.HasPrefix(ref[i:], softHyphen)) {
			return angled, false
		}
	}
	n := schemeLen(ref)
	if n > 1 && traitsOf(ref[:n])&wraps != 0 && !wrapsPlainly(ref) {
		return any, false
	}
	if n > 1 && registered(ref[:n]) {
		if _, ok = defaultRules.begins(ref, angled); ok {
			return angled, true
		}
	}
	if n == 3 && isPrefix(ref[:n]) {
		return any, false
	}
	if n == 0 && bytes.Contains(ref, []byte("://")) {
		return any, false // a reader may search for the reference inside
	}
	_, ok = defaultRules.begins(ref, any)
	return any, ok || isRelative(ref)
}

// wrapsPlainly reports whether the reference inside ref (http://a/ in jar:http://a/) is found
// without a wrapper. A reader of the text would find the inner reference first.
func wrapsPlainly(ref []byte) bool {
	for range maxWrapping + 1 {
		n := schemeLen(ref)
		if n < 2 {
			return false
		}
		slashes := hasSlashes(ref[n:])
		if slashes && !registered(ref[:n]) && schemeAfterWord(ref[:n], 0) >= 0 {
			return false
		}
		if slashes || traitsOf(ref[:n])&(wraps|isRegistered) == isRegistered {
			if _, ok := defaultRules.begins(ref, usual); ok || slashes {
				return ok
			}
		}
		ref = ref[n+1:]
	}
	return false
}

// appendBroken appends prefix, and ref with line breaks. The closing bracket has to fit in the last
// one.
func appendBroken(dst []byte, prefix string, ref []byte, o *WrapOptions) []byte {
	dst = append(dst, prefix...)
	least := firstBreak(ref)
	room := o.Width - o.Column - len("<>") - len(prefix)
	between := len(o.Quote) + o.Indent + len(o.EOL)
	total := len(ref) // bytes of all pieces, and of what is written between them
	for n := 0; len(ref) > room && n < defaultMaxBreaks && total+between <= defaultMaxLen; n++ {
		at := breakAt(ref, least, room+len(">"))
		if at == len(ref) {
			break
		}
		dst = append(append(dst, ref[:at]...), o.EOL...)
		dst = append(dst, o.Quote...)
		for range o.Indent {
			dst = append(dst, ' ')
		}
		ref, total = ref[at:], total+between
		least, room = 1, o.Width-len(o.Quote)-o.Indent-len(">")
	}
	return append(dst, ref...)
}

// firstBreak returns the first place at which ref may be broken: after its scheme or schemes
// (jar:http:), the slashes and one more byte.
func firstBreak(ref []byte) int {
	n := 0
	for range maxWrapping + 1 {
		k := schemeLen(ref[n:])
		if k == 0 {
			break
		}
		n += k + 1
	}
	if n == 0 {
		return 1
	}
	for n < len(ref) && ref[n] == '/' {
		n++
	}
	return n + 1
}

// breakAt returns where to break ref so that its first piece has at most room bytes. It
// tries these places in turn: the last after a byte of breakAfter, the last after a dot
// (Appendix E breaks a host there: "<ftp://ds.internic." and "net/rfc/>"), the last that
// fits, the first that does not fit, and len(ref). The first piece has no fewer bytes than least.
// The scan back is not longer than the line, and the scan forward not longer than the piece that is
// then written.
func breakAt(ref []byte, least, room int) int {
	last, dot := 0, 0
	for i := min(room, len(ref)-1); i >= least; i-- {
		if !breaks(ref, i) {
			continue
		}
		if bytes.IndexByte(breakAfter, ref[i-1]) >= 0 {
			return i
		}
		if last = max(last, i); ref[i-1] == '.' {
			dot = max(dot, i)
		}
	}
	switch {
	case dot > 0:
		return dot
	case last > 0:
		return last
	}
	for i := max(least, room+1); i < len(ref); i++ {
		if breaks(ref, i) {
			return i
		}
	}
	return len(ref)
}

var breakAfter = []byte("/?&=#;")

// breaks reports whether a line may break in front of ref[i]. The next line must not begin
// with a mark of quotation, another reference, or the rest of a character.
func breaks(ref []byte, i int) bool {
	p, c := ref[i-1], ref[i]
	return p != '-' && p != '%' && (i < 2 || ref[i-2] != '%') && c != ':' &&
		(c < 0x80 || c >= 0xC0) && p < 0x80 && !startsAdjacent(ref[i:])
}

// plainlyBare reports whether ref is a reference that is found between white space in any
// text: an absolute one of a registered scheme with "//", without anything that could end
// it, begin another one, or belong to the sentence.
func plainlyBare(ref []byte) bool {
	n := schemeLen(ref)
	if n < 2 || len(ref) > defaultMaxLen || !registered(ref[:n]) || !hasSlashes(ref[n:]) {
		return false
	}
	if _, ok := defaultRules.begins(ref, usual); !ok {
		return false
	}
	rest := ref[n+len("://"):]
	if last := rest[len(rest)-1]; !roles[last].has(alnum) && last != '/' || !roles[rest[0]].has(alnum) {
		return false
	}
	for i, c := range rest {
		switch {
		case roles[c].has(alnum):
		case c == '%':
			if i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2]) {
				return false
			}
		case c == ':':
			if rest[i+1] == '/' {
				return false
			}
		case c == '&':
			if k := lower(rest[i+1]); k == 'l' || k == 'g' || k == 'q' || k == 'n' || k == 'a' || k == '#' {
				return false
			}
		case bytes.IndexByte(plainMarks, c) < 0:
			return false
		}
	}
	return true
}

var plainMarks = []byte("/?#=.-_~+@")

// Survives reports whether a [Scanner] with default Options finds the whole of ref, and
// nothing else, in a text that has ref between white space and without delimiters. A dot at the end
// of ref, a bracket or an apostrophe would be read as part of the sentence, and a relative
// reference would not be found.
func Survives(ref []byte) bool { return survives(newScanner(nil, Options{}, 0), ref) }

// survives is Survives in the memory of s, which is reset.
func survives(s *Scanner, ref []byte) bool {
	var c Candidate
	s.ResetBytes(ref)
	return s.Next(&c) == nil && len(c.Raw) == len(ref) && bytes.Equal(c.Ref, ref) && c.Form == Bare
}
