package mail

import "bytes"

// A valueParser parses the values of fields that say what a part is.
type valueParser struct {
	scratch []byte
	last    mediaType
	strings interned
}

// A mediaType is the parsed value of a Content-Type. The last one is kept: the header and the body
// of a message have the same value, and so have most messages of a stream. If it were not kept, the
// text parts of mail with short bodies would take 1.06 times the instructions, and those of tiny
// messages with two parts 1.16 times.
type mediaType struct {
	value         []byte // of internMax bytes at most
	name, charset string
	flowed, delSp bool
}

// params returns what follows the [token] of a value.
func params(value []byte) []byte {
	value = bytes.TrimLeft(value, " \t\"")
	if k := indexOf(value, &endsToken); k >= 0 {
		return value[k:]
	}
	return nil
}

// mediaType sets the fields of p that follow from Content-Type. If that field is missing or has no
// '/', the default is set (RFC 2045, section 5.2; RFC 2046, section 5.1.5). In a digest the default
// is message/rfc822.
func (v *valueParser) mediaType(p *Part, value []byte, digest bool) {
	m := &v.last
	if len(value) == 0 {
		p.Type, p.Charset, p.Flowed, p.DelSp = "text/plain", "", false, false
		if digest {
			p.Type = "message/rfc822"
		}
		return
	}
	if digest || !bytes.Equal(value, m.value) {
		v.parseType(p, value, digest)
		if len(value) > internMax || digest {
			return
		}
		*m = mediaType{append(m.value[:0], value...), p.Type, p.Charset, p.Flowed, p.DelSp}
	}
	p.Type, p.Charset, p.Flowed, p.DelSp = m.name, m.charset, m.flowed, m.delSp
}

// parseType is mediaType for a value that differs from the last one.
func (v *valueParser) parseType(p *Part, value []byte, digest bool) {
	p.Charset, p.Flowed, p.DelSp = "", false, false
	t := token(value)
	if k := bytes.IndexByte(t, '/'); k <= 0 || k == len(t)-1 {
		p.Type = "text/plain"
		if digest && len(t) == 0 {
			p.Type = "message/rfc822"
		}
	} else {
		v.scratch = lower(v.scratch[:0], t)
		p.Type = v.strings.of(v.scratch)
	}
	value = params(value)
	p.Charset = v.lowParam(value, "charset")
	p.Flowed = p.Type == "text/plain" && v.lowParam(value, "format") == "flowed"
	p.DelSp = p.Flowed && v.lowParam(value, "delsp") == "yes"
}

// lowParam returns a parameter in lower case without surrounding white space.
func (v *valueParser) lowParam(value []byte, name string) string {
	var ok bool
	v.scratch, ok = appendParam(v.scratch[:0], value, name)
	if !ok {
		return ""
	}
	b := bytes.Trim(v.scratch, " \t'\"")
	return v.strings.of(lower(b[:0], b))
}

// boundary returns the boundary of a multipart, or nil if value has none or an invalid one. The
// slice may be used until the next call of a method of v.
func (v *valueParser) boundary(value []byte) []byte {
	var ok bool
	v.scratch, ok = appendParam(v.scratch[:0], params(value), "boundary")
	b := bytes.TrimRight(v.scratch, " \t")
	if !ok || len(b) == 0 || len(b) > boundaryMax {
		return nil
	}
	return b
}

// encoding returns the transfer encoding in value (RFC 2045, section 6.1), or "" for the identity.
// Programs write "x-base64", "base 64" and "quoted printable" too: of the two encodings that are
// decoded and of the identity, only letters and digits count.
func (v *valueParser) encoding(value []byte) string {
	if len(value) == 0 {
		return ""
	}
	v.scratch = v.scratch[:0]
	for rest := value; ; rest = rest[1:] { // each iteration passes a comment or a byte
		if rest = skipBlank(rest); len(rest) == 0 || rest[0] == ';' {
			break
		}
		if c := rest[0]; alnum(c) {
			v.scratch = lower(v.scratch, rest[:1])
		}
	}
	name, known := encodings[string(bytes.TrimPrefix(v.scratch, []byte{'x'}))]
	if !known { // the first word may be known
		v.scratch = lower(v.scratch[:0], token(value))
		if name, known = encodings[string(v.scratch)]; !known {
			name = v.strings.of(v.scratch)
		}
	}
	return name
}

// encodings has what [valueParser.encoding] returns for the names that it knows.
var encodings = map[string]string{
	"": "", "7bit": "", "8bit": "", "binary": "", "none": "",
	"base64": "base64", "quotedprintable": "quoted-printable", "quoted-printable": "quoted-printable",
}

// fileName returns the file name in the values of Content-Disposition (RFC 2183, section
// 2.3), or else of Content-Type.
func (v *valueParser) fileName(disposition, contentType []byte) string {
	var ok bool
	if len(disposition) > 0 {
		if v.scratch, ok = appendParam(v.scratch[:0], params(disposition), "filename"); ok {
			return readable(v.scratch)
		}
	}
	if v.scratch, ok = appendParam(v.scratch[:0], params(contentType), "name"); !ok {
		return ""
	}
	return readable(v.scratch)
}
