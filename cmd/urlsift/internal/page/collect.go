package page

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"regexp"
	"strconv"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options say what the report is about.
type Options struct {
	Title   string // what was read
	Grammar string
	Flags   []string // those that decide what is found, for the command that the page shows
	Paths   []string // as given
	Redact  bool
	Memory  int64 // memory for the sums in bytes; 0 means the default of package count
	Rows    int   // URLs on the page, and as many refused and suspicious ones; 0 means defaultRows
}

// The sections of the Counter, by the first byte of their keys. They are returned in this
// order.
const (
	byDomain  = 'd'
	byHost    = 'h'
	byOdd     = 'o' // URLs that are suspicious
	byRefused = 'q' // URLs that the grammar refuses
	byReason  = 'r' // why a reference was refused
	byURL     = 'u'
	byWarning = 'w'
	byFact    = 'x' // see fact
	byPlace   = 'y' // see place
)

// fields are the fields of the record whose values are counted, in the order of the
// constants below.
var fields = []string{"scheme", "host", "domain", "suspicious"}

const (
	schemeField = iota
	hostField
	domainField
	warningsField
	manyFields
)

// A Collector counts results for the report.
type Collector struct {
	o         Options
	counter   *count.Counter
	encoder   *record.Encoder
	details   *record.Encoder // of placeFields
	passwords output.Passwords
	row, key  []byte
	url       []byte
	dates     track.Dates
	at        int64 // the time of the last result, or count.NoTime
	source    string
	ordinal   int64 // of that source
	results   uint64

	schemes, forms, breaks   *list            // of few different values
	grammars                 map[uint16]int64 // by the set of grammars that accept a reference
	sources, senders, groups *list
	from                     string // the last author, as written
	sender                   string // and as counted
	times                    *calendar

	seed   maphash.Seed
	places map[uint64]uint8 // how many places of a URL are in the Counter, by its hash
	room   int              // for places: see often

	totals
	logged   int64 // references in log lines
	messages []*message
}

// The totals are numbers of results.
type totals struct {
	valid, refused             int64
	wrapped, prefixed, undated int64 // of the valid ones
}

// A message is a kind of error or warning about the input, with the first places.
type message struct {
	Kind, Text string
	Count      int64
	Places     []string
}

// First and Others are the places that are seen at once, and the others.
func (m *message) First() []string  { return m.Places[:min(2, len(m.Places))] }
func (m *message) Others() []string { return m.Places[len(m.First()):] }

// Bounds of what is kept.
const (
	mostMessages = 100 // kinds of errors, and as many of warnings
	mostPlaces   = 20  // of a URL, and of a message
	manyURLs     = 1 << 16

	// When as many URLs have places as there is room for, a URL has to occur often to be among them, and so may
	// lose its first places. Otherwise inputs with millions of URLs that occur once would take twice the time.
	often       = 4
	longestText = 300
)

// New returns a Collector without results.
func New(o Options) *Collector {
	if o.Rows == 0 {
		o.Rows = defaultRows
	}
	some, err := record.Select(fields...)
	if err != nil {
		panic(err) // cannot happen: all of fields are names of fields
	}
	more, err := record.Select(placeFields...)
	if err != nil {
		panic(err) // as above
	}
	return &Collector{o: o, schemes: newList(), forms: newList(), breaks: newList(), grammars: make(map[uint16]int64), sources: newList(), senders: newList(), groups: newList(), times: newCalendar(), seed: maphash.MakeSeed(), places: make(map[uint64]uint8), room: max(manyURLs, 2*o.Rows),
		details: record.New(record.Options{Fields: more, Redact: o.Redact}),
		counter: count.New(count.Options{Memory: o.Memory}), passwords: output.Passwords{On: o.Redact},
		encoder: record.New(record.Options{Fields: some, Redact: o.Redact})}
}

// Close frees memory and files.
func (c *Collector) Close() { c.counter.Close() }

// Any reports whether a result was added that the grammar accepts, or if refused is set, any result.
func (c *Collector) Any(refused bool) bool { return c.valid > 0 || refused && c.refused > 0 }

// Problem takes an error or a warning about the input. It keeps the first kinds of each.
func (c *Collector) Problem(err error) {
	place, text := c.passwords.Split(err)
	m := &message{Kind: "error", Text: string(reason(strings.TrimPrefix(text, ": ")))}
	var e *extract.Error
	if errors.As(err, &e) {
		m.Kind = e.Severity.String()
	}
	m.Text, place = visible(m.Text, longestText), visible(place, longestText)
	kinds := 0
	for _, old := range c.messages { // at most 2 * mostMessages iterations
		if old.Kind != m.Kind {
			continue
		}
		if kinds++; old.Text == m.Text {
			if old.Count++; len(old.Places) < mostPlaces {
				old.Places = append(old.Places, place)
			}
			return
		}
	}
	if kinds < mostMessages {
		m.Count, m.Places = 1, []string{place}
		c.messages = append(c.messages, m)
	}
}

