package uri

// Equal compares a and b by the newest member of g, or by [Default] if g is empty.
// equal is true if they are identical, if their normal forms are (see [AppendNormal]), or
// if they differ only in spellings that mean the same by the document: an escape of
// an unreserved character (2002, section 2.3; 1994, "Encoding"), the case of the
// digits of an escape, which give a number (2002, section 2.4.1), a void fragment
// (1993, "Fragment-id"), a default port, the "anonymous" user of ftp, the type 1 of
// gopher, "localhost" of file, the prefix "URL:" (1994, "PrePrefix": "some URLs may
// have been quoted throughout without this preprefix").
//
// known is false if the document leaves the answer open: it neither has nor excludes a
// rule that would make them equal. Such rules are the steps in the normal forms
// of newer documents, and rules of single schemes: the dot at the end of a host,
// zeros in front of a port, a port where the default is not known, ";type=" of
// ftp, other spellings of an IPv6 address; in urn letter case, hyphens, and what follows the name,
// in tel separators and parameters, in sip the case of the host, parameters and headers, in geo
// the numbers. Then equal is false, too.
//
// For example, url-1993 has no rule about case. By it, the answer for "http://A/" and
// "http://a/" is not known, and "http://a/" and "ftp://a/" are known to be different.
//
// Fragments are compared, too. equal is an equivalence relation, and two references
// that are equal have the same result when compared with a third.
//
// If the grammar rejects a or b, Equal returns the error of [Explain] for the first that
// is rejected, and known is false. Equal keeps nothing of a and b. It does not allocate
// for references of up to about 300 bytes, unless it converts a host to A-labels.
func Equal[A, B Text](a A, b B, g Grammar) (equal, known bool, err error) {
	n := normalFormOf(g)
	if err := Explain(a, Split(a), n.in); err != nil {
		return false, false, err
	}
	if err := Explain(b, Split(b), n.in); err != nil {
		return false, false, err
	}
	s, t := withoutPrefix(view(a), n.in), withoutPrefix(view(b), n.in)
	if s == t {
		return true, true, nil
	}
	var room [4][384]byte // so that most references need no allocation
	pa, pb := split(s), split(t)
	s = view(appendForm(room[0][:0], s, &pa, n.in, n.steps|n.same))
	t = view(appendForm(room[1][:0], t, &pb, n.in, n.steps|n.same))
	if s == t {
		return true, true, nil
	}
	// From here on these forms are compared, not the texts. So two references that are equal
	// give the same result when compared with a third. Two different ports are never equal:
	// only one of them can be the default.
	pa, pb = split(s), split(t)
	if p, q := pa.portOf(s), pb.portOf(t); p != "" && q != "" && p != q {
		return false, true, nil
	}
	s = view(appendForm(room[2][:0], s, &pa, n.in, n.might))
	t = view(appendForm(room[3][:0], t, &pb, n.in, n.might))
	if s == t {
		return false, false, nil
	}
	return false, true, nil
}

// withoutPrefix returns s without the prefix "URL:", if g, a set of one, has that prefix.
func withoutPrefix(s string, g Grammar) string {
	if g&wholePrefix == 0 {
		return s
	}
	p := split(s)
	return s[prefixLen(s, &p):]
}
