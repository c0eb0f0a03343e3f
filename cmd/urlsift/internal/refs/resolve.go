package refs

import "github.com/urlsift/urlsift/uri"

// resolve answers with the target. In the drafts, a reference to the current document
// has no target; then the reference itself is printed, as by the main command.
func (j *Answerer) resolve(to *Answer, text string, p uri.Parts) {
	var target any
	same := false
	to.line = to.ref
	if to.Fault == "" {
		made, err := uri.AppendTarget(j.buf[:0], j.base, text, p)
		j.buf = made
		to.refuse(err, text)
		same = err == nil && uri.SameDocument(j.base, text, p)
		if err == nil && len(made) > 0 { // a target has a scheme
			to.line = j.shown(string(made))
			target = to.line
		}
	}
	to.values = []any{to.ref, j.baseText, target, same, defined(to.Fault, to.Fault != "")}
}

// normalize answers with the normal form.
func (j *Answerer) normalize(to *Answer, text string, p uri.Parts) {
	to.line = to.ref
	var normal any
	if to.Fault == "" {
		j.buf = uri.AppendNormal(j.buf[:0], text, p, j.grammar)
		to.line = j.shown(string(j.buf))
		normal = to.line
	}
	to.values = []any{to.ref, normal}
}

// relativize answers with the shortest reference that leads from the base to the target of
// text.
func (j *Answerer) relativize(to *Answer, text string, p uri.Parts) {
	to.line = to.ref
	var short any
	if to.Fault == "" {
		target, err := uri.AppendTarget(nil, j.base, text, p)
		if len(target) == 0 { // a reference to the current document, which has no target in the drafts
			target = []byte(text)
		}
		if to.refuse(err, text); err == nil {
			j.buf = uri.AppendRelative(j.buf[:0], j.base, target, uri.Split(target))
			to.line = j.shown(string(j.buf))
			short = to.line
		}
	}
	to.values = []any{to.ref, j.baseText, short, defined(to.Fault, to.Fault != "")}
}
