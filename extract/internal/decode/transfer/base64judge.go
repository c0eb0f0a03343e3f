package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
)

// In this file the characters of a line are examined one by one, to decide whether the line is
// base64.

// lineLook is how many bytes of a line are examined to classify it. Of a longer line, the
// rest is ignored.
const lineLook = 128

// groupSpan is the most source bytes of one group. MaxUnit bytes hold a group and the part of
// its last line that is examined.
const groupSpan = decode.MaxUnit - lineLook

// A lineCheck is what judgeBase64 finds out about a line.
type lineCheck struct {
	more  bool // more input is needed
	junk  bool // it is not base64
	whole bool // its end is within the bytes examined, and its characters are whole groups
}

// judgeBase64 decides by its first lineLook bytes whether the first line of src is base64. src
// does not begin with white space. These lines are not base64:
//
//   - a line with a byte of neither alphabet, or with characters that only one alphabet has
//     and others that only the other has;
//   - a line of which more than half is '-', '_' and '=' (a rule, the dashes of a
//     signature), where one or two '=' are padding and do not count;
//   - if wary is set, a line with blanks between words, or one that does not consist of
//     whole groups, unless it is padding that was wrapped.
func judgeBase64(src []byte, wary, atEOF bool) (v lineCheck) {
	window := src[:min(len(src), lineLook)]
	usual := usualBase64(window)
	chars, url, pads := usual, 0, 0 // numbers of characters: all, of the URL alphabet only, pads
	seen, ended := uint8(0), false  // classes after the usual characters, and whether the line ended
	gap := lineLook                 // number of characters in front of the first blank
scan:
	for _, c := range window[usual:] {
		class := base64Class[c]
		seen |= class
		switch {
		case class&(isWord|isUsual) != 0:
			chars++
		case class == isEnd:
			ended = true
			break scan
		case class == isJunk:
			return lineCheck{junk: true}
		case class == isBlank:
			gap = min(gap, chars)
		case class == isURL:
			chars++
			url++
		default:
			chars++
			pads++
		}
	}
	// If the end of a line is not within the bytes examined, its number of characters is
	// unknown.
	if !ended && len(window) < lineLook {
		if !atEOF {
			return lineCheck{more: true}
		}
		ended = true
	}
	rule := url // number of characters of which rules consist
	if pads > 2 {
		rule += pads
	}
	v.whole = ended && chars%4 == 0
	switch {
	case ended && chars == pads && pads <= 2: // padding that was wrapped
	case url > 0 && (seen&isUsual != 0 || bytes.ContainsAny(window[:usual], "+/")), rule > chars/2:
		v.junk = true
	case wary:
		v.junk = gap < chars || ended && !v.whole
	}
	return v
}

// openBase64 reports whether src begins with a line of a few characters of the usual
// alphabet that make no whole groups. Unless wary is set, such a line is base64.
func openBase64(src []byte) bool {
	n := 0
	for n < min(8, len(src)) && base64Class[src[n]]&(isWord|isUsual) != 0 {
		n++
	}
	return n&3 != 0 && n < len(src) && src[n] == '\n'
}

// base64Blank returns the length of the white space at the beginning of src.
func base64Blank(src []byte) (n int) {
	for n < len(src) && base64Class[src[n]]&(isBlank|isEnd) != 0 {
		n++
	}
	return n
}

// nextBase64 returns the offset in src of the line on which an open group continues, or 0 if
// the group is cut. src[:at] ends with a line end. Blank lines are skipped; the end of the
// input is treated as a line.
func nextBase64(src []byte, at int, atEOF bool) (next int, more bool) {
	if at < groupSpan && openBase64(src[at:]) {
		return at, false
	}
	next = at + base64Blank(src[at:min(len(src), groupSpan)])
	if next == groupSpan {
		return 0, false // the line is beyond groupSpan
	}
	if next == len(src) {
		return next, false
	}
	v := judgeBase64(src[next:], false, atEOF)
	if v.junk || v.whole {
		return 0, false
	}
	return next, v.more
}
