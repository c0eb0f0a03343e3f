package record

import (
	"bytes"
	"strings"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
)

// A view is what the fields take their values from: a Result, and memory for what has to
// be made of it. A value is good until the same field is asked for again.
type view struct {
	r        *extract.Result
	redact   bool // passwords are replaced
	redactor extract.Redactor

	// Memory that is used again.
	urlText, foundText, targetText []byte
	original, hidden               []byte // of hide
	scratch                        []byte // a single reading
	made                           []byte // the texts of the readings in list
	list                           []reading

	dateField, datePrinted string // the last date, as written and as printed
	logTime                int64  // the last date, if it is that of a log line
	logged                 bool   // it is

	split   splitText                // the reference that scheme, host and domain are of
	domains *[domainSlots]hostDomain // nil until one is asked for

	grammarSet, extraSet, warningSet setNames
}

// A reading is another reading of a reference; its text is made[start:end].
type reading struct {
	reason     string
	start, end int
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

// hide returns text without its passwords, if they are to be replaced. It allocates only
// where there is one.
func (v *view) hide(text string) string {
	if !v.redact || text == "" {
		return text
	}
	v.original = append(v.original[:0], text...)
	v.hidden = v.redactor.Append(v.hidden[:0], v.original)
	if bytes.Equal(v.hidden, v.original) {
		return text
	}
	return string(v.hidden)
}

func (v *view) grammars() []string {
	return v.grammarSet.of(uint16(v.r.Accepts), v.r.Accepts)
}

func (v *view) by() []string { return v.extraSet.of(uint16(v.r.Candidate.By), v.r.Candidate.By) }

func (v *view) warnings() []string {
	set := v.r.Warnings()
	return v.warningSet.of(uint16(set), set)
}

// date returns the date in UTC as RFC 3339 has it, or "" if there is none. Most results have
// the date of the one before.
func (v *view) date() string {
	o := &v.r.Origin
	at, logged := o.LogTime()
	if o.Date != v.dateField || at != v.logTime || logged != v.logged {
		v.dateField, v.logTime, v.logged, v.datePrinted = o.Date, at, logged, ""
		if t, ok := Date(o); ok {
			v.datePrinted = t.Format(time.RFC3339)
		}
	}
	return v.datePrinted
}

// Date returns the time of the field date, in UTC: that of o, if it is understood and may be
// true.
func Date(o *extract.Origin) (t time.Time, ok bool) {
	if t, ok = o.Time(); !ok || !believable(t) {
		return time.Time{}, false
	}
	return t.UTC(), true
}

// dateText returns the date as written where date returns nothing.
func (v *view) dateText() string {
	if v.r.Origin.Date == "" || v.date() != "" {
		return ""
	}
	return v.hide(v.r.Origin.Date)
}

// written is a year that has begun. The clock need not be asked for times before its end.
const written = 2026

// believable reports whether a message may be of that time: databases reject others.
func believable(t time.Time) bool {
	const most = 16 * 60 * 60 // seconds; no zone is as far away
	_, zone := t.Zone()
	year := t.UTC().Year()
	return zone > -most && zone < most && year >= 1970 && (year <= written || year <= time.Now().Year()+1)
}

// others returns the other readings: at most seven for the hyphens, and one for each
// other reason.
func (v *view) others() []reading {
	f := &v.r.Candidate
	v.list, v.made = v.list[:0], v.made[:0]
	for rest := f.Others; rest != 0; rest &= rest - 1 { // a bit with each iteration
		if r := rest & -rest; r == delimit.NoHyphen {
			v.hyphens()
		} else {
			v.scratch = f.AppendReading(v.scratch[:0], r)
			v.add(r.String(), v.scratch)
		}
	}
	return v.list
}

// hyphens adds the readings without some of the hyphens at line breaks.
func (v *view) hyphens() {
	if v.scratch == nil {
		v.scratch = make([]byte, 8<<10) // most readings fit
	}
	for r, text := range v.r.Candidate.Readings(v.scratch[:0]) {
		if r != delimit.NoHyphen { // they come first
			break
		}
		v.add(r.String(), text)
	}
}

// add adds a reading.
func (v *view) add(reason string, text []byte) {
	start := len(v.made)
	if v.redact {
		v.made = v.redactor.AppendVariant(v.made, text, v.r.URL)
	} else {
		v.made = append(v.made, text...)
	}
	v.list = append(v.list, reading{reason, start, len(v.made)})
}

// Sets of names come as bits with a String, which makes a new text each time. A run has few
// different sets, so each is split once.

// setNames remembers the names of the members of each set that was met.
type setNames map[uint16][]string

// of returns the names of the bits of set, as its String has them. The slice is not the
// caller's to change.
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
