package page

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
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
	unit  unit   // of the facts: times in the same unit are one fact
	texts []byte // of places
	alone bool   // facts of different sources, authors and newsgroups are one fact, too
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
// hash of the URL and these numbers. A place is a fact, too.
type fact struct {
	source, sender, group uint32
	count.Sum
}

// mostFacts is how many facts a page has, unless it has more URLs. If there are more, the unit of time becomes
// larger, until only URLs are left.
const mostFacts = 100_000

// A place is one of the first places of a URL. In the Counter, its key is the hash of the URL, the number of
// the result, source, author and newsgroups, placeFields, the fields that are counted, and what is wrong if anything is.
type place struct {
	source, sender, group uint32
	at                    int64
	text                  []byte // of the key: see cells
}

// placeFields are fields of the record in a place, in the order of the constants below. Those of the message
// come first, so that they are one piece of text.
var placeFields = []string{"member", "message", "from", "subject", "part", "field", "line", "column", "readings", "inner"}

const (
	placeMember = iota
	placeMessage
	placeFrom
	placeSubject
	placePart
	placeField
	placeLine
	placeColumn
	placeReadings
	placeInner
	placeScheme // the first of fields
	placeHost
	placeDomain
	placeSuspicious
	placeWrong // what is wrong, if anything is
	placeCells
)

// cells are the fields of a place, with the escapes of TSV.
type cells [placeCells][]byte

// split returns the cells of p.
func (p *place) split() (c cells) {
	rest := p.text
	for i := range c {
		c[i], rest, _ = bytes.Cut(rest, []byte{'\t'})
	}
	return c
}

// isWrong reports whether p says what is wrong.
func (p *place) isWrong() bool { return bytes.Count(p.text, []byte{'\t'}) >= placeWrong }

// mostHeld bounds the places of all URLs together: if there are more, each has fewer of them.
const mostHeld = 100_000

// textBlock is the size of pieces of memory for the texts of places.
const textBlock = 1 << 20

// newHeld chooses the rows: the most frequent URLs, suspicious URLs with their sums, and refused ones.
func newHeld(c *Collector, sections map[byte]*section, odd map[string]count.Sum) *held {
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
	h.add(r, fact{number(0), number(1), number(2), sum})
}

// add adds a fact about r. If there are too many, it makes the units larger.
func (h *held) add(r *row, f fact) {
	r.facts = append(r.facts, f)
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
	if r == nil {
		return
	}
	p := place{source: binary.BigEndian.Uint32(key[16:]), sender: binary.BigEndian.Uint32(key[20:]), group: binary.BigEndian.Uint32(key[24:]), at: count.NoTime}
	h.add(r, fact{p.source, p.sender, p.group, sum})
	if sum.Timed() {
		p.at = sum.First
	}
	start := len(h.texts)
	h.texts = append(h.texts, key[28:]...) // if it moves, old places keep the old memory
	p.text = h.texts[start:len(h.texts):len(h.texts)]
	if len(h.texts) >= textBlock {
		h.texts = make([]byte, 0, 2*textBlock)
	}
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

// text returns cell i, without escapes.
func (c *cells) text(i int) string {
	if bytes.IndexByte(c[i], '\\') < 0 {
		return string(c[i])
	}
	return unescape.Replace(string(c[i]))
}

var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")

// where returns the place as messages have it.
func (h *held) where(p *place) string {
	c := p.split()
	b := h.c.passwords.Text(h.c.sources.names[p.source])
	for _, piece := range [...]struct {
		before string
		cell   int
		after  string
	}{{"!", placeMember, ""}, {"#", placeMessage, ""}, {"[", placePart, "]"}, {":", placeLine, ""}, {":", placeColumn, ""}} {
		if text := c.text(piece.cell); text != "" && text != "0" {
			b += piece.before + text + piece.after
		}
	}
	return visible(b, longestText)
}

// integer returns the number in cell i, or 0.
func (c *cells) integer(i int) int64 {
	n, _ := strconv.ParseInt(string(c[i]), 10, 64)
	return n
}

// odd returns the first place where r is refused or suspicious, or nil.
func (r *row) odd() *place {
	for i := range r.places {
		if r.places[i].isWrong() {
			return &r.places[i]
		}
	}
	return nil
}
