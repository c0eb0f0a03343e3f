package extract

import (
	"github.com/urlsift/urlsift/extract/internal/mail"
	"github.com/urlsift/urlsift/uri"
)

// A base is what references are resolved against, if from says that there is one.
// Which it is follows from where a reference stands (1997 and 2002, section 5.1):
// what the document says of itself, and else what is said of it by the entity
// that it is in, from the inside out, and else the Options.
type base struct {
	uri  uri.Base
	text string
	from BaseFrom
}

func newBase(o *Options, r uri.Ref, from BaseFrom) (base, error) {
	b, err := uri.NewBase(r, o.Grammar)
	if err != nil {
		return base{}, optionError("base: " + err.Error())
	}
	b.Excess, b.Lax = o.Excess, o.Lax
	return base{b, r.String(), from}, nil
}

// A levelBase is the base within an entity, and what that says of it.
type levelBase struct {
	level mail.Level
	base  base
}

// baseOf returns the base of a part that comes from box. Of what an entity says,
// Content-Base goes before Content-Location; one that is relative is resolved
// against the base of the entity around (RFC 2110, section 5), and one that gives
// no absolute reference has no say. The loop makes a turn for each entity, of which
// there is a bound; what was worked out for the part before is not once more.
func (w *worker) baseOf(box *mailbox, levels []mail.Level) base {
	b := box.outer
	if silent(levels) {
		box.bases = box.bases[:0]
		if len(levels) > 0 {
			b = b.outer()
		}
		return b
	}
	for i, l := range levels {
		if i < len(box.bases) && box.bases[i].level == l { // most often the same strings
			b = box.bases[i].base
			continue
		}
		b = b.outer()
		if inner, ok := w.against(b, l.ContentBase, FromContentBase); ok {
			b = inner
		} else if inner, ok := w.against(b, l.ContentLocation, FromContentLocation); ok {
			b = inner
		}
		box.bases = append(box.bases[:i], levelBase{l, b})
	}
	return b
}

// silent reports whether no entity says anything of its base, as in most mail.
func silent(levels []mail.Level) bool {
	for i := range levels {
		if l := &levels[i]; l.ContentBase != "" || l.ContentLocation != "" {
			return false
		}
	}
	return true
}

// headerBase is baseOf for a header block, which its own Content-Location does not
// hold for: that is to be resolved itself.
func (w *worker) headerBase(box *mailbox, levels []mail.Level) base {
	n := len(levels) - 1
	if n < 0 {
		return box.outer
	}
	if own, ok := w.against(base{}, levels[n].ContentBase, FromContentBase); ok {
		return own
	}
	return w.baseOf(box, levels[:n]).outer()
}

// outer returns b as the base of what lies within the entity that it is of.
func (b base) outer() base {
	if b.from == FromContentBase || b.from == FromContentLocation {
		b.from = FromOuter
	}
	return b
}

// against resolves text against b, and makes it a base.
func (w *worker) against(b base, text string, from BaseFrom) (base, bool) {
	if text == "" {
		return base{}, false
	}
	o := &w.x.opts
	ref, err := uri.Parse(string(uri.AppendEscaped(nil, []byte(text))), o.Grammar)
	if err != nil {
		return base{}, false
	}
	if !ref.IsAbs() {
		if b.from == 0 {
			return base{}, false
		}
		target, err := uri.AppendTarget(nil, b.uri, ref.String(), ref.Parts())
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
