package extract_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/extract"
	"github.com/urlsift/urlsift/uri"
)

// results returns copies of the Results in text.
func results(t testing.TB, opts extract.Options, text string) (all []extract.Result) {
	t.Helper()
	x, err := extract.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range x.Read(t.Context(), "text", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Clone())
	}
	return all
}

// TestComponents checks that Scheme and Host are those of the target if there is one.
func TestComponents(t *testing.T) {
	base := uri.MustParse("ftp://b.example:21/x/")
	const text = "<HTTP://u:p@A.example:80/> <URL:../z> <URL:mailto:x@y.example> <http://[::1]:8/> <URL:http:>"
	var got []string
	for _, r := range results(t, extract.Options{Base: base}, text) {
		got = append(got, fmt.Sprintf("%q %q", r.Scheme(), r.Host()))
	}
	want := []string{`"HTTP" "A.example"`, `"ftp" "b.example"`, `"mailto" ""`, `"http" "[::1]"`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s\nnot\n%s", got, want)
	}
	for _, r := range results(t, extract.Options{}, "<URL:../z>") {
		if r.Scheme() != nil || r.Host() != nil {
			t.Errorf("%s has %q and %q", r.URL, r.Scheme(), r.Host())
		}
	}
}

// TestRedactedError checks that messages can be made without a password, wherever in the
// reference the fault is, and that they are otherwise equal.
func TestRedactedError(t *testing.T) {
	for _, c := range []struct{ ref, want string }{
		{"http://u:secret@[x]/", `http://u:***@[x]/`},
		{"http://u:secret@h/%zz", `at offset 15 `},
		{"http://u:sec[ret@h/", `the password is not in uri-2002: "http://u:***@h/"`},
		{"http://u[:secret@h/", `at offset 8 `},
		{"http://u:***@h/%zz", `at offset 15 `},
		{"http://h/%zz", `at offset 9 `},
	} {
		err := uri.Explain(c.ref, uri.Split(c.ref), uri.URI2002)
		if err == nil {
			t.Errorf("%s is taken", c.ref)
			continue
		}
		r := extract.Result{Err: err}
		got := extract.RedactedError(err)
		if !strings.Contains(got, c.want) || strings.Contains(got, "sec") || strings.Contains(got, "ret@") {
			t.Errorf("%s: %s, not %s", c.ref, got, c.want)
		}
		for _, redact := range []bool{false, true} {
			fault, reason := err.Error(), r.Reason(redact)
			if redact {
				fault = got
			}
			same := strings.Replace(reason, " of the URL", "", 1)
			if strings.Contains(fault, " at offset ") != (same != reason) {
				t.Errorf("%s: it is not said what the offset is of: %s", c.ref, reason)
			}
			if rest, ok := strings.CutPrefix(fault, same+": "); !ok || rest == "" || rest[0] != '"' || strings.Contains(reason, "://") {
				t.Errorf("%s: the reason is %s, of %s", c.ref, reason, fault)
			}
		}
	}
	if got := extract.RedactedError(nil); got != "" {
		t.Errorf("nothing is wrong: %s", got)
	}
	if got := extract.RedactedError(errors.New("x")); got != "x" {
		t.Errorf("%s", got)
	}
}

func TestRedactInner(t *testing.T) {
	for ref, want := range map[string]string{
		"http://h/http://v:pw@k/":              "http://h/http://v:***@k/",
		"http://u:p@h/?x=http://q:r@z/y@":      "http://u:***@h/?x=http://q:***@z/y@",
		"www.x.y/http://u:pass@h":              "www.x.y/http://u:***@h",
		"//u:p@h//v:q@i/":                      "//u:***@h//v:***@i/",
		"http://h/a//b//c:d":                   "http://h/a//b//c:d",
		"http://u:@h/http://u@h/http://:p@h//": "http://u:@h/http://u@h/http://:***@h//",
	} {
		if got := string(new(extract.Redactor).Append([]byte("kept "), []byte(ref))); got != "kept "+want {
			t.Errorf("%s: %s, want %s", ref, got, want)
		}
	}
}

// A message has no password of the reference that it quotes.
func ExampleRedactedError() {
	_, err := uri.Parse("http://me:secret@example.org/a b", uri.RFC3986)
	fmt.Println(extract.RedactedError(err))
	// Output: uri: path: byte ' ' at offset 27 is not in rfc3986: "http://me:***@example.org/a b"
}
