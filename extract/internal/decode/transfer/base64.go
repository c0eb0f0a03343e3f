package transfer

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// The units of base64 are groups of 4 characters for 3 bytes. A Conversion has the groups of at most
// one line, so a Map has one mapping for each line. Nearly all lines consist of whole groups and
// take the fast path (Base64.clean), without which a mailbox of base64 takes 1.36 times the
// processor time. Any other line is classified by its beginning: it may be a
// footer that a mailing list appended, a rule of dashes, or a ">quote".
//
// A group may include line ends. It must be buffered as a whole: if its bytes are not
// within groupSpan, it is cut. If a line has lost characters, its last group would take
// some from the next line, the last group of that line from the line after it, and so on to
// the end of the text. But if all lines have the same length and only the last is shorter,
// a line of whole groups never follows an incomplete group. So the group in front of such a
// line is cut, and decoding is aligned with groups again.

// Base64 is a [decode.Decoder] of base64 (RFC 2045 section 6.8). White space is removed.
// Padding ends a group, not the text. Lines in the alphabet of RFC 4648 section 5 are
// decoded too. A line that is not base64 is copied or removed, as Text says. If a byte among
// the first 128 of a line is in neither alphabet, the line is not base64. Further on in a line,
// such bytes are skipped. A group that is cut gives the whole bytes that it has.
//
// Mild damage is reported once of each kind: a line that is not base64, a byte that is not
// base64 in a line that is, a group that is cut.
type Base64 struct {
	// Text means that the encoded data is text, so lines that are not base64 are worth
	// reading: they are copied, on lines of their own. Reset keeps it.
	Text bool

	line     lineState
	wary     bool // padding or junk came last, so the text may be at its end
	junk     bool // the last line was junk
	open     bool // the output ends with decoded bytes, not with a line end
	reported uint8
}

// A lineState is what src[0] belongs to.
type lineState uint8

const (
	lineStart lineState = iota
	lineGood
	lineJunk
)

// NewBase64 returns a Base64 whose Text is false.
func NewBase64() *Base64 { return new(Base64) }

// Reset returns b to its initial state. It keeps Text.
func (b *Base64) Reset() { *b = Base64{Text: b.Text} }

// Decode implements [decode.Decoder]. It examines at most MaxUnit bytes beside those that
// it converts, and has no loop of its own.
func (b *Base64) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	switch {
	case len(src) == 0:
		return decode.Conversion{}, nil
	case b.line == lineGood:
		return b.good(dst, src, atEOF)
	case b.line == lineJunk:
		return b.pass(dst, src), nil
	}
	if conv := b.clean(dst, src); conv.In > 0 {
		return conv, nil
	}
	return b.begin(dst, src, atEOF)
}

// begin is Decode at the beginning of a line that is not clean, or of white space.
func (b *Base64) begin(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	if n := base64Blank(src); n > 0 {
		return b.blank(dst, src[:n]), nil
	}
	if !b.wary && openBase64(src) {
		b.line, b.junk = lineGood, false
		return b.good(dst, src, atEOF)
	}
	v := judgeBase64(src, b.wary, atEOF)
	switch {
	case v.more:
		return decode.Conversion{}, nil
	case !v.junk:
		b.line, b.junk = lineGood, false
		return b.good(dst, src, atEOF)
	}
	b.line, b.junk, b.wary = lineJunk, true, true
	err := b.damageAt(reportedLine, 0)
	if b.Text && b.open {
		b.open = false
		return decode.Replace(dst, '\n', 0), err
	}
	return b.pass(dst, src), err
}

// DecodeBatch implements [decode.BatchDecoder]. A line of whole groups, with the line end
// in front of it, is one Conversion. Everything else is left to Decode.
func (b *Base64) DecodeBatch(m *decode.Map, dst, src []byte, atEOF bool) (in, out int, err error) {
	for len(dst)-out >= decode.MinRoom && in < len(src) {
		lead := 0
		if b.line == lineGood {
			lead = octet.LineEnd(src[in:])
		}
		var conv decode.Conversion
		switch {
		case b.line != lineStart && lead == 0:
			conv, err = b.Decode(dst[out:], src[in:], atEOF)
		case in+lead == len(src):
			b.line = lineStart
			conv = decode.Conversion{In: lead}
		default:
			if conv = b.clean(dst[out:], src[in+lead:]); conv.In > 0 {
				conv.In += lead
				break
			}
			b.line = lineStart
			conv, err = b.begin(dst[out:], src[in+lead:], atEOF)
			conv.In += lead
		}
		if e, ok := err.(*damage.Damage); ok {
			e.Offset += int64(in + lead)
		}
		m.Add(conv)
		in, out = in+conv.In, out+conv.Out
		if err != nil || conv.In == 0 && conv.Out == 0 {
			return in, out, err
		}
	}
	return in, out, nil
}

// clean decodes the first line of src if it consists of whole groups of the usual alphabet
// and has at most lineLook bytes. It does not consume the line end.
func (b *Base64) clean(dst, src []byte) decode.Conversion {
	in, out, all := base64Groups(dst, src[:min(len(src), lineLook)])
	if in == 0 || all&sextetURL != 0 || len(src)-in < 2 ||
		src[in] != '\n' && (src[in] != '\r' || src[in+1] != '\n') {
		return decode.Conversion{}
	}
	b.line, b.junk, b.wary = lineGood, false, false
	b.open = dst[out-1] != '\n'
	return decode.Conversion{In: in, Out: out, InUnit: 4, OutUnit: 3}
}

// blank removes white space in front of a line. After junk that was copied, white space is
// copied too, so that paragraphs stay apart.
func (b *Base64) blank(dst, space []byte) decode.Conversion {
	if b.Text && b.junk {
		return decode.Copy(dst, space)
	}
	return decode.Conversion{In: len(space)}
}

