package delimit

import (
	"github.com/urlsift/urlsift/delimit/internal/bare"
	"github.com/urlsift/urlsift/delimit/internal/extras"
	"github.com/urlsift/urlsift/delimit/internal/lex"
	"github.com/urlsift/urlsift/delimit/internal/schemes"
	"github.com/urlsift/urlsift/delimit/internal/window"
	"github.com/urlsift/urlsift/delimit/internal/wrap"
)

// The layers of the scanner. Each has the one below it as a field.

// A matcher finds the candidate at a colon, or at another trigger.
type matcher struct {
	opts Options
	window.Window
	bare.EndFinder

	skipping      bool     // a bare run that is too long is being skipped
	skipped       [2]int64 // number of these runs, and of their bytes
	messageIDLine int64    // line of the last Message-ID; see address.go

	// For each pair of quotation marks, the index in Buf up to which there is no
	// closing mark.
	unpaired [len(lex.Pairs)]int

	bracketed bracketedText // content of the brackets around the current reference, if that is more than the reference
	cut       []byte        // buffer for text in front of a space
}

// A fastMatcher finds the usual references itself.
type fastMatcher struct {
	matcher
	plain      bool // the options allow the fast path
	onlyColons bool // plain is set, and only colons are triggers
}

// A searcher goes from one colon to the next.
type searcher struct {
	fastMatcher
	examined int    // if not 0: examine the open candidate again when a byte from here on may end it
	next     [3]int // for each trigger: its next position, as far as known
}

// counts reports whether text counts as a reference. text is the content of a wrapper that mark
// opens, or bare if mark is 0. ref is text in absolute form: text itself if by is 0, otherwise what
// the extra in by makes of text.
func (s *matcher) counts(text []byte, set schemes.SchemeSet, mark byte, e *wrap.Enclosure) (ref []byte, by Extra, ok bool) {
	if s.opts.Extras&Defanged != 0 {
		if s.Ref, ok = extras.Refang(s.Ref[:0], text); ok {
			if _, ok = s.Rules.Begins(s.Ref, set); ok {
				return s.Ref, Defanged, true
			}
		}
	}
	if set == schemes.Usual {
		switch mark {
		case '<':
			set = schemes.Angled
		case '"':
			set = schemes.Quoted
		}
	}
	// White space restricts what a prefix allows: <URL: see the page> has no reference,
	// and no scheme extends over several words.
	if set == schemes.Any && e.Gaps > 0 {
		set = schemes.Angled // even after a prefix, a sentence is not a scheme
	}
	if _, ok = s.Rules.Begins(text, set); ok {
		return text, 0, true
	}
	if s.opts.Extras&Abbreviated != 0 {
		if scheme, _ := extras.Abbreviates(text); scheme != "" {
			s.Ref = append(append(s.Ref[:0], scheme...), text...)
			return s.Ref, Abbreviated, true
		}
	}
	if set == schemes.Any && mark == '<' && (schemes.IsRelative(text) || s.opts.Article && e.Gaps == 0 && schemes.IsMessageID(text)) {
		return text, 0, true
	}
	return nil, 0, false
}

// spanOf returns the span of Buf[lo:hi].
func spanOf(w *window.Window, lo, hi int) Span {
	return Span{w.Base + int64(lo), w.Base + int64(hi)}
}

// A bracketedText is the content of brackets that hold a reference and more. It is Buf[lo:hi],
// without the white space at its ends. The zero value is none.
type bracketedText struct {
	lo, hi int
	quoted wrap.QuotePrefix // of the line that opened it
}
