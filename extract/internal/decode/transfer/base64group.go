package transfer

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
)

// This file examines characters one by one: those of a group that has other bytes in it, and
// those of a line that is to be classified.

// group decodes the group at the beginning of src if it is not whole: other bytes are
// between its characters, or it is padded or cut. It is one unit, from its first character
// to its last, or to its padding. Each iteration of the loop consumes a byte within
// groupSpan, or skips to the next line. It examines at most MaxUnit bytes in all.
func (b *Base64) group(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	var group uint32
	chars, end := 0, 0 // number of characters of the group, and the end of the last one
	junk := -1         // offset of the first byte that is not base64
scan:
	for i := 0; i < groupSpan; i++ {
		if i == len(src) {
			if !atEOF {
				return decode.Conversion{}, nil
			}
			break scan
		}
		switch class := base64Class[src[i]]; {
		case class&isSextet != 0:
			group = group<<6 | sextets[3][src[i]]&0x3F
			chars++
			end = i + 1
			if chars == 4 {
				b.wary = false
				return b.unit(dst, group, chars, end), b.damageAt(reportedByte, junk)
			}
			continue
		case class == isPad && chars > 1:
			end = i + 1
			if chars == 2 && end == len(src) && !atEOF {
				return decode.Conversion{}, nil
			}
			if chars == 2 && end < len(src) && src[end] == '=' {
				end++
			}
			b.wary = true
			return b.unit(dst, group, chars, end), b.damageAt(reportedByte, junk)
		case class == isEnd:
			next, more := nextBase64(src, i+1, atEOF)
			if more {
				return decode.Conversion{}, nil
			}
			if next > 0 {
				i = next - 1
				continue
			}
		case class == isBlank:
			continue
		case class == isJunk:
			if junk < 0 {
				junk = i
			}
			continue
		}
		break scan // a pad after only one character, or the end of a line
	}
	b.wary = false
	return b.unit(dst, group, chars, end), b.damageAt(reportedCut, 0)
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

// unit decodes a group of that many characters, which takes the first size bytes of the
// input. The bits of a cut group that make no whole byte are lost.
func (b *Base64) unit(dst []byte, bits uint32, chars, size int) decode.Conversion {
	bits <<= 32 - 6*chars // the first byte is the highest
	out := chars * 6 / 8
	for i := range out {
		dst[i] = byte(bits >> 24)
		bits <<= 8
	}
	if out > 0 {
		b.open = dst[out-1] != '\n'
	}
	return decode.Conversion{In: size, Out: out, InUnit: uint8(size), OutUnit: uint8(out)}
}

// Kinds of damage, each reported once.
const (
	reportedLine = 1 << iota
	reportedByte
	reportedCut
)

// reports has the message for each kind.
var reports = [...]string{
	reportedLine: "a line that is no base64", reportedByte: "a byte that is no base64", reportedCut: "a cut group",
}

// damageAt returns damage of that kind at src[at]. It returns nil if at is negative or the
// kind was reported before.
func (b *Base64) damageAt(kind uint8, at int) error {
	if at < 0 || b.reported&kind != 0 {
		return nil
	}
	b.reported |= kind
	return damage.Skipped(damage.StageBase64, int64(at), reports[kind])
}

// A base64Verdict is the result of judgeBase64 for a line.
type base64Verdict struct {
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
func judgeBase64(src []byte, wary, atEOF bool) (v base64Verdict) {
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
			return base64Verdict{junk: true}
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
			return base64Verdict{more: true}
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
