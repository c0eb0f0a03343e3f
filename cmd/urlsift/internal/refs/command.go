package refs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// In this package only command.go and write.go use packages delimit and uri. They return plain
// data, so that the printers know no grammar. extract/imports_test.go lists the files of the
// command that may import these packages.

// Grammars are the names of all grammars, the words of --grammar.
var Grammars = func() (names []string) {
	for g := range uri.Every.Each() {
		names = append(names, g.String())
	}
	return names
}()

// A Command is one of the subcommands that answer for references with a record each.
type Command uint8

const (
	Parse Command = iota
	Resolve
	Normalize
	Relativize
	Wrap
	Build
)

// commandNames are the names of the commands that have a base.
var commandNames = map[Command]string{Resolve: "resolve", Relativize: "relativize"}

// Options say what the answers are, and how they are printed.
type Options struct {
	Do      Command
	Refs    []string    // none means the lines of standard input
	Grammar uri.Grammar // 0 means uri.Default
	Base    string      // of Resolve and Relativize
	Excess  uri.Excess
	Lax     bool
	Typed   bool // references are as people type them
	Repair  bool // bytes that no reference can hold are escaped
	Layout  Layout

	Format output.Format
	Redact bool
	Guard  bool // cells of tables are no formulas
}

// An Answerer answers for single references, as one of the subcommands does.
type Answerer struct {
	Options
	grammar  uri.Grammar
	base     uri.Base // of resolve
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
	if o.Lax && j.grammar.Newest()&uri.LaxGrammars == 0 {
		return nil, fmt.Errorf("--lax: %s does not define it (%s do)", j.grammar.Newest(), strings.ReplaceAll(uri.LaxGrammars.String(), "+", " and "))
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
func (j *Answerer) Answer(text string) *Answer {
	if j.Do != Build {
		text = j.read(text)
	}
	p := uri.Split(text)
	a := &Answer{ref: j.shown(text), offset: -1}
	a.refuse(uri.Explain(text, p, j.grammar), text)
	switch j.Do {
	case Parse:
		j.parse(a, text, p)
	case Resolve:
		j.resolve(a, text, p)
	case Normalize:
		j.normalize(a, text, p)
	case Relativize:
		j.relativize(a, text, p)
	case Wrap:
		j.wrap(a)
	case Build:
		j.build(a, text)
	}
	return a
}

// read returns the reference in text, with the changes that the flags request. Repair
// changes only what the grammar rejects, as the main job does (1996, section 2.3.3: "a
// robust implementation should be prepared to handle those characters").
func (j *Answerer) read(text string) string {
	if j.Typed {
		j.buf = delimit.Typed(j.buf[:0], []byte(text))
		text = string(j.buf)
	}
	if j.Repair {
		if got, _ := uri.Accepts(text, uri.Split(text), j.grammar); got == 0 {
			j.buf = uri.AppendEscaped(j.buf[:0], text, j.grammar)
			text = string(j.buf)
		}
	}
	return text
}

// parse answers with the components. A text that is no reference has components and parts
// of its scheme too. They are printed, to help people find the reason.
func (j *Answerer) parse(to *Answer, text string, p uri.Parts) {
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
	fields := scheme.Fields(to.ref, p, j.grammar)
	user, password := account(to.ref, p, fields)
	kind := uri.KindOfHost(to.ref, p)
	warnings := slices.AppendSeq([]string{}, uri.Warnings(text, uri.Split(text)).Each())
	parts := members{}
	for _, f := range fields {
		parts = append(parts, member{f.Name, f.Value()})
	}
	to.values = []any{
		to.ref, part(uri.Scheme), part(uri.Authority), part(uri.Userinfo),
		user, password,
		part(uri.Host), defined(kind.String(), kind != uri.NoHost), part(uri.Port),
		part(uri.Path), part(uri.Query), part(uri.Fragment),
		part(uri.Scheme) != nil, names, to.Fault == "", defined(to.Fault, to.Fault != ""), warnings, parts,
	}
	if j.Format == output.Text {
		j.collect(to, text)
	}
}

// account returns user and password as the scheme defines them, or nil: in 1993 the user of
// telnet may have colons, and there are no passwords. For other schemes the first colon of
// the userinfo separates them.
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

// collect adds which grammars accept text, and for the others the reasons. Finding a reason
// takes some time.
func (j *Answerer) collect(to *Answer, text string) {
	p := uri.Split(text)
	for g := range uri.Every.Each() {
		v := acceptance{grammar: g.String()}
		if err := uri.Explain(text, p, g); err != nil {
			var e *uri.Error
			if errors.As(err, &e) {
				e.Accepts = 0 // the other rows have this
			}
			why, _ := explain(err, text, to.ref)
			v.why = brief(why, to.ref)
		}
		to.accepts = append(to.accepts, v)
	}
}

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

// Compare compares the two references of o. The exit status is the answer. If there is no
// answer, it reports an error.
func Compare(o Options) (status int, err error) {
	j, err := New(o)
	if err != nil {
		return failed, err
	}
	if len(o.Refs) != 2 {
		return failed, fmt.Errorf("equal wants two references, and was given %d", len(o.Refs))
	}
	one, other := j.read(o.Refs[0]), j.read(o.Refs[1])
	equality, err := uri.Equal(one, other, j.grammar)
	var e *uri.Error
	switch {
	case errors.As(err, &e):
		fault, _ := explain(err, e.Text, withoutPassword(e.Text))
		return failed, errors.New(fault)
	case err != nil:
		return failed, err
	case equality == uri.Equals:
		return areEqual, nil
	case equality == uri.Differs:
		return areNot, nil
	}
	hint := ""
	newest := uri.Every.Newest() // newer documents have more rules
	if equality, err := uri.Equal(one, other, newest); err == nil && equality != uri.NoRule {
		hint = "; try --grammar " + newest.String()
	}
	return failed, fmt.Errorf("%s has no rule to compare them by%s", j.grammar.Newest(), hint)
}

// shown returns text as it is printed: without its password, if that is requested.
func (j *Answerer) shown(text string) string {
	if j.Redact {
		return withoutPassword(text)
	}
	return text
}

// withoutPassword returns text with its passwords replaced.
func withoutPassword(text string) string {
	return string(new(extract.Redactor).AppendReference(nil, []byte(text)))
}

// refuse stores in a why text is no reference or has no answer. a.ref is text as it is
// printed. If err is nil, refuse does nothing.
func (a *Answer) refuse(err error, text string) {
	if err != nil {
		a.Fault, a.offset = explain(err, text, a.ref)
	}
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

// brief returns the message of fault about text, without the text and the package's name.
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
