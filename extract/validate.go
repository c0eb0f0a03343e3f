package extract

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/decode/octet"
	"github.com/urlsift/urlsift/extract/internal/document"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// This file checks the candidates of package delimit by the grammars of package uri:
//
//	delimit.Scanner → uri.Split → uri.Accepts → uri.AppendTarget → Result
//
// Most candidates are split once, checked against all grammars in one pass, and not
// copied. Nothing is allocated for a Result.

// A validator completes Results: it decides whether a candidate is a reference, and resolves
// it. It has one Result, which it uses again.
type validator struct {
	res       Result
	opts      *Options
	bases     bases
	fieldBase base   // in force in header fields that are text; none elsewhere
	article   string // Message-ID of the article in whose text the reference is
	base      base   // in force
	page      base   // the URI by which the text was retrieved, if that is known; an empty value refers to the page
	request   bool   // the value is always requested, as FORM action is

	// The buffers hold what is not part of the text. url and normal are at most three times as
	// long as the longest reference; target and normalTarget may be longer by the base.
	buffers struct{ url, target, normal, normalTarget, inner []byte }
}

// begin prepares for a text: it finds the base in force, and sets the fields of Origin
// that all Results of the text have in common.
func (v *validator) begin(source string, t *document.Text) {
	v.base = v.bases.of(t)
	v.article, v.fieldBase, v.page = "", base{}, base{}
	if v.bases.source.from == FromRetrieval && t.Member == "" && t.Message == 0 {
		v.page = v.bases.source
	}
	switch {
	case t.Kind == document.Header:
		v.fieldBase = v.bases.ofFields(t)
	case t.Kind == document.Plain && t.Article:
		v.article = t.ArticleID
	}
	v.res.grammar = v.opts.Grammar
	v.res.Origin = origin(source, &t.Where)
}

// origin returns the Origin of a text at w in source, without its position in the stream.
func origin(source string, w *document.Where) Origin {
	return Origin{Source: source, Member: w.Member, Message: w.Message, Part: w.Part, Fields: Fields(w.Fields), messageInMember: w.MessageInMember}
}

// set sets the fields of o that follow from the span at.
func (o *Origin) set(at document.Position) {
	o.Offset, o.Length, o.Line, o.Column, o.Exact = at.Offset, at.Length, at.Line, at.Column, at.Exact
}

// spoil overwrites the first bytes of the buffers of the last Result, which was yielded:
// see [Result.spoil]. The scanner does the same with the bytes of its candidates.
func (v *validator) spoil() {
	b := &v.buffers
	if cap(b.url)|cap(b.target)|cap(b.normal)|cap(b.normalTarget)|cap(b.inner) == 0 { // as in logs, where nothing was escaped or resolved
		return
	}
	for _, s := range [...][]byte{b.url, b.target, b.normal, b.normalTarget, b.inner} {
		spoil(s[:min(1, cap(s))])
	}
}

// assess sets the fields of the Result that depend on Candidate.Ref alone.
func (v *validator) assess() {
	r := &v.res
	r.URL = r.Candidate.Ref
	r.Parts = uri.Split(r.URL)
	r.Accepts, _ = uri.Accepts(r.URL, r.Parts, uri.Every)
	if v.article != "" && isGroupOrArticle(r) {
		v.assessNews()
	}
	r.Valid = r.Accepts&v.opts.Grammar != 0
	if !r.Valid {
		v.repair()
	}
}

// partialNews are the grammars that accept partial forms within an article.
var partialNews = uri.Every.Rules().PartialNews

// assessNews adds the grammars of uri.Rules.PartialNews to those that accept the Result, if the
// Result is the partial form of a URL of news. 1994 has no other partial forms, but "within an
// article, a reference to a news group or to another article will be a valid URL (in the partial
// form)" ("News").
func (v *validator) assessNews() {
	r := &v.res
	if !r.Candidate.Prefixed {
		return
	}
	v.buffers.target = append(append(v.buffers.target[:0], newsScheme...), r.URL...)
	full, _ := uri.Accepts(v.buffers.target, uri.Split(v.buffers.target), partialNews)
	r.Accepts |= full
}

