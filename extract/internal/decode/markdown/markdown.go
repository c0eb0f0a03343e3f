package markdown

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A Decoder is a [decode.Decoder] from Markdown to HTML, as the package comment describes.
type Decoder struct {
	plan   []step // what is to be done with the next bytes
	raw    raw    // HTML that is copied up to its end
	inLine bool   // src[0] does not begin a line, or the line was examined
	code   bool   // the line is code
	text   bool   // the line before was text of a paragraph
	blank  bool   // the line before was blank, or there is none
	list   bool   // a list is open

	fence    byte // what opened the code that is being read: '`' or '~'; 0 outside
	fenceLen int

	brackets []bracket // that are open in the paragraph
}

// A step says what is done with the next n bytes.
type step struct {
	do action
	n  int
}

type action uint8

const (
	keep   action = iota // copy them
	escape               // copy them, as code
	open                 // replace them by the beginning of a tag, up to the value of its attribute
	target               // copy them into the value
	shut                 // replace them by the end of the tag
)

// A bracket is a '[' that may begin a link.
type bracket uint8

const (
	link  bracket = iota
	image         // "!["
	dead          // a link inside has ended, and links do not nest
)

// maxBrackets is how deep brackets are followed.
const maxBrackets = 32

// A raw is HTML in which nothing is Markdown.
type raw struct {
	end   string // what ends it; "\n\n" is a blank line, "" is the '>' of a tag; or nothing is raw
	is    bool
	quote byte // in a tag: of the value that is open
}

// New returns a Decoder.
func New() *Decoder { return &Decoder{blank: true} }

// Reset implements [decode.Decoder].
func (d *Decoder) Reset() { *d = Decoder{blank: true, plan: d.plan[:0], brackets: d.brackets[:0]} }

// Decode implements [decode.Decoder].
func (d *Decoder) Decode(dst, src []byte, atEOF bool) (decode.Conversion, error) {
	switch {
	case len(d.plan) > 0:
		return d.follow(dst, src), nil
	case len(src) == 0:
		return decode.Conversion{}, nil
	}
	in := input{src[:min(len(src), decode.MaxAhead)], atEOF || len(src) >= decode.MaxAhead}
	if !d.inLine && (!d.raw.is || d.raw.end == "\n\n") {
		if more := d.beginLine(in); more {
			return decode.Conversion{}, nil
		}
	}
	d.inLine = true
	switch {
	case len(d.plan) > 0:
		return d.follow(dst, src), nil
	case d.raw.is:
		return d.copyRaw(dst, in), nil
	case d.code:
		n := len(src)
		if k := bytes.IndexByte(src, '\n'); k >= 0 {
			n = k + 1
		}
		d.plan = append(d.plan, step{escape, n})
		return d.follow(dst, src), nil
	}
	n := 0
	for n < min(len(dst), len(src)) && !special[src[n]] {
		n++
	}
	if n > 0 {
		return decode.Copy(dst, src[:n]), nil
	}
	if more := d.special(in); more {
		return decode.Conversion{}, nil
	}
	return d.follow(dst, src), nil
}

// special are the bytes at which a run of text is examined.
var special = [256]bool{'\n': true, '\\': true, '`': true, '<': true, '[': true, ']': true, '!': true}

// insert writes text in place of n bytes of input, none of which it stands for.
func insert(dst []byte, n int, text string) decode.Conversion {
	return decode.Conversion{In: n, Out: copy(dst, text), OutUnit: 1}
}

// follow does the first step of the plan, as far as src and dst go.
func (d *Decoder) follow(dst, src []byte) (conv decode.Conversion) {
	s := &d.plan[0]
	in := src[:min(s.n, len(src))]
	switch s.do {
	case keep:
		conv = decode.Copy(dst, in)
	case open:
		conv = insert(dst, s.n, `<a href="`)
	case shut:
		conv = insert(dst, s.n, `">`)
	case escape:
		conv = escaped(dst, in, "<&")
	case target:
		conv = inTarget(dst, in)
	}
	if s.n -= conv.In; s.n == 0 {
		if conv.In > 0 && s.do <= escape {
			d.inLine = src[conv.In-1] != '\n'
		}
		d.plan = d.plan[:copy(d.plan, d.plan[1:])]
	}
	return conv
}

