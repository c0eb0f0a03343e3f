package html

import (
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// A verdict is what [Decoder.judge] finds a value to be.
type verdict uint8

const (
	isDropped verdict = iota
	isWords
	isKept
	needMore
)

// judge says what to do with the value at the beginning of src, its quote
// included, of the attribute and in the tag that were just read.
func (h *Decoder) judge(src []byte, atEOF bool) verdict {
	if h.endTag {
		return isDropped
	}
	info := h.names.attrs.get(h.name[:min(h.named, nameCap)])
	if h.named > nameCap || info == nil || info.only != "" && info.only != h.tag.name {
		return h.words(src, atEOF)
	}
	h.attr = info
	switch info.kind {
	case nothings:
		if h.XML {
			return h.words(src, atEOF)
		}
		return isDropped
	case refresh: // or else a description, keywords, anything
		n, more := refreshLen(src[min(1, int(h.quote)):], atEOF)
		if more {
			return needMore
		}
		if n == 0 {
			return h.words(src, atEOF)
		}
	}
	if h.Sink == nil {
		return isDropped
	}
	return isKept
}

// wordsCap bounds the value that is examined as a whole before it is text.
const wordsCap = 64

// words is judge for a value that nothing is known of. If it is short and has
// nothing in it that a reference or an address could not be without ("true"), it
// is not text that anybody misses.
func (h *Decoder) words(src []byte, atEOF bool) verdict {
	if h.quote != 0 {
		src = src[1:]
	}
	for i, c := range src[:min(len(src), wordsCap)] {
		switch {
		case c == ':' || c == '.' || c == '@' || c == '&':
			return isWords
		case h.quote != 0 && c == h.quote, h.quote == 0 && (c == '>' || octet.IsSpace(c)):
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

// refreshCap bounds what stands before the reference in a refresh.
const refreshCap = 64

// refreshLen returns the length of what stands before the reference in the
// value "5; url=x" of a meta element, 0 if it is no such value; more means
// that src is too short to tell. The value is known by this form and not by
// http-equiv, which may come after it.
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

// keep adds a piece to the value. One that grows over the limit is never handed
// over in part: a reference that is cut is another reference.
func (h *Decoder) keep(piece []byte) {
	limit := h.MaxValue
	if limit <= 0 {
		limit = defaultMaxValue
	}
	if h.over || len(h.raw)+len(piece) > limit {
		h.over = true
		return
	}
	h.raw = append(h.raw, piece...)
}

// defaultMaxValue is [Decoder.MaxValue] if that is 0.
const defaultMaxValue = 8 << 10