// repair escapes characters that no reference can contain (rules 15 and 21 in package delimit).
// If that changed anything, the result is assessed again.
func (v *validator) repair() {
	r := &v.res
	v.buffers.url = uri.AppendEscaped(v.buffers.url[:0], r.Candidate.Ref, v.opts.Grammar)
	if bytes.Equal(v.buffers.url, r.Candidate.Ref) {
		return
	}
	r.URL = v.buffers.url
	r.Parts = uri.Split(r.URL)
	got, _ := uri.Accepts(r.URL, r.Parts, v.opts.Grammar)
	if r.Valid = got != 0; r.Valid && breaksEscape(r.Candidate.Ref) {
		r.Candidate.By |= delimit.Repaired
	}
}

// breaksEscape reports whether a '%' in ref begins no escape.
func breaksEscape(ref []byte) bool {
	for i := bytes.IndexByte(ref, '%'); i >= 0 && i < len(ref); i++ {
		if ref[i] == '%' && (i+2 >= len(ref) || octet.Hex[ref[i+1]] > 0xF || octet.Hex[ref[i+2]] > 0xF) {
			return true
		}
	}
	return false
}

// finish sets the remaining fields of a Result that was assessed, with complete Candidate
// and Origin. It reports whether the Result is yielded.
func (v *validator) finish() bool {
	r := &v.res
	r.Err, r.Target, r.Base, r.BaseSource = nil, nil, "", 0
	switch {
	case r.Valid:
		if v.base.from != 0 || v.fieldBase.from != 0 || v.article != "" {
			v.resolveByBase()
		}
		if v.opts.Unwrap {
			v.unwrap()
		}
		if v.opts.Normalize {
			v.normalize()
		}
	case v.opts.Refused:
		r.Err = uri.Explain(r.URL, r.Parts, v.opts.Grammar)
	default:
		return false
	}
	return true
}

// resolveByBase sets the Target of the Result, if the base that applies to it can resolve it.
func (v *validator) resolveByBase() {
	r := &v.res
	by := r.Accepts & v.opts.Grammar
	onlyNews := by != 0 && by&^partialNews == 0 // by 1994 other bases cannot resolve it
	switch b := v.baseOf(); {
	case b.from != 0 && !(onlyNews && v.article != "") && !v.inNewsAlone():
		v.resolve(b)
	case v.article != "" && isGroupOrArticle(r):
		if b := v.bases.article(v.article); b.from != 0 {
			v.resolveNews(&b)
		}
	}
}

// baseOf returns the base that applies to the Result.
func (v *validator) baseOf() *base {
	if v.fieldBase.from != 0 && v.res.Candidate.Form != delimit.Header {
		return &v.fieldBase
	}
	return &v.base
}

// newsScheme is what a partial form of a URL of news leaves out.
const newsScheme = "news:"

// isGroupOrArticle reports whether r is a partial form of a URL of news: a path of one
// segment, which is not "." or "..".
func isGroupOrArticle(r *Result) bool {
	lo, hi, _ := r.Parts.Span(uri.Path)
	return hi > lo && hi-lo == len(r.URL) && bytes.IndexByte(r.URL, '/') < 0 && len(bytes.Trim(r.URL, ".")) > 0
}

// inNewsAlone reports whether the Result is a reference only because its text is an article:
// the Message-ID of another article. In other texts it is no reference, so only the base of the
// article applies: "within an article, a reference to a news group or to another article will
// be a valid URL (in the partial form)" (1993 and 1994, "News"). The name of a group, however,
// is also a relative path, to which other bases apply.
func (v *validator) inNewsAlone() bool {
	r := &v.res
	return v.article != "" && r.Candidate.Prefixed && bytes.IndexByte(r.URL, '@') >= 0 && isGroupOrArticle(r)
}

