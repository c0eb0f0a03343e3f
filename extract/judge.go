package extract

import (
	"bytes"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
)

// Here what delimit finds meets what uri knows of references:
//
//	delimit.Scanner → uri.Split → uri.Accepts → uri.AppendTarget → Result
//
// Most candidates are taken as they are: they are split once, judged by all grammars in
// one pass, and copied nowhere. Nothing is allocated for a Result.

// A judge completes Results: it says of what was found whether it is a reference, and
// what it is relative to. It has the one Result that is being made.
type judge struct {
	res     Result
	opts    *Options
	bases   bases
	base    base // in force
	last    assessed
	buffers struct{ url, target []byte } // what a Result does not alias; three times the longest reference, and that with the base
}

// begin starts a text: it finds the base in force, and sets what the Origins of all its
// Results have in common.
func (j *judge) begin(source string, t *document.Text) {
	j.base = j.bases.of(t)
	j.res.Origin = origin(source, &t.Where)
}

// origin returns the Origin of what is at w in source, but for its place in the stream.
func origin(source string, w *document.Where) Origin {
	return Origin{Source: source, Member: w.Member, Message: w.Message, Part: w.Part,
		MessageID: w.MessageID, Date: w.Date, Newsgroups: w.Newsgroups, Subject: w.Subject, From: w.From, enclosed: w.Enclosed}
}

// set sets what of o follows from the span at.
func (o *Origin) set(at document.Span) {
	o.Offset, o.Length, o.Line, o.Column, o.Exact = at.Offset, at.Length, at.Line, at.Column, at.Exact
}

// assess sets what of the Result follows from Candidate.Ref alone.
func (j *judge) assess() {
	r := &j.res
	r.URL = r.Candidate.Ref
	r.Parts = uri.Split(r.URL)
	r.Accepts, _ = uri.Accepts(r.URL, r.Parts, uri.Every)
	r.Valid = r.Accepts&j.opts.Grammar != 0
	if !r.Valid {
		j.repair()
	}
}

// repair escapes what no reference can hold (rules 15 and 21 of the delimiting rules), and
// asks again if that changed something.
func (j *judge) repair() {
	r := &j.res
	j.buffers.url = uri.AppendEscapedBy(j.buffers.url[:0], r.Candidate.Ref, j.opts.Grammar)
	if bytes.Equal(j.buffers.url, r.Candidate.Ref) {
		return
	}
	r.URL = j.buffers.url
	r.Parts = uri.Split(r.URL)
	got, _ := uri.Accepts(r.URL, r.Parts, j.opts.Grammar)
	if r.Valid = got != 0; r.Valid && breaksEscape(r.Candidate.Ref) {
		r.Candidate.By |= delimit.Repaired
	}
}

// breaksEscape reports whether a '%' in ref begins no escape.
func breaksEscape(ref []byte) bool {
	for i := bytes.IndexByte(ref, '%'); i >= 0 && i < len(ref); i++ {
		if ref[i] == '%' && (i+2 >= len(ref) || !isHex(ref[i+1]) || !isHex(ref[i+2])) {
			return true
		}
	}
	return false
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// finish sets the rest of the Result, whose Candidate and Origin are complete and which was
// assessed. It reports whether the Result is to be yielded.
func (j *judge) finish() bool {
	r := &j.res
	r.Err, r.Target, r.Base, r.BaseSource = nil, nil, "", 0
	switch {
	case r.Valid:
		if j.base.from != 0 {
			j.resolve()
		}
	case j.opts.Refused:
		r.Err = uri.Explain(r.URL, r.Parts, j.opts.Grammar)
	default:
		return false
	}
	return true
}

// resolve sets the Target, if that is something else than the URL.
func (j *judge) resolve() {
	r := &j.res
	target, err := uri.AppendTarget(j.buffers.target[:0], j.base.uri, r.URL, r.Parts)
	j.buffers.target = target[:0]
	if err != nil {
		r.Err = err
		return
	}
	if len(target) == 0 || bytes.Equal(target, r.URL) {
		return
	}
	r.Target, r.Base, r.BaseSource = target, j.base.text, j.base.from
}

// value begins a Result of v, which stands by itself in no text.
func (j *judge) value(v *heldValue, form delimit.Form) {
	r := &j.res
	at := delimit.Span{Start: v.At, End: v.At}
	c := &r.Candidate
	*c = delimit.Candidate{}
	c.Text, c.Ref, c.Raw, c.Inner, c.Outer = v.Bytes, v.Bytes, v.raw, at, at
	c.Line, c.Column, c.Form = v.Line, v.Column, form
	r.Origin.Field = v.field
	r.Origin.set(v.Span)
	if !j.last.again(j) {
		j.assess()
		j.last.keep(r)
	}
}

// An assessed is the assessment of the last value. Pages repeat themselves: the same link is
// often around a picture and around words. Without it a page of such pairs takes 1.27 times
// the processor time in JSON, and a page that repeats one long bad link 6.6 times in text.
type assessed struct {
	ref, url []byte // url is empty if it is ref itself; both are at most a few times the longest reference
	parts    uri.Parts
	accepts  uri.Grammar
	valid    bool
	by       delimit.Extra
}

// again sets what assess would of the Result in j, if its reference is that of the last
// value, and reports whether it is.
func (l *assessed) again(j *judge) bool {
	r := &j.res
	if !bytes.Equal(l.ref, r.Candidate.Ref) || len(l.ref) == 0 {
		return false
	}
	r.URL, r.Parts, r.Accepts, r.Valid = r.Candidate.Ref, l.parts, l.accepts, l.valid
	if len(l.url) > 0 {
		j.buffers.url = append(j.buffers.url[:0], l.url...)
		r.URL = j.buffers.url
	}
	r.Candidate.By = l.by
	return true
}

// keep remembers what was found of r.
func (l *assessed) keep(r *Result) {
	l.ref = append(l.ref[:0], r.Candidate.Ref...)
	l.url = l.url[:0]
	if len(r.URL) != len(l.ref) { // what is escaped is longer
		l.url = append(l.url, r.URL...)
	}
	l.parts, l.accepts, l.valid, l.by = r.Parts, r.Accepts, r.Valid, r.Candidate.By
}
