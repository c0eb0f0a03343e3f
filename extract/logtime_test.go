package extract

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/urlsift/urlsift/delimit"
	"github.com/urlsift/urlsift/extract/internal/times"
)

// logTimes has lines of a log with the time of their reference; "-" is none. The modification time
// of the file is 1 March 2021.
var logTimes = []struct{ line, want string }{
	{`83.149.9.216 - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 203 "http://a/" "x"`, "2015-05-17T08:05:03Z"},
	{`::1 - frank [10/Oct/2000:13:55:36 -0700] "GET http://a/ HTTP/1.0" 200 2326`, "2000-10-10T20:55:36Z"},
	{`[31/Feb/2000:13:55:36 -0700] http://a/`, "-"},
	{`[10/Okt/2000:13:55:36 -0700] http://a/`, "-"},
	{`10/Oct/2000:13:55:36 http://a/`, "2000-10-10T13:55:36Z"},
	{`2003-10-11T22:14:15.003Z http://a/`, "2003-10-11T22:14:15Z"},
	{`<34>1 2003-10-11T22:14:15.003-03:30 mymachine su - http://a/`, "2003-10-12T01:44:15Z"},
	{`2003-10-11 22:14:15,123 INFO http://a/ 2004-10-11 22:14:15`, "2003-10-11T22:14:15Z"},
	{`2003-10-11 22:14:15 +0200 http://a/`, "2003-10-11T20:14:15Z"},
	{`2009/11/10 23:00:00 [error] 1#2: http://a/`, "2009-11-10T23:00:00Z"},
	{`2009/11-10 23:00:00 http://a/`, "-"},
	{`12009-11-10 23:00:00 http://a/`, "-"},
	{`2009-13-10 23:00:00 http://a/`, "-"},
	{`2009-11-10 24:00:00 http://a/`, "-"},
	{`2009-11-10 23:00:00:00 http://a/`, "-"},
	{`2009-11-10 23:00 http://a/`, "-"},
	{`2009-11-10 23:00:00 +1600 http://a/`, "-"},
	{`{"time":"2020-02-29T01:02:03+01:00","url":"http://a/"}`, "2020-02-29T00:02:03Z"},
	{`{"url":"http://a/","time":"2020-02-29T01:02:03+01:00"}`, "-"},
	{`Feb 28 13:55:36 host app[1]: http://a/`, "2021-02-28T13:55:36Z"},
	{`Mar  1 13:55:36 host http://a/`, "2021-03-01T13:55:36Z"},
	{`Mar  3 13:55:36 host http://a/`, "2020-03-03T13:55:36Z"},
	{`<13>Feb 29 13:55:36 host http://a/`, "2020-02-29T13:55:36Z"},
	{`Feb 30 13:55:36 host http://a/`, "-"},
	{`xFeb 28 13:55:36 host http://a/`, "-"},
	{`[Wed Oct 11 14:32:52.123456 2000] [error] http://a/`, "2000-10-11T14:32:52Z"},
	{`at 10:11:12 http://a/`, "-"},
	{`http://a/ 2003-10-11T22:14:15Z`, "-"},
	{`:: http://a/`, "-"},
	{`http://a/`, "-"},
	{`x http://a/ 10/Oct/2000:13:55:36 +0000 http://b/`, "- 2000-10-10T13:55:36Z"},
	{`[17/May/2015:10:05:03 +0000] http://a/ [18/May/2015:10:05:03 +0000] http://b/`, "2015-05-17T10:05:03Z 2015-05-17T10:05:03Z"},
	{`[17/May/2015:10:05:03 +0000]` + strings.Repeat(" ", times.MaxLine-29) + ` http://a/`, "2015-05-17T10:05:03Z"},
	{`[17/May/2015:10:05:03 +0000]` + strings.Repeat(" ", times.MaxLine) + ` http://a/`, "-"},
}

