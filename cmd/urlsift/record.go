package main

import (
	"strings"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// A record is a result as the formats other than text print it: the fields of
// the table below. It is filled again for each result and then aliases it.
type record struct {
	veil veil // over passwords

	// What the fields return. The texts are those of r, or made without its
	// password in memory that is kept for the next record.
	r                           *extract.Result
	url, text, target           []byte
	base, fault                 string
	grammars, by, warnings      []string
	readings                    []reading
	grammarSet, bySet, alertSet setNames

	hiddenURL, hiddenText, hiddenTarget, made, scratch []byte // memory that fill reuses

	written, told string // the date of the last message, as written and as told
}

// A reading is another reading of the same text; text lies in record.made.
type reading struct {
	reason string
	lo, hi int
}

// A field is a column of the record. One of the functions is there; what is
// empty, zero or false is absent, unless the field always stands.
type field struct {
	name   string
	always bool
	bytes  func(*record) []byte
	text   func(*record) string
	number func(*record) int64
	truth  func(*record) bool
	list   func(*record) []string
	pairs  func(*record) []reading
}

// fields are those of the record in their order. Names and order are interface
// to other programs.
var fields = []field{
	{name: "url", bytes: func(c *record) []byte { return c.url }},
	{name: "text", bytes: func(c *record) []byte { return c.text }},
	{name: "target", bytes: func(c *record) []byte { return c.target }},
	{name: "base", text: func(c *record) string { return c.base }},
	{name: "base_from", text: func(c *record) string { return c.r.BaseFrom.String() }},
	{name: "grammars", list: func(c *record) []string { return c.grammars }},
	{name: "valid", truth: func(c *record) bool { return c.r.Valid }, always: true},
	{name: "error", text: func(c *record) string { return c.fault }},
	{name: "form", text: func(c *record) string { return c.r.Found.Form.String() }},
	{name: "prefix", truth: func(c *record) bool { return c.r.Found.Prefixed }},
	{name: "breaks", number: func(c *record) int64 { return int64(c.r.Found.Breaks) }},
	{name: "tail", bytes: func(c *record) []byte { return c.r.Found.Tail }},
	{name: "by", list: func(c *record) []string { return c.by }},
	{name: "readings", pairs: func(c *record) []reading { return c.readings }},
	{name: "warnings", list: func(c *record) []string { return c.warnings }},
	{name: "source", text: func(c *record) string { return c.veil.of(c.r.Origin.Source) }},
	{name: "member", text: func(c *record) string { return c.veil.of(c.r.Origin.Member) }},
	{name: "message", number: func(c *record) int64 { return int64(c.r.Origin.Message) }},
	{name: "message_id", text: func(c *record) string { return c.veil.of(c.r.Origin.MessageID) }},
	{name: "date", text: func(c *record) string { return c.date(&c.r.Origin) }},
	{name: "newsgroups", text: func(c *record) string { return c.veil.of(c.r.Origin.Newsgroups) }},
	{name: "part", text: func(c *record) string { return c.r.Origin.Part }},
	{name: "field", text: func(c *record) string { return c.veil.of(c.r.Origin.Field) }},
	{name: "offset", number: func(c *record) int64 { return c.r.Origin.Offset }, always: true},
	{name: "length", number: func(c *record) int64 { return c.r.Origin.Length }},
	{name: "line", number: func(c *record) int64 { return c.r.Origin.Line }},
	{name: "column", number: func(c *record) int64 { return c.r.Origin.Column }},
	{name: "exact", truth: func(c *record) bool { return c.r.Origin.Exact }},
}

// fill makes c the record of r, for as long as r is good.
func (c *record) fill(r *extract.Result) {
	c.r = r
	c.url, c.text, c.target = r.URL, r.Found.Text, r.Target
	c.base, c.fault = c.veil.of(r.Base), r.Fault(c.veil.on)
	c.grammars = c.grammarSet.of(uint8(r.Accepts), r.Accepts)
	c.by = c.bySet.of(uint8(r.Found.By), r.Found.By)
	alerts := r.Warnings()
	c.warnings = c.alertSet.of(uint8(alerts), alerts)
	c.readings, c.made = c.readings[:0], c.made[:0]
	if r.Found.Others != 0 {
		c.read(r)
	}
	if c.veil.on {
		c.hiddenURL = c.veil.redactor.AppendReference(c.hiddenURL[:0], r.URL)
		c.url = c.hiddenURL
		c.hiddenText = c.veil.redactor.AppendVariant(c.hiddenText[:0], r.Found.Text, r.URL)
		c.text = c.hiddenText
		if r.Target != nil {
			c.hiddenTarget = c.veil.redactor.AppendReference(c.hiddenTarget[:0], r.Target)
			c.target = c.hiddenTarget
		}
	}
}

// date returns the date of o as RFC 3339 has it, or as it is written if that is
// not understood. Most results have the date of the one before.
func (c *record) date(o *extract.Origin) string {
	if o.Date != c.written {
		c.written, c.told = o.Date, c.veil.of(o.Date)
		if t, ok := o.Time(); ok {
			c.told = t.Format(time.RFC3339)
		}
	}
	return c.told
}

// read makes the other readings of r. They are as many as rule 9 of
// the delimiting rules lets there be, and one for each other reason.
func (c *record) read(r *extract.Result) {
	if c.scratch == nil {
		c.scratch = make([]byte, 8<<10) // what most readings fit in
	}
	for why, text := range r.Found.Readings(c.scratch[:0]) {
		lo := len(c.made)
		if c.veil.on {
			c.made = c.veil.redactor.AppendVariant(c.made, text, r.URL)
		} else {
			c.made = append(c.made, text...)
		}
		c.readings = append(c.readings, reading{why.String(), lo, len(c.made)})
	}
}

// Sets of names come as bits of a byte with a String, which makes a new text each
// time. Few different sets are met in a run, so each is taken apart once.

// setNames remembers the names of the members of each set that was met, of at
// most 256.
type setNames struct{ lists [256][]string }

// of returns the names of the bits of set, as told by its String. The slice is
// not the caller's to change.
func (n *setNames) of(bits uint8, set interface{ String() string }) []string {
	if bits == 0 {
		return nil
	}
	if n.lists[bits] == nil {
		n.lists[bits] = strings.FieldsFunc(set.String(), func(r rune) bool { return r == '+' || r == ',' })
	}
	return n.lists[bits]
}
