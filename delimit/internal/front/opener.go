package front

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/window"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// The search for the opener of a wrapper goes backwards from the reference.

// Opener returns the opener in front of Buf[lo], ignoring white space between, and which
// mark it is: "<", a quotation mark, or 0 if there is none. It examines lex.MaxLead bytes.
func Opener(w *window.Window, lo int) (o int, mark byte) {
	least := max(w.Floor, lo-lex.MaxLead-1)
	k := lex.SpaceBefore(w.Buf, lo, least)
	if k == least {
		return 0, 0
	}
	switch w.Buf[k-1] {
	case '<', '"':
		if o, mark = openerAt(w, k-1, k == lo); mark != 0 {
			return o, mark
		}
	case '>', '|', ':': // a quote prefix ends with one of these
		return openerAbove(w, lo, least)
	}
	return 0, 0
}

// openerAt returns what Buf[o] opens. direct says that no white space follows it. A
// quotation mark in front of white space opens something only after white space or an
// opening bracket; after a word it closes something.
func openerAt(w *window.Window, o int, direct bool) (int, byte) {
	switch w.Buf[o] {
	case '<':
		return o, '<'
	case '"':
		if direct || o == 0 {
			return o, '"'
		}
		if c := w.Buf[o-1]; lex.Roles[c].Has(lex.White) || c == '<' || lex.PartnerOf(c) != 0 {
			return o, '"'
		}
	}
	return 0, 0
}

// openerAbove searches for an opener at the end of the line above Buf[lo]. In front of Buf[lo] in
// its own line, there may be only the quote prefix that the opener's line has.
func openerAbove(w *window.Window, lo, least int) (o int, mark byte) {
	k := least + bytes.LastIndexByte(w.Buf[least:lo], '\n') + 1
	if k == least || k == lo {
		return 0, 0
	}
	above := lex.SpaceBefore(w.Buf, k, least)
	if above == least {
		return 0, 0
	}
	if o, mark = openerAt(w, above-1, false); mark == 0 {
		return 0, 0
	}
	m := wrap.QuotePrefixOf(w.LineHead(o))
	if n, ok, _ := m.Strip(w.Buf[k:lo], true); !ok || k+n != lo {
		return 0, 0
	}
	return o, mark
}

// Leads reports whether only white space and the quote prefixes of the opener's line are
// between the opener Buf[o] and Buf[lo].
func Leads(w *window.Window, o, lo int) bool {
	if o+1 == lo {
		return true
	}
	m := wrap.QuotePrefixOf(w.LineHead(o))
	n, _, v := wrap.Gap(w.Buf[:lo], o+1, &m, true)
	return v == lex.Yes && n == lo
}