// timesOf returns the times of the references that are read from text.
func timesOf(t *testing.T, read func(*Extractor) []string) []string {
	t.Helper()
	x, err := New(Options{LogTimes: true, Delimit: delimit.Options{NoLines: true}, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return read(x)
}

// stampOf returns the time of r as text.
func stampOf(r *Result) string {
	if at, ok := r.Origin.Time(); ok {
		return at.Format(time.RFC3339)
	}
	return "-"
}

func TestLogTimes(t *testing.T) {
	var all bytes.Buffer
	var want []string
	for _, c := range logTimes {
		fmt.Fprintln(&all, c.line)
		want = append(want, strings.Fields(c.want)...)
	}
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, all.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := time.Date(2021, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(name, changed, changed); err != nil {
		t.Fatal(err)
	}
	got := timesOf(t, func(x *Extractor) (times []string) {
		for r, err := range x.Run(context.Background(), Walk(name)) {
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, stampOf(r))
		}
		return times
	})
	if len(got) != len(want) {
		t.Fatalf("%d references, want %d", len(got), len(want))
	}
	n := 0
	for _, c := range logTimes {
		for _, w := range strings.Fields(c.want) {
			if got[n] != w {
				t.Errorf("%.100s: %s, want %s", c.line, got[n], w)
			}
			n++
		}
	}

	// The times must not depend on how the text is read, nor on text in front of it.
	current := timesOf(t, func(x *Extractor) (times []string) {
		for r := range x.Read(t.Context(), "log", bytes.NewReader(all.Bytes())) {
			times = append(times, stampOf(r))
		}
		return times
	})
	for _, front := range []string{"", strings.Repeat("some text\n", 20_000)} {
		one := timesOf(t, func(x *Extractor) (times []string) {
			for r := range x.Read(t.Context(), "log", iotest.OneByteReader(strings.NewReader(front+all.String()))) {
				times = append(times, stampOf(r))
			}
			return times
		})
		if strings.Join(one, " ") != strings.Join(current, " ") {
			t.Errorf("one byte at a time, after %d bytes:\n%s\nnot\n%s", len(front), one, current)
		}
	}
}

// TestLogTimesShared reads a big file with several workers, with Run and with Encode. The times
// must be those of one worker.
func TestLogTimesShared(t *testing.T) {
	var text bytes.Buffer
	for i := range 120_000 {
		c := logTimes[i%len(logTimes)]
		if len(c.line) > times.MaxLine || strings.Contains(c.line, "Mar ") || strings.Contains(c.line, "Feb ") {
			fmt.Fprintf(&text, "[17/May/2015:10:%02d:%02d +0000] http://a/%d\n", i/60%60, i%60, i)
			continue
		}
		text.WriteString(c.line + "\n")
	}
	name := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var want string
	for _, workers := range []int{1, 4} {
		x, err := New(Options{LogTimes: true, Delimit: delimit.Options{NoLines: true}, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		var got, records strings.Builder
		for r, err := range x.Run(context.Background(), Walk(name)) {
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(stampOf(r) + "\n")
		}
		for some, err := range x.Encode(context.Background(), Walk(name), func() Encoder {
			return func(dst []byte, r *Result) []byte { return append(dst, stampOf(r)+"\n"...) }
		}) {
			if err != nil {
				t.Fatal(err)
			}
			records.Write(some.Bytes)
		}
		if want == "" {
			want = got.String()
		}
		if got.String() != want || records.String() != want {
			t.Errorf("%d workers: other times", workers)
		}
	}
}

// TestLogTimesNotInMail checks that results in a message have the date of the message.
func TestLogTimesNotInMail(t *testing.T) {
	const mail = "From a Thu Jan  1 00:00:00 1998\nDate: Thu, 1 Jan 1998 01:00:00 +0100\n\n2003-10-11T22:14:15Z http://a/\n\n" +
		"From a Thu Jan  1 00:00:00 1998\nSubject: x\n\n2003-10-11T22:14:15Z http://a/\n"
	got := timesOf(t, func(x *Extractor) (times []string) {
		for r := range x.Read(t.Context(), "mail", strings.NewReader(mail)) {
			times = append(times, stampOf(r))
		}
		return times
	})
	if fmt.Sprint(got) != "[1998-01-01T01:00:00+01:00 -]" {
		t.Error(got)
	}
}
