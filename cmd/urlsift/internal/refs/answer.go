package refs

import (
	"github.com/urlsift/urlsift/extract/record"
)

// An Answer is the answer of a subcommand for one reference, in plain data. A
// value that is undefined is nil. Any other value is a string, a bool, a list of
// strings, a list of rows of three strings, or a jsonObject.
type Answer struct {
	ref     string       // the reference as it is printed
	values  []any        // of the record, in the order of columns
	line    string       // the same as one line of text
	Fault   string       // why the reference is refused, or ""
	offset  int          // of the byte of ref that fault is about, or -1
	accepts []acceptance // of each grammar; for people
}

// An acceptance says whether one grammar accepts a reference.
type acceptance struct {
	grammar string
	why     string // the reason if it does not; "" if it does
}

// A jsonMember is a value with its name.
type jsonMember struct {
	name  string
	value any
}

// A jsonObject has names and values in an order.
type jsonObject []jsonMember

// columns has the names of the values of each command's records, in their order. Other
// programs read these names, so they never change.
var columns = map[Command][]string{
	Parse: {"ref", "scheme", "authority", "userinfo", "user", "password", "host", "host_kind", "port",
		"path", "query", "fragment", "absolute", "grammars", "valid", "error", "warnings", "fields"},
	Resolve:   {"ref", "base", "target", "same_document", "error"},
	Normalize: {"ref", "url"},

	Relativize: {"ref", "base", "relative", "error"},
	Wrap:       {"ref", "text", "error"},
	Build:      {"url", "error"},
}

// Columns returns the names of the values of c's records, in their order.
func Columns(c Command) []string { return columns[c] }

// defined returns text as a value, or nil if it is not known.
func defined(text string, known bool) any {
	if known {
		return text
	}
	return nil
}

// unanswered returns the answer of c for a reference that could not be read. It has only the
// error.
func unanswered(c Command, err error) *Answer {
	a := &Answer{Fault: err.Error(), offset: -1}
	for _, name := range columns[c] {
		var value any
		switch name {
		case "error":
			value = a.Fault
		case "valid", "absolute", "same_document":
			value = false
		case "grammars", "warnings":
			value = []string{}
		case "fields":
			value = jsonObject{}
		}
		a.values = append(a.values, value)
	}
	return a
}

// appendJSONValue appends a value of an answer as JSON. Members keep their order.
func appendJSONValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return record.AppendString(dst, v)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case []string:
		dst = append(dst, '[')
		for i, s := range v {
			dst = record.AppendString(appendComma(dst, i), s)
		}
		return append(dst, ']')
	case [][3]string:
		dst = append(dst, '[')
		for i, row := range v {
			dst = appendJSONValue(appendComma(dst, i), row[:])
		}
		return append(dst, ']')
	case jsonObject:
		dst = append(dst, '{')
		for i, m := range v {
			dst = append(record.AppendString(appendComma(dst, i), m.name), ':')
			dst = appendJSONValue(dst, m.value)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// appendComma appends the separator in front of member i of a list.
func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// refuse stores in the Answer the reason why text is no reference or has no answer. a.ref is the
// form of text that is printed. If err is nil, refuse does nothing.
func (a *Answer) refuse(err error, text string) {
	if err != nil {
		a.Fault, a.offset = explain(err, text, a.ref)
	}
}
