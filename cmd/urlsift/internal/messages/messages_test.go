package messages

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/cmd/urlsift/internal/output"
	"github.com/urlsift/urlsift/extract"
)

// TestLimits checks that a message about a limit names the flag that changes it, and that no other
// message does.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&extract.Error{Limit: "Depth", Stage: "read", Err: os.ErrInvalid}, "invalid argument (--max-depth changes this)\n"},
		{&extract.Error{Limit: "Other", Stage: "read", Err: os.ErrInvalid}, "invalid argument\n"},
		{&extract.Error{Stage: "read", Err: os.ErrInvalid}, "invalid argument\n"},
		{os.ErrInvalid, "invalid argument\n"},
	} {
		var b bytes.Buffer
		r := New(Options{}, output.New(io.Discard, &b, false), output.Passwords{}, func(limit string) string {
			return map[string]string{"Depth": "--max-depth"}[limit]
		})
		r.Input(c.err)
		if !strings.HasSuffix(b.String(), c.want) || !r.Failed {
			t.Errorf("%v: %q", c.err, b.String())
		}
	}
}
