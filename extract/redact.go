package extract

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// Passwords stand behind the first ':' and before the last '@' of an authority. The
// plan: authorities are looked for in the text itself and not in its components,
// since references lie in one another: as they are (http://archive/http://u:p@h/),
// with one slash left (http:/u:p@h/), or escaped, once or several times
// (?u=http%3A%2F%2Fu%3Ap%40h). So the text is read as marks, the characters that part
// an authority in any spelling, each with its level, which is how often it is escaped.
// An authority whose slashes are of some level ends at the next '/', '?' or '#' of that
// level or a lower one; what is escaped more often is data in it.

// A mark is a character that means something here, as it is spelled.
type mark struct {
	is    byte // one of :/@?#, or 0: data
	level int  // how often it is escaped
	size  int  // bytes
}

// deepest is the highest level of a mark. It bounds how often a byte is looked at.
const deepest = 3

// markAt returns the mark that text, which is not empty, begins with.
func markAt(text []byte) mark {
	switch c := text[0]; c {
	case ':', '/', '@', '?', '#':
		return mark{c, 0, 1}
	case '%':
		n := 1
		for n+1 < len(text) && text[n] == '2' && text[n+1] == '5' {
			n += 2 // "%25" stands for '%'
		}
		if level := (n + 1) / 2; level <= deepest && n+2 <= len(text) {
			for _, e := range [...]struct {
				hex string
				is  byte
			}{{"2F", '/'}, {"3A", ':'}, {"40", '@'}, {"3F", '?'}, {"23", '#'}} {
				if upper(text[n]) == e.hex[0] && upper(text[n+1]) == e.hex[1] {
					return mark{e.is, level, n + 2}
				}
			}
		}
		return mark{0, 0, n}
	case '&', '[', '(', '\\':
		for _, s := range spellings {
			if len(text) >= len(s.as) && strings.EqualFold(string(text[:len(s.as)]), s.as) {
				return mark{s.is, 0, len(s.as)}
			}
		}
	}
	return mark{0, 0, 1}
}

// isMark tells which bytes a mark may begin with.
var isMark = func() (t [256]bool) {
	for _, c := range []byte(":/@?#%&[(\\") {
		t[c] = true
	}
	return t
}()

// spellings are those of HTML, of JavaScript, and of people who write a reference so
// that no program makes it live.
var spellings = [...]struct {
	as string
	is byte
}{
	{"&#58;", ':'}, {"&#x3a;", ':'}, {"&#47;", '/'}, {"&#x2f;", '/'}, {"&#64;", '@'}, {"&#x40;", '@'}, {"&commat;", '@'},
	{"[:]", ':'}, {"(:)", ':'}, {"[/]", '/'}, {`\/`, '/'}, {"[@]", '@'}, {"[at]", '@'}, {"(at)", '@'},
}

// upper returns an ASCII letter in upper case, and may change what is none.
func upper(c byte) byte {
	if c >= 'a' {
		return c &^ 0x20
	}
	return c
}

// AppendRedacted appends ref with the passwords in it replaced by "***", and returns
// the grown slice. dst must not overlap ref, which is neither kept nor changed. Ref
// may be any text that a Result holds, or one with references in it, such as a file's
// name. It allocates nothing but room in dst, and what it makes stays as it is if it
// is given again.
//
// A password is what stands between the first ':' and the last '@' of an authority,
// behind "//" or a scheme's ":/", also where these are escaped; and behind "://",
// what stands in the place of a port and has a letter, since it may be the beginning
// of a password: http://u:pa is what is left of one with a line's end in it. What is
// called a password elsewhere, as in ?password=x, is not known.
func AppendRedacted(dst, ref []byte) []byte {
	at := len(dst)
	colon, slashes, level := false, 0, 0 // of the marks just read: a scheme's ':', and '/'
	for len(ref) > 0 {                   // a mark a turn; an authority is read once for each level at most
		if slashes == 0 { // most of a text is no mark: it goes at once
			n := 0
			for n < len(ref) && !isMark[ref[n]] {
				n++
			}
			if n > 0 {
				dst = append(dst, ref[:n]...)
				ref = ref[n:]
				colon = false
				continue
			}
		}
		m := markAt(ref)
		if m.is != '/' {
			if slashes > 1 || slashes == 1 && colon {
				lo, hi := password(ref, level)
				if lo == hi && colon && slashes > 1 && level == 0 {
					lo, hi = noPort(ref)
				}
				if lo < hi {
					dst = append(append(dst, ref[:lo]...), "***"...)
					ref = ref[hi:]
					colon, slashes, level = false, 0, 0
					continue
				}
			}
			colon, slashes, level = m.is == ':' && endsInName(dst[at:]), 0, 0
		} else {
			slashes++
			level = max(level, m.level)
		}
		dst = append(dst, ref[:m.size]...)
		ref = ref[m.size:]
	}
	return dst
}

