package tally

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/hide"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// A Key is a property by which results are counted.
type Key uint8

const (
	URL Key = iota // as it is printed: the target if there is one

	// The fields of the record with these names.
	Host
	Domain
	Scheme
	Source
	Form

	Grammar // each grammar that accepts the text: the result counts for all of them

	// Of the time, in UTC.
	Year
	Month
	Day
)

// Keys are the names of the constants of type Key, in their order.
var Keys = []string{"url", "host", "domain", "scheme", "source", "form", "grammar", "year", "month", "day"}

// String returns the name of k.
func (k Key) String() string { return Keys[k] }

// AddKeys adds the keys whose names list has, separated by commas, to keys.
func AddKeys(keys []Key, list string) ([]Key, error) {
	for name := range strings.SplitSeq(list, ",") {
		var k Key
		if err := names.Parse(&k, "key", []byte(name), Keys); err != nil {
			return nil, err
		}
		if slices.Contains(keys, k) {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// A keyer makes the keys of results. If a key has several values, they are joined so that
// keys sort like their values: each value is followed by the bytes 00 01, and a byte 00 in
// a value becomes 00 FF.
type keyer struct {
	by        []Key
	passwords hide.Passwords
	grammars  int // the field of encoder that is the list of grammars; -1 if there is none
	encoder   *record.Encoder
	row       []byte // the fields that encoder has made, separated by tabs
	key       []byte
	value     []byte

	dates track.Dates
	at    int64 // the time of the result in seconds, or count.NoTime
}

// newKeyer returns a keyer for by.
func newKeyer(by []Key, redact bool) *keyer {
	k := &keyer{by: by, passwords: hide.Passwords{On: redact}, grammars: -1}
	var names []string
	for _, b := range by {
		switch b {
		case Grammar:
			k.grammars = len(names)
			names = append(names, "grammars")
		case Host, Domain, Scheme:
			names = append(names, b.String())
		}
	}
	if names != nil {
		fields, err := record.Select(names...)
		if err != nil {
			panic(err) // cannot happen: names has only names of fields
		}
		k.encoder = record.New(record.Options{Fields: fields, Redact: redact})
	}
	k.at = count.NoTime
	return k
}

// each calls add for every key of r: a result has one key, or one for each grammar. A key is valid
// until add returns.
func (k *keyer) each(r *extract.Result, add func(key []byte) error) error {
	k.at = k.dates.Of(r)
	if len(k.by) == 1 && k.by[0] == URL && !k.passwords.On {
		return add(r.Shown())
	}
	if k.encoder != nil {
		k.row = bytes.TrimSuffix(k.encoder.AppendTSV(k.row[:0], r), []byte("\n"))
	}
	if k.grammars < 0 {
		return add(k.make(r, nil))
	}
	list := k.row
	for range k.grammars {
		_, list, _ = bytes.Cut(list, []byte("\t"))
	}
	list, _, _ = bytes.Cut(list, []byte("\t"))
	for g := range bytes.SplitSeq(list, []byte(" ")) { // one empty grammar if there is none
		if err := add(k.make(r, g)); err != nil {
			return err
		}
	}
	return nil
}

// make returns the key of r for one grammar.
func (k *keyer) make(r *extract.Result, grammar []byte) []byte {
	k.key = k.key[:0]
	row := k.row
	for _, b := range k.by {
		value := k.value[:0]
		switch b {
		case URL:
			value = k.url(value, r)
		case Host, Domain, Scheme:
			cell, rest, _ := bytes.Cut(row, []byte("\t"))
			value, row = unescape(value, cell), rest
		case Source:
			value = append(value, k.passwords.Text(r.Origin.Source)...)
		case Form:
			value = append(value, r.Candidate.Form.String()...)
		case Grammar:
			_, row, _ = bytes.Cut(row, []byte("\t"))
			value = append(value, grammar...)
		default:
			value = k.appendDate(value, b)
		}
		k.value = value
		if len(k.by) == 1 {
			return value
		}
		for _, c := range value {
			if k.key = append(k.key, c); c == 0 {
				k.key = append(k.key, 0xff)
			}
		}
		k.key = append(k.key, 0, 1)
	}
	return k.key
}

// url appends the URL that is printed for r.
func (k *keyer) url(dst []byte, r *extract.Result) []byte {
	if k.passwords.On {
		return k.passwords.AppendReference(dst, r.Shown())
	}
	return append(dst, r.Shown()...)
}

// unescape decodes the escapes of a TSV cell.
func unescape(dst, cell []byte) []byte {
	for i := 0; i < len(cell); i++ {
		c := cell[i]
		if c == '\\' && i+1 < len(cell) {
			i++
			if c = cell[i]; c != '\\' {
				c = map[byte]byte{'t': '\t', 'n': '\n', 'r': '\r'}[c]
			}
		}
		dst = append(dst, c)
	}
	return dst
}

// appendValues appends to list the values that are joined in key, one for each Key in by. A single
// value is key itself; several values have memory of their own.
func appendValues(list [][]byte, key []byte, by []Key) [][]byte {
	if len(by) == 1 {
		return append(list, key)
	}
	var value []byte
	for i := 0; i < len(key); i++ {
		switch {
		case key[i] != 0:
			value = append(value, key[i])
		case key[i+1] == 1:
			list, value = append(list, value), nil
			i++
		default:
			value = append(value, 0)
			i++
		}
	}
	return list
}

// appendDate appends the year, month or day of the result, or nothing if it has no time.
func (k *keyer) appendDate(dst []byte, b Key) []byte {
	if k.at == count.NoTime {
		return dst
	}
	layout := "2006-01-02"
	switch b {
	case Year:
		layout = layout[:4]
	case Month:
		layout = layout[:7]
	}
	return time.Unix(k.at, 0).UTC().AppendFormat(dst, layout)
}
