package extract_test

import (
	"bytes"
	"net/mail"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urlsift/urlsift/extract"
)

// TestTime parses dates of many programs.
func TestTime(t *testing.T) {
	const day = "1998-01-05T"
	for _, c := range []struct{ date, want string }{
		{"Mon, 5 Jan 1998 12:00:01 +0000", day + "12:00:01Z"},
		{"Mon, 05 Jan 1998 12:00:01 -0730", day + "12:00:01-07:30"},
		{"Mon,5 Jan 1998 12:00:01 +0100 (MET)", day + "12:00:01+01:00"},
		{"Mon, 5 Jan 1998 12:00:01 -0500 EST", day + "12:00:01-05:00"},
		{"5 Jan 1998 12:00 GMT", day + "12:00:00Z"},
		{"5 Jan 98 12:00 UT", day + "12:00:00Z"},
		{"5 January 1998 9:05 Z", day + "09:05:00Z"},
		{"Mon, 5 Jan 98 12:00:01 EST", day + "12:00:01-05:00"},
		{"Mon, 5 Jan 98 12:00:01 pdt", day + "12:00:01-07:00"},
		{"Mon, 5 Jan 98 12:00:01 BST", day + "12:00:01Z"}, // British Summer Time, or Bering Standard Time
		{"Mon, 5 Jan 1998 12:00:01", day + "12:00:01Z"},
		{"5 Jan 12:00:01 1998", day + "12:00:01Z"},
		{"Jan 5, 1998 12:00", day + "12:00:00Z"},
		{"Mon Jan 5 12:00:01 MET 1998", day + "12:00:01Z"},
		{"Mon, 5 Jan 1998 12:00:01 -0000", day + "12:00:01Z"},
		{"Mon, 5 Jan 1998 12:00:01 \"MET\"", ""},
		{"Mon, 5 Jan 1998 12:00:01 PM", ""},
		{"Mon, 5 Jan 1998 12:00:01 MET DST", day + "12:00:01Z"},
		{"Mon, 5 Jan 1998 12:00:01 something", ""},
		{"Monday, 5-Jan-98 12:00:01 GMT", day + "12:00:01Z"},
		{"Mon, 5-Jan-98 12:00:01 GMT", day + "12:00:01Z"},
		{"Mon Jan  5 12:00:01 1998", day + "12:00:01Z"},
		{"Mon Jan  5 12:00:01 GMT 1998", day + "12:00:01Z"},
		{"Mon Jan 5 12:00:01 PST 1998", day + "12:00:01-08:00"},
		{"Mon, Jan 5 1998 12:00:01 PST", day + "12:00:01-08:00"},
		{"January 5, 1998 12:00 EST", day + "12:00:00-05:00"},
		{"Mon, 5 Jan 12:00:01 98 GMT", day + "12:00:01Z"},
		{"Mon, 5 Jan 12:00:01 GMT 1998", day + "12:00:01Z"},
		{"Mon Jan  5 12:00:01 1998 +0100", day + "12:00:01+01:00"},
		{"Mon, 5 Jan 98 9:5:1 GMT", day + "09:05:01Z"},
		{"Mon, 5 Jan 1998 12:00:01 GMT+0100", ""}, // two zones that contradict each other
		{"Mon, 5 Jan 1968 12:00:01 GMT", "1968-01-05T12:00:01Z"},
		{"Mon, 5 Jan 68 12:00:01 GMT", "1968-01-05T12:00:01Z"},
		{"Mon, (a (nested) \\) comment) 5 (of) Jan 1998 12:00:01 +0000", day + "12:00:01Z"},
		{"Mon, 5 Jan 1998 12:00:01-0700", day + "12:00:01-07:00"},
		{"Sat, 1 Jan 100 00:00:00 +0000", "2000-01-01T00:00:00Z"},
		{"Sat, 1 Jan 00 00:00:00 +0000", "2000-01-01T00:00:00Z"},
		{"Thu, 31 Dec 1998 23:59:60 +0000", "1999-01-01T00:00:00Z"},
		{"1998-01-05T12:00:01+01:00", day + "12:00:01+01:00"},
		{"", ""},
		{"yesterday", ""},
		{"Mon, 5 Jan 1998", ""},
		{"Mon, 5 Jan 12:00:01 +0000", ""},
		{"Mon, 31 Feb 1998 12:00:01 +0000", ""},
		{"Mon, 32 Jan 1998 12:00:01 +0000", ""},
		{"Mon, 5 Jan 1998 24:00:01 +0000", ""},
		{"Mon, 5 Jan 1998 12:60:01 +0000", ""},
		{"Mon, 5 Jan 1998 12:00:01:00 +0000", ""},
		{"Mon, 5 Jan 1998 12:00:01 +00000", ""},
		{"Mon, 5 Jan 1998 12 +0000", ""},
		{"Mon, 5 Foo 1998 12:00:01 +0000", ""},
		{"Mon, 5 5 Jan 1998 12:00:01 +0000", ""},
		{"Mon, 5 Jan 1998 12:00:01 +0000 +0000", ""},
		{"Mon, 99999999999999999999 Jan 1998 12:00:01 +0000", ""},
	} {
		got := ""
		if at, ok := (extract.Origin{Fields: extract.Fields{Date: c.date}}).Time(); ok {
			got = at.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.date, got, c.want)
		}
	}
}

// TestTimeAsLibrary compares the dates of all messages in the corpora that have a numeric
// zone with the results of the standard library.
func TestTimeAsLibrary(t *testing.T) {
	n := 0
	for _, file := range mailFiles(t) {
		for line := range bytes.Lines(file.content(t)) {
			text, ok := strings.CutPrefix(string(line), "Date: ")
			if !ok {
				continue
			}
			text = strings.TrimSpace(text)
			want, err := mail.ParseDate(text)
			if err != nil || !strings.ContainsAny(text, "+-") {
				continue
			}
			n++
			if got, ok := (extract.Origin{Fields: extract.Fields{Date: text}}).Time(); !ok || !got.Equal(want) {
				t.Errorf("%q: %v, %v, want %v", text, got, ok, want)
			}
		}
	}
	if n < 200 {
		t.Errorf("only %d dates", n)
	}
}

// TestNoC checks that no dependency uses cgo, so that the command can be built without a C
// compiler, and needs less address space.
func TestNoC(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../cmd/urlsift").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for _, pkg := range []string{"net", "os/user", "runtime/cgo"} {
		if slices.Contains(strings.Fields(string(out)), pkg) {
			t.Errorf("%s is a dependency", pkg)
		}
	}
}

// FuzzTime checks that a date that was parsed can be formatted and parsed again.
func FuzzTime(f *testing.F) {
	f.Add("Mon, 5 Jan 1998 12:00:01 +0000")
	f.Add("Mon Jan 5 12:00:01 PST 1998 (x)")
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := (extract.Origin{Fields: extract.Fields{Date: text}}).Time()
		if !ok || at.Year() < 1900 || at.Year() > 9999 {
			return
		}
		again, ok := (extract.Origin{Fields: extract.Fields{Date: at.Format(time.RFC1123Z)}}).Time()
		if !ok || !again.Equal(at) {
			t.Errorf("%q: %v, then %v, %v", text, at, again, ok)
		}
	})
}
