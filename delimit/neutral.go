package delimit

import (
	"bytes"
)

// Text may be cut at a neutral place: two Scanners, one for the text in front of it and one for the
// text after it, find together what one Scanner finds in the whole. So several programs can read
// parts of one text, and need not know of each other. A neutral place is the beginning of a line.
// Across a line end only these things matter:
//
//   - a wrapper that is open there, or whose opener is directly in front of it (rules 8 and 11);
//   - the lines above and below a reference that is alone on its line (rule 25);
//   - with [Rejoin], a reference at the end of the line;
//   - with [Address], a header field that continues;
//   - what follows a reference that is nearly too long.
//
// A wrapper is open only if its mark is the last one of its kind in front of the place: a further
// "<" ends the search for its end, and so does a further quotation mark. So two marks are examined,
// by the function that reads wrappers.

// NeutralAfter is how many bytes after a place [Options.Neutral] may need.
const NeutralAfter = 4 << 10

// NeutralBefore returns how many bytes in front of a place [Options.Neutral] may need.
func (o *Options) NeutralBefore() int {
	return o.maxLen() + 4*maxLead + 2*lineReach
}

// Neutral reports whether text may be cut in front of text[at]. It examines up to NeutralBefore
// bytes in front of it, which are there unless the text begins later, and up to [NeutralAfter] bytes
// after it, which are there unless atEOF is set: then the text ends with them. It returns false if
// the bytes do not suffice.
func (o *Options) Neutral(text []byte, at int, atEOF bool) bool {
	switch {
	case at == 0:
		return true
	case text[at-1] != '\n':
		return false
	case atEOF && at == len(text):
		return true
	}
	if o.nearLimit(text[:at]) {
		return false
	}
	above := text[:at-1]
	above = bytes.TrimSuffix(above, []byte{'\r'})
	if len(above) == 0 || above[len(above)-1] == '\n' {
		return true // a blank line ends all of this
	}
	from := max(0, at-o.NeutralBefore())
	atEOF = atEOF && len(text) <= at+NeutralAfter
	text, at = text[from:min(len(text), at+NeutralAfter)], at-from
	whole := from == 0
	if len(text)-at < NeutralAfter && !atEOF {
		return false
	}
	switch {
	case o.Extras&Rejoin != 0 && rejoinable(text[:at]):
		return false
	case o.Extras&Address != 0 && roles[text[at]].has(blank):
		return false
	case o.Extras&Defanged != 0 && !roles[text[at-2]].has(alnum):
		return false
	}
	for _, mark := range [...]byte{'"', '<'} {
		if i := lastIndex(text[:at], mark); i >= 0 && o.mayCross(text, i, at, mark, whole, atEOF) {
			return false
		}
	}
	return aloneAlike(text, at)
}

// nearLimit reports whether text, without white space at its end, ends with a word that is nearly as long as a reference may
// be. Then it may depend on the bytes after it whether the word counts as too long.
func (o *Options) nearLimit(text []byte) bool {
	most := o.maxLen()
	least := max(most-2*maxLead, most/2)
	text = bytes.TrimRight(text, " \t\r\n")
	for n := 0; n < len(text); n++ { // at most least bytes
		if n == least {
			return true
		}
		if roles[text[len(text)-1-n]].has(white) {
			break
		}
	}
	return false
}

// maxLen returns MaxLen as a Scanner uses it.
func (o *Options) maxLen() int {
	if o.MaxLen <= 0 {
		return defaultMaxLen
	}
	return min(o.MaxLen, greatestLen)
}

// lastIndex is bytes.LastIndexByte, which examines each byte; lastIndex passes over stretches without c.
func lastIndex(s []byte, c byte) int {
	for end := len(s); end > 0; end -= 512 {
		from := max(0, end-512)
		if i := bytes.IndexByte(s[from:end], c); i >= 0 {
			return from + i + bytes.LastIndexByte(s[from+i:end], c)
		}
	}
	return -1
}

// mayCross reports whether the mark text[i], which is in front of text[at], may open a wrapper that ends after it.
// whole says that the text begins with text[0].
func (o *Options) mayCross(text []byte, i, at int, mark byte, whole, atEOF bool) bool {
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	if start == 0 && !whole {
		return true // the beginning of its line is not known
	}
	m := quotePrefixOf(text[start:min(i, start+headLen)])
	breaks := o.MaxBreaks
	if breaks <= 0 {
		breaks = defaultMaxBreaks
	}
	k := i + 1
	for range maxWrapping {
		next, _, v := gap(text, k, &m, atEOF)
		if v == no || next < len(text) && o.Extras == 0 && !roles[text[next]].has(alpha) {
			return false // no reference begins there
		}
		if e, v := enclose(text[k:], mark, &m, breaks, atEOF); v == more || v == yes && k+e.After > at {
			return true
		}
		colon := next + len("URL")
		if colon >= len(text) || text[colon] != ':' || !isPrefix(text[next:colon]) {
			return false
		}
		k = colon + 1
	}
	return true
}

// rejoinable reports whether the last line of text may end with a reference.
func rejoinable(text []byte) bool {
	line := bytes.TrimRight(text[max(0, len(text)-rejoinReach):], "\r\n")
	word := line[bytes.LastIndexAny(line, " \t\n")+1:]
	return len(word) == len(line) || bytes.ContainsAny(word, ":.@&%[(")
}

// aloneAlike reports whether it does not matter for references that are alone on their lines (rule 25) that
// text is cut in front of text[at]: no line there is alone, or each has a further one on its own side.
func aloneAlike(text []byte, at int) bool {
	above, below := lineAbove(text[:at]), lineBelow(text[at:])
	if len(below) > lineReach/2 && !bytes.ContainsAny(below[:lineReach/2], " \t") || len(bytes.TrimRight(above, " \t"))+maxLead < len(above) {
		return false // how much of them is examined depends on more than these lines
	}
	if a, b := isAlone(above), isAlone(below); !a || !b {
		return !a && !b
	}
	begin := bytes.LastIndexByte(text[:at-1], '\n') + 1
	end := at + bytes.IndexByte(text[at:], '\n') + 1
	if begin == 0 || end == at {
		return false
	}
	further := lineBelow(text[end:])
	return len(further) <= lineReach/2 && isAlone(lineAbove(text[:begin])) && isAlone(further)
}