// endsInName reports whether text ends as a scheme may, or with what hides one.
func endsInName(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	c := text[len(text)-1]
	return '0' <= c && c <= '9' || 'A' <= upper(c) && upper(c) <= 'Z' || c == '*'
}

// password returns where the password lies in text, which begins with an authority
// of that level; lo == hi if there is none. Escaped further than the authority, an
// '@' counts only where there is no other.
func password(text []byte, level int) (lo, hi int) {
	colon, at, deep := -1, -1, -1
	for i := 0; i < len(text); {
		m := markAt(text[i:])
		switch {
		case m.level > level && m.is != '@' && m.is != ':':
		case m.is == '/' || m.is == '?' || m.is == '#',
			level > 0 && m.is == 0 && strings.IndexByte("& \t\r\n\"<>", text[i]) >= 0: // no query holds these but around it
			text = text[:i]
		case m.is == ':' && colon < 0:
			colon = i + m.size
		case m.is == '@' && m.level <= level:
			at = i
		case m.is == '@':
			deep = i
		}
		i += m.size
	}
	if at < 0 {
		at = deep
	}
	if colon < 0 || at <= colon {
		return 0, 0
	}
	return colon, at
}

// noPort returns where in text, which begins with an authority without a password,
// something lies that is in the place of a port, and is none. What has digits and
// signs only is a port with the end of a sentence; and an address of IPv6 that stands
// there without brackets has no port.
func noPort(text []byte) (lo, hi int) {
	hi = bytes.IndexAny(text, "/?# \t\r\n\"<>")
	if hi < 0 {
		hi = len(text)
	}
	for hi > 0 && text[hi-1] == ':' { // of a scheme: what is behind it is read next
		hi--
	}
	text = text[:hi]
	if bytes.HasPrefix(text, []byte("[")) {
		lo = bytes.IndexByte(text, ']') + 1
	}
	if bytes.IndexByte(text, '@') >= 0 {
		return 0, 0
	}
	i := bytes.IndexByte(text[lo:], ':')
	if i < 0 {
		return 0, 0
	}
	lo += i + 1
	letter, address := false, bytes.IndexByte(text[lo:], ':') >= 0
	for j, c := range text {
		hex := c == ':' || '0' <= c && c <= '9' || 'A' <= upper(c) && upper(c) <= 'F'
		address = address && hex
		letter = letter || j >= lo && (c >= 0x80 || c == '%' || 'A' <= upper(c) && upper(c) <= 'Z')
	}
	if !letter || address {
		return 0, 0
	}
	return lo, hi
}

// Fault returns what r.Err says, or "" where it is nil. If redact is true, it
// says nothing of a password in the reference.
func (r *Result) Fault(redact bool) string {
	if r.Err == nil {
		return ""
	}
	var e *uri.Error
	if !redact || !errors.As(r.Err, &e) {
		return r.Err.Error()
	}
	text := []byte(e.Text)
	hidden := AppendRedacted(nil, text)
	if bytes.Equal(hidden, text) {
		return r.Err.Error()
	}

	// What is in and between the passwords is what differs: the texts are the
	// same up to the first byte of the first, or further if it begins with stars,
	// and from the last byte of the last on.
	start, end := 0, len(text)
	for start < end && start < len(hidden) && text[start] == hidden[start] {
		start++
	}
	for n := len(hidden); end > start && n > start && text[end-1] == hidden[n-1]; n-- {
		end--
	}
	if e.Offset >= start && e.Offset < end {
		switch {
		case bytes.Count(hidden, []byte("***")) > 1:
			return "uri: " + e.Reason.String() + ": not in " + e.Grammar.String() + ": " + quote(hidden)
		case bytes.Contains(hidden, []byte(":***@")):
			return "uri: userinfo: the password is not in " + e.Grammar.String() + ": " + quote(hidden)
		}
		return "uri: " + e.Component.String() + ": what is hidden is not in " + e.Grammar.String() + ": " + quote(hidden)
	}
	c := *e
	c.Text = string(hidden)
	if c.Offset >= end {
		c.Offset += len(hidden) - len(text)
	}
	return c.Error()
}

// quote quotes at most 100 bytes of text, as messages of uri do.
func quote(text []byte) string {
	if len(text) > 100 {
		return strconv.Quote(string(text[:100])) + "…"
	}
	return strconv.Quote(string(text))
}
