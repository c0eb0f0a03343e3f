package html

import (
	"bytes"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// The lexer is a state machine over bytes that never holds a token. Text, comments, tags and
// values of any length go through it in pieces. The states in which bytes become text share
// one function, stretch, and the states inside a tag share another, markup; both return a
// Conversion for a stretch at the beginning of src. Lookahead is bounded: 34 bytes of the name of a
// tag, 34 of a character reference, 64 of a value that may be a refresh, and MaxValue bytes of
// a value that holds references. Only such values are kept.
//
// The cost of a byte is constant: each state looks ahead within these bounds, and then consumes a
// byte before it looks ahead again.

// A Decoder is a [decode.Decoder] from HTML to plain text; the package comment says what
// becomes of each construct. [New] makes one; the zero Decoder cannot be used.
type Decoder struct {
	// Sink is called with each reference in an attribute, in order, by the Read of the link. All
	// text in front of the attribute was returned by earlier Reads. If Sink is nil, the values are
	// dropped. If Sink returns [decode.ErrYield], Read returns and continues with the next call.
	// Any other error ends the reading, and Read returns it.
	Sink func(decode.Attr) error

	// XML means that the document is XML of any kind. Then an attribute that holds no
	// reference in HTML may hold one, and the base that an attribute xml:base declares ends with
	// its element: see [decode.Attr].Ends.
	XML bool

	// Identifiers means that the names of namespaces (xmlns) and the identifiers of a
	// document type are text. Otherwise they are dropped: they name a language, and the
	// document does not refer to them.
	Identifiers bool

	// MaxValue is the limit of a value that holds references, in bytes of source; 0 means
	// 8192. A longer value is dropped whole and counted. Change it only before the first
	// Decode.
	MaxValue int

	state state
	pos   int64 // offset of src[0] in the input

	tag   tag
	attr  attribute
	quote byte  // around the value, or in a document type; 0 for none
	value value // of the attribute, if it holds references

	depth int   // of open elements, in XML
	bases []int // depths of those with a base of their own, at most maxBases

	clear   bool       // all text was returned by earlier Reads
	names   htmlTables // shared by all Decoders
	refs    refCache
	skipped [2]int64 // values that were too long or cut off, and their bytes
}

// A tag is the tag that is being read, or the last one.
type tag struct {
	info  *tagInfo // of its name; in raw text, of the element around it
	end   bool     // it is an end tag
	slash bool     // its last byte was '/'
	base  bool     // its xml:base was handed over
}

// An attribute is the attribute that is being read.
type attribute struct {
	bytes [nameCap]byte // its name
	named int           // length of the name, at most nameCap+1, which means that it was too long
	info  *attrInfo     // of its name
}

// name returns the name, or its beginning if it was too long.
func (a *attribute) name() []byte { return a.bytes[:min(a.named, nameCap)] }

// New returns a Decoder with the given sink.
func New(sink func(decode.Attr) error) *Decoder { return &Decoder{Sink: sink, names: htmlNames()} }

// Skipped returns how many values were longer than MaxValue since the last Reset, and how
// many bytes they had, with the closing quote.
func (h *Decoder) Skipped() (values, bytes int64) { return h.skipped[0], h.skipped[1] }

// A state is what the next byte belongs to.
type state uint8

const (
	inText    state = iota // running text
	inRCData               // text of an element that holds no other: title, textarea
	inRaw                  // the same without character references: script, style
	inRest                 // the same up to the end of the document: plaintext
	inComment              // after "<!--"
	inDecl                 // after "<!" or "<?"
	inWords                // a value that is text
	textStates

	inTag     = iota - 1 // the name of a tag
	inBetween            // between attributes
	inName               // the name of an attribute
	inAfter              // after the name of an attribute
	inEquals             // after its '='
	inValue              // at the first byte of its value
	inDropped            // a value that is dropped
	inDoctype            // the document type, up to its end or its internal subset
	inKept               // a value that holds references
	inHanded             // after a kept value: the sink is called next
	inBaseEnd            // after a tag with which the base of an element ends: the sink is called next
)

// nameCap is the longest name of a tag or an attribute that is compared. Longer names are
// skipped and are unknown.
const nameCap = 32

// insertBreak puts a blank line in front of or after a value that is text. The blank line replaces
// the quote around the value; without a quote, the blank line is inserted. The blank line ends a
// wrapper around the tag.
func insertBreak(dst []byte, quote byte) decode.Conversion {
	dst[0], dst[1] = '\n', '\n'
	if quote == 0 {
		return decode.Conversion{In: 0, Out: 2, InUnit: 0, OutUnit: 2}
	}
	return decode.Conversion{In: 1, Out: 2, InUnit: 1, OutUnit: 2}
}

// literally copies the first byte of src as text.
func literally(dst, src []byte) (decode.Conversion, bool) {
	return decode.Replace(dst, src[0], 1), false
}

// Reset returns h to its initial state. It keeps Sink, XML, Identifiers, MaxValue and memory.
func (h *Decoder) Reset() {
	h.state, h.pos = inText, 0
	h.clear = true
	h.value.reset(0)
	h.skipped = [2]int64{}
	h.depth, h.bases = 0, h.bases[:0]
}

// Decode implements [decode.Decoder]. Each iteration of its loop removes input in front of the
// next text, returns, or changes the state without consuming a byte. There are never three such
// changes in a row.
func (h *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	for lead := 0; ; { // lead bytes were removed
		conv, more, err := h.step(dst, src, atEOF)
		if more || err != nil || conv.Out > 0 {
			conv.In += lead
			return conv, err
		}
		lead += conv.In
		src = src[conv.In:]
	}
}

// DecodeBatch implements [decode.BatchDecoder]. A page has a tag or a character reference every few
// dozen bytes, so it has many short Conversions.
func (h *Decoder) DecodeBatch(m *decode.Map, dst, src []byte, atEOF bool) (in, out int, err error) {
	for len(dst)-out >= decode.MinRoom {
		if h.state == inText {
			i, o := h.running(m, dst[out:], src[in:])
			h.pos += int64(i)
			h.clear = h.clear && o == 0
			if in, out = in+i, out+o; len(dst)-out < decode.MinRoom {
				break
			}
		}
		conv, more, err := h.step(dst[out:], src[in:], atEOF)
		m.Add(conv)
		in, out = in+conv.In, out+conv.Out
		if more || err != nil {
			return in, out, err
		}
	}
	return in, out, nil
}

// step does what the state says for the beginning of src: it converts text, removes markup, or changes the
// state. more means that more source is needed; then conv is empty.
func (h *Decoder) step(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool, err error) {
	switch {
	case h.state < textStates:
		conv, more = h.stretch(dst, src, atEOF)
	case h.state == inHanded:
		if !h.clear {
			h.clear = true // step is called again when a Read has returned the text
			return conv, false, decode.ErrPause
		}
		err = h.handOver()
		if h.value.done {
			h.state = inBetween
		}
		return conv, false, err
	case h.state == inBaseEnd:
		if !h.clear {
			h.clear = true
			return conv, false, decode.ErrPause
		}
		h.state = h.tag.after()
		return conv, false, h.Sink(decode.Attr{Name: xmlBase, Ends: true, Start: h.pos, End: h.pos})
	default:
		conv, more = h.markup(dst, src, atEOF)
	}
	if more && atEOF && h.state == inKept {
		h.value.cutOff()
		h.state = inHanded
		return conv, false, nil
	}
	h.pos += int64(conv.In)
	h.clear = h.clear && conv.Out == 0
	return conv, more, nil
}

// running converts running text with its character references, and with the tags that have a short
// name and no attributes. It ends at anything else, after the name of another tag, and where the rest of src
// or dst is short. step continues there. Of a tag it examines 10 bytes.
func (h *Decoder) running(m *decode.Map, dst, src []byte) (in, out int) {
	known, made := 0, 0 // how much of in and out was added to m
	for {
		n := octet.CopyToEither(dst[out:], src[in:], stops[inText])
		in, out = in+n, out+n
		rest := src[in:]
		if len(dst)-out < decode.MinRoom || len(rest) < refLen {
			break
		}
		if rest[0] == '&' {
			n, text, _ := h.refs.undo(rest, false)
			if n == 0 {
				dst[out] = '&'
				in, out = in+1, out+1
				continue
			}
			m.Add(decode.Conversion{In: in - known, Out: out - made, InUnit: 1, OutUnit: 1})
			m.Add(decode.Conversion{In: n, Out: copy(dst[out:], text), InUnit: uint8(n), OutUnit: uint8(len(text))})
			in, out = in+n, out+len(text)
			known, made = in, out
			continue
		}
		at := 1
		if rest[1] == '/' {
			at = 2
		}
		name, n := shortName(rest[at:])
		c := rest[at+n]
		if !octet.IsLetter(byte(name)) || !endsName[c] {
			break
		}
		info := h.names.tags.short(name, n)
		if info == nil {
			info = &unknownTag
		}
		if info.part != 0 { // it takes the place of '<'
			dst[out] = info.part
			in, out = in+1, out+1
			at--
		}
		m.Add(decode.Conversion{In: in - known, Out: out - made, InUnit: 1, OutUnit: 1})
		known, made = in, out
		in += at + n
		h.tag = tag{info: info, end: src[in-n-1] == '/'}
		if c != '>' {
			h.state = inBetween
			break
		}
		in++
		if h.state = h.tag.after(); h.XML && h.element() {
			h.state = inBaseEnd
		}
		if h.state != inText {
			break
		}
	}
	m.Add(decode.Conversion{In: in - known, Out: out - made, InUnit: 1, OutUnit: 1})
	return in, out
}

// All states of text share one loop, stretch. It continues while bytes are certainly text, and
// calls a function for each place where markup may begin or end. That function returns a
// Conversion of what it found, asks for more input, or decides that the bytes are text.

// stops has, for each state of text, the two bytes at which stretch stops; the two may be equal. In
// inWords it stops at the quote of the value, and in inRest nowhere.
var stops = [textStates][2]byte{
	inText: {'<', '&'}, inRCData: {'<', '&'}, inRaw: {'<', '<'}, inComment: {'-', '-'}, inDecl: {'>', '>'},
}

// stretch converts the beginning of src in a state of text. It copies bytes up to the first that
// may be markup, or reads the markup if src begins with it. Its loop examines each byte once. The
// byte at which the loop stops is examined again in the next call, within the bounds that are stated
// at the beginning of this file.
func (h *Decoder) stretch(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	stop := stops[h.state]
	i := 0
	switch {
	case h.state == inRest:
		i = copy(dst, src)
	case h.state == inWords && h.quote == 0:
		for i < min(len(dst), len(src)) && src[i] != '>' && src[i] != '&' && !octet.IsSpace(src[i]) {
			dst[i] = src[i]
			i++
		}
	default:
		if h.state == inWords {
			stop = [2]byte{h.quote, '&'}
		}
		i = octet.CopyToEither(dst, src, stop)
		for i < len(dst) && i+1 < len(src) {
			n := 1
			if !h.state.isText(src[i], src[i+1]) {
				if n = h.literal(src[i:], len(dst)-i, atEOF); n == 0 {
					break
				}
			}
			i += copy(dst[i:], src[i:i+n])
			i += octet.CopyToEither(dst[i:], src[i:], stop)
		}
	}
	if i > 0 {
		return decode.Conversion{In: i, Out: i, InUnit: 1, OutUnit: 1}, false
	}
	if len(src) == 0 {
		return decode.Conversion{}, true
	}
	switch c := src[0]; {
	case c == '&':
		return h.reference(dst, src, atEOF)
	case h.state == inText:
		return h.open(dst, src, atEOF)
	case h.state == inRCData, h.state == inRaw:
		return h.closeRaw(dst, src, atEOF)
	case h.state == inComment:
		return h.closeComment(dst, src, atEOF)
	case h.state == inDecl:
		h.state = inText
		return decode.Replace(dst, '\n', 1), false
	default: // the end of words
		h.state = inBetween
		return insertBreak(dst, h.quote), false
	}
}

// literal returns how many bytes at the beginning of src are text although the state stops at
// the first of them: dashes that end no comment, or a '&' that begins no reference. Both may
// come in long rows. It returns at most room, and 0 if more input or [Decoder.reference] must
// decide. It examines at most room bytes, or refLen.
func (h *Decoder) literal(src []byte, room int, atEOF bool) (n int) {
	switch src[0] {
	case '-':
		for n < min(room, len(src)) && src[n] == '-' {
			n++
		}
		if n == min(room, len(src)) || src[n] == '>' || src[n] == '!' {
			return max(0, n-2)
		}
		return n
	case '&':
		for n = 1; n < min(refLen, len(src)) && (octet.IsLetter(src[n]) || octet.IsDigit(src[n])); { // takes a byte each time
			n++
		}
		if n == len(src) || src[n] == ';' || src[1] == '#' { // may be a reference: h.reference decides
			return 0
		}
		if n, _, more := h.refs.undo(src, atEOF); n > 0 || more {
			return 0
		}
		return 1
	}
	return 0
}

// reference decodes a character reference at the beginning of src, as one unit. A span that
// begins or ends within its text is not exact.
func (h *Decoder) reference(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	n, text, more := h.refs.undo(src, atEOF)
	switch {
	case more:
		return decode.Conversion{}, true
	case n == 0:
		return literally(dst, src)
	}
	return decode.Conversion{In: n, Out: copy(dst, text), InUnit: uint8(n), OutUnit: uint8(len(text))}, false
}

// open reads a '<' in running text. It begins a comment, a declaration or a tag, or is
// text.
func (h *Decoder) open(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	if len(src) == 1 {
		if atEOF {
			return literally(dst, src)
		}
		return decode.Conversion{}, true
	}
	switch c := src[1]; {
	case c == '!':
		return h.openComment(dst, src, atEOF)
	case c == '?':
		h.state = inDecl
		return decode.Replace(dst, '\n', 2), false
	case c == '/' && len(src) == 2 && !atEOF:
		return decode.Conversion{}, true
	case c == '/' && len(src) > 2 && octet.IsLetter(src[2]):
		return h.openTag(dst, src, 2, atEOF)
	case octet.IsLetter(c):
		return h.openTag(dst, src, 1, atEOF)
	}
	return literally(dst, src)
}

// openComment reads "<!". "<!-->" and "<!--->" are whole comments. What is in a CDATA section is read like
// the text around it: in a feed that is HTML. Anything else is a declaration up to the next '>'. This splits
// internal subsets, but loses nothing of them.
func (h *Decoder) openComment(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	const longest, cdata = len("<!--->"), "<![CDATA["
	if !atEOF && (len(src) < longest && bytes.HasPrefix([]byte("<!--->"), src) || len(src) < len(cdata) && bytes.HasPrefix([]byte(cdata), src)) {
		return decode.Conversion{}, true
	}
	switch {
	case bytes.HasPrefix(src, []byte(cdata)):
		return decode.Replace(dst, '\n', len(cdata)), false
	case bytes.HasPrefix(src, []byte("<!-->")):
		return decode.Replace(dst, '\n', 5), false
	case bytes.HasPrefix(src, []byte("<!--->")):
		return decode.Replace(dst, '\n', 6), false
	case bytes.HasPrefix(src, []byte("<!--")):
		h.state = inComment
		return decode.Replace(dst, '\n', 4), false
	}
	if !h.Identifiers {
		const doctype = "<!doctype"
		n := min(len(src), len(doctype))
		if bytes.EqualFold(src[:n], []byte(doctype[:n])) {
			if n < len(doctype) && !atEOF {
				return decode.Conversion{}, true
			}
			h.state, h.quote = inDoctype, 0
			h.value.reset(h.pos)
			return decode.Replace(dst, '\n', 2), false
		}
	}
	h.state = inDecl
	return decode.Replace(dst, '\n', 2), false
}

// closeComment reads a '-' in a comment. "-->" and "--!>" end the comment. In a row of dashes
// only the last two can begin such an end.
func (h *Decoder) closeComment(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	n := 0
	for n < min(len(dst), len(src)) && src[n] == '-' {
		n++
	}
	if n > 2 {
		return decode.Conversion{In: n - 2, Out: copy(dst, src[:n-2]), InUnit: 1, OutUnit: 1}, false
	}
	for _, end := range [...]string{"-->", "--!>"} {
		if len(src) >= len(end) && string(src[:len(end)]) == end {
			h.state = inText
			return decode.Replace(dst, '\n', len(end)), false
		}
		if !atEOF && len(src) < len(end) && string(src) == end[:len(src)] {
			return decode.Conversion{}, true
		}
	}
	return literally(dst, src)
}

// closeRaw reads a '<' in an element that holds no other element. Only the end tag with the
// element's own name ends it. closeRaw compares no further than the name.
func (h *Decoder) closeRaw(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	name := h.tag.info.name
	for i := range 2 + len(name) {
		if i == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return decode.Conversion{}, true
		}
		var want byte
		switch i {
		case 0:
			want = '<'
		case 1:
			want = '/'
		default:
			want = name[i-2]
		}
		if c := src[i]; c != want && (i < 2 || c|0x20 != want) {
			return literally(dst, src)
		}
	}
	return h.openTag(dst, src, 2, atEOF)
}

