package page

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract"
)

// Rows of the tables.
const (
	defaultRows = 10_000
	mostNames   = 20  // of hosts, domains and the like
	mostStatic  = 100 // URLs that are in tables of the page; the script has all that the page holds
)

// A model is what the page shows.
type model struct {
	Title, Grammar, Made string
	Totals               []total
	Time                 ranking // its rows are in the order of time
	Unit                 string
	Log                  bool      // most references are in lines of logs
	Lists                []ranking // of bars
	Grammars             []string
	Matrix               []matrixRow
	AcceptedBy           []string // how many references each grammar accepts, in percent
	Written              []ranking
	URLs                 []urlRow
	Distinct             int64
	Wrong                []finding
	Odd                  int64 // how many of these there are
	Messages             []*message
	Problems             int64
	Data                 template.JS
	Policy               string
}

// A finding is a URL that the grammar refuses, or that is suspicious.
type finding struct{ What, URL, Place string }

// A total is a number and the name of what it counts.
type total struct{ Number, What string }

// A ranking is a table of values with bars. Distinct is how many there are.
type ranking struct {
	Title, What string
	ID          string // page.js shows the values of what is filtered in its place; "" if it does not
	Rows        []bar
	Distinct    int64
	Note        string
}

// Cut reports whether the ranking has more values than rows.
func (l ranking) Cut() bool { return l.Distinct > int64(len(l.Rows)) }

// A bar is a row of a ranking. Length is in percent of the longest.
type bar struct {
	Name, Number, Percent string
	Length                string
}

// A matrixRow is a set of grammars, and the number of references that exactly these accept.
type matrixRow struct {
	Takes  []bool
	Number string
}

// A urlRow is a row of the table of URLs.
type urlRow struct {
	Number, URL string
	First, Last string
	Sources     int64
}

// A section collects the rows whose keys begin with one letter.
type section struct {
	top      *count.Top
	distinct int64
}

// grammars are all grammars, as the bits of a set, and grammarNames their names, oldest first.
var grammars, grammarNames = func() (sets []uint16, names []string) {
	all := extract.Options{}.Grammar
	if err := all.UnmarshalText([]byte("all")); err != nil {
		panic(err) // the name is part of the interface of uri.Grammar
	}
	for g := range all.Each() {
		sets, names = append(sets, uint16(g)), append(names, g.String())
	}
	return sets, names
}()

// newModel reads all sums.
func newModel(c *Collector, s extract.Stats) (*model, error) {
	sections := map[byte]*section{}
	var h *held
	odd := make(map[string]count.Sum) // suspicious URLs
	for row, err := range count.Rows(count.ByKey, 0, c.counter) {
		if err != nil {
			return nil, err
		}
		at := row.Key[0]
		if at == byFact || at == byPlace { // all URLs come before them
			if h == nil {
				h = newHeld(c, sections, odd)
			}
			if at == byFact {
				h.fact(row.Key[1:], row.Sum)
			} else {
				h.place(row.Key[1:], row.Sum)
			}
			continue
		}
		if sections[at] == nil {
			most := mostNames
			if at == byURL || at == byOdd || at == byRefused {
				most = c.o.Rows
			}
			sections[at] = &section{top: count.NewTop(count.ByCount, most)}
			if at == byURL {
				for _, r := range sections[byOdd].rows() {
					odd[string(r.Key[1:])] = r.Sum
				}
			}
		}
		sections[at].distinct++
		sections[at].top.Offer(row)
		if at == byURL && len(odd) > 0 {
			if _, ok := odd[string(row.Key[1:])]; ok {
				odd[string(row.Key[1:])] = row.Sum
			}
		}
	}
	if h == nil {
		h = newHeld(c, sections, odd)
	}
	h.merge()
	h.cut()
	m := &model{Title: visible(c.o.Title, longestText), Grammar: c.o.Grammar, Made: time.Now().UTC().Format("2006-01-02 15:04 MST"), Grammars: grammarNames,
		Log: c.logged*2 > c.valid+c.refused, Odd: sections[byOdd].number() + sections[byRefused].number(), Messages: c.messages, Problems: s.ErrorsAll, Distinct: sections[byURL].number()}
	slices.SortStableFunc(m.Messages, func(a, b *message) int { return cmp.Compare(a.Kind, b.Kind) }) // errors first
	m.totals(c, s, sections)
	m.timeline(c)
	list := func(at byte, id, title, what string) {
		l := sections[at].list(title, what, c.valid)
		l.ID = id
		m.Lists = append(m.Lists, l)
	}
	list(byDomain, "domain", "Domains", "domain")
	list(byHost, "host", "Hosts", "host")
	m.Lists = append(m.Lists, c.senders.list("sender", "Senders", "sender", c.valid, c.passwords.Text), c.groups.split().list("newsgroup", "Newsgroups", "newsgroup", c.valid, c.passwords.Text))
	if s.Sources > 1 {
		m.Lists = append(m.Lists, c.sources.list("source", "Sources", "source", c.valid, c.passwords.Text))
	}
	plain := func(name string) string { return name }
	m.Lists = append(m.Lists, c.schemes.list("scheme", "Schemes", "scheme", c.valid, plain))
	list(byWarning, "wrong", "What is wrong, by kind", "kind")
	if l := &m.Lists[len(m.Lists)-1]; c.refused > 0 {
		most := c.refused
		for _, r := range sections[byWarning].rows() {
			most = max(most, r.Count)
		}
		l.Rows = slices.Insert(l.Rows, 0, newBar("refused", c.refused, c.valid+c.refused, most))
		l.Distinct++
	}
	reasons := sections[byReason].list("Why references were refused", "reason", c.refused)
	forms := c.forms.list("", "How they were delimited", "delimiter", c.valid, plain)
	if c.prefixed > 0 {
		forms.Note = number(c.prefixed) + " have a prefix such as URL: in front"
	}
	m.Written = []ranking{forms, c.breaks.list("", "Wrapped references", "line breaks", c.wrapped, plain), reasons}
	m.matrix(c.grammars, c.valid+c.refused)
	for _, r := range h.rows {
		if len(m.URLs) < min(mostStatic, c.o.Rows) && !r.refused {
			u := urlRow{Number: number(r.Count), URL: visible(r.url, longestText), Sources: r.Sources}
			if r.Timed() {
				u.First, u.Last = day(r.First), day(r.Last)
			}
			m.URLs = append(m.URLs, u)
		}
		if len(m.Wrong) == mostStatic {
			continue
		}
		if p := r.odd(); p != nil {
			c := p.split()
			verdict := map[bool]string{true: "refused: ", false: "suspicious: "}[r.refused]
			m.Wrong = append(m.Wrong, finding{visible(verdict+c.text(placeWrong), longestText), visible(r.url, longestText), h.where(p)})
		}
	}
	data, err := dataOf(h, m.Distinct, sections[byRefused].number())
	m.Data = template.JS(data)
	return m, err
}

