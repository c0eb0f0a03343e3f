package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/flags"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/refs"
	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// FuzzSecret makes a document from its bytes. The document has a reference with a password, which
// is escaped, broken over lines and wrapped in some way. The password must not be in any output.

// choices are the bytes of the fuzzer. Each byte makes one decision.
type choices struct{ rest []byte }

// next returns a number below n; 0 if no bytes are left.
func (c *choices) next(n int) int {
	if len(c.rest) == 0 {
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return int(b) % n
}

// one returns one of words.
func (c *choices) one(words ...string) string { return words[c.next(len(words))] }

// Every password has these two halves, which occur nowhere else.
const leftHalf, rightHalf = "QZQ", "JXJ"

// secret returns a password. The text between its halves may be allowed or not in userinfo, and may
// look like the end of userinfo after unescaping.
func (c *choices) secret() string {
	between := c.one("", "", "%2F", "%23x", "%3F", "%40", "%3A", ":", "@", "&", ";", "!", "'", "(", ")", "[", "]", "(at)", "[:]", "=", "+", "$", "^", "é", "\xff", `\`, "%25", "%252F", "%", "%zz", "&amp;", "&#47;", "&sol;", "&lt;", "&num", "**", "***", ",", "{", "|", "<", "\"", "%20", "%0A", "1")
	left := leftHalf
	if c.next(8) == 1 {
		left = fmt.Sprintf("%%%02xZQ", 'Q')
	}
	if strings.Contains(between, "@") || between == "%40" || between == "(at)" {
		return left + between + "x" // if the reference is cut after this, the rest looks like a host
	}
	return left + between + rightHalf
}

// reference returns a reference with a password, and perhaps another one around it.
func (c *choices) reference() string {
	scheme := c.one("http", "https", "ftp", "HTTP", "telnet", "x-y.z", "git+ssh", "hxxp")
	slashes := c.one("://", "://", "://", ":/", ":////", `:\\`, `:/\`, `:\`, `:\/\/`, "[://]", ":/\u00ad/", ":/\u200b/")
	if len(slashes) == 2 || slashes == `:/\` { // if it is cut there, it may be a path with a ':', unless the scheme is http
		scheme = c.one("http", "https", "ftp", "hxxp")
	}
	user := c.one("u", "", "a.b", "u%40x", "u&amp;v", "u0040", "%75")
	if scheme == "git+ssh" && user == "u%40x" {
		user = "u" // git+ssh://u@x:path by itself has no password
	}
	host := c.one("h.example", "h.example:80", "[::1]", "1.2.3.4", "h", "h[.]example", "xn--h")
	rest := c.one("", "/", "/x?y=z", "/x@y", "/a:b@c", "?@", "#:@", "/.")
	ref := scheme + slashes + user + c.one(":", ":", ":", "[:]", "%3A", "&#58;") + c.secret() + c.one("@", "@", "@", "%40", "[@]", "&#64;", "&commat") + host + rest
	network := false
	switch c.next(8) {
	case 1: // the port of an account without a password
		if scheme != "git+ssh" {
			ref = scheme + "://u@" + host[:1] + ":" + c.secret() + "/"
		}
	case 2: // the port of a reference without a scheme
		ref, network = "//h:"+c.secret()+"/", true
	case 3:
		ref, network = "//"+user+":"+c.secret()+"@"+host+rest, true
	}
	for range c.next(5) {
		ref = c.escape(ref)
	}
	around := []string{"", "", "", "http://a.example/?u=", "mailto:x?body=", "URL:", "http://a.example/#", "view-source:"}
	if !network { // this would continue the path
		around = append(around, "http://a.example/web/", "http://v:"+rightHalf+"@a.example/")
	}
	return c.one(around...) + ref
}

// escape returns ref with one more layer of escapes. Characters that are special in the layer are
// always escaped; others may be.
func (c *choices) escape(ref string) string {
	how, some := c.next(16), c.next(4)
	own := [...]string{"%", "&", "&", "&", "&", `\`, `\`, `\`, "%", "%", `\`, `\`, `\`, "=", "%", ""}[how]
	if how == 15 && !utf8.ValidString(ref) {
		return ref // windows-1252 has no look-alike characters
	}
	looks := map[byte]string{':': "：", '/': "／", '@': "＠", '#': "＃", '?': "？"} // except for characters that begin an escape
	named := map[byte]string{':': "colon", '/': "sol", '@': "commat", '%': "percnt", '&': "amp", '\\': "bsol", '#': "num", '?': "quest"}
	var b strings.Builder
	for i := range len(ref) {
		char := ref[i]
		mark := strings.IndexByte(":/@%&\\#?", char) >= 0
		if char >= 0x80 || strings.IndexByte(own, char) < 0 && !(mark && (some < 3 || how == 13 || c.next(2) == 0)) && !(char == 'Q' && some == 1) {
			b.WriteByte(char)
			continue
		}
		follows := byte(' ')
		if i+1 < len(ref) {
			follows = ref[i+1]
		}
		end := ";"
		if name := named[char]; how == 3 && strings.IndexByte("0123456789;", follows) < 0 {
			end = ""
		} else if how == 4 && name != "" && (name == "colon" || name == "commat" || name == "amp" || name == "sol") && follows != ';' {
			end = ""
		}
		switch {
		case how == 0:
			fmt.Fprintf(&b, "%%%02X", char)
		case how == 8:
			fmt.Fprintf(&b, "%%%02x", char)
		case how == 1:
			fmt.Fprintf(&b, "&#x%0*x;", 2+some, char)
		case how == 2 || how == 3:
			fmt.Fprintf(&b, "&#%0*d%s", 1+2*some, char, end)
		case how == 4 && named[char] != "":
			b.WriteString("&" + named[char] + end)
		case how == 4:
			fmt.Fprintf(&b, "&#%d;", char)
		case how == 5:
			fmt.Fprintf(&b, `\u%04X`, char)
		case how == 6:
			fmt.Fprintf(&b, `\x%02x`, char)
		case how == 9:
			fmt.Fprintf(&b, "%%u%04x", char)
		case how == 10:
			fmt.Fprintf(&b, `\%03o`, char)
		case how == 11: // of CSS
			fmt.Fprintf(&b, `\%06x`, char)
		case how == 12:
			fmt.Fprintf(&b, `\U%08x`, char)
		case how == 13:
			fmt.Fprintf(&b, "=%02X", char)
		case how == 14: // an overlong UTF-8 form of two bytes
			fmt.Fprintf(&b, "%%%02X%%%02X", 0xC0|char>>6, 0x80|char&0x3F)
		case how == 15 && looks[char] != "":
			b.WriteString(looks[char])
		case how == 15:
			b.WriteByte(char)
		case char == '/':
			b.WriteString(`\/`)
		default:
			fmt.Fprintf(&b, `\u%04x`, char)
		}
	}
	return b.String()
}

// slashEntity matches text that ends an authority if its '&' is not the beginning of an entity.
var slashEntity = regexp.MustCompile(`&(sol;|#47;|num)`)

// cutEntity matches text that ends within a character reference.
var cutEntity = regexp.MustCompile(`&#?[0-9A-Za-z]*$`)

// document returns a text with ref in it, and its format.
func (c *choices) document(ref string) (string, extract.Format) {
	wrapped, cut := ref, false
	for range c.next(4) { // line breaks, which a wrapper allows
		at := len(wrapped) * c.next(256) / 256
		for at > 0 && !utf8.RuneStart(wrapped[at]) {
			at-- // do not cut a character in half
		}
		if !strings.Contains(wrapped[at:], leftHalf) || strings.Contains(wrapped, " ") {
			break // only in front of a half of the password, so that no half is cut
		}
		if strings.HasSuffix(wrapped[:at], `\`) {
			break // a backslash in front of a line end would be removed, and the escape with it
		}
		cut = cut || cutEntity.MatchString(wrapped[:at])
		wrapped = wrapped[:at] + c.one("\n", "\r\n", "\n> ", "\n   ", "\n\t", " ", "\n\n") + wrapped[at:]
	}
	wrapped = c.one("<", "<URL:", "\"", "", "(", "URL:<", "'", "[") + wrapped + c.one(">", ">", "\"", "", ")", "'", "]", ".")
	if c.next(3) == 1 {
		if i := strings.LastIndex(wrapped, rightHalf); i > 0 {
			wrapped = wrapped[:i] + c.one("\n", "\n> ", " ", "\r\n  ") + wrapped[i:]
		}
	}
	how := c.next(7)
	if (how == 1 || how == 3) && (cut || c.next(2) == 0 || slashEntity.MatchString(ref) || slashEntity.MatchString(html.UnescapeString(ref))) {
		// Escape '&' as HTML requires. It is necessary if the text would otherwise be an entity for
		// a slash, or a character reference that a line end cuts.
		amp := strings.NewReplacer("&", "&amp;")
		ref, wrapped = amp.Replace(ref), amp.Replace(wrapped)
	}
	switch how {
	case 1:
		return "<p>see " + wrapped + "<a href=\"" + ref + "\">x</a> <base href='" + ref + "'><a href=y>", extract.HTML
	case 2:
		line := strings.NewReplacer("\r", "", "\n", "", "<", "", "\"", "").Replace(ref)
		return "From: x@y.example\nMessage-ID: <" + line + ">\nNewsgroups: " + line + "\nDate: " + line + "\nContent-Base: " + line + "\nX-Url: " + line +
			"\nContent-Type: text/plain; charset=\"" + line + "\"\nContent-Transfer-Encoding: " + line + "\n\n" + wrapped + " <URL:../z>\n", extract.Message
	case 3:
		return "From: x@y.example\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte("see "+wrapped+" <a href="+ref+">")) + "\n", extract.Message
	case 4:
		return "From: x@y.example\nMIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n" +
			strings.NewReplacer("=", "=3D", ":", "=3A").Replace(wrapped) + "\n", extract.Message
	case 5:
		return `{"url":` + strconv.Quote(ref) + `, "x":"` + wrapped + "\"}\n", extract.Plain
	}
	return "> see " + wrapped + " and " + ref + "\nmore", extract.Plain
}

// escapes matches the escapes that unescaped decodes itself.
var escapes = regexp.MustCompile(`%[0-9A-Fa-f]{2}|%u[0-9A-Fa-f]{4}|=[0-9A-F]{2}|\\[0-7]{3}|\\[0-9a-f]{6}|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\x[0-9A-Fa-f]{2}|\\\\`)

// unescaped returns text with all escapes decoded, as other programs would.
func unescaped(text string) string {
	for range 12 {
		was := text
		text = html.UnescapeString(text)
		text = escapes.ReplaceAllStringFunc(text, func(e string) string {
			base := 16
			if len(e) == len(`\072`) && e[0] == '\\' && '0' <= e[1] && e[1] <= '7' {
				base = 8
			}
			n, err := strconv.ParseUint(strings.TrimLeft(e[1:], "uUx"), base, 32)
			if err != nil || n > 0x7F {
				return `\`
			}
			return string(rune(n))
		})
		if text == was {
			break
		}
	}
	return text
}

// concealed fails if out contains a half of the password, in any escaped form.
func concealed(t *testing.T, where string, out []byte) {
	t.Helper()
	for _, text := range []string{string(out), unescaped(string(out))} {
		for _, half := range []string{leftHalf, rightHalf} {
			if i := strings.Index(text, half); i >= 0 {
				t.Fatalf("%s: %q", where, text[max(0, i-300):min(len(text), i+80)])
			}
		}
	}
}

// secretly makes a document from data and prints it in every way. It reports whether there was a
// result.
func secretly(t *testing.T, data []byte) (found bool) {
	c := &choices{data}
	options := flags.Options{Print: output.PrintOptions{Redact: true, Readings: true, Prefix: output.WithName | output.WithLine, Guard: c.next(2) == 0}}
	options.Extract.Refused = true
	options.Extract.MessageIDs = true
	options.Extract.Workers = 1
	if more := c.next(4); more > 0 {
		options.Extract.Delimit.Extras = extrasOf(t, [...]string{"abbreviated", "defanged", "rejoin"}[more-1])
	}
	ref := c.reference()
	document, as := c.document(ref)
	if c.next(3) > 0 {
		options.Extract.Format = as
	}
	if base, err := uri.Parse("http://w:"+leftHalf+"@b.example/"+c.one("", "x/"), uri.Default); err != nil {
		t.Fatal(err)
	} else if c.next(2) == 0 {
		options.Extract.Base = base
	}
	x, err := extract.New(options.Extract)
	if err != nil {
		t.Fatal(err)
	}
	if c.next(4) == 1 {
		document = "\x1f\x8b" + document // a damaged member, with an error message
	}
	var printers []output.Printer
	for f := range output.Formats {
		o := options.Print
		o.Format = output.Format(f)
		printers = append(printers, output.NewPrinter(&o, f%2 == 0))
	}
	hidden := output.Passwords{On: true}
	name := strings.NewReplacer("<", "", "\"", "").Replace(ref) + ".txt"
	if !strings.HasPrefix(name, "/") { // a path that goes on with "//" names no host
		name = "dir/" + name
	}
	for r, err := range x.Read(t.Context(), name, strings.NewReader(document)) {
		if err != nil {
			concealed(t, fmt.Sprintf("message of %q", document), []byte(hidden.Message(err)))
			var e *extract.Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
			continue
		}
		found = true
		if r.Candidate.By&delimit.Address != 0 {
			continue // it has no password, and what stands before it was not read as an account
		}
		for f, p := range printers {
			concealed(t, fmt.Sprintf("%s of %q", output.Formats[f], document), p.Append(nil, r))
		}
	}
	if !strings.ContainsAny(ref, "<\"") { // these may end a reference in a name
		concealed(t, fmt.Sprintf("name %q", ref), []byte(hidden.Text(ref)))
	}
	for _, args := range [][]string{{"parse"}, {"parse", "--typed"}, {"normalize"}, {"resolve", "--base", "http://w:" + leftHalf + "@b.example/"}} {
		j := ask(t, append(args, "--redact")...)
		for f := range output.Formats {
			j.Format = output.Format(f)
			a := j.Answer(ref)
			p := refs.Printer{Do: j.Do, Format: j.Format, Safe: f%2 == 0}
			concealed(t, fmt.Sprintf("%s %q", args, ref), append(p.Append(nil, a), a.Fault...))
		}
	}
	return found
}

// ask returns the Answerer for the command line of a subcommand, without references.
func ask(t *testing.T, args ...string) *refs.Answerer {
	t.Helper()
	o := new(flags.Options)
	o.Task, args = flags.TaskOf(args)
	line, err := o.Line(args)
	if err != nil {
		t.Fatal(err)
	}
	if err := flags.App(o, "", io.Discard, func(*flags.Options) error { return nil }).Run(line); err != nil {
		t.Fatal(err)
	}
	j, err := refs.New(o.Refs)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// extrasOf returns the extras with that name.
func extrasOf(t *testing.T, name string) (x delimit.Extra) {
	t.Helper()
	if err := x.UnmarshalText([]byte(name)); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestRedactMade tries documents made from a fixed sequence of numbers.
func TestRedactMade(t *testing.T) {
	skipRace(t)
	n, found := 1000, 0
	if !long {
		n = 120
	}
	x := uint64(1)
	for range n {
		data := made(&x)
		if secretly(t, data) {
			found++
		}
	}
	if found < n/2 {
		t.Errorf("only %d of %d documents have a reference", found, n)
	}
}

// made returns pseudo-random bytes, and advances the generator x.
func made(x *uint64) []byte {
	data := make([]byte, 64)
	for i := range data {
		*x = *x*6364136223846793005 + 1442695040888963407
		data[i] = byte(*x >> 33)
	}
	return data
}

// FuzzSecret checks that no password of a document is printed.
func FuzzSecret(f *testing.F) {
	for _, seed := range [][]byte{nil, bytes.Repeat([]byte{1}, 40), bytes.Repeat([]byte{2, 3}, 20), slices.Repeat([]byte{5, 0, 7}, 20)} {
		f.Add(seed)
	}
	for x := uint64(2); x < 10; x++ { // seeds that once found an error
		first := x
		f.Add(made(&first))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<8 {
			secretly(t, data)
		}
	})
}