// escaped copies src up to one of the characters in set, or writes that character so that HTML reads
// it as itself.
func escaped(dst, src []byte, set string) decode.Conversion {
	n := bytes.IndexAny(src, set)
	if n != 0 {
		if n < 0 {
			n = len(src)
		}
		return decode.Copy(dst, src[:n])
	}
	return decode.Conversion{In: 1, Out: copy(dst, entity(src[0])), InUnit: 1, OutUnit: uint8(len(entity(src[0])))}
}

// entity returns c as HTML writes it.
func entity(c byte) string {
	switch c {
	case '<':
		return "&lt;"
	case '&':
		return "&amp;"
	case '"':
		return "&quot;"
	}
	return string(rune(c))
}

// inTarget is escaped for a target, in which a backslash is removed, and entities stay. The target is
// complete in src when its first byte is decoded.
func inTarget(dst, src []byte) decode.Conversion {
	switch c := src[0]; {
	case c == '\\' && len(src) > 1 && isPunct(src[1]):
		as := entity(src[1])
		return decode.Conversion{In: 2, Out: copy(dst, as), InUnit: 2, OutUnit: uint8(len(as))}
	case c == '&' && isEntity(src):
		return decode.Copy(dst, src[:1])
	case c == '&' || c == '"' || c == '<':
		return escaped(dst, src, "&\"<")
	}
	n := bytes.IndexAny(src, "\\&\"<")
	if n == 0 { // a backslash that escapes nothing
		n = 1
	} else if n < 0 {
		n = len(src)
	}
	return decode.Copy(dst, src[:n])
}

// isEntity reports whether s begins with a character reference and its ';'.
func isEntity(s []byte) bool {
	const most = 33
	n := bytes.IndexByte(s[:min(len(s), most)], ';')
	if n < 2 {
		return false
	}
	for i, c := range s[1:n] {
		if !octet.IsLetter(c) && !octet.IsDigit(c) && (c != '#' || i > 0) {
			return false
		}
	}
	return true
}

// isPunct reports whether a backslash in front of c is an escape (CommonMark, section 2.4).
func isPunct(c byte) bool { return c > ' ' && c < 0x7f && !octet.IsLetter(c) && !octet.IsDigit(c) }

// An input is what may be examined of the input, and whether nothing else may be.
type input struct {
	b     []byte
	whole bool
}

// line returns the first line, without its line end. more says that its end is not there yet.
func (in input) line() (line []byte, more bool) {
	if k := bytes.IndexByte(in.b, '\n'); k >= 0 {
		return bytes.TrimSuffix(in.b[:k], []byte{'\r'}), false
	}
	return in.b, !in.whole
}

// beginLine examines the line that in begins with: what block it belongs to.
func (d *Decoder) beginLine(in input) (more bool) {
	line, more := in.line()
	if more {
		return true
	}
	at, indent, list := prefix(line)
	rest := line[at:]
	if d.fence != 0 {
		d.code, d.text = true, false
		if n := run(rest, d.fence); n >= d.fenceLen && len(bytes.TrimLeft(rest[n:], " \t")) == 0 {
			d.fence = 0
		}
		return false
	}
	wasText, wasBlank := d.text, d.blank
	d.code, d.text, d.blank = false, false, len(rest) == 0
	if d.blank {
		d.brackets, d.raw = d.brackets[:0], raw{}
		return false
	}
	if d.raw.is {
		return false
	}
	if wasBlank && !list && indent == 0 {
		d.list = false
	}
	d.list = d.list || list
	if indent >= 4 && !d.list && !wasText {
		d.code = true
		return false
	}
	c := rest[0]
	switch {
	case c == '`' || c == '~':
		if n := run(rest, c); n >= 3 && (c == '~' || bytes.IndexByte(rest[n:], '`') < 0) {
			d.fence, d.fenceLen, d.code = c, n, true
			d.brackets = d.brackets[:0]
			return false
		}
	case c == '<':
		if end, is := block(rest, wasText && !list); is {
			d.raw = raw{end: end, is: true}
			return false
		}
	case c == '[' && (!wasText || list):
		if steps, more := definition(input{in.b[at:], in.whole}, at); more {
			return true
		} else if steps != nil {
			d.plan = append(d.plan, steps...)
			return false
		}
	case c == '#':
		if n := run(rest, c); n <= 6 && (n == len(rest) || octet.IsBlank(rest[n])) {
			d.brackets = d.brackets[:0]
			return false
		}
	case c == '=' || c == '-' || c == '*' || c == '_': // an underline, or a line
		if n := len(rest); run(bytes.TrimRight(rest, " \t"), c) == n || ruled(rest) {
			d.brackets = d.brackets[:0]
			return false
		}
	}
	if list || !wasText {
		d.brackets = d.brackets[:0]
	}
	d.text = true
	return false
}

