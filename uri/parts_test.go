package uri_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding"
	"flag"
	"strings"
	"testing"

	"github.com/urlsift/urlsift/uri"
)

// A Ref implements these interfaces.
var (
	_ encoding.TextAppender    = uri.Ref{}
	_ encoding.TextMarshaler   = uri.Ref{}
	_ encoding.TextUnmarshaler = (*uri.Ref)(nil)
	_ flag.Value               = (*uri.Ref)(nil)
	_ sql.Scanner              = (*uri.Ref)(nil)
	_ driver.Valuer            = uri.Ref{}
)

func TestKindOfHost(t *testing.T) {
	for s, want := range map[string]string{
		"http://h/": "name", "//h": "name", "/h": "", "mailto:a@b": "", "": "", "http:///p": "name", "//:80": "name",
		"//1.2.3.4": "ipv4", "//u:p@1.2.3.4:80/": "ipv4", "//256.1.1.1": "name", "//1.2.3": "name", "//[::1]": "ipv6", "//[::1]:80": "ipv6",
		"//[v1.a]": "ipvfuture", "//[V1.a]": "ipvfuture", "//[x]": "", "//[::1": "", "//a_b": "registry", "//h%41": "registry", "//h..d": "registry",
		"//-h": "registry", "//h.d.": "name", "//h.": "registry", "//h.2.": "registry", "//a.b-c.d": "name", "//R!G": "registry",
		"//" + strings.Repeat("a", 63): "name", "//" + strings.Repeat("a", 64): "registry",
	} {
		if got := uri.KindOfHost(s, uri.Split(s)); got.String() != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	// The kinds of hosts in the table have our names for 2002 and 3986.
	for _, row := range rowsOf(t, "authority.public.jsonl") {
		auth, _ := text(t, row, "authority")
		s := "//" + auth
		p := uri.Split(s)
		got, _ := uri.Accepts(s, p, uri.URI2002)
		if got == 0 {
			continue
		}
		_, _, isServer := p.Span(uri.Host)
		kind := uri.KindOfHost(s, p)
		name := string(row["uri-2002:hostname"]) == "true"
		if address := string(row["uri-2002:IPv4address"]) == "true"; isServer && address != (kind == uri.HostIPv4) && !strings.ContainsAny(auth, ":@") {
			t.Errorf("%q: %v", auth, kind)
		} else if name && kind != uri.HostName && kind != uri.HostIPv4 {
			t.Errorf("%q: %v", auth, kind)
		}
	}
}

func TestAccount(t *testing.T) {
	for s, want := range map[string][3]string{
		"http://h/": {"", "", "0"}, "http://@h/": {"", "", "1"}, "http://u@h/": {"u", "", "1"}, "http://u:@h/": {"u", "", "2"},
		"http://:p@h/": {"", "p", "2"}, "http://u:p:q@h/": {"u", "p:q", "2"}, "http://u%3A@h/": {"u%3A", "", "1"}, "mailto:u:p@h": {"", "", "0"},
	} {
		user, password, has := uri.Account(s, uri.Split(s))
		if user != want[0] || password != want[1] || has != int(want[2][0]-'0') {
			t.Errorf("%q: %q, %q, %d", s, user, password, has)
		}
		r := uri.MustParse(s)
		u, hasUser := r.User()
		p, hasPassword := r.Password()
		if u != user || p != password || hasUser != (has > 0) || hasPassword != (has > 1) {
			t.Errorf("%q: %q, %v, %q, %v", s, u, hasUser, p, hasPassword)
		}
	}
	// By 1997 the table has separate columns for user and password.
	for _, row := range rowsOf(t, "authority.public.jsonl") {
		parts := row["url-1997:parts"]
		if parts == nil || string(parts) == "null" {
			continue
		}
		auth, _ := text(t, row, "authority")
		user, password, has := uri.Account("//"+auth, uri.Split("//"+auth))
		in := fieldsOf(t, parts)
		for i, name := range []string{"user", "password"} {
			want, there := text(t, in, name)
			if got := [2]string{user, password}[i]; got != want || there != (has > i) {
				t.Errorf("%q: %s is %q, table has %q, %v", auth, name, got, want, there)
			}
		}
	}
}

// TestRecombined joins the components of every reference in the tables. The result must be the
// reference.
func TestRecombined(t *testing.T) {
	for g := range uri.Every.Each() {
		for _, row := range rowsOf(t, "validity_"+g.String()+".public.jsonl") {
			s, _ := text(t, row, "ref")
			r, err := uri.Parse(s, uri.Every)
			if err != nil {
				continue
			}
			b := r.Builder()
			b.Grammar = uri.Every
			if back, err := b.Ref(); err != nil || back != r {
				t.Errorf("%q comes back as %q, %v", s, back, err)
			}
		}
	}
}

func TestBuilder(t *testing.T) {
	var b uri.Builder
	if r, err := b.Ref(); err != nil || r != (uri.Ref{}) {
		t.Errorf("the zero Builder makes %q, %v", r, err)
	}
	b.Set(uri.Authority, "u:p@[::1]:80").Set(uri.Scheme, "http").Join("a b", "c/d", "").SetData(uri.Query, "x&y=1").SetData(uri.Fragment, "§")
	if r, err := b.Ref(); err != nil || r.String() != "http://u:p@[::1]:80/a%20b/c%2Fd/?x%26y%3D1#%C2%A7" {
		t.Errorf("%v, %v", r, err)
	}
	b.Unset(uri.Host).Unset(uri.Query)
	if r, err := b.Ref(); err != nil || r.String() != "http:/a%20b/c%2Fd/#%C2%A7" {
		t.Errorf("%v, %v", r, err)
	}
	for _, c := range []struct {
		set  []part
		want string
	}{
		{[]part{{uri.Path, "//p"}}, `uri: path: what begins at offset 0 would be read as another part: "//p"`},
		{[]part{{uri.Path, "a:b"}}, `uri: path: what begins at offset 0 would be read as another part: "a:b"`},
		{[]part{{uri.Host, "u@h"}}, `uri: host: what begins at offset 2 would be read as another part: "//u@h"`},
		{[]part{{uri.Authority, "h/p"}}, `uri: host: what begins at offset 2 would be read as another part: "//h/p"`},
		{[]part{{uri.Host, "h"}, {uri.Path, "p"}}, `uri: host: what begins at offset 2 would be read as another part: "//hp"`},
		{[]part{{uri.Query, "a#b"}}, `uri: query: what begins at offset 1 would be read as another part: "?a#b"`},
		{[]part{{uri.Scheme, ""}}, `uri: scheme: what begins at offset 0 would be read as another part: ":"`},
		{[]part{{uri.Port, "8x"}}, ``},
		{[]part{{uri.Path, "a b"}}, `uri: path: byte ' ' at offset 1 is not in uri-2002: "a b"`},
	} {
		var b uri.Builder
		for _, s := range c.set {
			b.Set(s.c, s.text)
		}
		r, err := b.Ref()
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%v makes %q, %v", c.set, r, err)
		}
	}
}

