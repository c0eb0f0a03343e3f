package extract

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
)

// A Result is one reference. It and its slices are valid until the next iteration of the
// loop. The caller may read but not change them; [Result.Clone] makes a copy to keep.
type Result struct {
	// Candidate is the reference as it is in the text. Its offsets are those of the
	// decoded text; Origin has the raw ones. A reference in an attribute is not part of
	// the text: its spans are empty, at the place of the tag.
	Candidate delimit.Candidate

	// URL is Candidate.Ref itself, or, if Options.Grammar does not accept that, a copy in
	// which excluded characters are escaped (rule 15 in package delimit). If a '%' that
	// begins no escape was escaped too (rule 21), Candidate.By has [delimit.Repaired].
	// With Options.Normalize it is a copy in the normal form.
	URL   []byte
	Parts uri.Parts // of URL

	// Target is URL resolved against the base in force. It is nil if it equals URL, if
	// there is no base, or if URL refers to the current document (2002, section 4.2).
	Target     []byte
	Base       string     // the base of Target; "" without Target
	BaseSource BaseSource // where that base was declared

	// Accepts has all grammars that accept Candidate.Ref unchanged. In an article of news
	// 1994 accepts <URL:comp.x> and <URL:1@h>, partial forms of news:comp.x and news:1@h.
	Accepts uri.Grammar
	Valid   bool        // Options.Grammar accepts URL
	grammar uri.Grammar // Options.Grammar
	Err     error       // a [*uri.Error]: why URL is not valid (only if Options.Refused is set), or why Target is missing
	Origin  Origin
}

// Warnings returns what is suspicious about r.URL. It is computed at each call, without
// allocation.
func (r *Result) Warnings() uri.Warning { return uri.Warnings(r.URL, r.Parts) }

// Clone returns a copy of r with slices of its own, which stay valid.
func (r *Result) Clone() Result {
	c := *r
	c.Candidate = r.Candidate.Clone()
	if same(r.URL, r.Candidate.Ref) {
		c.URL = c.Candidate.Ref
	} else {
		c.URL = bytes.Clone(r.URL)
	}
	c.Target = bytes.Clone(r.Target)
	return c
}

// spoil overwrites the first bytes of the slices of r, which the caller must not use any
// more. So a caller that kept them without copying fails in its first test. They must not
// be part of a text that is still read.
func (r *Result) spoil() {
	f := &r.Candidate
	spoil(f.Text)
	spoil(f.Raw)
	spoil(f.Ref)
	spoil(f.Tail)
	spoil(r.URL)
	spoil(r.Target)
}

// spoil overwrites the first byte of s.
func spoil(s []byte) {
	if len(s) > 0 {
		s[0] = 0
	}
}

// same reports whether a and b are the same stretch of memory.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// A BaseSource says where a base was declared, in order of priority (2002, section 5.1).
type BaseSource uint8

const (
	FromHTML            BaseSource = iota + 1 // <base href>
	FromContentBase                           // the header field of the part
	FromContentLocation                       // the header field of the part
	FromOuter                                 // one of these, in an entity around the part
	FromOption                                // Options.Base

	// A Source.Base is weaker than FromOuter, and stronger than FromOption.
	FromRetrieval

	// The article of news in whose text the reference is applies to names of groups and
	// articles: "within an article, a reference to a news group or to another article will
	// be a valid URL (in the partial form)" (1993 and 1994, "News"). For groups it is the
	// weakest base. The Message-ID of an article is a reference only there, and has no
	// other base.
	FromArticle
)

var baseNames = [...]string{"", "html", "content-base", "content-location", "outer", "option", "retrieval", "article"}

// String returns "html", "content-base", "content-location", "outer", "option",
// "retrieval" or "article"; "" for none.
func (b BaseSource) String() string {
	if int(b) < len(baseNames) {
		return baseNames[b]
	}
	return ""
}

// Scheme returns the scheme of Target, or of URL if there is no Target, as it is written
// there. It returns nil if there is no scheme. The slice aliases r and is valid as long
// as r is.
func (r *Result) Scheme() []byte { return r.component(uri.Scheme) }

// Host returns the host of Target, or of URL if there is no Target, as it is written
// there. An IP literal keeps its brackets. It returns nil if there is no host. The slice
// aliases r and is valid as long as r is.
func (r *Result) Host() []byte { return r.component(uri.Host) }

func (r *Result) component(c uri.Component) []byte {
	text, parts := r.URL, r.Parts
	if r.Target != nil {
		text = r.Target
		parts = uri.Split(text)
	}
	lo, hi, ok := parts.Span(c)
	if !ok {
		return nil
	}
	return text[lo:hi]
}
