package mail

// magics are the beginnings of batches, mail files and web archives.
var magics = []struct {
	text string
	f    Framing
}{
	{"#! rnews ", Rnews},
	{"BABYL OPTIONS", Babyl},
	{mmdfLine + "\n", MMDF},
	{mmdfLine + "\r\n", MMDF},
	{"WARC/1.0\r\n", WARC},
	{"WARC/1.1\r\n", WARC},
	{"WARC/0.17\r\n", WARC},
	{"WARC/0.18\r\n", WARC},
	{"WARC/1.0\n", WARC},
	{"WARC/1.1\n", WARC},
	{arcMark + "//", WARC},
}

// Sniff returns the framing of a stream that begins with head, or None if it is not mail. whole
// says that head is all there is, or all that may be examined. If it is false, wait reports
// that more bytes may change the answer. The first line that can decide does, so more bytes
// never change a final answer.
//
// A file of Apple Mail begins with a number and a message.
// A mailbox begins with a From_ line in front of a field, after any number of blank
// lines. A message begins with fields: one that only mail and news have (Received,
// Message-ID, Newsgroups), or two others of which one is From, To, Subject or Date. Only
// fields whose names have a '-' may precede these.
func Sniff(head []byte, whole bool) (f Framing, wait bool) {
	for _, m := range magics {
		if len(head) > 0 && head[0] != m.text[0] { // the usual case
			continue
		}
		yes, may := begins(head, m.text)
		if yes {
			return m.f, false
		}
		wait = wait || may
	}
	if wait && !whole {
		return None, true
	}
	if f, wait := sniffEmlx(head, whole); f != None || wait {
		return f, wait
	}
	// Some programs put blank lines in front.
	rest := head
	for len(rest) > 0 {
		text, n, full := cutLine(rest)
		if len(text) > 0 || !full {
			break
		}
		rest = rest[n:]
	}
	if len(rest) == 0 {
		return None, !whole
	}
	yes, may := begins(rest, "From ")
	switch {
	case yes:
		return sniffFrom(rest, whole)
	case may || string(rest) == "\r":
		return None, !whole
	}
	return sniffFields(rest, whole)
}

// sniffEmlx is Sniff for a head that begins with a number in a line of its own, and a message.
func sniffEmlx(head []byte, whole bool) (Framing, bool) {
	const most = 18 // digits
	n := 0
	for n < len(head) && n <= most && '0' <= head[n] && head[n] <= '9' {
		n++
	}
	if n == 0 || n > most {
		return None, false
	}
	for n < len(head) && n < lookahead && (head[n] == ' ' || head[n] == '\r') {
		n++
	}
	if n == len(head) {
		return None, !whole
	}
	if head[n] != '\n' {
		return None, false
	}
	f, wait := sniffFields(head[n+1:], whole)
	if f == Single {
		f = Emlx
	}
	return f, wait
}

// sniffFrom is Sniff for a head that begins with "From ".
func sniffFrom(head []byte, whole bool) (Framing, bool) {
	line, n, full := cutLine(head)
	if !full && !whole {
		return None, true
	}
	g := fromLine(line)
	yes, wait := g.separatesAlone(head[n:], whole, true)
	if g == dated {
		yes, wait = fieldNext(head[n:], whole, false)
	}
	if yes && !wait {
		return Mbox, false
	}
	return None, wait && !whole
}

// sniffFields is Sniff for a head that does not begin with a From_ line.
func sniffFields(head []byte, whole bool) (Framing, bool) {
	var seen []byte // the name of the weak field that was met
	var first weight
	field := false // whether a field was met
	for at := 0; ; {
		v := head[at:]
		if quoted, may := begins(v, ">From "); at == 0 && (quoted || may && !whole) {
			line, n, full := cutLine(v)
			switch {
			case !full && !whole:
				return None, true
			case !full || fromLine(line[1:]) == noFrom:
				return None, false
			}
			at += n
			continue
		}
		if len(v) == 0 {
			return None, !whole
		}
		if !field || v[0] != ' ' && v[0] != '\t' { // not the continuation of a field
			field = true
			n, colon, wait := fieldName(v)
			if colon != n+1 || n == 0 {
				return None, wait && !whole
			}
			name := v[:n]
			w := weigh(name)
			if same(name, []byte(fieldNames[contentType])) {
				yes, may := beginsType(v[colon:])
				if may && !whole {
					return None, true
				}
				if yes {
					w = strong
				}
			}
			switch {
			case w == strong:
				return Single, false
			case w == unknown && !dashed(name):
				return None, false
			case w == unknown: // X-Anything says nothing
			case seen != nil && (w == chief || first == chief) && !same(seen, name):
				return Single, false
			case seen == nil || w > first:
				seen, first = name, w
			}
		}
		_, n, full := cutLine(v)
		if !full {
			return None, !whole
		}
		at += n
	}
}

// beginsType reports whether v, a value or its beginning, is the type of a multipart or a message
// (yes), or could become such a type if more bytes follow (may). Texts other than mail have
// Content-Type too, but not with these types.
func beginsType(v []byte) (yes, may bool) {
	for len(v) > 0 && (v[0] == ' ' || v[0] == '\t') {
		v = v[1:]
	}
	for _, s := range [...]string{"multipart/", "message/"} {
		n := min(len(v), len(s))
		if same(v[:n], []byte(s[:n])) {
			return n == len(s), n < len(s)
		}
	}
	return false, false
}