// timeline makes the rows of the time line.
func (m *model) timeline(c *Collector) {
	u, spans := c.times.timeline()
	m.Unit = u.String()
	m.Time = ranking{Title: "References by " + m.Unit, What: m.Unit, ID: "time"}
	m.Time.Distinct = int64(len(spans))
	var most int64
	for _, s := range spans {
		most = max(most, s.count)
	}
	for _, s := range spans {
		b := newBar(u.name(s.begin), s.count, c.valid, most)
		if s.count == 0 {
			if last := u.name(s.end - 1); last != b.Name {
				b.Name += " to " + last
			}
		}
		m.Time.Rows = append(m.Time.Rows, b)
	}
	if c.undated > 0 {
		m.Time.Note = number(c.undated) + " without a date"
	}
}

// number returns how many values there are.
func (s *section) number() int64 {
	if s == nil {
		return 0
	}
	return s.distinct
}

// rows returns the most frequent values.
func (s *section) rows() []count.Row {
	if s == nil {
		return nil
	}
	return s.top.Rows()
}

// totals makes the first lines of the page.
func (m *model) totals(c *Collector, s extract.Stats, sections map[byte]*section) {
	for _, t := range []struct {
		n    int64
		what string
	}{
		{c.valid, "references"}, {m.Distinct, "URLs"}, {sections[byHost].number(), "hosts"}, {c.schemes.distinct(), "schemes"},
		{s.Messages, "messages"}, {s.Sources, "sources"}, {c.wrapped, "wrapped"}, {c.refused, "refused"},
		{s.ErrorsAll - s.Warnings, "errors"}, {s.Warnings, "warnings"},
	} {
		m.Totals = append(m.Totals, total{number(t.n), t.what})
	}
}

// list returns the rows of s with bars. The parameter of is the number of references that counts as
// 100 %.
func (s *section) list(title, what string, of int64) ranking {
	l := ranking{Title: title, What: what, Distinct: s.number()}
	rows := s.rows()
	for _, r := range rows {
		l.Rows = append(l.Rows, newBar(visible(r.Key[1:], 100), r.Count, of, rows[0].Count))
	}
	return l
}

// newBar returns the bar for n of all, next to one for most.
func newBar(name string, n, all, most int64) bar {
	length := "0"
	if n > 0 {
		length = strconv.FormatFloat(max(0.5, 100*float64(n)/float64(most)), 'f', 1, 64)
	}
	return bar{Name: cmp.Or(name, "(none)"), Number: number(n), Percent: percent(n, all), Length: length}
}

// matrix makes the rows for sets of grammars. The parameter of is the number of references that
// counts as 100 %.
func (m *model) matrix(sums map[uint16]int64, of int64) {
	accepted := make([]int64, len(grammars))
	sets := slices.Collect(maps.Keys(sums))
	slices.SortFunc(sets, func(a, b uint16) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	for _, set := range sets {
		row := matrixRow{Number: number(sums[set])}
		for i, g := range grammars {
			has := set&g != 0
			row.Takes = append(row.Takes, has)
			if has {
				accepted[i] += sums[set]
			}
		}
		m.Matrix = append(m.Matrix, row)
	}
	for _, n := range accepted {
		m.AcceptedBy = append(m.AcceptedBy, percent(n, of))
	}
}