// prefix returns where the content of line begins, behind marks of quotes and lists, and by how many
// columns it is indented behind the last mark. list says that there is a mark of a list.
func prefix(line []byte) (at, indent int, list bool) {
	for at < len(line) {
		switch c := line[at]; {
		case c == ' ':
			indent++
			at++
			continue
		case c == '\t':
			indent += 4 - indent%4
			at++
			continue
		case c == '>' && indent < 4:
			at, indent = at+1, 0
			if at < len(line) && line[at] == ' ' {
				at++
			}
			continue
		case indent >= 4 && !list:
			return at, indent, list
		}
		n := listMark(line[at:])
		if n == 0 {
			break
		}
		at, indent, list = at+n, 0, true
	}
	return at, indent, list
}

// listMark returns the length of the mark of a list that s begins with, and of the blank after it.
func listMark(s []byte) (n int) {
	switch c := s[0]; {
	case c == '-' || c == '+' || c == '*':
		if ruled(s) {
			return 0
		}
		n = 1
	case octet.IsDigit(c):
		for n < min(len(s), 9) && octet.IsDigit(s[n]) {
			n++
		}
		if n == len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		return n + 1
	}
	return 0
}

// ruled reports whether line is a thematic break: three marks of a kind or more.
func ruled(line []byte) bool {
	c, n := line[0], 0
	for _, b := range line {
		switch {
		case b == c:
			n++
		case b != ' ' && b != '\t':
			return false
		}
	}
	return n >= 3
}

// run returns how many c are at the beginning of s.
func run(s []byte, c byte) (n int) {
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// verbatim are the elements whose end is their end tag, whatever is in them.
var verbatim = []string{"script", "pre", "style", "textarea"}

// blocks are the elements that begin a block of HTML up to a blank line (CommonMark, section 4.6).
var blocks = func() map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq("address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul") {
		m[name] = true
	}
	return m
}()

// block returns what ends the block of HTML that line begins. is is false if it begins none. inText
// says that the line continues a paragraph.
func block(line []byte, inText bool) (end string, is bool) {
	if end := instructionEnd(line); end != "" {
		return end, true
	}
	name, n := tagName(line)
	for _, v := range verbatim {
		if name == v && line[1] != '/' {
			return "</" + v + ">", true
		}
	}
	if blocks[name] {
		return "\n\n", true
	}
	if name == "" || inText {
		return "", false
	}
	tag, _ := tagLen(input{line, true}, n)
	return "\n\n", tag > 0 && len(bytes.TrimLeft(line[tag:], " \t")) == 0
}

// instructionEnd returns what ends the comment, instruction or declaration that s begins with, or "".
func instructionEnd(s []byte) string {
	switch {
	case bytes.HasPrefix(s, []byte("<!--")):
		return "-->"
	case bytes.HasPrefix(s, []byte("<![CDATA[")):
		return "]]>"
	case bytes.HasPrefix(s, []byte("<?")):
		return "?>"
	case len(s) > 2 && s[1] == '!' && octet.IsLetter(s[2]):
		return ">"
	}
	return ""
}