// isText reports whether c, at which s stops, is certainly text if next follows it. So a row of
// "<" or "&" is not converted byte by byte. A false result decides nothing.
func (s state) isText(c, next byte) bool {
	switch {
	case c == '<' && s == inText:
		return !octet.IsLetter(next) && next != '/' && next != '!' && next != '?'
	case c == '<':
		return next != '/'
	case c == '&':
		return !octet.IsLetter(next) && next != '#'
	case c == '-':
		return next != '-'
	}
	return false
}

// maxDoctype is how much of a document type is dropped. What follows is text.
const maxDoctype = 1 << 10

// nameByte has the letters, in lower case, and the digits, of which the names of most tags consist.
var nameByte = func() (t [256]byte) {
	for c := range t {
		if octet.IsLetter(byte(c)) || octet.IsDigit(byte(c)) {
			t[c] = octet.Lower(byte(c))
		}
	}
	return t
}()

// shortName returns the letters and digits at the beginning of src, at most eight, as a number, and how many there are.
// src has more than eight bytes.
func shortName(src []byte) (name uint64, n int) {
	_ = src[8]
	for c := nameByte[src[0]]; c != 0 && n < 8; c = nameByte[src[n]] {
		name |= uint64(c) << (8 * n)
		n++
	}
	return name, n
}

