// Package benchmarks measures urlsift. Go benchmarks measure its parts; the program in compare
// measures the command against other programs. README.md describes how.
package benchmarks

import "strings"

// A Hostile is a text that makes a careless scanner slow: a line, or a part of one, that is
// repeated. A reader whose time is proportional to the text is not much slower on it.
type Hostile struct {
	Name string
	Unit string // what is repeated
	Per  int    // references in a Unit; -1 if the number is not relevant for the speed
	Head string // text in front of the first Unit
}

// Hostiles are the inputs of BenchmarkHostile.
var Hostiles = []Hostile{
	{"openers", "<", 0, ""},
	{"colons", ":", 0, ""},
	{"quotes", `"`, 0, ""},
	{"parens", "(", 0, ""},
	{"letters", "a", 0, ""},
	{"schemes", "a:", 0, ""},
	{"glued", "http://", -1, ""},
	{"glued-hosts", "http://a/x", -1, ""},
	{"unclosed", "<http://a/\n", 1, ""},
	{"unclosed-quote", "\"http://a/\n", 1, ""},
	{"hostless", strings.Repeat("http://?u=", 800) + "\n", 0, ""},
	{"hostless-marked", strings.Repeat("http://&{}(-?u=", 530) + "\n", 0, ""},
	{"hostless-escaped", strings.Repeat(`http:\/\/#`, 800) + "\n", 0, ""},
	{"partners", strings.Repeat("“http://?", 700) + "\n", 0, ""},
	{"braces-open", strings.Repeat("foo://{", 1100) + "\n", 0, ""},
	{"braces-nested", "({foo://&&", 0, ""},
	{"brackets-nested", "[hxxp://&?", 0, ""},
	{"braces-with-references", "{&news:{news:(a.t)", 1, ""},
	{"needy-bracketed", strings.Repeat("tag:(.)", 1100) + "\n", 0, ""},
	{"needy", strings.Repeat("tag:a?", 1300) + "\n", 0, ""},
	{"prefixes", "URL:", -1, ""},
	{"angle-prefixes", "<URL:", -1, ""},
	{"long-runs", "http://a/" + strings.Repeat("x", 8000) + "\n", 1, ""},
	{"too-long-runs", "http://a/" + strings.Repeat("x", 9000) + "\n", 0, ""},
	{"deep-quotes", strings.Repeat("> ", 1000) + "<http://a/\n" + strings.Repeat("> ", 1000) + "b>\n", 1, ""},
	{"breaks", "<http://a/" + strings.Repeat("\nx", 30) + ">\n", 1, ""},
	{"brackets", "http://a/" + strings.Repeat("(", 4000) + "\n", 1, ""},
	{"marks", "http://a/" + strings.Repeat(".,", 2000) + "\n", 1, ""},
	{"escapes", "http://a/" + strings.Repeat("%", 4000) + "\n", -1, ""},
	{"entities", "http://a/" + strings.Repeat("&amp;", 1000) + "\n", -1, ""},
}

// HostileMails are mailboxes that are made to be slow. Each begins with a message, which its Units
// continue or end.
var HostileMails = []Hostile{
	mail("from-lines", "", "From a@example.org Thu Jan  1 00:00:00 1970\n\n"),
	mail("from-words", "", "From \n"),
	mail("quoted-from", "", ">From a\n"),
	mail("fields", "X-First: 1\n", "X-A: b\n"),
	mail("folds", "X-First: 1\n", " x\n"),
	mail("encoded-words", "Subject:\n", " =?utf-8?q?=61?=\n"),
	mail("qp-escapes", qpHead, "=3D"),
	mail("qp-escaped-lines", qpHead, strings.Repeat("=3D", 24)+"=\n"),
	mail("qp-soft-breaks", qpHead, "=\n"),
	mail("qp-broken", qpHead, "=Z"),
	mail("qp-unclosed", qpHead, "<http=3A//a/\n"),
	mail("base64-lines-of-5", base64Head, "aHR0c\n"),
	mail("base64-lines-of-1", base64Head, "a\n"),
	mail("base64-junk", base64Head, "a!b c*d=\n"),
	mail("base64-padding", base64Head, "="),
	mail("boundaries", mixedHead, "--b\n"),
	mail("no-boundaries", mixedHead, "--bx\n"),
	mail("nested-parts", mixedHead, "--b\nContent-Type: multipart/mixed; boundary=b\n\n"),
	mail("messages-within", "Content-Type: message/rfc822\n\n", "Content-Type: message/rfc822\n\n"),
	mail("html-tags", htmlHead, "<a href="),
	mail("html-values", htmlHead, `<a href="`),
	mail("html-comments", htmlHead, "<!--"),
	mail("html-entities", htmlHead, "&am"),
	mail("iso-2022-escapes", "Content-Type: text/plain; charset=iso-2022-jp\n\n", "\x1b"),
	mail("utf-7-high", "Content-Type: text/plain; charset=utf-7\n\n", "é"),
}

// Headers of messages; the body follows.
const (
	qpHead     = "Content-Transfer-Encoding: quoted-printable\n\n"
	base64Head = "Content-Transfer-Encoding: base64\n\n"
	mixedHead  = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
	htmlHead   = "MIME-Version: 1.0\nContent-Type: text/html\n\n"
)

func mail(name, head, unit string) Hostile {
	return Hostile{name, unit, -1, "From a@example.org Thu Jan  1 00:00:00 1970\nFrom: a@example.org\n" + head}
}

// Text returns at least n bytes of h, always whole Units, and their number.
func (h Hostile) Text(n int) (text string, units int) {
	units = (n - len(h.Head) + len(h.Unit) - 1) / len(h.Unit)
	return h.Head + strings.Repeat(h.Unit, units), units
}
