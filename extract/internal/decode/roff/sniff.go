package roff

import "bytes"

// Sniff reports whether head is the beginning of a manual page: its first line is a
// request, a macro or a comment of roff, and some line of head is a comment, .TH, .Dd or
// .SH. whole says that head is all there is. wait reports that more bytes may change the
// answer.
func Sniff(head []byte, whole bool) (is, wait bool) {
	head = bytes.TrimLeft(head, "\r\n")
	if len(head) == 0 {
		return false, !whole
	}
	if head[0] != '.' && head[0] != '\'' {
		return false, false
	}
	if len(head) > 1 && !isRequest(head[1:]) {
		return false, false
	}
	for len(head) > 0 { // one line in each iteration
		for _, m := range marks {
			if bytes.HasPrefix(head, []byte(m)) {
				return true, false
			}
		}
		k := bytes.IndexByte(head, '\n')
		if k < 0 {
			break
		}
		head = head[k+1:]
	}
	return false, !whole
}

// marks are beginnings of lines that occur only in roff.
var marks = []string{`.\"`, `'\"`, ".TH ", ".TH\t", ".Dd ", ".Dd\t", ".SH ", ".SH\t", ".SH\n", ".SH\r"}

// isRequest reports whether s, which follows a dot or apostrophe, is a request: blanks
// and a short name, or the beginning of a comment.
func isRequest(s []byte) bool {
	s = bytes.TrimLeft(s, " \t")
	if len(s) == 0 {
		return true
	}
	if s[0] == '\\' {
		return len(s) == 1 || s[1] == '"' || s[1] == '#'
	}
	n := 0
	for n < len(s) && ('a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	return n > 0 && n < 12 && (n == len(s) || bytes.IndexByte([]byte(" \t\r\n\\"), s[n]) >= 0)
}
