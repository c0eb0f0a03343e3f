package refs

import (
	"fmt"
	"strings"

	"github.com/urlsift/urlsift/uri"
)

// New returns an Answerer with the options o. The error is a usage error.
func New(o Options) (*Answerer, error) {
	j := &Answerer{Options: o, grammar: o.Grammar}
	if j.grammar == 0 {
		j.grammar = uri.Default
	}
	if o.Do == Build {
		return j, j.make()
	}
	if o.Do != Resolve && o.Do != Relativize {
		return j, nil
	}
	if o.Lax && j.grammar.Newest().Rules().Lax == 0 {
		return nil, fmt.Errorf("--lax: %s does not define it (%s do)", j.grammar.Newest(), strings.ReplaceAll(uri.Every.Rules().Lax.String(), "+", " and "))
	}
	if o.Base == "" {
		return nil, fmt.Errorf("%s wants a base: --base URL", commandNames[o.Do])
	}
	ref, err := uri.Parse(o.Base, j.grammar)
	switch {
	case err != nil:
		hidden := withoutPassword(o.Base)
		fault, _ := explain(err, o.Base, hidden)
		return nil, fmt.Errorf("--base %s: %s", hidden, fault)
	case !ref.IsAbs():
		return nil, fmt.Errorf("--base %s: the base has no scheme", o.Base)
	}
	if j.base, err = uri.NewBase(ref, j.grammar); err != nil {
		return nil, fmt.Errorf("--base: %s", err)
	}
	j.base.Excess, j.base.Lax = o.Excess, o.Lax
	j.baseText = j.shown(o.Base)
	return j, nil
}

// Answer returns the answer of the subcommand for text. The answer owns its texts.
func (a *Answerer) Answer(text string) *Answer {
	if a.Do != Build {
		text = a.read(text)
	}
	p := uri.Split(text)
	to := &Answer{ref: a.shown(text), offset: -1}
	to.refuse(uri.Explain(text, p, a.grammar), text)
	switch a.Do {
	case Parse:
		a.parse(to, text, p)
	case Resolve:
		a.resolve(to, text, p)
	case Normalize:
		a.normalize(to, text, p)
	case Relativize:
		a.relativize(to, text, p)
	case Wrap:
		a.wrap(to)
	case Build:
		a.build(to, text)
	}
	return to
}
