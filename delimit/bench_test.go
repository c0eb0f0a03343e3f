package delimit

import (
	"bytes"
	"testing"
)

// BenchmarkNext measures candidates of about 50 bytes in several contexts. The last two cases do
// not take the fast path.
func BenchmarkNext(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"quoted", `GET / 200 "http://example.org/presentations/logstash-2013/?a=b" "-"`},
		{"angle", `see also <http://example.org/presentations/logstash-2013/?a=b>, or not`},
		{"prefixed", `see also <URL:http://example.org/presentations/logstash-2013/?a=b>, or not`},
		{"bare", `see also http://example.org/presentations/logstash-2013/?a=b. Or do not`},
		{"mail", `to <mailto:somebody.or.other@mailing.lists.example.org?subject=help>`},
		{"broken", "see <http://example.org/presentations/\n  logstash-2013/?a=b>, or not"},
		{"two lines", "see it\n<http://example.org/presentations/\nlogstash-2013/?a=b>, or not"},
		{"unclosed", "<http://example.org/presentations/logstash-2013/?a=b"},
		{"unlisted", `see also gopher://example.org/presentations/logstash-2013/?a=b but not`},
	} {
		b.Run(c.name, func(b *testing.B) {
			const lines = 1000
			text := bytes.Repeat([]byte(c.line+"\n"), lines)
			s := NewScanner(nil, Options{})
			r := new(bytes.Reader)
			var found Candidate
			n := 0
			for b.Loop() {
				r.Reset(text)
				s.Reset(r)
				for n = 0; s.Next(&found) == nil; {
					n++
				}
			}
			if n != lines {
				b.Fatalf("%d of %d candidates", n, lines)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lines), "ns/candidate")
		})
	}
}
