package tally

import (
	"time"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
)

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