// tagName returns the name of the tag that s begins with, in lower case, and where it ends; "" if
// that is no tag.
func tagName(s []byte) (name string, n int) {
	if n = 1; n < len(s) && s[n] == '/' {
		n++
	}
	from := n
	for n < len(s) && n < from+32 && (octet.IsLetter(s[n]) || n > from && (octet.IsDigit(s[n]) || s[n] == '-')) {
		n++
	}
	if n < len(s) && !octet.IsSpace(s[n]) && s[n] != '>' && s[n] != '/' {
		return "", n
	}
	return strings.ToLower(string(s[from:n])), n
}

// tagLen returns the length of the tag that in begins with, whose name ends at n; 0 if the rest is
// not that of a tag.
func tagLen(in input, n int) (_ int, more bool) {
	s := in.b
	if s[1] == '/' {
		n += len(s[n:]) - len(bytes.TrimLeft(s[n:], " \t\r\n"))
		if n < len(s) && s[n] == '>' {
			return n + 1, false
		}
		return 0, n == len(s) && !in.whole
	}
	for n < len(s) {
		gap := n
		for n < len(s) && octet.IsSpace(s[n]) {
			n++
		}
		if n < len(s) && s[n] == '/' {
			n++
			if n < len(s) && s[n] != '>' {
				return 0, false
			}
		}
		if n == len(s) {
			break
		}
		switch c := s[n]; {
		case c == '>':
			return n + 1, false
		case n == gap || !octet.IsLetter(c) && c != '_' && c != ':' && c != '@' && c != '{' && c != '*' && c != '#': // of templates, too
			return 0, false
		}
		for n < len(s) && !octet.IsSpace(s[n]) && strings.IndexByte("=>/\"'<", s[n]) < 0 {
			n++
		}
		if n == len(s) || s[n] != '=' {
			continue
		}
		if n++; n == len(s) {
			break
		}
		if q := s[n]; q == '"' || q == '\'' {
			k := bytes.IndexByte(s[n+1:], q)
			if k < 0 {
				return 0, !in.whole
			}
			n += k + 2
			continue
		}
		for n < len(s) && !octet.IsSpace(s[n]) && strings.IndexByte("\"'=<>`", s[n]) < 0 {
			n++
		}
	}
	return 0, !in.whole
}

// copyRaw copies HTML up to its end, or up to the end of the line.
func (d *Decoder) copyRaw(dst []byte, in input) decode.Conversion {
	s := in.b[:min(len(in.b), len(dst))]
	switch end := d.raw.end; end {
	case "\n\n": // beginLine finds the blank line
		if k := bytes.IndexByte(s, '\n'); k >= 0 {
			s, d.inLine = s[:k+1], false
		}
	case "":
		for i, c := range s {
			switch {
			case d.raw.quote != 0:
				if c == d.raw.quote {
					d.raw.quote = 0
				}
			case c == '"' || c == '\'':
				d.raw.quote = c
			case c == '>':
				d.raw = raw{}
				return decode.Copy(dst, s[:i+1])
			}
		}
	default:
		k := indexFold(s, end)
		if k >= 0 {
			d.raw = raw{}
			return decode.Copy(dst, s[:k+len(end)])
		}
		if keep := len(s) - len(end) + 1; keep > 0 {
			s = s[:keep]
		} else if !in.whole {
			return decode.Conversion{}
		}
	}
	return decode.Copy(dst, s)
}

// indexFold returns where text, which is in lower case, is in s in any case, or -1.
func indexFold(s []byte, text string) int {
	for at := 0; ; at++ {
		k := bytes.IndexByte(s[at:], text[0])
		if k < 0 {
			return -1
		}
		if at += k; len(s)-at >= len(text) && strings.EqualFold(string(s[at:at+len(text)]), text) {
			return at
		}
	}
}

