package refs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/scheme"
)

// The subcommands that write references: wrapped ones, and ones that are made of the parts of
// their scheme.

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
