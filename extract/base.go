package extract

import (
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// A base is what references are resolved against, if from says that there is one.
// Which it is follows from where a reference stands (1997 and 2002, section 5.1):
// what the document says of itself, else what is said of it by the entity that it is
// in, from the inside out, and else the Options.
type base struct {
	uri  uri.Base
	text string
	from BaseSource
}

// newBase returns r as a base.
func newBase(o *Options, r uri.Ref, from BaseSource) (base, error) {
	b, err := uri.NewBase(r, o.Grammar)
	if err != nil {
		return base{}, optionError("base: " + err.Error())
	}
	b.Excess, b.Lax = o.Excess, o.Lax
	return base{b, r.String(), from}, nil
}

// outer returns b as the base of what lies within the entity that it is of.
func (b base) outer() base {
	if b.from == FromContentBase || b.from == FromContentLocation {
		b.from = FromOuter
	}
	return b
}

// Bases find the base of one text after another.
type bases struct {
	opts   *Options
	option base // of the Options

	// known are the bases within the entities around the last text, from the
	// outermost: most often those around the next one are the same.
	known []entityBase
}

// An entityBase is the base within an entity, and what that says of it.
type entityBase struct {
	entity document.Entity
	base   base
}

// of returns the base of t, but for what t says itself.
func (b *bases) of(t *document.Text) base {
	n := len(t.Entities)
	switch {
	case n == 0:
		b.known = b.known[:0]
		return b.option
	case t.Kind == document.Header:
		// A header's own Content-Location is resolved itself: it is no base here.
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

// within returns the base within the innermost of entities. Of what an entity says,
// Content-Base goes before Content-Location; one that is relative is resolved against
// the base of the entity around (RFC 2110, section 5), and one that gives no absolute
// reference is ignored. The loop visits each entity, whose number is bounded.
func (b *bases) within(entities []document.Entity) base {
	in := b.option
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
		}
		b.known = append(b.known[:i], entityBase{e, in})
	}
	return in
}

// against resolves text against around, and makes it a base.
func (b *bases) against(around base, text string, from BaseSource) (base, bool) {
	if text == "" {
		return base{}, false
	}
	o := b.opts
	ref, err := uri.Parse(string(uri.AppendEscapedBy(nil, []byte(text), o.Grammar)), o.Grammar)
	if err != nil {
		return base{}, false
	}
	if !ref.IsAbs() {
		if around.from == 0 {
			return base{}, false
		}
		target, err := uri.AppendTarget(nil, around.uri, ref.String(), ref.Parts())
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

// setBase makes the Result that was just given the base of what follows in a page, if it
// is absolute, by itself or by the base so far.
func (j *judge) setBase() {
	r := &j.res
	if !r.Valid {
		return
	}
	text := r.URL
	if r.Target != nil {
		text = r.Target
	}
	ref, err := uri.Parse(string(text), j.opts.Grammar)
	if err != nil || !ref.IsAbs() {
		return
	}
	if b, err := newBase(j.opts, ref, FromHTML); err == nil {
		j.base = b
	}
}
