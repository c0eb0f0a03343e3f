package page

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract/record"
)

// This file writes what the page holds as JSON, for page.js. Equal texts are in lists and have numbers, and
// times are seconds after the first one of their URL, so that a page of thousands of URLs stays small.
//
//	rows:     [URL, host, scheme, count, first, last or null, sources, facts, places, refused, suspicious, wrong, readings, inner]
//	facts:    source, sender, group, first (-1: none), last - first, count, and so on
//	places:   message, line, column, part, time (-1: none), and so on
//	messages: [source, member, number, sender, from, subject, newsgroups]
//	hosts:    [host, domain]

// longestURL is how many bytes of a URL the page holds.
const longestURL = 1000

// A jsonText is a JSON text that is written from front to back.
type jsonText []byte

// open begins an array or an object, after a comma if it is not the first thing in another.
func (j *jsonText) open(c byte) {
	j.comma()
	*j = append(*j, c)
}

func (j *jsonText) close(c byte) { *j = append(*j, c) }

func (j *jsonText) comma() {
	if n := len(*j); n > 0 && (*j)[n-1] != '[' && (*j)[n-1] != '{' && (*j)[n-1] != ':' {
		*j = append(*j, ',')
	}
}

func (j *jsonText) key(name string) {
	j.comma()
	*j = append(append(append(*j, '"'), name...), '"', ':')
}

func (j *jsonText) text(s string, most int) {
	j.comma()
	if len(s) <= most && isPlain(s) {
		*j = append(append(append(*j, '"'), s...), '"')
		return
	}
	*j = record.AppendString(*j, visible(s, most))
}

// isPlain reports whether nothing in s needs an escape.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func (j *jsonText) number(n int64) {
	j.comma()
	*j = strconv.AppendInt(*j, n, 10)
}

// texts writes a list of texts.
func (j *jsonText) texts(name string, list []string, most int) {
	j.key(name)
	j.open('[')
	for _, s := range list {
		j.text(s, most)
	}
	j.close(']')
}

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

func (c *Collector) used(l *list) *used {
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

// data returns the JSON of the page. distinct is how many URLs the grammar accepts, refused how many it does not.
func (h *held) data(distinct, refused int64) []byte {
	c := h.c
	sources, senders, groups := c.used(c.sources), c.used(c.senders), c.used(c.groups)
	var hosts, domains, schemes, messages numbered
	hosts.number("")
	domains.number("")
	hostDomains := []int64{0}
	var message []byte
	j := make(jsonText, 0, 200*len(h.rows)+1000)
	j.open('{')
	j.key("rows")
	j.open('[')
	for _, r := range h.rows {
		var first, odd cells
		if len(r.places) > 0 {
			first = r.places[0].split()
		}
		wrong := r.odd()
		if wrong != nil {
			odd = wrong.split()
		}
		var readings, inner string
		j.open('[')
		j.text(r.url, longestURL)
		host := hosts.number(first.text(placeHost))
		if int(host) == len(hostDomains) {
			hostDomains = append(hostDomains, domains.number(first.text(placeDomain)))
		}
		j.number(host)
		j.number(schemes.number(first.text(placeScheme)))
		j.number(r.Count)
		begin := int64(0)
		if r.Timed() {
			begin = r.First
			j.number(r.First)
			j.number(r.Last)
		} else {
			j.comma()
			j = append(j, "null,null"...)
		}
		j.number(r.Sources)
		j.open('[')
		for _, f := range r.facts {
			j.number(sources.number(f.source))
			j.number(senders.number(f.sender))
			j.number(groups.number(f.group))
			if f.Timed() {
				j.number(f.First - begin)
				j.number(f.Last - f.First)
			} else {
				j.number(-1)
				j.number(0)
			}
			j.number(f.Count)
		}
		j.close(']')
		j.open('[')
		for i := range r.places {
			p := &r.places[i]
			message = binary.BigEndian.AppendUint32(message[:0], p.source)
			message = binary.BigEndian.AppendUint32(message, p.sender)
			message = binary.BigEndian.AppendUint32(message, p.group)
			c := p.split()
			for _, cell := range c[:placePart] {
				message = append(append(message, cell...), '\t')
			}
			j.number(messages.number(string(message)))
			j.number(c.integer(placeLine))
			j.number(c.integer(placeColumn))
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
			j.text(part, 100)
			if p.at == count.NoTime {
				j.number(-1)
			} else {
				j.number(p.at - begin)
			}
		}
		j.close(']')
		if r.refused || wrong != nil || readings != "" || inner != "" {
			j.number(map[bool]int64{true: 1}[r.refused])
			j.text(odd.text(placeSuspicious), longestText)
			j.text(odd.text(placeWrong), longestText)
			j.text(readings, longestURL)
			j.text(inner, longestURL)
		}
		j.close(']')
	}
	j.close(']')
	j.key("hosts")
	j.open('[')
	for i, host := range hosts.list {
		j.open('[')
		j.text(host, longestText)
		j.number(hostDomains[i])
		j.close(']')
	}
	j.close(']')
	j.texts("domains", domains.list, longestText)
	j.texts("schemes", schemes.list, longestText)
	j.key("messages")
	j.open('[')
	for _, m := range messages.list {
		j.open('[')
		key := []byte(m)
		p := place{text: key[12:]}
		c := p.split()
		j.number(sources.number(binary.BigEndian.Uint32(key)))
		j.text(c.text(placeMember), longestText)
		j.number(c.integer(placeMessage))
		j.number(senders.number(binary.BigEndian.Uint32(key[4:])))
		j.text(c.text(placeFrom), 200)
		j.text(c.text(placeSubject), 200)
		j.number(groups.number(binary.BigEndian.Uint32(key[8:])))
		j.close(']')
	}
	j.close(']')
	for i, name := range sources.names {
		sources.names[i] = c.passwords.Text(name)
	}
	for i, name := range groups.names {
		groups.names[i] = c.passwords.Text(name)
	}
	j.texts("sources", sources.names, longestURL)
	j.texts("senders", senders.names, longestText)
	j.texts("groups", groups.names, longestText)
	j.key("unit")
	j.text(h.unit.String(), 10)
	j.key("alone")
	j.number(map[bool]int64{true: 1}[h.alone])
	for _, n := range []struct {
		name string
		n    int64
	}{{"accepted", c.valid}, {"refused", c.refused}, {"distinct", distinct}, {"distinctRefused", refused}} {
		j.key(n.name)
		j.number(n.n)
	}
	j.texts("flags", c.o.Flags, longestURL)
	j.texts("paths", c.o.Paths, longestURL)
	j.close('}')
	return bytes.ReplaceAll(j, []byte("<"), []byte(`\u003c`)) // nothing ends or nests the element
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
