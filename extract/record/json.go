package record

import "strconv"

// jsonSyntax returns the syntax of JSON: each record is an object. end is its last byte.
func jsonSyntax(end byte) syntax {
	return syntax{open: "{", quote: `"`, separator: ",", end: "}" + string(rune(end)), named: true, field: appendField}
}

// appendField appends the name and the value of f, and a comma; or nothing if f is absent.
func appendField(dst []byte, v *view, f *Field) []byte {
	switch {
	case f.bytes != nil:
		s := f.bytes(v)
		if len(s) == 0 && !f.Always {
			return dst
		}
		dst = AppendString(appendKey(dst, f.Name), s)
	case f.text != nil:
		s := f.text(v)
		if s == "" && !f.Always {
			return dst
		}
		dst = AppendString(appendKey(dst, f.Name), s)
	case f.integer != nil:
		n := f.integer(v)
		if n == 0 && !f.Always {
			return dst
		}
		dst = strconv.AppendInt(appendKey(dst, f.Name), n, 10)
	case f.truth != nil:
		b := f.truth(v)
		if !b && !f.Always {
			return dst
		}
		dst = strconv.AppendBool(appendKey(dst, f.Name), b)
	case f.list != nil:
		list := f.list(v)
		if len(list) == 0 && !f.Always {
			return dst
		}
		dst = appendList(appendKey(dst, f.Name), list)
	case f.readings != nil:
		list := f.readings(v)
		if len(list) == 0 && !f.Always {
			return dst
		}
		dst = appendReadings(appendKey(dst, f.Name), v, list, f.keys)
	}
	return append(dst, ',')
}

// appendKey appends the text in front of the value of a field: its name and a colon.
func appendKey(dst []byte, name string) []byte {
	return append(append(append(dst, '"'), name...), '"', ':')
}

// appendList appends an array of strings.
func appendList(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, s)
	}
	return append(dst, ']')
}

// appendReadings appends an array of readings. keys are those of their texts and reasons.
func appendReadings(dst []byte, v *view, list []reading, keys [2]string) []byte {
	dst = append(dst, '[')
	for i, r := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"`...), keys[0]...), `":`...)
		dst = AppendString(dst, v.readings.made[r.start:r.end])
		dst = append(append(append(dst, `,"`...), keys[1]...), `":`...)
		dst = AppendString(dst, r.reason)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
