package refs

import (
	"strings"
	"unicode/utf8"

	"github.com/urlsift/urlsift/extract/record"
)

// A parse report is what parse shows people:
//
//	http://me@example.org/a^b?
//	  scheme     http
//	  authority  me@example.org
//	  userinfo   me
//	  user       me
//	  host       example.org
//	  host_kind  name
//	  path       /a^b
//	  query      ""
//
//	  url-1993   yes
//	  uri-2002   no: path: byte '^' at offset 23 is not in uri-2002
//
//	  http://me@example.org/a^b?
//	                         ^
//	  path: byte '^' at offset 23 is not in uri-2002 (url-1993 has it)
//
// Undefined values are left out; an empty value is "". The fields of the scheme follow the
// components, except fields that only repeat these.

// appendReport appends the report of a, an answer of parse. The report has no control
// characters: they could do harm in a terminal, and would shift the columns.
func appendReport(dst []byte, a *Answer) []byte {
	if a.values[0] == nil { // the reference could not be read
		return append(record.AppendVisible(dst, a.Fault), '\n')
	}
	head := a.ref
	if head == "" {
		head = `""`
	}
	dst = append(record.AppendVisible(dst, head), '\n')

	var components, parts, grammars jsonObject
	values := make(map[string]any)
	for i, name := range columns[Parse] {
		text, ok := a.values[i].(string)
		if values[name] = a.values[i]; ok && name != "ref" && name != "error" {
			components = append(components, jsonMember{name, text})
		}
	}
	if w, _ := values["warnings"].([]string); len(w) > 0 {
		components = append(components, jsonMember{"warnings", strings.Join(w, ", ")})
	}
	fields, _ := values["fields"].(jsonObject)
	for _, f := range fields {
		text, ok := f.value.(string)
		if f.value == nil || f.value == false || ok && (values[f.name] == text || values[f.name] == "/"+text) {
			continue
		}
		parts = append(parts, f)
	}
	for _, v := range a.accepts {
		text := "yes"
		if v.why != "" {
			text = "no: " + v.why
		}
		grammars = append(grammars, jsonMember{v.grammar, text})
	}

	width := 0
	for _, block := range []jsonObject{components, parts, grammars} {
		for _, r := range block {
			width = max(width, len(r.name))
		}
	}
	dst = appendRows(dst, components, width)
	if len(parts) > 0 {
		dst = appendRows(append(dst, '\n'), parts, width)
	}
	dst = appendRows(append(dst, '\n'), grammars, width)
	if a.Fault != "" {
		dst = appendFault(dst, a)
	}
	return dst
}

// appendRows appends a block of the report: names, then values in a column.
func appendRows(dst []byte, rows jsonObject, width int) []byte {
	for _, r := range rows {
		dst = append(dst, "  "...)
		dst = append(dst, r.name...)
		dst = append(dst, strings.Repeat(" ", width-len(r.name)+2)...)
		switch v := r.value.(type) {
		case string:
			if v == "" {
				v = `""`
			}
			dst = record.AppendVisible(dst, v)
		default:
			dst = record.AppendVisible(dst, appendJSONValue(nil, v))
		}
		dst = append(dst, '\n')
	}
	return dst
}

// How many bytes of a refused text are shown in front of and after the wrong one, so that
// they fit on one line.
const (
	before = 48
	after  = 24
)

// appendFault appends why the reference was refused: the text around the byte, a caret
// under it, and the reason.
func appendFault(dst []byte, a *Answer) []byte {
	dst = append(dst, '\n')
	if a.offset >= 0 && a.ref != "" {
		start, end := max(0, a.offset-before), min(len(a.ref), a.offset+after)
		for start < a.offset && !utf8.RuneStart(a.ref[start]) { // at most utf8.UTFMax iterations for UTF-8
			start++
		}
		for end < len(a.ref) && !utf8.RuneStart(a.ref[end]) { // likewise
			end++
		}
		dst = append(dst, "  "...)
		line := len(dst)
		if start > 0 {
			dst = append(dst, "…"...)
		}
		dst = record.AppendVisible(dst, a.ref[start:a.offset])
		column := utf8.RuneCount(dst[line:])
		dst = record.AppendVisible(dst, a.ref[a.offset:end])
		if end < len(a.ref) {
			dst = append(dst, "…"...)
		}
		dst = append(dst, "\n  "...)
		dst = append(dst, strings.Repeat(" ", column)...)
		dst = append(dst, "^\n"...)
	}
	dst = append(dst, "  "...)
	dst = record.AppendVisible(dst, brief(a.Fault, a.ref))
	return append(dst, '\n')
}