// Add counts r. The error is that of a temporary file.
func (c *Collector) Add(r *extract.Result) error {
	if c.ordinal == 0 || r.Origin.Source != c.source {
		c.source = r.Origin.Source
		c.ordinal++
	}
	c.at = c.dates.Of(r)
	c.row = bytes.TrimSuffix(c.encoder.AppendTSV(c.row[:0], r), []byte("\n"))
	var cells [manyFields][]byte
	rest := c.row
	for i := range cells {
		cells[i], rest, _ = bytes.Cut(rest, []byte("\t"))
	}
	c.url = append(c.url[:0], r.Shown()...)
	if c.o.Redact {
		c.url = c.passwords.AppendReference(c.url[:0], r.Shown())
	}
	c.grammars[uint16(r.Accepts)]++
	if !r.Valid {
		c.refused++
		why := reason(r.Reason(c.o.Redact))
		return errors.Join(c.count(byReason, why), c.count(byRefused, c.url), c.keep(r, why))
	}
	c.valid++
	if r.Candidate.Prefixed {
		c.prefixed++
	}
	c.schemes.counts[c.schemes.number(string(cells[schemeField]))]++
	c.forms.counts[c.forms.number(r.Candidate.Form.String())]++
	if r.Candidate.Breaks > 0 {
		c.wrapped++
		c.breaks.counts[c.breaks.number(strconv.Itoa(r.Candidate.Breaks))]++
	}
	if err := cmp.Or(c.countIfAny(byHost, cells[hostField]), c.countIfAny(byDomain, cells[domainField])); err != nil {
		return err
	}
	if odd := cells[warningsField]; len(odd) > 0 {
		failed := []error{c.count(byOdd, c.url)}
		for w := range bytes.FieldsSeq(odd) {
			failed = append(failed, c.count(byWarning, w))
		}
		if err := cmp.Or(failed...); err != nil {
			return err
		}
	}
	return cmp.Or(c.count(byURL, c.url), c.keep(r, cells[warningsField]))
}

// keep counts r by all that the page filters by: as a place if it is one of the first of its URL, and else as a
// fact. c.key is its URL with the section, which was just counted. wrong is what is wrong with r; it may be empty.
func (c *Collector) keep(r *extract.Result, wrong []byte) error {
	id := maphash.Bytes(c.seed, c.key)
	o := &r.Origin
	if o.From != c.from {
		c.from, c.sender = o.From, c.passwords.Text(strings.ToLower(cmp.Or(o.FromAddress, o.From)))
	}
	source, sender, group, slot := c.sources.number(o.Source), c.senders.number(c.sender), c.groups.number(o.Newsgroups), uint32(undated)
	counts := int64(0)
	if r.Valid {
		counts = 1
	}
	c.sources.counts[source] += counts
	c.senders.counts[sender] += counts
	c.groups.counts[group] += counts
	if c.at == count.NoTime {
		c.undated += counts
	} else {
		slot = c.times.add(c.at, counts)
		if _, logged := o.LogTime(); logged {
			c.logged++
		}
	}
	c.results++
	n := c.places[id]
	if n == 0 && len(c.places) >= c.room && (c.counter.Seen() < often || len(c.places) >= 2*c.room) {
		return nil
	}
	if n == mostPlaces {
		c.key = append(c.key[:0], byFact)
		c.key = binary.BigEndian.AppendUint64(c.key, id)
		for _, n := range [...]uint32{source, sender, group, slot} {
			c.key = binary.BigEndian.AppendUint32(c.key, n)
		}
		return c.counter.Add(c.key, c.ordinal, c.at)
	}
	c.places[id] = n + 1
	c.key = append(c.key[:0], byPlace)
	c.key = binary.BigEndian.AppendUint64(c.key, id)
	c.key = binary.BigEndian.AppendUint64(c.key, c.results)
	for _, n := range [...]uint32{source, sender, group} {
		c.key = binary.BigEndian.AppendUint32(c.key, n)
	}
	c.key = c.details.AppendTSV(c.key, r)
	c.key[len(c.key)-1] = '\t' // in place of the line end
	c.key = append(c.key, c.row...)
	if len(wrong) > 0 {
		if _, what := check.Wrong(r); what != "" {
			wrong = []byte(what)
		}
		c.key = append(append(c.key, '\t'), wrong...)
	}
	return c.counter.Add(c.key, c.ordinal, c.at)
}

// reason returns what an error of package uri says, without the offset in the reference, so
// that equal errors have the same reason.
func reason(text string) []byte {
	return offset.ReplaceAll([]byte(strings.TrimPrefix(text, "uri: ")), nil)
}

var offset = regexp.MustCompile(` at offset \d+ of the URL`)

// countIfAny is count for a value that may be absent.
func (c *Collector) countIfAny(section byte, value []byte) error {
	if len(value) == 0 {
		return nil
	}
	return c.count(section, value)
}

// count counts the last result in one section, and leaves the key in c.key.
func (c *Collector) count(section byte, value []byte) error {
	c.key = append(append(c.key[:0], section), value...)
	return c.counter.Add(c.key, c.ordinal, c.at)
}

// Page returns the page. Nothing can be added afterwards.
func (c *Collector) Page(s extract.Stats) ([]byte, error) {
	m, err := newModel(c, s)
	if err != nil {
		return nil, err
	}
	m.Policy = "default-src 'none'; style-src '" + hash(style) + "'; script-src '" + hash(script) + "'; base-uri 'none'; form-action 'none'"
	var b bytes.Buffer
	if err := parsed().Execute(&b, m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