// endsName has the bytes that end the name of a tag. The name of an attribute ends at '='
// too.
var endsName = [256]bool{'>': true, '/': true, ' ': true, '\t': true, '\n': true, '\f': true, '\r': true}

// openTag reads the beginning of a tag whose name begins at src[at]: at is 1 after "<" and 2 after
// "</". It replaces the '<' with what separates the words around the tag. It compares the first
// nameCap bytes of the name. markup then removes the name with the rest of the tag, which may have
// any length. In an element such as script, only the end tag of that element is a tag.
func (h *Decoder) openTag(dst, src []byte, at int, atEOF bool) (conv decode.Conversion, more bool) {
	n := 0
	var name [nameCap]byte
	for ; n < nameCap; n++ {
		if at+n == len(src) {
			if atEOF {
				return literally(dst, src)
			}
			return decode.Conversion{}, true
		}
		c := src[at+n]
		if c == '>' || c == '/' || octet.IsSpace(c) {
			break
		}
		if c == ':' || c == '@' {
			if more, text := wrapsReference(name[:n], src[at+n:], atEOF); more || text {
				if text {
					return literally(dst, src)
				}
				return decode.Conversion{}, true
			}
		}
		name[n] = octet.Lower(c)
	}
	raw := h.state != inText
	info := h.names.tags.get(&name, n)
	if raw && info != h.tag.info {
		return literally(dst, src) // the name only begins like that of the open element
	}
	if info == nil {
		info = &unknownTag
	}
	h.tag.info, h.tag.end, h.tag.base = info, at == 2, false
	h.state = inTag
	if info.part == 0 {
		return decode.Conversion{In: 1}, false
	}
	return decode.Replace(dst, info.part, 1), false
}