// special plans what is done at one of the special bytes, which in begins with.
func (d *Decoder) special(in input) (more bool) {
	s, n, do := in.b, 1, keep
	next := byte(0)
	if len(s) > 1 {
		next = s[1]
	} else if s[0] != '\n' && !in.whole {
		return true
	}
	switch s[0] {
	case '\n':
		d.inLine = false
	case '\\':
		if isPunct(next) {
			n = 2
			if next == '<' || next == '&' {
				do = escape
			}
		}
	case '!':
		if next == '[' {
			n = 2
			d.push(image)
		}
	case '[':
		d.push(link)
	case '`':
		size, more := codeSpan(in)
		if more {
			return true
		}
		if n = run(s, '`'); size > 0 {
			n, do = size, escape
		}
	case '<':
		return d.angle(in)
	case ']':
		if len(d.brackets) == 0 {
			break
		}
		last := len(d.brackets) - 1
		if next == '(' && d.brackets[last] != dead {
			steps, more := linkTail(in)
			if more {
				return true
			}
			if steps != nil {
				d.plan = append(d.plan, steps...)
				for i := range d.brackets {
					if d.brackets[last] == link && d.brackets[i] == link {
						d.brackets[i] = dead
					}
				}
				d.brackets = d.brackets[:last]
				return false
			}
		}
		d.brackets = d.brackets[:last]
	}
	d.plan = append(d.plan, step{do, n})
	return false
}

// push opens a bracket. If too many are open, none is left.
func (d *Decoder) push(b bracket) {
	if len(d.brackets) == maxBrackets {
		d.brackets = d.brackets[:0]
	}
	d.brackets = append(d.brackets, b)
}

// codeSpan returns the length of the code span that in begins with, or 0.
func codeSpan(in input) (n int, more bool) {
	s, size := in.b, run(in.b, '`')
	for i := size; i < len(s); {
		k := bytes.IndexAny(s[i:], "`\n")
		if k < 0 {
			break
		}
		if i += k; s[i] == '\n' {
			line, more := input{s[i+1:], in.whole}.line()
			if more {
				return 0, true
			}
			if at, _, _ := prefix(line); at == len(line) {
				return 0, false // the paragraph ends
			}
			i++
			continue
		}
		end := run(s[i:], '`')
		if i += end; end == size && (i < len(s) || in.whole) {
			return i, false
		}
	}
	return 0, !in.whole
}

// angle plans what is done with the '<' that in begins with.
func (d *Decoder) angle(in input) (more bool) {
	s := in.b
	if len(s) < len("<![CDATA[") && !in.whole {
		return true
	}
	if end := instructionEnd(s); end != "" {
		d.raw = raw{end: end, is: true}
		d.plan = append(d.plan, step{keep, 2})
		return false
	}
	if n := bytes.IndexAny(s[1:], "<> \t\r\n"); n > 0 && s[1+n] == '>' && bytes.ContainsAny(s[1:1+n], ":@") {
		d.plan = append(d.plan, step{keep, n + 2}) // an autolink, or a tag with a colon in its name
		return false
	} else if n < 0 && !in.whole {
		return true
	}
	name, n := tagName(s)
	size := 0
	if name != "" {
		if size, more = tagLen(in, n); more {
			return true
		}
	}
	switch {
	case size > 0:
		d.plan = append(d.plan, step{keep, size})
	case name != "" && len(s) == decode.MaxAhead && bytes.IndexByte(s, '>') < 0:
		d.raw = raw{is: true} // a tag with a long value
		d.plan = append(d.plan, step{keep, 1})
	default:
		d.plan = append(d.plan, step{escape, 1})
	}
	return false
}

// linkTail returns the steps for "](…)", which in begins with, or nil if it ends no link.
func linkTail(in input) (steps []step, more bool) {
	from, to, end, more := destination(in, len("]("))
	if more || from < 0 {
		return nil, more
	}
	after, more := title(in, end)
	if more {
		return nil, true
	}
	if after < 0 {
		after = end
	}
	after, more = spaces(in, after)
	switch {
	case more:
		return nil, true
	case after == len(in.b) || in.b[after] != ')' || from == to:
		return nil, false
	}
	return []step{{open, from}, {target, to - from}, {shut, end - to}}, false
}

