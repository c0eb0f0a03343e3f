package record

import "strconv"

// appendField appends a comma, and the name and the value of f; or nothing if it is absent.
func appendField(dst []byte, v *view, f *Field) []byte {
	switch {
	case f.bytes != nil:
		if s := f.bytes(v); len(s) > 0 || f.Always {
			return AppendString(appendKey(dst, f), s)
		}
	case f.text != nil:
		if s := f.text(v); s != "" || f.Always {
			return AppendString(appendKey(dst, f), s)
		}
	case f.integer != nil:
		if n := f.integer(v); n != 0 || f.Always {
			return strconv.AppendInt(appendKey(dst, f), n, 10)
		}
	case f.truth != nil:
		if b := f.truth(v); b || f.Always {
			return strconv.AppendBool(appendKey(dst, f), b)
		}
	case f.list != nil:
		if list := f.list(v); len(list) > 0 || f.Always {
			return appendList(appendKey(dst, f), list)
		}
	case f.readings != nil:
		if list := f.readings(v); len(list) > 0 || f.Always {
			return appendReadings(appendKey(dst, f), v, list, f.keys)
		}
	}
	return dst
}

// appendKey appends the text in front of the value of f: separator, name and colon.
func appendKey(dst []byte, f *Field) []byte {
	dst = append(dst, ',', '"')
	dst = append(dst, f.Name...)
	return append(dst, '"', ':')
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