// wrapsReference reports whether a name belongs to a reference or an address in angle brackets
// and not to a tag. rest follows the name and begins with ':' or '@'. People write <http://a/>,
// <URL:x>, <mailto:x> and <x@host> even in HTML, although browsers hide them. Other names with
// a colon are XML names with a prefix: <svg:a>, <o:p>. more means that rest is too short to decide.
func wrapsReference(name, rest []byte, atEOF bool) (more, text bool) {
	if rest[0] == '@' {
		return false, true
	}
	switch string(name) {
	case "url", "uri", "mailto", "news", "mid", "cid", "urn", "tel":
		return false, true
	}
	if len(rest) < 3 && !atEOF && bytes.HasPrefix([]byte("://"), rest) {
		return true, false
	}
	return false, bytes.HasPrefix(rest, []byte("://"))
}

// markup removes the bytes of a tag, until the tag ends or a value that matters begins or
// ends. Each iteration of its loop consumes a byte or changes to a state that does. The
// states are those of HTML 13.2.5, where equivalent states are joined; what that section
// calls a parse error is read as it prescribes.
func (h *Decoder) markup(dst, src []byte, atEOF bool) (conv decode.Conversion, more bool) {
	i := 0
	for i < len(src) {
		switch h.state {
		case inTag: // the rest of the name, of any length
			for !endsName[src[i]] {
				if i++; i == len(src) {
					return decode.Conversion{In: i}, false
				}
			}
			h.state, h.tag.slash = inBetween, false

		case inBetween:
			c := src[i]
			i++
			switch {
			case c == '>':
				if h.state = h.tag.after(); h.XML && h.element() {
					h.state = inBaseEnd
				}
				return decode.Conversion{In: i}, false
			case c == '/':
				h.tag.slash = true
			case !octet.IsSpace(c): // also '=', which begins a name if there is none yet
				h.tag.slash = false
				if n := h.knownAttribute(src[i-1:], h.pos+int64(i-1)); n > 0 {
					i += n - 1
					continue
				}
				h.attr.bytes[0], h.attr.named = octet.Lower(c), 1
				h.state = inName
			}

		case inName:
			i += h.attributeName(src[i:])

		case inAfter, inEquals:
			i += h.afterName(src[i])

		case inValue:
			use := h.valueUse(src[i:], atEOF)
			if i > 0 && (use == isWords || use == needMore) {
				return decode.Conversion{In: i}, false // the line break needs a Conversion of its own
			}
			switch use {
			case needMore:
				return decode.Conversion{}, true
			case isWords:
				h.state = inWords
				return insertBreak(dst, h.quote), false
			}
			if h.quote != 0 {
				i++
			}
			h.state = inDropped
			if use == isKept {
				h.state = inKept
				h.value.reset(h.pos + int64(i))
			}

		case inDoctype:
			i += h.doctype(src[i], h.pos+int64(i))
			if h.state != inDoctype {
				return decode.Conversion{In: i}, false
			}

		default: // inDropped, inKept
			i += h.through(src[i:])
			if h.state == inHanded {
				return decode.Conversion{In: i}, false
			}
		}
	}
	return decode.Conversion{In: i}, i == 0
}

