// Package filter decides which results are kept. A filter is a row of a table: a flag, what its values
// are compared with, and what results need to have for that.
//
//	if err := o.Add("host", "!*.example.org"); err != nil {
//	o.Need(&options)      // before the search
//	keeps := o.Keeper()   // one for each goroutine
//	if keeps(result) {
package filter

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options say which results are kept. The zero value keeps all. All filters that are given must keep a
// result.
type Options struct {
	OnlyRefused bool // references that the grammar accepts are not kept

	// Undated counts results that were left out only because they have no date.
	Undated *atomic.Int64

	given []values // in the order of the table
}

// Any reports whether there is a filter. It does not name the fields, so a new field is included.
func (o *Options) Any() bool { return !reflect.ValueOf(*o).IsZero() }

// A filter is a row of the table.
type filter struct {
	flag string

	// list says that a value is a list, separated by commas. After '!', a pattern and what follows it in its
	// list leave out what they match; the last pattern that matches decides. If all leave out, what none
	// matches is kept.
	list, negates bool

	needs func(*extract.Options) // sets what results must have; may be nil
	parse func(value string) (pattern, error)
}

// A pattern is a value of a filter.
type pattern interface {
	match(k *keeper, r *extract.Result) bool
}

// table has the filters. Those of dates are last, so that Undated counts what all others keep.
var table = []filter{
	{flag: "scheme", list: true, negates: true, parse: newScheme},
	{flag: "host", list: true, negates: true, parse: newHost},
	{flag: "domain", list: true, negates: true, parse: newDomain},
	{flag: "url", negates: true, parse: newURL},
	{flag: "suspicious", parse: newSuspicion},
	{flag: "newsgroup", list: true, negates: true, parse: newNewsgroup},
	{flag: "message-id", parse: newMessageID},
	{flag: "from", negates: true, parse: newFrom, needs: func(x *extract.Options) { x.Subjects = true }},
	{flag: "since", parse: newSince, needs: readDates},
	{flag: "until", parse: newUntil, needs: readDates},
}

func readDates(x *extract.Options) { x.LogTimes = true }

// values are the values of one filter.
type values struct {
	*filter
	patterns []pattern
	out      []bool // of each pattern: whether it leaves out what it matches
}

// Add adds a value of a flag. The error says what is wrong with it.
func (o *Options) Add(flag, value string) error {
	row := slices.IndexFunc(table, func(f filter) bool { return f.flag == flag })
	f := &table[row]
	list := []string{value}
	if f.list {
		list = strings.Split(value, ",")
	}
	at, found := slices.BinarySearchFunc(o.given, row, func(v values, row int) int {
		return slices.IndexFunc(table, func(f filter) bool { return f.flag == v.flag }) - row
	})
	if !found {
		o.given = slices.Insert(o.given, at, values{filter: f})
	}
	v := &o.given[at]
	out := false
	for _, text := range list {
		text, not := strings.CutPrefix(text, "!")
		out = out || not
		if out && !f.negates {
			return errors.New("this flag knows no '!'")
		}
		if text == "" {
			return errors.New("a name is empty")
		}
		p, err := f.parse(text)
		if err != nil {
			return err
		}
		v.patterns, v.out = append(v.patterns, p), append(v.out, out)
	}
	if f.flag == "since" || f.flag == "until" {
		o.Undated = new(atomic.Int64)
	}
	return nil
}

// Need sets the options without which results do not have what the filters look at.
func (o *Options) Need(x *extract.Options) {
	for _, v := range o.given {
		if v.needs != nil {
			v.needs(x)
		}
	}
}

// A keeper applies filters for one goroutine.
type keeper struct {
	o       *Options
	dates   track.Dates
	undated bool // the result has no date, and a filter asked for it

	from, lower, address string // From and FromAddress of the last result: as it is, and in lower case
}

// Keeper returns a function that reports whether a result passes the filters. It remembers what it
// found in the last result, so each goroutine needs its own. The filters for parts of a URL look at
// what is printed: the target if there is one, otherwise the URL.
func (o *Options) Keeper() func(*extract.Result) bool {
	if !o.Any() {
		return func(*extract.Result) bool { return true }
	}
	k := &keeper{o: o}
	return k.keeps
}

