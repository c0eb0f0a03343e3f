package record

import (
	"testing"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// BenchmarkRecord measures the encoding of a Result in each format.
func BenchmarkRecord(b *testing.B) {
	text := []byte("http://www.example.org/presentations/images/kibana-search.png")
	c := &extract.Result{URL: text, Parts: uri.Split(text), Accepts: uri.Every, Valid: true}
	c.Candidate = delimit.Candidate{Text: text, Ref: text, Raw: text, Form: delimit.Quote}
	c.Origin = extract.Origin{Source: "access.log", Line: 12345, Column: 139, Length: int64(len(text)), Exact: true}
	line := make([]byte, 0, 4096)
	for name, appendRecord := range encoders(Options{}) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Origin.Offset += 321
				appendRecord(line, c)
			}
		})
	}
}

// encoders returns the encoders of records, by format.
func encoders(o Options) map[string]extract.Encoder {
	e := New(o)
	return map[string]extract.Encoder{"jsonl": e.AppendJSON, "csv": e.AppendCSV, "tsv": e.AppendTSV}
}