// maxBases is how many elements with a base of their own may be open. The base of one inside these is not
// heeded.
const maxBases = 64

// element counts the element that the tag begins or ends, in XML. It reports whether the base of an
// element ends with the tag.
func (h *Decoder) element() bool {
	switch n := len(h.bases); {
	case h.tag.slash:
		return h.tag.base
	case !h.tag.end:
		if h.depth++; h.tag.base {
			h.bases = append(h.bases, h.depth)
		}
	case h.depth > 0:
		h.depth--
		if n > 0 && h.bases[n-1] > h.depth {
			h.bases = h.bases[:n-1]
			return true
		}
	}
	return false
}

// knownAttribute consumes the name of an attribute at the beginning of src, up to the quote in front of its value, if the
// attribute has a short name and its value is dropped or kept whatever it is: most attributes have such a name. It
// sets the next state. It returns 0 if there is something else. at is the offset of src.
func (h *Decoder) knownAttribute(src []byte, at int64) int {
	if len(src) < 16 {
		return 0
	}
	name, n := shortName(src)
	quote := src[n+1]
	if src[n] != '=' || quote != '"' && quote != '\'' {
		return 0
	}
	info := h.names.attrs.short(name, n)
	if info == nil || info.only != "" || info.kind == refresh || info.kind == nothings && h.XML {
		return 0
	}
	n += 2
	h.attr.info, h.quote, h.state = info, quote, inDropped
	if info.kind != nothings && !h.tag.end && h.Sink != nil {
		h.state = inKept
		h.value.reset(at + int64(n))
	}
	return n
}