// resolveNews sets the Target of a partial form of a URL of news. b is the article around it. The
// partial form is the URL without its scheme ("the scheme is omitted"; 1993, "Partial form"), so the
// Target has the scheme again. This holds also by grammars that have no other partial forms, or
// none for a base like b.
func (v *validator) resolveNews(b *base) {
	r := &v.res
	r.Target = append(append(v.buffers.target[:0], newsScheme...), r.URL...)
	v.buffers.target = r.Target[:0]
	r.Base, r.BaseSource = b.text, b.from
}

// resolve sets the Target by the base b, if it differs from the URL.
func (v *validator) resolve(b *base) {
	r := &v.res
	if v.bases.joined.over != nil && b.isInInput() {
		if _, _, absolute := r.Parts.Span(uri.Scheme); !absolute {
			r.Err = v.bases.joined.over
		}
		return
	}
	if len(r.URL) == 0 {
		v.resolveEmpty(b)
		return
	}
	target, err := uri.AppendTarget(v.buffers.target[:0], b.uri, r.URL, r.Parts)
	v.buffers.target = target[:0]
	if err != nil {
		r.Err = err
		return
	}
	if len(target) == 0 || bytes.Equal(target, r.URL) {
		return
	}
	v.setTarget(target, b)
}

// setTarget sets the Target of the Result, unless Limits.Joined is exceeded.
func (v *validator) setTarget(target []byte, b *base) {
	r := &v.res
	if b.isInInput() && !v.bases.joined.reference(len(target)-len(r.URL)+len(b.text), r.Origin.Offset, v.opts) {
		r.Err = v.bases.joined.over
		return
	}
	r.Target, r.Base, r.BaseSource = target, b.text, b.from
}

// resolveEmpty sets the Target of an empty value. The value refers to the page itself, so the
// Target is the URI by which the page was retrieved, if that URI is known. But where a request
// always follows, as with FORM action, "an empty URI reference represents the base URI of the
// current document" (2002, section 4.2); 1997, section 3, says "the URL of the current document".
// By RFC 3986, section 5.2.2, every empty reference has the base as its target.
func (v *validator) resolveEmpty(b *base) {
	switch has := v.opts.Grammar.Newest().Rules(); {
	case has.EmptyIsBase != 0:
	case !v.request, has.RequestIsBase == 0 && v.page.from != 0:
		b = &v.page
	}
	if b.from == 0 {
		return
	}
	whole, _, _ := strings.Cut(b.text, "#")
	target := append(v.buffers.target[:0], whole...)
	v.buffers.target = target[:0]
	v.setTarget(target, b)
}

// unwrap makes the Target what is inside the Target, or the URL, if a rewriting service has made it.
func (v *validator) unwrap() {
	r := &v.res
	outer := r.Shown()
	if !unwrap.May(outer, uri.Split(outer)) {
		return
	}
	if inner, ok := unwrap.AppendTarget(v.buffers.inner[:0], outer, v.opts.Grammar); ok {
		v.buffers.inner = inner
		r.Target, r.Base, r.BaseSource = inner, "", 0
	}
}

// normalize puts the URL and the Target, which are valid, into the normal form. Fields
// that describe the text, such as Accepts, do not change.
func (v *validator) normalize() {
	r, b := &v.res, &v.buffers
	b.normal = v.appendNormal(b.normal[:0], r.URL, r.Parts)
	r.URL = b.normal
	r.Parts = uri.Split(r.URL)
	if r.Target == nil {
		return
	}
	b.normalTarget = v.appendNormal(b.normalTarget[:0], r.Target, uri.Split(r.Target))
	if r.Target = b.normalTarget; bytes.Equal(r.Target, r.URL) {
		r.Target, r.Base, r.BaseSource = nil, "", 0
	}
}

// appendNormal appends the normal form of ref by the newest of the chosen grammars that
// accept ref. If none does, it appends ref unchanged.
func (v *validator) appendNormal(dst, ref []byte, p uri.Parts) []byte {
	by, _ := uri.Accepts(ref, p, v.opts.Grammar)
	if by == 0 {
		return append(dst, ref...)
	}
	return uri.AppendNormal(dst, ref, p, by)
}
