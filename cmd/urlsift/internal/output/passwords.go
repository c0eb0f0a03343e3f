package output

import (
	"errors"

	"github.com/urlsift/urlsift/extract"
)

// Passwords removes passwords from output, if On is set: from references, and from texts that may
// contain references. Such texts are header fields, the names of files and members (mirroring
// programs make these from URLs), and messages that contain one of these.
//
//	p := output.Passwords{On: o.Redact}
//	name := p.Text(source) // "ftp://me:***@a.example/x" of a file that a mirror wrote
type Passwords struct {
	On       bool
	redactor extract.Redactor
}

// Text returns text without passwords.
func (p *Passwords) Text(text string) string {
	if !p.On {
		return text
	}
	return p.redactor.Text(text)
}

// Message returns the text of err without passwords.
func (p *Passwords) Message(err error) string {
	position, what := p.Split(err)
	return position + what
}

// Split returns the message of err in two parts: the position in the input, which may be "", and
// what follows it. The parts are redacted separately: an '@' in one does not end a password in the
// other.
func (p *Passwords) Split(err error) (position, what string) {
	what = err.Error()
	var e *extract.Error
	if errors.As(err, &e) {
		named := *e
		o := &named.Origin
		what = what[len(o.String()):]
		o.Source, o.Member = p.Text(o.Source), p.Text(o.Member)
		position = o.String()
	}
	return position, p.Text(what)
}

// AppendReference appends ref, which is one reference, without its password.
func (p *Passwords) AppendReference(dst, ref []byte) []byte {
	return p.redactor.AppendReference(dst, ref)
}

// AppendVariant appends text without its password. text is another spelling of ref.
func (p *Passwords) AppendVariant(dst, text, ref []byte) []byte {
	return p.redactor.AppendVariant(dst, text, ref)
}