type part struct {
	c    uri.Component
	text string
}

func TestCarry(t *testing.T) {
	r := uri.MustParse("http://h/?")
	v, err := r.Value()
	if err != nil || v != "http://h/?" {
		t.Errorf("%v, %v", v, err)
	}
	for _, column := range []interface{}{"http://h/?", []byte("http://h/?")} {
		var back uri.Ref
		if err := back.Scan(column); err != nil || back != r {
			t.Errorf("%v: %v, %v", column, back, err)
		}
	}
	for _, column := range []interface{}{nil, 1, "a b", []byte("^")} {
		back := r
		if err := back.Scan(column); err == nil || back != r || !strings.HasPrefix(err.Error(), "uri: ") {
			t.Errorf("%v: %v, %v", column, back, err)
		}
	}
	var null sql.Null[uri.Ref]
	if err := null.Scan(nil); err != nil || null.Valid {
		t.Errorf("%v, %v", null, err)
	}
	if err := null.Scan("a"); err != nil || !null.Valid || null.V.String() != "a" {
		t.Errorf("%v, %v", null, err)
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(new(strings.Builder))
	var set uri.Ref
	flags.Var(&set, "ref", "")
	if err := flags.Parse([]string{"-ref", "x:y"}); err != nil || set.String() != "x:y" {
		t.Errorf("%v, %v", set, err)
	}
	if err := flags.Parse([]string{"-ref", "x y"}); err == nil {
		t.Error("no error")
	}
	if text, err := r.AppendText([]byte("<")); err != nil || string(text) != "<http://h/?" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestIsPlain checks that IsPlain is true only for plain texts, and for those that are usual.
func TestIsPlain(t *testing.T) {
	long := strings.Repeat("/path", 30)
	for s, want := range map[string]bool{
		"http://example.org/": true, "https://www.example.org/a/b-c_d.html": true, "http://example.org" + long: true, "http://127.0.0.1/": true,
		"http://example.org/?": false, "http://example.org/#": false, "http://example.org/%41": false, "http://example.org/a:b": false,
		"http://example.org" + long + "?x": false, "http://example.org" + long + ":": false, "http://u@example.org/": false,
		"http://example.org:80/": false, "ftp://example.org/": false, "mailto:joe@example.org": false, "/path": false, "": false,
	} {
		if got := uri.Split(s).IsPlain(); got != want {
			t.Errorf("%s: %v", s, got)
		}
	}
}
