package refs

import (
	"errors"
	"slices"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// parse answers with the components. A text that is no reference has components and parts
// of its scheme too. They are printed, to help people find the reason.
func (a *Answerer) parse(to *Answer, text string, p uri.Parts) {
	takers, _ := uri.Accepts(text, p, uri.Every)
	names := []string{}
	for g := range takers.Each() {
		names = append(names, g.String())
	}

	// The text without the password has other offsets, so it is split again.
	p = uri.Split(to.ref)
	part := func(c uri.Component) any {
		if lo, hi, ok := p.Span(c); ok {
			return to.ref[lo:hi]
		}
		return nil
	}
	fields := scheme.Fields(to.ref, p, a.grammar)
	user, password := account(to.ref, p, fields)
	kind := uri.KindOfHost(to.ref, p)
	warnings := slices.AppendSeq([]string{}, uri.Warnings(text, uri.Split(text)).Each())
	parts := jsonObject{}
	for _, f := range fields {
		parts = append(parts, jsonMember{f.Name, f.Value()})
	}
	to.values = []any{
		to.ref, part(uri.Scheme), part(uri.Authority), part(uri.Userinfo),
		user, password,
		part(uri.Host), defined(kind.String(), kind != uri.NoHost), part(uri.Port),
		part(uri.Path), part(uri.Query), part(uri.Fragment),
		part(uri.Scheme) != nil, names, to.Fault == "", defined(to.Fault, to.Fault != ""), warnings, parts,
	}
	if a.Format == output.Text {
		a.collect(to, text)
	}
}

// account returns user and password as the scheme defines them, or nil: in 1993 the user of
// telnet may have colons, and there are no passwords. For other schemes the first colon of the
// userinfo separates user and password.
func account(ref string, p uri.Parts, fields []scheme.Field) (user, password any) {
	one, other, has := uri.Account(ref, p)
	user, password = defined(one, has > 0), defined(other, has > 1)
	for _, f := range fields {
		switch {
		case f.Name == "user" && f.Kind != scheme.Undefined:
			user, password = f.Value(), nil
		case f.Name == "password" && f.Kind != scheme.Undefined:
			password = f.Value()
		}
	}
	return user, password
}

// collect adds, for each grammar, whether it accepts text, and if not, why. Finding a
// reason takes some time.
func (a *Answerer) collect(to *Answer, text string) {
	p := uri.Split(text)
	for g := range uri.Every.Each() {
		v := acceptance{grammar: g.String()}
		if err := uri.Explain(text, p, g); err != nil {
			var e *uri.Error
			if errors.As(err, &e) {
				e.Accepts = 0 // the rows of the other grammars show these
			}
			why, _ := explain(err, text, to.ref)
			v.why = brief(why, to.ref)
		}
		to.accepts = append(to.accepts, v)
	}
}
