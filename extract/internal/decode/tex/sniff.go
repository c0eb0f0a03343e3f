package tex

import (
	"bytes"
	"strings"

	"github.com/urlsift/urlsift/extract/internal/decode/octet"
)

// Sniff reports whether head is the beginning of a TeX document or a BibTeX database. The
// first line that is neither empty nor a comment must begin with an entry (@article{), or
// with a command; in the second case some line must begin with a command that only
// documents have. whole says that head is all there is. wait reports that more bytes may
// change the answer.
func Sniff(head []byte, whole bool) (is, wait bool) {
	for first := true; len(head) > 0; { // one line in each iteration
		line, rest, ended := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimLeft(line, " \t\r")
		head = rest
		if len(line) == 0 || first && line[0] == '%' {
			continue
		}
		if first && line[0] == '@' {
			return entry(line, ended || whole)
		}
		if first && (line[0] != '\\' || len(line) > 1 && !octet.IsLetter(line[1])) {
			return false, false
		}
		first = false
		name := line[:min(len(line), maxName)]
		switch {
		case bytes.HasPrefix(line, []byte(`\input texinfo`)): // Texinfo: its commands begin with "@"
			return false, false
		case !ended && !whole && strings.HasPrefix(`\input texinfo`, string(name)):
			return false, true
		}
		for _, m := range marks {
			if bytes.HasPrefix(name, []byte(m)) && (m[len(m)-1] == '{' || len(name) == len(m) || !octet.IsLetter(name[len(m)])) {
				if len(name) == len(m) && m[len(m)-1] != '{' && !ended && !whole {
					return false, true
				}
				return true, false
			}
		}
	}
	return false, !whole
}

// marks begin lines that occur only in TeX documents.
var marks = []string{`\documentclass`, `\documentstyle`, `\input`, `\usepackage`, `\RequirePackage`, `\NeedsTeXFormat`, `\begin{`,
	`\ProvidesPackage`, `\ProvidesClass`, `\ProvidesFile`, `\chapter`, `\section`, `\subsection`}

// entry reports whether line begins with an entry of BibTeX.
func entry(line []byte, ended bool) (is, wait bool) {
	n := 1
	for n < len(line) && n < maxName && octet.IsLetter(line[n]) {
		n++
	}
	name := strings.ToLower(string(line[1:n]))
	if n < len(line) {
		after := bytes.TrimLeft(line[n:], " \t")
		known := strings.Contains(entries, " "+name+" ")
		if !known || len(after) > 0 || ended {
			return known && len(after) > 0 && (after[0] == '{' || after[0] == '('), false
		}
	}
	return false, !ended && strings.Contains(entries, " "+name)
}

// entries are the kinds of entries of BibTeX and biblatex.
const entries = " article book booklet bookinbook collection comment conference dataset electronic inbook incollection " +
	"inproceedings inreference jurisdiction manual mastersthesis misc mvbook online patent periodical phdthesis preamble " +
	"proceedings reference report set software string suppbook techreport thesis unpublished video www xdata "
