package flags

import (
	"strings"

	"github.com/urlsift/urlsift/extract/record"
)

// Manual returns the man page, as roff with the macros of man(7). date is that of the commit, which is
// empty if it is not known.
func Manual(version, date string) string {
	b := new(roff)
	b.WriteString(`.TH "URLSIFT" "1" "` + date + `" "` + escapeRoff("urlsift "+version) + `" "User Commands"` + "\n") // mandoc knows no date with \-
	b.macro("SH", "NAME")
	b.text("urlsift - " + purpose)
	b.macro("SH", "SYNOPSIS")
	for i, line := range synopsis(Find) {
		if i > 0 {
			b.macro("br")
		}
		b.text(line)
	}
	b.macro("SH", "DESCRIPTION")
	b.paragraphs(description)
	b.macro("SH", "SUBCOMMANDS")
	for _, s := range subcommands {
		b.macro("SS", strings.TrimSpace(s.name+" "+s.args))
		b.text(strings.ToUpper(s.help[:1]) + s.help[1:] + ".")
		b.paragraphs(details[s.task])
	}
	b.macro("SS", "All that answer for references")
	b.paragraphs(answers)
	b.macro("SH", "OPTIONS")
	for _, g := range groups {
		b.macro("SS", g)
		for i := range table {
			if table[i].group == g {
				b.flag(&table[i])
			}
		}
	}
	b.macro("SH", "OUTPUT")
	b.paragraphs(records)
	b.text("The fields of a record are:")
	var fields [][2]string
	for _, f := range record.Fields() {
		fields = append(fields, [2]string{f.Name, f.Document()})
	}
	b.terms(fields)
	b.list("EXIT STATUS", statuses)
	b.text("Of " + phrase(Answering.names()) + ":")
	b.terms(answerStatuses)
	b.text("Of " + phrase(Equal.names()) + ":")
	b.terms(equalStatuses)
	b.text("Of " + Check.Name() + ":")
	b.terms(checkStatuses)
	b.list("ENVIRONMENT", environment)
	b.list("SIGNALS", sigs)
	b.list("EXAMPLES", examples)
	return b.String()
}

// A roff is a document that is being written.
type roff struct {
	strings.Builder
	paragraph bool // the next line of text begins a paragraph
	heading   bool // a heading is in front of the next line of text
}

// macro writes a request with its arguments. Each is quoted, so that no character in it
// ends the argument or the line.
//
// PP is written only with the text of its paragraph. It is not written after a heading,
// which begins a paragraph itself.
func (b *roff) macro(name string, args ...string) {
	if b.paragraph = name == "PP"; b.paragraph {
		return
	}
	b.heading = name == "SH" || name == "SS"
	b.WriteString("." + name)
	for _, a := range args {
		b.WriteString(` "` + strings.ReplaceAll(escapeRoff(a), `"`, `\(dq`) + `"`)
	}
	b.WriteByte('\n')
}

// text writes a line of text, which must not look like a request.
func (b *roff) text(line string) {
	if b.paragraph && !b.heading {
		b.WriteString(".PP\n")
	}
	b.paragraph, b.heading = false, false
	line = escapeRoff(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		b.WriteString(`\&`)
	}
	b.WriteString(line + "\n")
}

// paragraphs writes each of list as a paragraph of its own.
func (b *roff) paragraphs(list []string) {
	for _, p := range list {
		b.macro("PP")
		b.text(p)
	}
}

// list writes a section of terms with their explanations.
func (b *roff) list(title string, pairs [][2]string) {
	b.macro("SH", title)
	b.terms(pairs)
}

// terms writes terms with their explanations. A paragraph may follow.
func (b *roff) terms(pairs [][2]string) {
	for _, p := range pairs {
		b.macro("TP")
		b.macro("B", p[0])
		b.text(p[1])
	}
	b.macro("PP")
}

// flag writes the entry of a flag: names in bold, the value's in italics.
func (b *roff) flag(f *spec) {
	b.macro("TP")
	var line string
	if f.short != 0 {
		line = `\fB` + escapeRoff("-"+string(f.short)) + `\fR, `
	}
	line += `\fB` + escapeRoff("--"+f.long) + `\fR`
	if f.arg != "" {
		line += ` \fI` + escapeRoff(f.arg) + `\fR`
	}
	b.WriteString(line + "\n")
	b.text(f.help)
	if len(f.words) > 0 {
		b.macro("br")
		b.text("One of " + strings.Join(f.words, ", ") + ".")
	}
	if also := f.acceptedBy(); len(also) > 0 {
		b.macro("br")
		b.text([]string{"Of ", "Also of "}[min(int(f.on&Find), 1)] + phrase(also) + ".")
	}
}

// escapeRoff returns s escaped so that roff prints it unchanged: a '-' that can be copied
// into a shell, and backslashes that are not escapes.
func escapeRoff(s string) string {
	return strings.NewReplacer(`\`, `\e`, `-`, `\-`, `^`, `\(ha`, `~`, `\(ti`, "`", `\(ga`, `'`, `\(aq`).Replace(s)
}
