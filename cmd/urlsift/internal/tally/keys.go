package tally

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/names"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
	"github.com/urlsift/urlsift/uri"
)

// A Key is a property by which results are counted: an index of the table keys.
type Key uint8

// A property is a row of the table of keys.
type property struct {
	name string

	// The value is that of a field of the record, or what make appends, which may be nothing. If split is
	// not 0, it separates several values: the result counts for each of them.
	field string
	split byte
	make  func(k *keyer, dst []byte, r *extract.Result) []byte

	date    string // the layout of a time, in UTC
	needs   func(*extract.Options)
	ordered bool // workers do not know it yet: it is a number in the source
}

var keys = []property{
	{name: "url", make: (*keyer).url},
	{name: "host", field: "host"},
	{name: "domain", field: "domain"},
	{name: "scheme", field: "scheme"},
	{name: "source", make: (*keyer).source},
	{name: "form", field: "form"},
	{name: "grammar", field: "grammars", split: ' '},
	{name: "year", date: "2006"},
	{name: "month", date: "2006-01"},
	{name: "day", date: "2006-01-02"},
	{name: "hour", date: "2006-01-02T15"},
	{name: "from", make: (*keyer).from, needs: func(x *extract.Options) { x.Subjects = true }},
	{name: "newsgroup", field: "newsgroups", split: ','},
	{name: "message", field: "message", ordered: true},
	{name: "port", make: (*keyer).port},
	{name: "path", make: (*keyer).path},
	{name: "suspicious", field: "suspicious", split: ' '},
	{name: "inner_host", field: "inner", make: (*keyer).innerHost},
}

// byURL is the Key of the whole URL, as it is printed.
const byURL Key = 0

// Keys are the names of all Keys.
var Keys = func() (names []string) {
	for _, p := range keys {
		names = append(names, p.name)
	}
	return names
}()

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
	passwords output.Passwords
	encoder   *record.Encoder // nil if no field is needed
	row       []byte          // the fields that encoder has made, separated by tabs
	cells     [][]byte        // of each Key, its field in row; nil if it has none
	key       []byte
	value     []byte
	shown     []byte

	dates track.Dates
	at    int64 // the time of the result in seconds, or count.NoTime
}

func newKeyer(by []Key, redact bool) *keyer {
	k := &keyer{by: by, passwords: output.Passwords{On: redact}, cells: make([][]byte, len(by))}
	var names []string
	for _, b := range by {
		if field := keys[b].field; field != "" {
			names = append(names, field)
		}
	}
	if names != nil {
		fields, err := record.Select(names...)
		if err != nil {
			panic(err) // cannot happen: names has only names of fields, each once
		}
		k.encoder = record.New(record.Options{Fields: fields, Redact: redact})
	}
	k.at = count.NoTime
	return k
}

// each calls add for every key of r: for each combination of values, if a key has several. A key is
// valid until add returns.
func (k *keyer) each(r *extract.Result, add func(key []byte) error) error {
	k.at = k.dates.Of(r)
	if len(k.by) == 1 && k.by[0] == byURL && !k.passwords.On {
		return add(r.Shown())
	}
	if k.encoder != nil {
		k.row = bytes.TrimSuffix(k.encoder.AppendTSV(k.row[:0], r), []byte("\n"))
		rest := k.row
		for i, b := range k.by {
			if keys[b].field != "" {
				k.cells[i], rest, _ = bytes.Cut(rest, []byte("\t"))
			}
		}
	}
	k.key = k.key[:0]
	return k.join(r, 0, add)
}

// join adds the values of the Keys from number i on to k.key, and calls add for each combination.
func (k *keyer) join(r *extract.Result, i int, add func(key []byte) error) error {
	if i == len(k.by) {
		return add(k.key)
	}
	p := &keys[k.by[i]]
	if p.split == 0 {
		return k.with(p.append(k, k.value[:0], r, i), r, i, add)
	}
	for value := range bytes.SplitSeq(k.cells[i], []byte{p.split}) { // one empty value if there is none
		if err := k.with(unescape(k.value[:0], bytes.TrimSpace(value)), r, i, add); err != nil {
			return err
		}
	}
	return nil
}

// with goes on with the value of Key number i.
func (k *keyer) with(value []byte, r *extract.Result, i int, add func(key []byte) error) error {
	k.value = value
	if len(k.by) == 1 {
		return add(value)
	}
	before := len(k.key)
	for _, c := range value {
		if k.key = append(k.key, c); c == 0 {
			k.key = append(k.key, 0xff)
		}
	}
	k.key = append(k.key, 0, 1)
	err := k.join(r, i+1, add)
	k.key = k.key[:before]
	return err
}

// append appends the value of p, which is Key number i.
func (p *property) append(k *keyer, dst []byte, r *extract.Result, i int) []byte {
	switch {
	case p.date != "" && k.at == count.NoTime:
		return dst
	case p.date != "":
		return time.Unix(k.at, 0).UTC().AppendFormat(dst, p.date)
	case p.field == "":
		return p.make(k, dst, r)
	}
	dst = unescape(dst, k.cells[i])
	if p.make != nil {
		return p.make(k, dst, r)
	}
	return dst
}

// text returns what is printed for r.
func (k *keyer) text(r *extract.Result) []byte {
	if k.passwords.On {
		k.shown = k.passwords.AppendReference(k.shown[:0], r.Shown())
		return k.shown
	}
	return r.Shown()
}

func (k *keyer) url(dst []byte, r *extract.Result) []byte { return append(dst, k.text(r)...) }

func (k *keyer) source(dst []byte, r *extract.Result) []byte {
	return append(dst, k.passwords.Text(r.Origin.Source)...)
}

// from appends the address of the author, in lower case: in mail it is the same in any case.
func (k *keyer) from(dst []byte, r *extract.Result) []byte {
	return append(dst, strings.ToLower(r.Origin.FromAddress)...)
}

// port appends the port, or the default port of the scheme.
func (k *keyer) port(dst []byte, r *extract.Result) []byte {
	text := k.text(r)
	p := uri.Split(text)
	if lo, hi, _ := p.Span(uri.Port); lo < hi {
		return append(dst, text[lo:hi]...)
	}
	if _, _, ok := p.Span(uri.Host); !ok {
		return dst
	}
	lo, hi, _ := p.Span(uri.Scheme)
	if n := uri.DefaultPort(text[lo:hi]); n > 0 {
		return strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

func (k *keyer) path(dst []byte, r *extract.Result) []byte {
	text := k.text(r)
	lo, hi, _ := uri.Split(text).Span(uri.Path)
	return append(dst, text[lo:hi]...)
}

// innerHost makes the host of the innermost reference of the field inner, which dst is.
func (k *keyer) innerHost(dst []byte, _ *extract.Result) []byte {
	_, url, _ := bytes.Cut(dst[bytes.LastIndexByte(dst, ' ')+1:], []byte("="))
	lo, hi, _ := uri.Split(url).Span(uri.Host)
	host, _ := record.HostNames(string(url[lo:hi]))
	return append(dst[:0], host...)
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
