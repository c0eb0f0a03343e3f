package page

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"strings"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/check"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/hide"
	"github.com/urlsift/urlsift/cmd/urlsift/internal/track"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Options say what the report is about.
type Options struct {
	Title   string // what was read
	Grammar string
	Redact  bool
	Memory  int64 // memory for the sums in bytes; 0 means the default of package count
	Rows    int   // of the tables of URLs, and of what is wrong; 0 means 500
}

// The sections of the Counter, by the first byte of their keys. They are returned in this
// order.
const (
	byDomain   = 'd'
	byForm     = 'f'
	byGrammars = 'g' // the grammars that accept the text
	byHost     = 'h'
	byBreaks   = 'l' // line breaks in wrapped references
	byReason   = 'r' // why a reference was refused
	byScheme   = 's'
	byMonth    = 't' // "2006-01", 0, the scheme
	byURL      = 'u'
	byWarning  = 'w'
)

// fields are the fields of the record whose values are counted, in the order of the
// constants below.
var fields = []string{"scheme", "host", "domain", "form", "grammars", "breaks", "suspicious"}

const (
	schemeField = iota
	hostField
	domainField
	formField
	grammarsField
	breaksField
	warningsField
)

// A Collector counts results for the report.
type Collector struct {
	o         Options
	counter   *count.Counter
	encoder   *record.Encoder
	passwords hide.Passwords
	row, key  []byte
	dates     track.Dates
	at        int64 // the time of the last result, or count.NoTime
	source    string
	ordinal   int64 // of that source

	totals
	messages []message
	wrong    []finding // the first ones
	odd      int64     // how many there are
}

// A finding is a reference that the grammar refuses, or that is suspicious.
type finding struct {
	What, URL, Place string
}

// The totals are numbers of results.
type totals struct {
	valid, refused             int64
	wrapped, prefixed, undated int64 // of the valid ones
}

// A message is an error or a warning about the input.
type message struct {
	Kind, Text string
}

// Bounds of the messages on the page.
const (
	mostMessages = 100
	longestText  = 300
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
	return &Collector{o: o, counter: count.New(count.Options{Memory: o.Memory}), passwords: hide.Passwords{On: o.Redact},
		encoder: record.New(record.Options{Fields: some, Redact: o.Redact})}
}

// Close frees memory and files.
func (c *Collector) Close() { c.counter.Close() }

// Any reports whether a result was added that the grammar accepts, or if refused is set, any result.
func (c *Collector) Any(refused bool) bool { return c.valid > 0 || refused && c.refused > 0 }

// find takes r, which is refused or suspicious. If no rule says what is wrong, why does.
func (c *Collector) find(r *extract.Result, verdict, why string) {
	if c.odd++; len(c.wrong) >= c.o.Rows {
		return
	}
	if _, what := check.Wrong(r); what != "" {
		why = what
	}
	url := r.Shown()
	if c.o.Redact {
		url = c.passwords.AppendReference(nil, url)
	}
	c.wrong = append(c.wrong, finding{visible(verdict+": "+why, longestText), visible(string(url), longestText), visible(c.passwords.Text(r.Origin.String()), longestText)})
}

// Problem takes an error or a warning about the input. It keeps the first ones.
func (c *Collector) Problem(err error) {
	if len(c.messages) == mostMessages {
		return
	}
	m := message{Kind: "error", Text: c.passwords.Message(err)}
	var e *extract.Error
	if errors.As(err, &e) {
		m.Kind = e.Severity.String()
	}
	m.Text = visible(m.Text, longestText)
	c.messages = append(c.messages, m)
}

// Add counts r. The error is that of a temporary file.
func (c *Collector) Add(r *extract.Result) error {
	if c.ordinal == 0 || r.Origin.Source != c.source {
		c.source = r.Origin.Source
		c.ordinal++
	}
	c.at = c.dates.Of(r)
	c.row = bytes.TrimSuffix(c.encoder.AppendTSV(c.row[:0], r), []byte("\n"))
	cells := bytes.SplitN(c.row, []byte("\t"), len(fields))
	if !r.Valid {
		c.refused++
		why := reason(r.Reason(c.o.Redact))
		c.find(r, "refused", string(why))
		return errors.Join(c.count(byReason, why), c.count(byGrammars, cells[grammarsField]))
	}
	c.valid++
	if r.Candidate.Prefixed {
		c.prefixed++
	}
	url := r.Shown()
	if c.o.Redact {
		url = c.passwords.AppendReference(nil, url)
	}
	failed := []error{
		c.count(byURL, url), c.count(byScheme, cells[schemeField]), c.count(byForm, cells[formField]), c.count(byGrammars, cells[grammarsField]),
		c.countIfAny(byHost, cells[hostField]), c.countIfAny(byDomain, cells[domainField]),
	}
	if r.Candidate.Breaks > 0 {
		c.wrapped++
		failed = append(failed, c.count(byBreaks, cells[breaksField]))
	}
	if len(cells[warningsField]) > 0 {
		c.find(r, "suspicious", string(cells[warningsField]))
	}
	for w := range bytes.FieldsSeq(cells[warningsField]) {
		failed = append(failed, c.count(byWarning, w))
	}
	if c.at == count.NoTime {
		c.undated++
	} else {
		failed = append(failed, c.count(byMonth, append(append(appendMonth(nil, c.at), 0), cells[schemeField]...)))
	}
	return cmp.Or(failed...)
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

// count counts the last result in one section.
func (c *Collector) count(section byte, value []byte) error {
	c.key = append(append(c.key[:0], section), value...)
	return c.counter.Add(c.key, c.ordinal, c.at)
}
