package page

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
)

// A held is what the page holds of URLs: the most frequent ones, with facts and places. The sections of
// facts and places come last, when it is known which URLs these are.
type held struct {
	c     *Collector
	rows  []*row
	byID  map[uint64]*row
	facts int
	unit  unit // of the facts: times in the same unit are one fact
	alone bool // facts of different sources, authors and newsgroups are one fact, too
}

// A row is a URL that the page holds.
type row struct {
	url     string
	refused bool
	count.Sum
	facts  []fact
	places []place
}

// A fact says how many references to one URL are in one source, by one author, in some newsgroups, in
// one unit of time. All filters of the page are about these. In the Counter, the key of a fact is the
// hash of the URL and these numbers.
type fact struct {
	source, sender, group uint32
	count.Sum
}

// mostFacts is how many facts a page has, unless it has more URLs. If there are more, the unit of time becomes
// larger, until only URLs are left.
const mostFacts = 100_000

// A place is one of the first places of a URL. In the Counter, its key is the hash of the URL, the number of
// the result, source and author, and the fields of the record that it consists of.
type place struct {
	source, sender uint32
	at             int64
	cells          [][]byte // of placeFields, and what is wrong if anything is
}

// placeFields are the fields of the record in a place, in the order of the constants below.
var placeFields = []string{"scheme", "host", "domain", "suspicious", "member", "message", "subject", "from", "part", "field", "line", "column", "readings", "inner"}

const (
	placeScheme = iota
	placeHost
	placeDomain
	placeSuspicious
	placeMember
	placeMessage
	placeSubject
	placeFrom
	placePart
	placeField
	placeLine
	placeColumn
	placeReadings
	placeInner
	placeWrong
)

// mostHeld bounds the places of all URLs together: if there are more, each has fewer of them.
const mostHeld = 100_000

// hold chooses the rows: the most frequent URLs, suspicious URLs with their sums, and refused ones.
func (c *Collector) hold(sections map[byte]*section, odd map[string]count.Sum) *held {
	h := &held{c: c, byID: make(map[uint64]*row)}
	add := func(letter byte, key string, sum count.Sum) {
		id := maphash.String(c.seed, string(letter)+key)
		if h.byID[id] == nil {
			h.byID[id] = &row{url: key, refused: letter == byRefused, Sum: sum}
			h.rows = append(h.rows, h.byID[id])
		}
	}
	for _, r := range sections[byURL].rows() {
		add(byURL, string(r.Key[1:]), r.Sum)
	}
	for url, sum := range odd {
		add(byURL, url, sum)
	}
	for _, r := range sections[byRefused].rows() {
		add(byRefused, string(r.Key[1:]), r.Sum)
	}
	slices.SortFunc(h.rows, func(a, b *row) int {
		if a.refused != b.refused {
			return map[bool]int{true: 1, false: -1}[a.refused]
		}
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.url, b.url))
	})
	chart, _ := c.times.timeline()
	h.unit = max(c.times.unit, chart-min(chart, 1)) // a unit of the chart is divided once more
	return h
}

// fact takes a row of the section of facts.
func (h *held) fact(key []byte, sum count.Sum) {
	r := h.byID[binary.BigEndian.Uint64(key)]
	if r == nil {
		return
	}
	number := func(i int) uint32 { return binary.BigEndian.Uint32(key[8+4*i:]) }
	r.facts = append(r.facts, fact{number(0), number(1), number(2), sum})
	if h.facts++; h.facts > max(mostFacts, 2*len(h.rows)) {
		h.merge()
		for h.facts > max(mostFacts, 2*len(h.rows)) && !h.alone { // at most five iterations
			if h.alone = h.unit == always; !h.alone {
				h.unit++
			}
			h.merge()
		}
	}
}

// merge makes one fact of those that are equal in the units of h.
func (h *held) merge() {
	h.facts = 0
	for _, r := range h.rows {
		if h.alone {
			for i := range r.facts {
				f := &r.facts[i]
				f.source, f.sender, f.group = none, none, none
			}
		}
		slices.SortFunc(r.facts, func(a, b fact) int {
			return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.sender, b.sender), cmp.Compare(a.group, b.group), cmp.Compare(a.First, b.First))
		})
		n := 0
		for _, f := range r.facts {
			if n > 0 {
				last := &r.facts[n-1]
				if last.source == f.source && last.sender == f.sender && last.group == f.group && last.Timed() == f.Timed() &&
					(!f.Timed() || h.unit.begin(last.First) == h.unit.begin(f.First)) {
					last.Count += f.Count
					last.Last = max(last.Last, f.Last)
					continue
				}
			}
			r.facts[n] = f
			n++
		}
		r.facts = r.facts[:n]
		h.facts += n
	}
}

// place takes a row of the section of places.
func (h *held) place(key []byte, sum count.Sum) {
	r := h.byID[binary.BigEndian.Uint64(key)]
	if r == nil || len(r.places) == mostPlaces {
		return
	}
	p := place{source: binary.BigEndian.Uint32(key[16:]), sender: binary.BigEndian.Uint32(key[20:]), at: count.NoTime}
	if sum.Timed() {
		p.at = sum.First
	}
	p.cells = bytes.SplitN(bytes.TrimSuffix(bytes.Clone(key[24:]), []byte("\n")), []byte("\t"), len(placeFields)+1)
	r.places = append(r.places, p)
}

// cut leaves out places, the last ones of each URL, if there are too many.
func (h *held) cut() {
	for most := mostPlaces; most > 1; most /= 2 {
		n := 0
		for _, r := range h.rows {
			r.places = r.places[:min(most, len(r.places))]
			n += len(r.places)
		}
		if n <= mostHeld {
			return
		}
	}
}

// text returns cell i of p, without the escapes of TSV.
func (p *place) text(i int) string {
	if i >= len(p.cells) {
		return ""
	}
	if bytes.IndexByte(p.cells[i], '\\') < 0 {
		return string(p.cells[i])
	}
	return unescape.Replace(string(p.cells[i]))
}

var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

// where returns the place as messages have it.
func (h *held) where(p *place) string {
	b := h.c.passwords.Text(h.c.sources.names[p.source])
	for _, piece := range [...]struct {
		before string
		cell   int
		after  string
	}{{"!", placeMember, ""}, {"#", placeMessage, ""}, {"[", placePart, "]"}, {":", placeLine, ""}, {":", placeColumn, ""}} {
		if text := p.text(piece.cell); text != "" && text != "0" {
			b += piece.before + text + piece.after
		}
	}
	return visible(b, longestText)
}

// first returns the first place of r, or an empty one.
func (r *row) first() *place {
	if len(r.places) == 0 {
		return new(place)
	}
	return &r.places[0]
}
