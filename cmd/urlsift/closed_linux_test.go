package main

import (
	"os"
	"testing"
)

// TestClosed runs the command with closed standard descriptors. The Go runtime opens /dev/null in
// their place, so that no file that is opened later has such a number, and nothing is written to it.
func TestClosed(t *testing.T) {
	path := write(t, "x", lines(1))
	for _, c := range []struct {
		line, out, complaints string
		status                int
	}{
		{`urlsift "$1" >&-`, "", "", foundSome},
		{`urlsift "$1" <&-`, urls(1), "", foundSome},
		{`urlsift <&-`, "", "", foundNone},
		{`urlsift "$1" 2>&-`, urls(1), "", foundSome},
		{`urlsift "$1" "$1.none" 2>&-`, urls(1), "", hadErrors},
		{`urlsift "$1" <&- >&- 2>&-`, "", "", foundSome},
		{`urlsift "$1" "$1.none" <&- >&- 2>&-`, "", "", hadErrors},
		{`urlsift --help >&-`, "", "", foundSome},
		{`urlsift parse http://a.example/ >&-`, "", "", foundSome},
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
