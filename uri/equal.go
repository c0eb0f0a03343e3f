package uri

import "strings"

// An Equality is what a document says of two references.
type Equality uint8

const (
	NoRule  Equality = iota // the document has no rule that would tell
	Differs                 // they are not the same by any rule there might be
	Equals                  // they are the same by its rules
)

var equalityNames = [...]string{"no rule", "different", "equal"}

// String returns "no rule", "different" or "equal".
func (e Equality) String() string {
	if int(e) >= len(equalityNames) {
		return ""
	}
	return equalityNames[e]
}

// Equal compares a and b by the newest member of g.
//
// Equals means that they are identical, or that their normal forms are (see
// [AppendNormal]). NoRule means that the document leaves it to the schemes, or to
// nobody: a rule that it does not have, and does not rule out, would make them
// equal. There is one such rule for each thing that a normal form of a younger
// document does, and a few of single schemes: a host's last dot, zeros before a
// port, a port where the scheme's is not known, the default type of gopher,
// "anonymous" and ";type=" of ftp, "localhost" of file, and other spellings of an
// IPv6 address. Everything else Differs. So in url-1993, which says nothing of all
// this, "http://A/" and "http://a/" have NoRule, and "http://a/" and "ftp://a/"
// differ.
//
// Fragments take part. Equals is an equivalence, and two references that are
// equal have the same answer beside a third.
//
// If g does not take both, the error is that of [Explain] for the first that it
// does not take, and the answer is NoRule. Equal keeps nothing of a and b, and
// allocates nothing for references of some hundred bytes, unless a host is
// converted to A-labels.
func Equal[A, B Text](a A, b B, g Grammar) (Equality, error) {
	n := normOf(g)
	if err := Explain(a, Split(a), n.in); err != nil {
		return NoRule, err
	}
	if err := Explain(b, Split(b), n.in); err != nil {
		return NoRule, err
	}
	s, t := view(a), view(b)
	if s == t {
		return Equals, nil
	}
	var room [4][384]byte // so that most references need no allocation
	pa, pb := split(s), split(t)
	s = view(appendForm(room[0][:0], s, &pa, n.in, n.do))
	t = view(appendForm(room[1][:0], t, &pb, n.in, n.do))
	if s == t {
		return Equals, nil
	}
	// What might be said is said of the normal forms, so that it cannot part
	// what they have put together. Of two ports neither is the default.
	pa, pb = split(s), split(t)
	if p, q := pa.portOf(s), pb.portOf(t); p != "" && q != "" && p != q {
		return Differs, nil
	}
	s = view(appendForm(room[2][:0], s, &pa, n.in, n.might))
	t = view(appendForm(room[3][:0], t, &pb, n.in, n.might))
	if s == t {
		return NoRule, nil
	}
	return Differs, nil
}

// portOf returns the port without zeros before it, or "".
func (p *parts) portOf(s string) string {
	lo, hi, _ := p.Span(Port)
	return strings.TrimLeft(s[lo:hi], "0")
}