// attributeName consumes the bytes of src that belong to the name of an attribute, and keeps the
// first nameCap of the name. If the name ends in src, it sets the next state.
func (h *Decoder) attributeName(src []byte) int {
	n := h.attr.named
	for i, c := range src {
		if c == '=' {
			h.attr.named, h.state = n, inEquals
			return i + 1
		}
		if endsName[c] {
			h.attr.named, h.state = n, inAfter
			return i
		}
		if n < nameCap {
			h.attr.bytes[n] = octet.Lower(c)
		}
		n = min(n, nameCap) + 1 // any length above nameCap is stored as nameCap+1
	}
	h.attr.named = n
	return len(src)
}

// afterName sets the next state by c, which follows the name of an attribute or the '=' after it.
// It returns 1 if it consumes c, otherwise 0.
func (h *Decoder) afterName(c byte) int {
	switch {
	case octet.IsSpace(c): // in inAfter, a '=' may still come
		return 1
	case h.state == inAfter && c == '=':
		h.state = inEquals
		return 1
	case h.state == inAfter || c == '>': // there is no value
		h.state = inBetween
	case c == '"' || c == '\'':
		h.state, h.quote = inValue, c // inValue consumes the quote, which may become a line break
	default:
		h.state, h.quote = inValue, 0
	}
	return 0
}

