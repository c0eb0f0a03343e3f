//go:build linux && go1.26 && !go1.27 && (amd64 || arm64)

package main

import (
	"os"
	"testing"
)

// TestClosed runs the command with closed standard descriptors. That is an error, and nothing may
// be written to a file that was opened with the same number. A descriptor that the parent has
// opened counts as open, even if it is /dev/null for reading and writing.
func TestClosed(t *testing.T) {
	if entry&checked == 0 {
		if raceDetected {
			t.Skip("a program that C starts")
		}
		t.Fatal("the descriptors were not checked")
	}
	path := write(t, "x", lines(1))
	for _, c := range []struct {
		line, out, complaints string
		status                int
	}{
		{`urlsift "$1" >&-`, "", "urlsift: standard output is closed\n", hadErrors},
		{`urlsift "$1" <&-`, "", "urlsift: standard input is closed\n", hadErrors},
		{`urlsift "$1" 2>&-`, "", "", hadErrors},
		{`urlsift "$1" <&- >&- 2>&-`, "", "", hadErrors},
		{`urlsift --help >&-`, "", "urlsift: standard output is closed\n", hadErrors},
		{`urlsift parse http://a.example/ >&-`, "", "urlsift: standard output is closed\n", hadErrors},
		{`urlsift "$1" <>/dev/null 2<>/dev/null`, urls(1), "", foundSome},
		{`urlsift "$1" 1<>/dev/null`, "", "", foundSome},
		{`urlsift "$1" </dev/null 2>/dev/null`, urls(1), "", foundSome},
	} {
		o := shell(t, c.line, path)
		if o.status != c.status || o.out != c.out || o.complaints != c.complaints {
			t.Errorf("%s: status %d, %q, %q", c.line, o.status, o.out, o.complaints)
		}
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != string(lines(1)) {
		t.Errorf("the file is %q, %v", data, err)
	}
}
