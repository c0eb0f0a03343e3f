package track

import (
	"github.com/urlsift/urlsift/cmd/urlsift/internal/count"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/extract/record"
)

// Dates returns the times of results, as package count needs them. It keeps the last time, because
// most results have the same date field as the result before. The zero value is ready to use.
type Dates struct {
	field string // the date field of the last result
	at    int64
}

// Of returns the time of r in seconds since 1970, or count.NoTime.
func (d *Dates) Of(r *extract.Result) int64 {
	o := &r.Origin
	if o.Date != "" && o.Date == d.field {
		return d.at
	}
	d.field, d.at = o.Date, count.NoTime
	if t, ok := record.Date(o); ok {
		d.at = t.Unix()
	}
	return d.at
}