// doctype consumes c, a byte of a document type whose offset is at, and sets the next state if the
// document type ends there or is too long. It returns 0 if c is the '<' of the next tag, otherwise
// 1.
func (h *Decoder) doctype(c byte, at int64) int {
	switch {
	case c == '<': // the document type has no end
		h.state = inText
		return 0
	case at+1-h.value.start >= maxDoctype:
		h.state = inDecl
	case c == '>':
		h.state = inText
	case c == '[' && h.quote == 0: // the internal subset, which is text
		h.state = inDecl
	case c == h.quote:
		h.quote = 0
	case (c == '"' || c == '\'') && h.quote == 0:
		h.quote = c
	}
	return 1
}

// after returns the state after the '>' of the tag. "/>" closes a script in XHTML, and in
// documents that only look like XHTML.
func (t *tag) after() state {
	if t.end || t.slash {
		return inText
	}
	return t.info.inside
}

// through consumes the bytes of src that belong to the current value, and keeps them if the
// value is kept. If the value ends in src, it sets the next state.
func (h *Decoder) through(src []byte) (n int) {
	n = valueLen(src, h.quote)
	if h.state == inKept {
		h.value.keep(src[:n], h.MaxValue)
	}
	if n == len(src) {
		return n
	}
	if h.quote != 0 {
		n++
	}
	if h.state == inKept && !h.value.isEmpty(h.attr.info.kind) {
		h.state = inHanded
	} else {
		h.state = inBetween
	}
	return n
}

// valueLen returns how many bytes of src belong to a value with that quote around it.
func valueLen(src []byte, quote byte) int {
	if quote != 0 {
		if n := bytes.IndexByte(src, quote); n >= 0 {
			return n
		}
		return len(src)
	}
	for i, c := range src {
		if c == '>' || octet.IsSpace(c) {
			return i
		}
	}
	return len(src)
}

// A valueUse is how the value of an attribute is read.
type valueUse uint8

const (
	isDropped valueUse = iota
	isWords
	isKept
	needMore
)

