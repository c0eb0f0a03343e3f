package record

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
	"github.com/urlsift/urlsift/uri/unwrap"
)

// A view is what the fields take their values from: a Result, and memory for values that
// are derived from it. A value is valid until the next one is requested.
type view struct {
	r        *extract.Result
	redact   bool // passwords are replaced
	redactor extract.Redactor

	// Reused memory.
	urlText, foundText, targetText []byte

	readings readings
	to       []string // of addressees
	printed  printedDate
	split    splitText               // the reference whose scheme, host and domain are the fields
	hosts    *[domainSlots]hostNames // nil until the first host is requested
	current  *hostNames              // of r; nil if they were not requested yet

	grammarSet, extraSet, suspicionSet setNames
}

// of makes v a view of r.
func (v *view) of(r *extract.Result) { v.r, v.current = r, nil }

// Readings are the other readings of a reference. Their memory is reused.
type readings struct {
	list    []reading
	made    []byte // the texts of all of them
	scratch []byte // the text of the one that is added next
}

// A reading is another reading of a reference; its text is made[start:end].
type reading struct {
	reason     string
	start, end int
}

// A printedDate is the last date that was printed. Most results have the date of the
// previous one.
type printedDate struct {
	field   string // as written
	log     int64  // the time of a log line, if logged is set
	logged  bool   // the date is that of a log line
	printed string
}

// of returns the date of o in UTC as RFC 3339 has it, or "" if there is none.
func (d *printedDate) of(o *extract.Origin) string {
	at, logged := o.LogTime()
	if o.Date != d.field || at != d.log || logged != d.logged {
		*d = printedDate{field: o.Date, log: at, logged: logged}
		if t, ok := Date(o); ok {
			d.printed = t.Format(time.RFC3339)
		}
	}
	return d.printed
}

func (v *view) url() []byte {
	if !v.redact {
		return v.r.URL
	}
	v.urlText = v.redactor.AppendReference(v.urlText[:0], v.r.URL)
	return v.urlText
}

func (v *view) text() []byte {
	if !v.redact {
		return v.r.Candidate.Text
	}
	v.foundText = v.redactor.AppendVariant(v.foundText[:0], v.r.Candidate.Text, v.r.URL)
	return v.foundText
}

func (v *view) target() []byte {
	if !v.redact || v.r.Target == nil {
		return v.r.Target
	}
	v.targetText = v.redactor.AppendReference(v.targetText[:0], v.r.Target)
	return v.targetText
}

// hide returns text without its passwords, if they are to be replaced.
func (v *view) hide(text string) string {
	if !v.redact {
		return text
	}
	return v.redactor.Text(text)
}

// reference returns the reference whose scheme, host and domain are the fields, with the
// positions of its parts. Passwords are replaced before the reference is split: other programs may
// find an account where the grammar has none.
func (v *view) reference() *splitText {
	s, r := &v.split, v.r
	switch {
	case v.redact && r.Target != nil:
		s.text = v.target()
		s.parts = uri.Split(s.text)
	case v.redact:
		s.text = v.url()
		s.parts = uri.Split(s.text)
	case r.Target != nil:
		s.text = r.Target
		s.parts = uri.Split(s.text)
	default:
		s.text, s.parts = r.URL, r.Parts
	}
	return s
}

func (v *view) scheme() []byte { return v.reference().lower(uri.Scheme) }

// host returns the host, with A-labels if it has any.
func (v *view) host() []byte { return v.names().host }

// domain returns the registrable domain, nil if the host has none.
func (v *view) domain() []byte { return v.names().domain }

// hostUnicode returns the host with U-labels if it has A-labels, otherwise nil.
func (v *view) hostUnicode() []byte { return v.names().unicode }

// names returns the names of the host. It remembers hosts, because logs repeat them: without
// that, access logs with the fields line, host and url take 1.7 times the instructions. The whole record has opHost.
func (v *view) names() *hostNames {
	if v.current != nil {
		return v.current
	}
	s := v.reference()
	lo, hi, _ := s.parts.Span(uri.Host)
	if lo == hi {
		return &noNames
	}
	if v.hosts == nil {
		v.hosts = new([domainSlots]hostNames)
	}
	host := s.text[lo:hi]
	at := &v.hosts[slotOf(host, domainSlots)]
	if at.grammar != v.r.Grammar() || !bytes.Equal(at.written, host) {
		at.set(s, host, v.r.Grammar())
	}
	v.current = at
	return at
}

var noNames hostNames // of a reference without a host

func (v *view) grammars() []string {
	return v.grammarSet.of(uint16(v.r.Accepts), v.r.Accepts)
}

func (v *view) by() []string { return v.extraSet.of(uint16(v.r.Candidate.By), v.r.Candidate.By) }

