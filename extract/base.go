package extract

import (
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/damage"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// A base is a reference against which relative references are resolved. If there is no base, from
// is 0. The first of these bases applies (1997 and 2002, section 5.1): the base that the document
// declares, the bases of the entities around it, from the innermost outwards, the URL of its record in a web archive, the URI by which the
// source was retrieved, and Options.Base.
type base struct {
	uri  uri.Base
	text string
	from BaseSource
}

// newBase returns r as a base that was declared in from. It fails if r has no scheme.
func newBase(o *Options, r uri.Ref, from BaseSource) (base, error) {
	b, err := uri.NewBase(r, o.Grammar)
	if err != nil {
		return base{}, optionError("base: " + err.Error())
	}
	b.Excess, b.Lax = o.Excess, o.Lax
	return base{b, r.String(), from}, nil
}

// outer returns b as the base of the parts inside the entity that declared b: for them,
// Content-Base and Content-Location become FromOuter.
func (b base) outer() base {
	if b.from == FromContentBase || b.from == FromContentLocation {
		b.from = FromOuter
	}
	return b
}

// Bases find the base of each text.
type bases struct {
	opts   *Options
	option base // Options.Base
	source base // URI by which the source was retrieved, otherwise Options.Base
	news   base // of the article with the Message-ID newsID
	newsID string

	joined joining

	// known has the base in each entity around the last text, from the outermost inwards.
	// The next text usually has the same entities.
	known []entityBase
}

// An entityBase is an entity and the base in it: its own, or that of the entities around it.
type entityBase struct {
	entity document.Entity
	base   base
}

// begin starts a source that was retrieved by ref, which may be the zero Ref.
func (b *bases) begin(ref uri.Ref) {
	b.known, b.source, b.joined = b.known[:0], b.option, joining{last: -1}
	if ref.IsAbs() {
		if own, err := newBase(b.opts, ref, FromRetrieval); err == nil {
			b.source = own
		}
	}
}

// joinedFrom is what Limits.Joined allows in every message or source. A base has to be in the input
// itself, so many small messages do not add much more, for their size, than one large page.
const joinedFrom = 64 << 10

// A joining counts what the bases in the input add to the references of a source, for Limits.Joined:
// a page of 488 KB with a base of 8 KiB and links of one letter would become 313 MB. Bases that the
// caller gives are not counted.
//
// Several workers may read the messages of a mailbox, so that each message is counted by itself.
type joining struct {
	message int    // number of the outermost message; 0 if there was none yet
	added   int64  // by bases
	between int64  // bytes between references that were resolved, in the same member
	member  string // of the last text
	last    int64  // raw offset of the last reference that was resolved in that member; -1 if there is none
	over    *Error
	isNew   bool // over was not reported yet
}

// begin prepares for a text. It reports whether the text begins a message that is counted by itself.
func (j *joining) begin(w *document.Where) (newMessage bool) {
	message := w.Message
	if w.MessageInMember { // in a mailbox, Member is "#1[2]!..." for message 1; 0 is no message
		rest := strings.TrimPrefix(w.Member, "#")
		message, _ = strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	}
	if newMessage = message != 0 && message != j.message; newMessage {
		*j = joining{message: message}
	}
	if newMessage || w.Member != j.member {
		j.member, j.last = w.Member, -1 // in the parts of one member, offsets increase
	}
	return newMessage
}

// isInInput reports whether the base was declared in the input.
func (b *base) isInInput() bool {
	switch b.from {
	case FromHTML, FromContentBase, FromContentLocation, FromOuter, FromRecord:
		return true
	}
	return false
}

// reference counts a reference at the raw offset at, to which a base in the input adds that many bytes.
// It reports whether the reference may be resolved.
func (j *joining) reference(added int, at int64, o *Options) bool {
	if j.last >= 0 {
		j.between += max(0, at-j.last)
	}
	j.last = at
	return j.add(added, o)
}

// add counts bytes, and reports whether Limits.Joined is kept.
func (j *joining) add(bytes int, o *Options) bool {
	if j.added += int64(bytes); j.over == nil && (j.added-joinedFrom)/int64(o.Limits.Joined) > j.between {
		d := damage.Limited(damage.StageBase, "Joined", int64(o.Limits.Joined), "bases add more than %d times the text; from here on references are not resolved")
		j.over, j.isNew = errorOf(Origin{}, d), true
	}
	return j.over == nil
}

// exceeded returns an Error about the first reference that is not resolved, or nil if it was returned
// before, or if there is none.
func (j *joining) exceeded(at *Origin) *Error {
	if !j.isNew {
		return nil
	}
	j.isNew = false
	e := *j.over
	e.Origin = *at
	e.Origin.Field, e.Origin.Length = "", 0
	return &e
}

// article returns the base of a text in the article with the Message-ID id. It returns the zero
// base if id cannot be made part of a URL.
func (b *bases) article(id string) base {
	if b.newsID != id {
		b.newsID, b.news = id, base{}
		text := uri.AppendEscaped(nil, appendID([]byte("news:"), []byte(id)), b.opts.Grammar)
		if ref, err := uri.Parse(string(text), b.opts.Grammar); err == nil {
			b.news, _ = newBase(b.opts, ref, FromArticle)
		}
	}
	return b.news
}

// of returns the base of t, without a base that t itself declares; see declared.
func (b *bases) of(t *document.Text) base {
	n := len(t.Entities)
	if b.joined.begin(&t.Where) {
		b.known = b.known[:0] // so that each message counts its bases
	}
	switch {
	case n == 0:
		b.known = b.known[:0]
		return b.source
	case t.Kind == document.Header:
		// The Content-Location of a header block is itself resolved, so it is no base
		// here.
		if own, ok := b.against(base{}, t.Entities[n-1].ContentBase, FromContentBase); ok {
			return own
		}
		return b.within(t.Entities[:n-1]).outer()
	}
	in := b.within(t.Entities)
	if t.Entities[n-1].Outer {
		in = in.outer()
	}
	return in
}

// ofFields returns the base of references in header fields of t other than Content-Base and
// Content-Location: the base of the entity that the header describes (1997 and 2002, section
// 5.1.1).
func (b *bases) ofFields(t *document.Text) base {
	if len(t.Entities) == 0 {
		return b.source
	}
	return b.within(t.Entities)
}

// within returns the base in the innermost of entities. In one entity, Content-Base has
// priority over Content-Location. If such a field is relative, it is resolved against the base of
// the entity around it (RFC 2110, section 5). It is ignored if the result is not absolute, and unknown if
// Limits.Joined is exceeded. The loop visits each entity; their number is bounded.
func (b *bases) within(entities []document.Entity) base {
	in := b.source
	for i, e := range entities {
		if i < len(b.known) && b.known[i].entity == e {
			in = b.known[i].base
			continue
		}
		in = in.outer()
		if inner, ok := b.against(in, e.ContentBase, FromContentBase); ok {
			in = inner
		} else if inner, ok := b.against(in, e.ContentLocation, FromContentLocation); ok {
			in = inner
		} else if inner, ok := b.against(in, e.Target, FromRecord); ok {
			in = inner
		}
		b.known = append(b.known[:i], entityBase{e, in})
	}
	return in
}

// against resolves text against outer and returns the result as a base. It returns false if text
// is empty, or if no absolute reference results.
func (b *bases) against(outer base, text string, from BaseSource) (base, bool) {
	if text == "" {
		return base{}, false
	}
	o := b.opts
	ref, err := uri.Parse(string(uri.AppendEscaped(nil, []byte(text), o.Grammar)), o.Grammar)
	if err != nil {
		return base{}, false
	}
	if !ref.IsAbs() {
		if outer.from == 0 {
			return base{}, false
		}
		// Bases that are relative to one another may have 100 times the longest field, and each
		// part may have one.
		b.joined.between += int64(len(text))
		if !b.joined.add(len(outer.text), o) {
			return base{from: FromOuter}, true // against which nothing is resolved
		}
		target, err := uri.AppendTarget(nil, outer.uri, ref.String(), ref.Parts())
		if err != nil || len(target) == 0 {
			return base{}, false
		}
		if ref, err = uri.Parse(string(target), o.Grammar); err != nil || !ref.IsAbs() {
			return base{}, false
		}
	}
	inner, err := newBase(o, ref, from)
	return inner, err == nil
}

// declared returns r as the base of the rest of the page; merge.give calls it for the value of
// <base href>. It returns false if r is not valid, or is still relative after it was resolved.
func (b *bases) declared(r *Result) (base, bool) {
	if !r.Valid {
		return base{}, false
	}
	text := r.URL
	if r.Target != nil {
		text = r.Target
	}
	ref, err := uri.Parse(string(text), b.opts.Grammar)
	if err != nil || !ref.IsAbs() {
		return base{}, false
	}
	own, err := newBase(b.opts, ref, FromHTML)
	return own, err == nil
}

// appendID appends id for use after one of the schemes mid, cid and news. It escapes '%', '#', '/'
// and '?', which would be delimiters in such a URL. It leaves other characters unchanged:
// uri.AppendEscaped escapes the characters that no reference can contain.
func appendID(dst, id []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range id {
		switch c {
		case '%', '#', '/', '?':
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
