package page

import (
	"bytes"
	"strconv"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract"
)

// Rows of the tables.
const (
	defaultRows = 500
	mostNames   = 20 // of hosts, domains and the like
)

// A model is what the page shows.
type model struct {
	Title, Grammar, Made string
	Totals               []total
	Time                 *timeline
	Lists                []ranking // of bars
	Grammars             []string
	Matrix               []matrixRow
	AcceptedBy           []string // how many references each grammar accepts, in percent
	Reasons              ranking
	URLs                 []urlRow
	Distinct             int64
	Wrong                []finding
	Odd                  int64 // how many of these there are
	Messages             []message
	Problems             int64
	Policy               string
}

// A total is a number and the name of what it counts.
type total struct{ Number, What string }

// A ranking is a table of values with bars. Distinct is how many there are.
type ranking struct {
	Title, What string
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
	Count       int64
	First, Last string
	Sources     int64
}

// A section collects the rows whose keys begin with one letter.
type section struct {
	top      *count.Top
	distinct int64
}

// grammarNames are the names of all grammars, oldest first.
var grammarNames = func() (names []string) {
	all := extract.Options{}.Grammar
	if err := all.UnmarshalText([]byte("all")); err != nil {
		panic(err) // the name is part of the interface of uri.Grammar
	}
	for g := range all.Each() {
		names = append(names, g.String())
	}
	return names
}()

// model reads all sums.
func (c *Collector) model(s extract.Stats) (*model, error) {
	sections := map[byte]*section{}
	months := newMonths()
	for row, err := range count.Rows(count.ByKey, 0, c.counter) {
		if err != nil {
			return nil, err
		}
		at := row.Key[0]
		if at == byMonth { // the schemes come in front of the months
			if months.schemes == nil {
				months.schemes = sections[byScheme].rows()
			}
			months.add(row.Key[1:], row.Count)
			continue
		}
		if sections[at] == nil {
			most := mostNames
			if at == byURL {
				most = c.o.Rows
			}
			if at == byGrammars {
				most = 1 << len(grammarNames)
			}
			sections[at] = &section{top: count.NewTop(count.ByCount, most)}
		}
		sections[at].distinct++
		sections[at].top.Offer(row)
	}
	m := &model{Title: visible(c.o.Title, longestText), Grammar: c.o.Grammar, Made: time.Now().UTC().Format("2006-01-02 15:04 MST"), Grammars: grammarNames,
		Wrong: c.wrong, Odd: c.odd, Messages: c.messages, Problems: s.ErrorsAll, Distinct: sections[byURL].number()}
	m.totals(c, s, sections)
	m.Time = months.timeline(c.undated)
	list := func(at byte, title, what string, of int64) {
		m.Lists = append(m.Lists, sections[at].list(title, what, of))
	}
	list(byScheme, "Schemes", "scheme", c.valid)
	list(byForm, "How they were delimited", "delimiter", c.valid)
	list(byHost, "Hosts", "host", c.valid)
	list(byDomain, "Domains", "domain", c.valid)
	list(byBreaks, "Wrapped references", "line breaks", c.wrapped)
	list(byWarning, "Suspicious references", "what is in them", c.valid)
	if f := &m.Lists[1]; c.prefixed > 0 {
		f.Note = number(c.prefixed) + " have a prefix such as URL: in front"
	}
	m.Reasons = sections[byReason].list("Why references were refused", "reason", c.refused)
	m.matrix(sections[byGrammars], c.valid+c.refused)
	for _, r := range sections[byURL].rows() {
		u := urlRow{Number: number(r.Count), Count: r.Count, URL: visible(r.Key[1:], longestText), Sources: r.Sources}
		if r.Timed() {
			u.First, u.Last = day(r.First), day(r.Last)
		}
		m.URLs = append(m.URLs, u)
	}
	return m, nil
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
		{c.valid, "references"}, {m.Distinct, "distinct URLs"}, {sections[byHost].number(), "hosts"}, {sections[byScheme].number(), "schemes"},
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
		name := visible(r.Key[1:], 100)
		if name == "" {
			name = "(none)"
		}
		l.Rows = append(l.Rows, bar{Name: name, Number: number(r.Count), Percent: percent(r.Count, of), Length: strconv.FormatFloat(max(0.5, 100*float64(r.Count)/float64(rows[0].Count)), 'f', 1, 64)})
	}
	return l
}

// matrix makes the rows for sets of grammars. The parameter of is the number of references that
// counts as 100 %.
func (m *model) matrix(s *section, of int64) {
	accepted := make([]int64, len(grammarNames))
	for _, r := range s.rows() {
		row := matrixRow{Number: number(r.Count)}
		has := map[string]bool{}
		for name := range bytes.FieldsSeq(r.Key[1:]) {
			has[string(name)] = true
		}
		for i, name := range grammarNames {
			row.Takes = append(row.Takes, has[name])
			if has[name] {
				accepted[i] += r.Count
			}
		}
		m.Matrix = append(m.Matrix, row)
	}
	for _, n := range accepted {
		m.AcceptedBy = append(m.AcceptedBy, percent(n, of))
	}
}