// valueUse decides what becomes of the value at the beginning of src, which begins with its
// quote. Tag and attribute have just been read.
func (h *Decoder) valueUse(src []byte, atEOF bool) valueUse {
	if h.tag.end {
		return isDropped
	}
	if !h.Identifiers && isNamespace(h.attr.name()) {
		return isDropped
	}
	info := h.names.attrs.get(&h.attr.bytes, h.attr.named)
	if info == nil || info.only != "" && info.only != h.tag.info.name {
		return useOfUnknown(src, h.quote, atEOF)
	}
	h.attr.info = info
	switch info.kind {
	case nothings:
		if h.XML {
			return useOfUnknown(src, h.quote, atEOF)
		}
		return isDropped
	case refresh: // the value may also be a description, keywords or any other text
		n, more := refreshLen(src[min(1, int(h.quote)):], atEOF)
		if more {
			return needMore
		}
		if n == 0 {
			return useOfUnknown(src, h.quote, atEOF)
		}
	}
	if h.Sink == nil {
		return isDropped
	}
	return isKept
}

// isNamespace reports whether the attribute of that name names a namespace of XML.
func isNamespace(name []byte) bool {
	const xmlns = "xmlns"
	return len(name) >= len(xmlns) && string(name[:len(xmlns)]) == xmlns && (len(name) == len(xmlns) || name[len(xmlns)] == ':')
}

// wordsCap is how much of a value is examined before it is treated as text.
const wordsCap = 64

// useOfUnknown is valueUse for a value of unknown meaning. A short value without any of the
// characters that a reference or an address must have, such as "true", is dropped.
func useOfUnknown(src []byte, quote byte, atEOF bool) valueUse {
	if quote != 0 {
		src = src[1:]
	}
	for i, c := range src[:min(len(src), wordsCap)] {
		switch {
		case c == ':' || c == '.' || c == '@' || c == '&':
			return isWords
		case quote != 0 && c == quote, quote == 0 && (c == '>' || octet.IsSpace(c)):
			return isDropped
		case i+1 == wordsCap:
			return isWords
		}
	}
	if atEOF {
		return isWords
	}
	return needMore
}

// refreshCap is how many bytes in front of the reference in a refresh are examined.
const refreshCap = 64

// refreshLen returns the length of what is in front of the reference in the value "5;
// url=x" of a meta element, or 0 if src is no such value. more means that src is too short
// to decide. The value is recognised by its form and not by http-equiv, which may come
// after it.
func refreshLen(src []byte, atEOF bool) (n int, more bool) {
	const (
		space = iota
		time
		part // between time and url
		name
		equals
	)
	at, letters, digits := space, 0, 0
	for i, c := range src[:min(len(src), refreshCap)] {
		white := octet.IsSpace(c)
		switch {
		case at == space && white, at == part && (white || c == ';' || c == ','), at == equals && white:
		case at <= time && (octet.IsDigit(c) || c == '.'):
			at = time
			digits++
		case at == time && (white || c == ';' || c == ','):
			at = part
		case (at == part || at == name) && letters < 3 && c|0x20 == "url"[letters]:
			at = name
			if letters++; letters == 3 {
				at = equals
			}
		case at == equals && c == '=' && digits > 0:
			return i + 1, false
		default:
			return 0, false
		}
	}
	return 0, !atEOF && len(src) < refreshCap
}

// In this file a kept value is split into references. The rules work on the value with its
// character references decoded, since these may hold the separators (url(&quot;x&quot;)). To
// locate a piece in the input, the character references in front of it are decoded once more.

// handOver calls the sink with the references in the value, of any kind. It scans the value
// once. If the sink yields, the next call continues after the piece that was handed over.
// After the last piece it sets done. A value that is too long is counted as skipped.
func (h *Decoder) handOver() error {
	v := &h.value
	if v.tooLong {
		h.skipped[0]++
		h.skipped[1] += h.pos - v.start
		v.done = true
		return nil
	}
	if v.h == nil {
		// Most values hold no '&'; their references are handed over directly from raw.
		v.h, v.text = h, v.raw
		if bytes.IndexByte(v.raw, '&') >= 0 {
			v.plain = h.refs.undoAll(v.plain[:0], v.raw)
			v.text = v.plain
			v.mapped = true
		}
	}
	err := v.emitPieces()
	v.done = err == nil || err != decode.ErrYield
	return err
}
