package page

import (
	"bytes"
	"encoding/binary"
	"encoding/json"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
)

// In the JSON for page.js, equal texts are in lists and have numbers, and times are seconds after
// the first one of their URL, so that a page of thousands of URLs stays small.
//
//	rows:     [URL, host, scheme, count, first, last or null, sources, facts, places, refused, suspicious, wrong, readings, inner]
//	facts:    source, sender, group, first (-1: none), last - first, count, and so on
//	places:   message, line, column, part, time (-1: none), and so on
//	messages: [source, member, number, sender, from, subject, newsgroups]
//	hosts:    [host, domain]

// longestURL is how many bytes of a URL the page holds.
const longestURL = 1000

// numbered is a list of texts without duplicates.
type numbered struct {
	numbers map[string]int
	list    []string
}

func (n *numbered) number(text string) int64 {
	at, ok := n.numbers[text]
	if !ok {
		if n.numbers == nil {
			n.numbers = make(map[string]int)
		}
		at = len(n.list)
		n.numbers[text] = at
		n.list = append(n.list, text)
	}
	return int64(at)
}

// used numbers the members of a list that the page uses.
type used struct {
	list    *list
	numbers map[uint32]int
	names   []string
}

func newUsed(l *list) *used {
	return &used{list: l, numbers: map[uint32]int{none: 0}, names: []string{""}}
}

func (u *used) number(n uint32) int64 {
	at, ok := u.numbers[n]
	if !ok {
		at = len(u.names)
		u.numbers[n] = at
		name := u.list.names[n]
		if n == others {
			name = "(others)"
		}
		u.names = append(u.names, name)
	}
	return int64(at)
}

// A pageData is what the page holds. Lists of different things are rows.
type pageData struct {
	Rows            [][]any  `json:"rows"`
	Hosts           [][]any  `json:"hosts"`
	Domains         []string `json:"domains"`
	Schemes         []string `json:"schemes"`
	Messages        [][]any  `json:"messages"`
	Sources         []string `json:"sources"`
	Senders         []string `json:"senders"`
	Groups          []string `json:"groups"`
	Unit            string   `json:"unit"`
	Alone           int      `json:"alone"`
	Accepted        int64    `json:"accepted"`
	Refused         int64    `json:"refused"`
	Distinct        int64    `json:"distinct"`
	DistinctRefused int64    `json:"distinctRefused"`
	Flags           []string `json:"flags"`
	Paths           []string `json:"paths"`
}

// visibleAll returns texts as the page shows them.
func visibleAll(texts []string, most int) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = visible(text, most)
	}
	return all
}

// dataOf returns the JSON of the page. distinct is how many URLs the grammar accepts, refused how many it does not.
func dataOf(h *held, distinct, refused int64) ([]byte, error) {
	c := h.c
	sources, senders, groups := newUsed(c.sources), newUsed(c.senders), newUsed(c.groups)
	var hosts, domains, schemes, messages numbered
	hosts.number("")
	domains.number("")
	hostDomains := []int64{0}
	var message []byte
	is := map[bool]int{true: 1}
	d := pageData{Rows: make([][]any, 0, len(h.rows)), Messages: [][]any{}, Alone: is[h.alone],
		Unit: h.unit.String(), Accepted: c.valid, Refused: c.refused, Distinct: distinct, DistinctRefused: refused,
		Flags: visibleAll(c.o.Flags, longestURL), Paths: visibleAll(c.o.Paths, longestURL)}
	for _, r := range h.rows {
		var first, odd cells
		if len(r.places) > 0 {
			first = r.places[0].split()
		}
		wrong := r.odd()
		if wrong != nil {
			odd = wrong.split()
		}
		host := hosts.number(first.text(placeHost))
		if int(host) == len(hostDomains) {
			hostDomains = append(hostDomains, domains.number(first.text(placeDomain)))
		}
		row := []any{visible(r.url, longestURL), host, schemes.number(first.text(placeScheme)), r.Count, nil, nil, r.Sources}
		begin := int64(0)
		if r.Timed() {
			begin = r.First
			row[4], row[5] = r.First, r.Last
		}
		facts := make([]int64, 0, 6*len(r.facts))
		for _, f := range r.facts {
			at, span := int64(-1), int64(0)
			if f.Timed() {
				at, span = f.First-begin, f.Last-f.First
			}
			facts = append(facts, sources.number(f.source), senders.number(f.sender), groups.number(f.group), at, span, f.Count)
		}
		var readings, inner string
		places := make([]any, 0, 5*len(r.places))
		for i := range r.places {
			p := &r.places[i]
			message = binary.BigEndian.AppendUint32(message[:0], p.source)
			message = binary.BigEndian.AppendUint32(message, p.sender)
			message = binary.BigEndian.AppendUint32(message, p.group)
			c := p.split()
			for _, cell := range c[:placePart] {
				message = append(append(message, cell...), '\t')
			}
			part := string(c[placePart])
			if len(c[placeField]) > 0 {
				part += " " + c.text(placeField)
			}
			if readings == "" {
				readings = c.text(placeReadings)
			}
			if inner == "" {
				inner = c.text(placeInner)
			}
			at := int64(-1)
			if p.at != count.NoTime {
				at = p.at - begin
			}
			places = append(places, messages.number(string(message)), c.integer(placeLine), c.integer(placeColumn), visible(part, 100), at)
		}
		row = append(row, facts, places)
		if r.refused || wrong != nil || readings != "" || inner != "" {
			row = append(row, is[r.refused], visible(odd.text(placeSuspicious), longestText), visible(odd.text(placeWrong), longestText),
				visible(readings, longestURL), visible(inner, longestURL))
		}
		d.Rows = append(d.Rows, row)
	}
	for i, host := range hosts.list {
		d.Hosts = append(d.Hosts, []any{visible(host, longestText), hostDomains[i]})
	}
	d.Domains, d.Schemes = visibleAll(domains.list, longestText), visibleAll(schemes.list, longestText)
	for _, m := range messages.list {
		key := []byte(m)
		p := place{text: key[12:]}
		c := p.split()
		d.Messages = append(d.Messages, []any{sources.number(binary.BigEndian.Uint32(key)), visible(c.text(placeMember), longestText), c.integer(placeMessage),
			senders.number(binary.BigEndian.Uint32(key[4:])), visible(c.text(placeFrom), 200), visible(c.text(placeSubject), 200), groups.number(binary.BigEndian.Uint32(key[8:]))})
	}
	for _, u := range []*used{sources, groups} {
		for i, name := range u.names {
			u.names[i] = c.passwords.Text(name)
		}
	}
	d.Sources, d.Senders, d.Groups = visibleAll(sources.names, longestURL), visibleAll(senders.names, longestText), visibleAll(groups.names, longestText)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(d)
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("<"), []byte(`\u003c`)), err // nothing ends or nests the element
}