func (k *keeper) keeps(r *extract.Result) bool {
	if k.o.OnlyRefused && r.Valid {
		return false
	}
	for i := range k.o.given {
		if !k.o.given[i].keep(k, r) {
			if k.undated {
				k.o.Undated.Add(1)
				k.undated = false
			}
			return false
		}
	}
	return true
}

// keep reports whether the values of a filter keep r: the last one that matches decides.
func (v *values) keep(k *keeper, r *extract.Result) bool {
	for i := len(v.patterns) - 1; i >= 0; i-- {
		if v.patterns[i].match(k, r) {
			return !v.out[i]
		}
	}
	return !slices.Contains(v.out, false)
}

// A suspicion keeps references that have one of its entries in the field suspicious.
type suspicion record.Suspicion

func newSuspicion(value string) (pattern, error) {
	var s record.Suspicion
	if value == "true" { // the flag without a value
		return ^suspicion(0), nil
	}
	err := s.UnmarshalText([]byte(value))
	return suspicion(s), err
}

func (s suspicion) match(_ *keeper, r *extract.Result) bool {
	return record.SuspicionOf(r)&record.Suspicion(s) != 0
}

// A messageID is that of a message, without "<>".
type messageID string

func newMessageID(value string) (pattern, error) {
	return messageID(strings.TrimSuffix(strings.TrimPrefix(value, "<"), ">")), nil
}

func (m messageID) match(_ *keeper, r *extract.Result) bool { return r.Origin.MessageID == string(m) }

// A newsgroup is a pattern for one of the groups of an article.
type newsgroup glob

func newNewsgroup(value string) (pattern, error) { return newsgroup(strings.ToLower(value)), nil }

func (n newsgroup) match(_ *keeper, r *extract.Result) bool {
	for name := range strings.FieldsFuncSeq(r.Origin.Newsgroups, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		if glob(n).match([]byte(name)) {
			return true
		}
	}
	return false
}

// A from is a pattern for the author of a message: for the address, or for the whole field.
type from glob

func newFrom(value string) (pattern, error) { return from(strings.ToLower(value)), nil }

func (f from) match(k *keeper, r *extract.Result) bool {
	o := &r.Origin
	if o.From == "" {
		return false
	}
	if k.from != o.From {
		k.from, k.lower, k.address = o.From, strings.ToLower(o.From), strings.ToLower(o.FromAddress)
	}
	return glob(f).match([]byte(k.lower)) || k.address != "" && glob(f).match([]byte(k.address))
}

// A since and an until are the first and the last second of a span of time.
type since int64
type until int64

func newSince(value string) (pattern, error) {
	first, _, err := span(value, time.Now())
	return since(first.Unix()), err
}

func newUntil(value string) (pattern, error) {
	_, last, err := span(value, time.Now())
	return until(last.Unix()), err
}

func (s since) match(k *keeper, r *extract.Result) bool { return k.date(r) >= int64(s) }

func (u until) match(k *keeper, r *extract.Result) bool {
	at := k.date(r)
	return at <= int64(u) && at != count.NoTime
}

// date returns the time of r in seconds, or count.NoTime, which is before all others.
func (k *keeper) date(r *extract.Result) int64 {
	at := k.dates.Of(r)
	k.undated = k.undated || at == count.NoTime
	return at
}

// Doubts returns a warning for each value that can match nothing, or only rare references.
func (o *Options) Doubts() (all []string) {
	var first, last int64
	for _, v := range o.given {
		for _, p := range v.patterns {
			value, doubt := "", ""
			switch p := p.(type) {
			case scheme:
				value, doubt = string(p), p.doubt()
			case *host:
				value, doubt = string(p.written), p.doubt()
			case *domain:
				value, doubt = p.written, p.doubt()
			case url:
				value, doubt = string(p), p.doubt()
			case from:
				value, doubt = string(p), p.doubt()
			case since:
				first = int64(p)
			case until:
				if last = int64(p); last < first {
					all = append(all, "--until is before --since: nothing is between them")
				}
			}
			if doubt != "" {
				all = append(all, fmt.Sprintf("--%s %s: %s", v.flag, value, doubt))
			}
		}
	}
	return all
}

func (f from) doubt() string {
	if strings.ContainsAny(string(f), "*?@ ") {
		return ""
	}
	return "this is compared with whole addresses and fields" + meant("*"+string(f)+"*")
}
