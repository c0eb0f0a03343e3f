package tally

import (
	"strings"
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
)

// Undated returns a message if results are counted by date and none has one, otherwise "". Call it
// after Finish.
func (t *Tally) Undated() string {
	var dates []string
	for _, k := range t.o.By {
		if k == Year || k == Month || k == Day {
			dates = append(dates, k.String())
		}
	}
	verb := " is"
	switch {
	case len(dates) == 0 || !t.Counted || t.Timed:
		return ""
	case len(dates) > 1:
		verb = " are"
	}
	return "no reference has a date, so " + strings.Join(dates, " and ") + verb + " empty (dates are those of messages and of log lines)"
}

// appendDate appends the year, month or day of the result, or nothing if it has no time.
func (k *keyer) appendDate(dst []byte, b Key) []byte {
	if k.at == count.NoTime {
		return dst
	}
	layout := "2006-01-02"
	switch b {
	case Year:
		layout = layout[:4]
	case Month:
		layout = layout[:7]
	}
	return time.Unix(k.at, 0).UTC().AppendFormat(dst, layout)
}

// appendTime appends a time as records have it.
func appendTime(dst []byte, at int64) []byte {
	return time.Unix(at, 0).UTC().AppendFormat(dst, time.RFC3339)
}
