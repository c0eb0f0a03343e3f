package refs

import "github.com/urlsift/urlsift/uri"

// resolve answers with the target. By the documents before RFC 3986, a reference to the
// current document has no target; then the reference itself is printed, as by the main command.
func (a *Answerer) resolve(to *Answer, text string, p uri.Parts) {
	var target any
	same := false
	to.line = to.ref
	if to.Fault == "" {
		made, err := uri.AppendTarget(a.buf[:0], a.base, text, p)
		a.buf = made
		to.refuse(err, text)
		same = err == nil && uri.SameDocument(a.base, text, p)
		if err == nil && len(made) > 0 { // a target has a scheme
			to.line = a.shown(string(made))
			target = to.line
		}
	}
	to.values = []any{to.ref, a.baseText, target, same, defined(to.Fault, to.Fault != "")}
}

// normalize answers with the normal form.
func (a *Answerer) normalize(to *Answer, text string, p uri.Parts) {
	to.line = to.ref
	var normal any
	if to.Fault == "" {
		a.buf = uri.AppendNormal(a.buf[:0], text, p, a.grammar)
		to.line = a.shown(string(a.buf))
		normal = to.line
	}
	to.values = []any{to.ref, normal}
}

// relativize answers with the shortest reference that leads from the base to the target of
// text.
func (a *Answerer) relativize(to *Answer, text string, p uri.Parts) {
	to.line = to.ref
	var short any
	if to.Fault == "" {
		target, err := uri.AppendTarget(nil, a.base, text, p)
		if len(target) == 0 { // a reference to the current document, which has no target by the documents before RFC 3986
			target = []byte(text)
		}
		if to.refuse(err, text); err == nil {
			a.buf = uri.AppendRelative(a.buf[:0], a.base, target, uri.Split(target))
			to.line = a.shown(string(a.buf))
			short = to.line
		}
	}
	to.values = []any{to.ref, a.baseText, short, defined(to.Fault, to.Fault != "")}
}