func (v *view) suspicious() []string {
	set := SuspicionOf(v.r)
	return v.suspicionSet.of(uint16(set), set)
}

// inner returns the references inside the target, or inside the URL if there is none or if it is one of
// them.
func (v *view) inner() []reading {
	rs, outer := &v.readings, v.url()
	if v.r.Target != nil && !v.r.Unwrapped() {
		outer = v.target()
	}
	if !unwrap.May(outer, uri.Split(outer)) {
		return nil
	}
	rs.list, rs.made = rs.list[:0], rs.made[:0]
	rs.scratch = append(slices.Grow(rs.scratch[:0], 8*len(outer)), outer...)
	for start := 0; len(rs.list) < unwrap.Depth; {
		inner, by := unwrap.Append(rs.scratch, rs.scratch[start:], v.r.Grammar())
		if by == 0 {
			break
		}
		rs.scratch, start = inner, len(rs.scratch)
		made := len(rs.made)
		if v.redact {
			rs.made = v.redactor.AppendReference(rs.made, rs.scratch[start:])
		} else {
			rs.made = append(rs.made, rs.scratch[start:]...)
		}
		rs.list = append(rs.list, reading{by.String(), made, len(rs.made)})
	}
	return rs.list
}

// addressees returns the addresses of To and Cc.
func (v *view) addressees() []string {
	v.to = slices.AppendSeq(v.to[:0], strings.FieldsSeq(v.r.Origin.To))
	return v.to
}

// date returns the date in UTC as RFC 3339 has it, or "" if there is none.
func (v *view) date() string { return v.printed.of(&v.r.Origin) }

// Date returns the time of o for the field date, in UTC. ok is false if the date of o is not
// understood, or if no message can have it.
func Date(o *extract.Origin) (t time.Time, ok bool) {
	if t, ok = o.Time(); !ok || !believable(t) {
		return time.Time{}, false
	}
	return t.UTC(), true
}

// dateText returns the date field as written if date returns "".
func (v *view) dateText() string {
	if v.r.Origin.Date == "" || v.date() != "" {
		return ""
	}
	return v.hide(v.r.Origin.Date)
}

// begunYear is a year that has certainly begun. Dates up to its end are accepted without asking for
// the current time.
const begunYear = 2026

// believable reports whether a message may have that time: databases reject others.
func believable(t time.Time) bool {
	const most = 16 * 60 * 60 // seconds; no zone is as far away
	_, zone := t.Zone()
	year := t.UTC().Year()
	return zone > -most && zone < most && year >= 1970 && (year <= begunYear || year <= time.Now().Year()+1)
}

// others returns the other readings: at most seven for the hyphens, and one for each
// other reason.
func (v *view) others() []reading {
	f, rs := &v.r.Candidate, &v.readings
	rs.list, rs.made = rs.list[:0], rs.made[:0]
	for rest := f.Others; rest != 0; rest &= rest - 1 {
		if r := rest & -rest; r == delimit.NoHyphen {
			rs.hyphens(v)
		} else {
			rs.scratch = v.r.AppendReading(rs.scratch[:0], r)
			rs.add(v, r.String(), rs.scratch)
		}
	}
	return rs.list
}

// hyphens adds the readings without some of the hyphens at line breaks.
func (rs *readings) hyphens(v *view) {
	if rs.scratch == nil {
		rs.scratch = make([]byte, 8<<10) // most readings fit
	}
	for r, text := range v.r.Readings(rs.scratch[:0]) {
		if r != delimit.NoHyphen { // the readings without hyphens come first
			break
		}
		rs.add(v, r.String(), text)
	}
}

// add adds the reading text, without its passwords if they are to be replaced.
func (rs *readings) add(v *view, reason string, text []byte) {
	start := len(rs.made)
	if v.redact {
		rs.made = v.redactor.AppendVariant(rs.made, text, v.r.URL)
	} else {
		rs.made = append(rs.made, text...)
	}
	rs.list = append(rs.list, reading{reason, start, len(rs.made)})
}

// Grammars, Extras and Suspicions are sets of bits, whose method String makes a new text each time. A
// run has few different sets, so each text is split into names once.

// setNames has the names of the members of each set that has occurred.
type setNames map[uint16][]string

// of returns the names of the bits of set, as the String method of set writes them. The caller must
// not change the slice.
func (n *setNames) of(bits uint16, set interface{ String() string }) []string {
	if bits == 0 {
		return nil
	}
	names, ok := (*n)[bits]
	if !ok {
		if *n == nil {
			*n = make(setNames)
		}
		names = strings.FieldsFunc(set.String(), func(r rune) bool { return r == '+' || r == ',' })
		(*n)[bits] = names
	}
	return names
}
