package document

import (
	"strings"

	"github.com/urlsift/urlsift/extract/internal/mail"
)

// formats has, for each Format, its name, its framing of messages, and the treatment of its text.
var formats = [Formats]struct {
	name      string
	framing   mail.Framing
	treatment treatment
}{
	Auto:      {name: "auto"},
	PlainText: {name: "plain"},
	Mbox:      {name: "mbox", framing: mail.Mbox},
	Message:   {name: "message", framing: mail.Single},
	News:      {name: "news", framing: mail.Single},
	Rnews:     {name: "rnews", framing: mail.Rnews},
	Page:      {name: "html", treatment: asHTML},
	Table:     {name: "csv", treatment: asTable},
	Roff:      {name: "roff", treatment: asRoff},
	TeX:       {name: "tex", treatment: asTeX},
}

// String returns the name of f in lower case, "" for an invalid one.
func (f Format) String() string {
	if f < Formats {
		return formats[f].name
	}
	return ""
}

// ParseFormat returns the format with that name. known is false if there is none.
func ParseFormat(name string) (f Format, known bool) {
	for f := range Formats {
		if formats[f].name == name {
			return f, true
		}
	}
	return 0, false
}

// FormatNames returns the names of all formats, separated by ", ".
func FormatNames() string {
	var names [Formats]string
	for f := range Formats {
		names[f] = formats[f].name
	}
	return strings.Join(names[:], ", ")
}

// framing returns how messages are separated in f. found is the framing that the first bytes show.
func (f Format) framing(found mail.Framing) mail.Framing {
	if f == Mbox && (found == mail.Babyl || found == mail.MMDF) || f == Message && found == mail.Emlx {
		return found
	}
	return formats[f].framing
}