// pass copies or removes a stretch of a junk line.
func (b *Base64) pass(dst, src []byte) decode.Conversion {
	n := len(src)
	if b.Text {
		n = min(n, len(dst))
	}
	if i := bytes.IndexByte(src[:n], '\n'); i >= 0 {
		n = i + 1
		b.line = lineStart
	}
	if !b.Text {
		return decode.Conversion{In: n}
	}
	return decode.Copy(dst, src[:n])
}

// good converts a stretch of a line of base64: what is between groups, or whole groups, or
// one group that is cut or has other bytes in it.
func (b *Base64) good(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	var err error
	n := 0
	for ; n < len(src) && base64Class[src[n]]&isSextet == 0; n++ {
		switch base64Class[src[n]] {
		case isPad:
			b.wary = true
		case isEnd:
			b.line = lineStart
			return decode.Conversion{In: n + 1}, err
		case isJunk:
			if err == nil {
				err = b.damageAt(reportedByte, n)
			}
		}
	}
	if n > 0 {
		return decode.Conversion{In: n}, err
	}
	if in, out, _ := base64Groups(dst, src); in > 0 {
		b.wary = false
		b.open = dst[out-1] != '\n'
		return decode.Conversion{In: in, Out: out, InUnit: 4, OutUnit: 3}, nil
	}
	return b.group(dst, src, atEOF)
}

// group decodes the group at the beginning of src if it is not whole: other bytes are between its
// characters, or it is padded or cut. A group is one unit, from its first character to its last, or
// to its padding. Each iteration of the loop consumes a byte within groupSpan, or skips to the next
// line. group examines at most MaxUnit bytes in all.
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

// Many characters are examined at once: usual characters by arithmetic on words of eight
// bytes, whole groups by tables.

// usualBase64 returns how many bytes at the beginning of src are letters, digits, '+' or '/'.
// It examines whole words of eight bytes, so up to seven bytes at the end of src do not count.
// Each iteration compares a word by arithmetic. An ASCII byte carries nothing into the next
// byte; any other byte can make only the results for later bytes wrong.
func usualBase64(src []byte) (n int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(src); n += 8 {
		w := binary.LittleEndian.Uint64(src[n:])
		low := w | 0x20*ones
		letter := (low + (0x80-'a')*ones) &^ (low + (0x7F-'z')*ones)
		digit := (w + (0x80-'/')*ones) &^ (w + (0x7F-'9')*ones) // and '/'
		plus := 0x80*ones - (w ^ '+'*ones)
		if not := highs &^ ((letter | digit | plus) &^ w); not != 0 {
			return n + bits.TrailingZeros64(not)/8
		}
	}
	return n
}

// base64Groups decodes whole groups at the beginning of src, as long as dst has at least one
// byte more than their output. The first out bytes of dst are the output; the bytes after
// them may be overwritten. all has the marks of all characters.
func base64Groups(dst, src []byte) (in, out int, all uint32) {
	t := &sextets
	d := dst
	for len(src)-in >= 8 && len(d) >= 8 { // two at once
		s := src[in : in+8 : in+8]
		x := t[0][s[0]] | t[1][s[1]] | t[2][s[2]] | t[3][s[3]]
		y := t[0][s[4]] | t[1][s[5]] | t[2][s[6]] | t[3][s[7]]
		if (x|y)&sextetNone != 0 {
			break
		}
		binary.BigEndian.PutUint64(d, uint64(x)<<40|uint64(y&0xFFFFFF)<<16)
		all |= x | y
		in += 8
		d = d[6:]
	}
	for len(src)-in >= 4 && len(d) >= 4 {
		s := src[in : in+4 : in+4]
		x := t[0][s[0]] | t[1][s[1]] | t[2][s[2]] | t[3][s[3]]
		if x&sextetNone != 0 {
			break
		}
		binary.BigEndian.PutUint32(d, x<<8)
		all |= x
		in += 4
		d = d[3:]
	}
	return in, len(dst) - len(d), all
}

// Classes of bytes, as bits that can be combined.
const (
	isWord  = 1 << iota // letters and digits, of both alphabets
	isUsual             // '+' and '/', of RFC 2045
	isURL               // '-' and '_', which only the alphabet of RFC 4648, section 5, has
	isPad
	isBlank
	isEnd
	isJunk

	isSextet = isWord | isUsual | isURL
)

// Marks in sextets, above the 24 bits of a group.
const (
	sextetNone = 1 << 31 // no character of an alphabet
	sextetURL  = 1 << 30 // '-' or '_', which only the alphabet of RFC 4648, section 5, has
)

// base64Class has the class of each byte. sextets has the value of each character at each of
// the four places of a group, shifted to that place.
var base64Class, sextets = func() (class [256]uint8, value [4][256]uint32) {
	const usual, url = "+/", "-_"
	for c := range 256 {
		class[c] = isJunk
		for i := range value {
			value[i][c] = sextetNone
		}
	}
	for _, c := range " \t\r\v\f" {
		class[c] = isBlank
	}
	class['\n'], class['='] = isEnd, isPad
	set := func(c byte, v int, k uint8, mark uint32) {
		class[c] = k
		for i := range value {
			value[i][c] = uint32(v)<<(18-6*i) | mark
		}
	}
	for i := range 26 {
		set('A'+byte(i), i, isWord, 0)
		set('a'+byte(i), 26+i, isWord, 0)
	}
	for i := range 10 {
		set('0'+byte(i), 52+i, isWord, 0)
	}
	for i := range 2 {
		set(usual[i], 62+i, isUsual, 0)
		set(url[i], 62+i, isURL, sextetURL)
	}
	return class, value
}()

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
