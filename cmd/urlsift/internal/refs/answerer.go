package refs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// An Answerer answers for single references, as one of the subcommands does.
type Answerer struct {
	Options
	grammar  uri.Grammar
	base     uri.Base // of resolve and relativize
	baseText string   // as it is printed
	buf      []byte   // memory for one text, reused
	unmade   error    // of build: the error, if there is no reference
}

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

// read returns the reference in text, with the changes that the flags request. Repair
// changes only what the grammar rejects, as the main job does (1996, section 2.3.3: "a
// robust implementation should be prepared to handle those characters").
func (a *Answerer) read(text string) string {
	if a.Typed {
		a.buf = delimit.Typed(a.buf[:0], []byte(text))
		text = string(a.buf)
	}
	if a.Repair {
		if got, _ := uri.Accepts(text, uri.Split(text), a.grammar); got == 0 {
			a.buf = uri.AppendEscaped(a.buf[:0], text, a.grammar)
			text = string(a.buf)
		}
	}
	return text
}

// shown returns text as it is printed: without its password, if that is requested.
func (a *Answerer) shown(text string) string {
	if a.Redact {
		return withoutPassword(text)
	}
	return text
}

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

// errUnreadable is the error of wrap for a reference that a reader of the text would not
// find.
var errUnreadable = errors.New("no reader would find it in a text")

// wrap answers with the reference in brackets, with line breaks.
func (a *Answerer) wrap(to *Answer) {
	to.line = to.ref
	var wrapped any
	if to.Fault == "" {
		made, ok := delimit.AppendWrapped(append(a.buf[:0], a.Layout.Quote...), []byte(to.ref), a.Layout.Wrapping())
		if a.buf = made; ok {
			to.line = string(made)
			wrapped = to.line
		} else {
			to.Fault = errUnreadable.Error()
		}
	}
	to.values = []any{to.ref, wrapped, defined(to.Fault, to.Fault != "")}
}

// make sets the one reference of build: the scheme is the first word, and each other word
// is the name of a field, "=", and data. The error is a usage error.
func (a *Answerer) make() error {
	if len(a.Refs) == 0 {
		return errors.New("build wants a scheme, and then NAME=VALUE for each of its parts")
	}
	own := strings.ToLower(a.Refs[0]) // "HTTP" is "http" (2002, section 3.1)
	values := map[string][]string{}
	names := []string{}
	for _, word := range a.Refs[1:] {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=VALUE", word)
		}
		if values[name] == nil {
			names = append(names, name)
		}
		if a.grammar.Newest().Rules().LatinEscapes != 0 && name != "host" {
			var err error
			if value, err = latin1(value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		values[name] = append(values[name], value)
	}
	if own == "news" && slices.Equal(values["group"], []string{"*"}) {
		return errors.New("news: the group * would mean all groups; for these, write kind=all")
	}
	first, _ := scheme.NewField(own, "scheme", a.grammar, own)
	fields := []scheme.Field{first}
	for _, name := range names {
		f, err := scheme.NewField(own, name, a.grammar, values[name]...)
		if err != nil {
			return usage(err)
		}
		fields = append(fields, f)
	}
	made, err := scheme.FromFields(fields, a.grammar)
	var e *uri.Error
	if a.Refs = []string{made.String()}; errors.As(err, &e) {
		a.Refs[0], a.unmade = e.Text, err
		return nil
	}
	return usage(err)
}

// usage returns err as a usage error, without the name of the package that found it.
func usage(err error) error {
	if e := (*scheme.Error)(nil); errors.As(err, &e) {
		return errors.New(e.Message())
	}
	return err
}

// latin1 returns text in ISO Latin 1: in 1993 an escape is "the ISO Latin 1 code for that
// character" ("Encoding prohibited characters"). A character that has no such code is an
// error: as UTF-8 it would be read as other characters. Octets that are no UTF-8 are returned
// unchanged.
func latin1(text string) (string, error) {
	if !utf8.ValidString(text) {
		return text, nil
	}
	made := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xFF {
			return "", fmt.Errorf("%q is not in ISO Latin 1, whose codes %s escapes", r, uri.Every.Rules().LatinEscapes)
		}
		made = append(made, byte(r))
	}
	return string(made), nil
}

// build answers with the reference that was made.
func (a *Answerer) build(to *Answer, text string) {
	to.line = to.ref
	to.Fault, to.offset = "", -1
	to.refuse(a.unmade, text)
	to.values = []any{defined(to.ref, to.Fault == ""), defined(to.Fault, to.Fault != "")}
}

// explain returns the message of err, with the passwords of text replaced as in hidden,
// and the offset of the error in hidden, or -1.
//
// text and hidden differ only between the start of the first password and the end of the
// last. An error between these gets the offset of the first password.
func explain(err error, text, hidden string) (message string, offset int) {
	if message = err.Error(); text != hidden {
		message = extract.RedactedError(err)
	}
	var e *uri.Error
	if !errors.As(err, &e) || e.Text != text {
		return message, -1
	}
	if text == hidden {
		return message, e.Offset
	}
	start, end := 0, len(text)
	for start < len(hidden) && start < end && text[start] == hidden[start] { // at most len(text) iterations
		start++
	}
	for n := len(hidden); end > start && n > start && text[end-1] == hidden[n-1]; n-- { // likewise
		end--
	}
	if e.Offset >= end {
		return message, e.Offset + len(hidden) - len(text)
	}
	return message, min(e.Offset, start)
}

// brief returns fault, the message of an error about text, without the text and the name of
// package uri.
func brief(fault, text string) string {
	return strings.TrimPrefix(strings.TrimSuffix(fault, ": "+quote(text)), "uri: ")
}

// quote quotes at most 100 bytes of text, as messages of uri do.
func quote(text string) string {
	if len(text) > 100 {
		return strconv.Quote(text[:100]) + "…"
	}
	return strconv.Quote(text)
}

// withoutPassword returns text with its passwords replaced.
func withoutPassword(text string) string {
	return string(new(extract.Redactor).AppendReference(nil, []byte(text)))
}
