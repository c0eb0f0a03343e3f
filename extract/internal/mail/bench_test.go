package mail

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// large returns a mailbox for benchmarks: the file that the variable MAILBOX names, decompressed if
// it is in zstd format, or a generated one.
func large(b *testing.B) []byte {
	b.Helper()
	name := os.Getenv("MAILBOX")
	if name == "" {
		msg := "From a@b Mon Jan  3 12:00:00 2000\nFrom: a@b\nSubject: x\n\n" +
			strings.Repeat("A line of text as it stands in mail, with no reference in it.\n> And one quoted.\n", 40) + "\n"
		return []byte(strings.Repeat(msg, 8<<20/len(msg)))
	}
	raw, err := os.ReadFile(name)
	if strings.HasSuffix(name, ".zst") {
		raw, err = exec.Command("zstd", "-dc", name).Output()
	}
	if err != nil {
		b.Fatal(err)
	}
	return raw
}

func BenchmarkReader(b *testing.B) {
	raw := large(b)
	buf := make([]byte, 32<<10)
	for _, read := range []bool{true, false} {
		b.Run(map[bool]string{true: "read", false: "skip"}[read], func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			var r Reader
			for range b.N {
				parts := 0
				r.Reset(bytes.NewReader(raw), 0, Mbox, 100, "")
				for {
					p, err := r.Next()
					if err == io.EOF {
						break
					}
					if p == nil {
						continue
					}
					parts++
					for off := int64(0); read; {
						n, err := p.Body.Read(buf)
						off += int64(n)
						p.Body.Forget(off - 64<<10)
						if err != nil {
							break
						}
					}
				}
				b.ReportMetric(float64(parts), "parts")
				b.ReportMetric(float64(r.w.in.message), "messages")
			}
		})
	}
}
