package html

import (
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

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
	info := h.names.attrs.get(h.attr.name())
	if h.attr.named > nameCap || info == nil || info.only != "" && info.only != h.tag.info.name {
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