// definition returns the steps for the definition of a label, which in begins with, or nil if it is
// none. They begin with the at bytes in front.
func definition(in input, at int) (steps []step, more bool) {
	const most = 1000 // characters of a label
	s, n := in.b, 1
	for ; ; n++ {
		if n == len(s) {
			return nil, !in.whole
		}
		if s[n] == '\\' && n+1 < len(s) {
			n++
		} else if s[n] == '[' || s[n] == ']' {
			break
		}
		if n > most || s[n] == '\n' && n+1 < len(s) && s[n+1] == '\n' {
			return nil, false
		}
	}
	if n+1 == len(s) {
		return nil, !in.whole
	}
	if s[n] == '[' || s[n+1] != ':' || len(bytes.TrimSpace(s[1:n])) == 0 || s[1] == '^' {
		return nil, false
	}
	n += 2
	from, to, end, more := destination(in, n)
	if more || from < 0 || from == to {
		return nil, more
	}
	steps = []step{{keep, at + n}, {open, from - n}, {target, to - from}, {shut, end - to}}
	ended, more := lineEnds(in, end)
	if more {
		return nil, true
	}
	after, more := title(in, end)
	if more {
		return nil, true
	}
	if after >= 0 {
		switch titled, more := lineEnds(in, after); {
		case more:
			return nil, true
		case titled:
			return append(steps, step{keep, after - end}), false
		}
	}
	if !ended {
		return nil, false
	}
	return steps, false
}

// lineEnds reports whether only blanks are between n and the end of the line.
func lineEnds(in input, n int) (ends, more bool) {
	for n < len(in.b) && (octet.IsBlank(in.b[n]) || in.b[n] == '\r') {
		n++
	}
	if n == len(in.b) {
		return in.whole, !in.whole
	}
	return in.b[n] == '\n', false
}

// spaces returns where the blanks at n end, which may have a line end among them.
func spaces(in input, n int) (end int, more bool) {
	lines := 0
	for n < len(in.b) && octet.IsSpace(in.b[n]) {
		if in.b[n] == '\n' {
			if lines++; lines > 1 {
				return n, false
			}
		}
		n++
	}
	return n, n == len(in.b) && !in.whole
}

// destination returns the bounds of the target at n, behind blanks, and where it ends with its angle
// brackets. from is -1 if there is none.
func destination(in input, n int) (from, to, end int, more bool) {
	s := in.b
	if n, more = spaces(in, n); more || n == len(s) {
		return -1, 0, 0, more
	}
	if s[n] == '<' {
		for i := n + 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '\n', '<':
				return -1, 0, 0, false
			case '>':
				return n + 1, i, i + 1, false
			}
		}
		return -1, 0, 0, !in.whole
	}
	depth := 0
	for i := n; ; i++ {
		if i >= len(s) {
			if !in.whole {
				return -1, 0, 0, true
			}
			i = len(s)
		}
		switch {
		case i == len(s) || s[i] <= ' ' || s[i] == 0x7f || s[i] == ')' && depth == 0:
			if depth > 0 {
				return -1, 0, 0, false
			}
			return n, i, i, false
		case s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
		case s[i] == '(':
			if depth++; depth > maxBrackets {
				return -1, 0, 0, false
			}
		case s[i] == ')':
			depth--
		}
	}
}

// title returns where the title ends that stands at n, behind at least one blank; -1 if there is none.
func title(in input, n int) (end int, more bool) {
	from := n
	if n, more = spaces(in, n); more || n == from || n == len(in.b) {
		return -1, more
	}
	last := in.b[n]
	switch last {
	case '"', '\'':
	case '(':
		last = ')'
	default:
		return -1, false
	}
	for i := n + 1; i < len(in.b); i++ {
		switch c := in.b[i]; {
		case c == '\\':
			i++
		case c == last:
			return i + 1, false
		case c == '(' && last == ')', c == '\n' && i+1 < len(in.b) && in.b[i+1] == '\n':
			return -1, false
		}
	}
	return -1, !in.whole
}
